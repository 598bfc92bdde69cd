import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { TreeMistake } from './rendered-tree';

/**
 * The API objects of a chart, without those of nested charts: in tree order, dependencies first.
 *
 * Stock cdk8s resolves the dependencies of the whole app again for each chart, which is quadratic in the number of charts.
 */
export function chartOrder(chart: Chart, mistakes: TreeMistake[]): ApiObject[] {
  const objects = objectsBelow(chart);
  const prerequisites = dependencyTable(chart, objects);
  if (prerequisites.size === 0) return objects;
  const ordered = new Set<ApiObject>();
  const open = new Set<ApiObject>();
  const visit = (object: ApiObject) => {
    if (ordered.has(object)) return;
    if (open.has(object)) {
      mistakes.push({ path: object.node.path, message: 'Objects must not depend on each other in a circle. Remove one of the dependencies.' });
      return;
    }
    open.add(object);
    for (const first of prerequisites.get(object) ?? []) visit(first);
    open.delete(object);
    ordered.add(object);
  };
  objects.forEach(visit);
  return [...ordered];
}

function objectsBelow(construct: IConstruct): ApiObject[] {
  const own = construct instanceof ApiObject ? [construct] : [];
  return [...own, ...construct.node.children.filter(child => !(child instanceof Chart)).flatMap(objectsBelow)];
}

/** For each object the objects that its own or its parents' dependencies name. */
function dependencyTable(chart: Chart, objects: readonly ApiObject[]): Map<ApiObject, ApiObject[]> {
  const table = new Map<ApiObject, ApiObject[]>();
  const members = new Set(objects);
  const walk = (construct: IConstruct, inherited: readonly ApiObject[]) => {
    const dependencies = construct.node.dependencies.flatMap(objectsBelow).filter(object => members.has(object));
    const all = dependencies.length > 0 ? [...inherited, ...dependencies] : inherited;
    if (construct instanceof ApiObject && all.length > 0) table.set(construct, all.filter(object => object !== construct));
    for (const child of construct.node.children) if (!(child instanceof Chart)) walk(child, all);
  };
  for (const child of chart.node.children) if (!(child instanceof Chart)) walk(child, []);
  return table;
}
