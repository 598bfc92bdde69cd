import type { PreviewFile } from './preview-file';
import { allWith, inPhase, type PreviewInput, relatedTo } from './preview-input';
import { queuesInPhase } from './queue-quota';
import { API_GROUP, API_VERSION, type ClassesByTemplate, templatesOfTexts, templateTexts } from '../api';
import { bridges } from '../migration/bridge';
import { earlyTaintRuleName, earlyTaintRuleSpec } from '../migration/early-taint';
import type { PlannedMigration } from '../migration/plan';
import { routing } from '../migration/routing';
import { templateClasses } from '../migration/template-classes';
import { isAtLeast, PHASES, type Phase } from '../phases/phase';

/** The file of a phase; numbers keep the phases in their order. */
export function phasePath(pool: string, phase: Phase): string {
  return `${pool}/phases/${PHASES.indexOf(phase)}-${phase}.yaml`;
}

/** The pool's migration in each phase that it does not stand in, with what the routing says about its classes and resources then. */
export function phaseFiles(pool: PlannedMigration, input: PreviewInput): readonly PreviewFile[] {
  const { view, migrations, target } = input;
  const templates = templateClasses(view);
  return PHASES.filter(phase => phase !== pool.spec.phase).map(phase => {
    const moved = inPhase(pool, phase);
    const related = relatedTo(moved, migrations);
    const { classes = {}, resources = {}, templates: watched = {} } = routing(related, target, { templates });
    const own = new Set(pool.spec.deviceClassNames);
    const ownResources = new Set(pool.spec.legacy?.resources.map(({ name }) => name));
    const spec = {
      classes: pick(classes, name => own.has(name)),
      resources: pick(resources, name => ownResources.has(name)),
      templates: templateTexts(ofClasses(templatesOfTexts(watched), own)),
    };
    const served = bridges(related, target).open.filter(({ resource }) => ownResources.has(resource));
    return {
      path: phasePath(pool.name, phase),
      comment: [
        `Pool ${pool.name} in ${phase}, if nothing else changes. A preview: Git holds the phase, the controller or kubectl-dra route writes the routing.`,
        ...isAtLeast(phase, 'Canary') && pool.spec.canary === undefined ? [`${phase} needs 'canary', which the pool does not have yet: which nodes, and whose namespaces.`] : [],
        ...served.map(({ deviceClassName, resource }) => `Class ${deviceClassName} carries extendedResourceName ${resource} then.`),
        'The routing is the part of it about this pool; under this name the API server refuses it.',
      ],
      objects: [
        { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceMigration', metadata: { name: pool.name }, spec: moved.spec },
        {
          apiVersion: `${API_GROUP}/${API_VERSION}`,
          kind: 'DeviceRouting',
          metadata: { name: 'part-of-default' },
          spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => Object.keys(value).length > 0)),
        },
        ...queuesInPhase(moved, input),
        ...taintRuleOf(moved, input),
      ],
    };
  });
}

function ofClasses(templates: ClassesByTemplate, own: ReadonlySet<string>): ClassesByTemplate {
  return Object.fromEntries(Object.entries(templates).filter(([, classes]) => classes.some(each => own.has(each))));
}

function pick<T>(map: { readonly [key: string]: T }, wanted: (key: string) => boolean): { readonly [key: string]: T } {
  return Object.fromEntries(Object.entries(map).filter(([key]) => wanted(key)));
}

/** The pool's DeviceTaintRule, where it has one. */
function taintRuleOf(moved: PlannedMigration, { view, migrations }: PreviewInput): readonly unknown[] {
  const rule = view.find('DeviceTaintRule', '', earlyTaintRuleName(moved.name))?.value;
  if (rule === undefined) return [];
  const { apiVersion, kind } = rule;
  const spec = earlyTaintRuleSpec(moved.spec.driver, allWith(moved, migrations));
  return [{ apiVersion, kind, metadata: { name: earlyTaintRuleName(moved.name) }, spec }];
}
