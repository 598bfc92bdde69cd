import { ApiObject, Chart, Yaml } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { chartOrder } from './chart-order';
import type { TreeMistake } from './tree-mistake';
import { rawFieldsOf } from '../dra/raw-field-paths';
import type { Manifest } from '../model/manifests/manifest';

/** Everything an app renders, each object once. */
export interface RenderedTree {
  readonly manifests: readonly Manifest[];
  readonly mistakes: readonly TreeMistake[];
  /** File texts by relative path. */
  files(): Map<string, string>;
  /** The file that `cdk8s synth --validate` reads to name constructs. */
  constructMetadata(): string;
}

/** Renders all charts below the root; what cannot be rendered becomes a mistake, not an exception. */
export function renderTree(root: IConstruct): RenderedTree {
  const all = root.node.findAll();
  const mistakes: TreeMistake[] = [...validationMistakes(all), ...crossChartDependencies(all)];
  const charts = all.filter((construct): construct is Chart => construct instanceof Chart);
  const rendered = charts.map(chart => ({ chart, file: chartFile(chart, mistakes), objects: renderChart(chart, mistakes) }));
  mistakes.push(...fileClashes(rendered.filter(({ objects }) => objects.length > 0)));
  return {
    manifests: rendered.flatMap(({ objects }) => objects.map(({ manifest }) => manifest)),
    mistakes,
    files: () => new Map(rendered.filter(({ objects }) => objects.length > 0)
      .map(({ file, objects }) => [file, Yaml.stringify(...objects.map(({ manifest }) => manifest.value))])),
    constructMetadata: () => JSON.stringify({
      version: '1.0.0',
      resources: Object.fromEntries(rendered.flatMap(({ objects }) => objects.map(({ object }) => [object.name, { path: object.node.path }]))),
    }),
  };
}

interface RenderedObject {
  readonly object: ApiObject;
  readonly manifest: Manifest;
}

interface RenderedChart {
  readonly chart: Chart;
  readonly file: string;
  readonly objects: readonly RenderedObject[];
}

function renderChart(chart: Chart, mistakes: TreeMistake[]): RenderedObject[] {
  const rendered: RenderedObject[] = [];
  for (const object of chartOrder(chart, mistakes)) {
    try {
      rendered.push({ object, manifest: { value: object.toJson(), source: { name: pathOf(object) }, vouchedFor: rawFieldsOf(object) } });
    } catch (error) {
      mistakes.push({ path: pathOf(object), message: withoutPath(error, object.node.path) });
    }
  }
  return rendered;
}

function validationMistakes(constructs: readonly IConstruct[]): TreeMistake[] {
  return constructs.flatMap(construct => construct.node.validate().map(message => ({ path: construct.node.path, message })));
}

/** cdk8s answers such a dependency by numbering all files, so a new pool would rename the files of others. */
function crossChartDependencies(constructs: readonly IConstruct[]): TreeMistake[] {
  const mistakes: TreeMistake[] = [];
  for (const source of constructs) {
    for (const target of source.node.dependencies) {
      const [from, to] = [chartOf(source), chartOf(target)];
      if (from === to) continue;
      mistakes.push({
        path: source.node.path,
        message: `A dependency must stay inside one chart, got one on "${target.node.path}". `
          + 'Order charts by the names of their files, or with the sync waves of your GitOps engine.',
      });
    }
  }
  return mistakes;
}

function chartOf(construct: IConstruct): Chart | undefined {
  return construct.node.scopes.reverse().find((scope): scope is Chart => scope instanceof Chart);
}

/** Ids of the chart and the charts around it; constructs in between, such as DevicePlatform, leave no trace in the path. */
function chartFile(chart: Chart, mistakes: TreeMistake[]): string {
  const ids = chart.node.scopes.filter(scope => scope instanceof Chart).map(scope => scope.node.id);
  if (!ids.every(id => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id))) {
    mistakes.push({
      path: chart.node.path,
      message: `The id of a chart names its file and must consist of letters, digits, '.', '_' and '-', got "${ids.join('/')}". Rename the chart.`,
    });
  }
  return `${ids.join('/')}.yaml`;
}

function fileClashes(charts: readonly RenderedChart[]): TreeMistake[] {
  const owners = new Map<string, Chart>();
  const mistakes: TreeMistake[] = [];
  for (const { chart, file } of charts) {
    // Lower case: on some file systems two such files are one.
    const owner = owners.get(file.toLowerCase());
    if (!owner) {
      owners.set(file.toLowerCase(), chart);
      continue;
    }
    mistakes.push({
      path: chart.node.path,
      message: `Each chart must have a file of its own, got "${file}" for this chart and for "${owner.node.path}". Rename one of the two.`,
    });
  }
  return mistakes;
}

/** The path that the author wrote: an object called Resource is the only child of the construct that stands for it. */
function pathOf(object: ApiObject): string {
  return object.node.id === 'Resource' ? object.node.path.slice(0, -'/Resource'.length) : object.node.path;
}

/** cdk8s wraps what a serializer throws; our own refusals already begin with the path. */
function withoutPath(error: unknown, path: string): string {
  const text = error instanceof Error ? error.message : String(error);
  const prefix = `[${path}] `;
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}
