import * as fc from 'fast-check';
import { DOORS, TEMPLATE_TEXT_LIMITS } from '../../../src/model/api';
import type { DeviceRoutingSpec } from '../../../src/model/api';
import { meetDoors, openness, routePlan } from '../../../src/model/migration';
import type { PlannedMigration } from '../../../src/model/migration';
import { PHASES } from '../../../src/model/phases';
import { Target } from '../../../src/model/target';
import { ClusterView } from '../../../src/model/view';

const target = Target.of('1.36');

const plans = fc.uniqueArray(fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  phase: fc.constantFrom(...PHASES),
  deviceClassNames: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
  namespaces: fc.uniqueArray(fc.constantFrom('n', 'm'), { minLength: 1 }),
}), { selector: ({ name }) => name }).map(list => list.map(({ name, phase, deviceClassNames, namespaces }): PlannedMigration => ({
  name,
  spec: {
    family: 'gpu', driver: 'd', nodes: { matchLabels: { pool: name } }, deviceClassNames, phase, canary: { nodes: 1, namespaces }, legacy: { resources: [{ name: 'v/gpu' }] },
  },
})));

function viewWith(spec: DeviceRoutingSpec | undefined): ClusterView {
  const routing = spec && { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec };
  const templates = ['x', 'y'].map(name => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { namespace: 'n', name },
    spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: name } }] } } },
  }));
  return ClusterView.of([...templates, ...(routing ? [routing] : [])].map(value => ({ value, source: { name: '' } })));
}

/** A door that is not there lets in as many as one that is open. */
function rankOf(spec: DeviceRoutingSpec | undefined, name: string): number {
  return Math.min(openness(spec?.classes?.[name]), DOORS.length - 1);
}

test('no step lets in whom neither what was nor what will be lets in, and the last is what the migrations say', () => {
  fc.assert(fc.property(plans, plans, (before, after) => {
    const old = before.length === 0 ? undefined : routePlan(viewWith(undefined), before, [], target).routing;
    const plan = routePlan(viewWith(old), after, [], target);
    const written = plan.steps.flatMap(step => (step.kind === 'routing' ? [step.spec] : []));
    for (const [index, spec] of written.entries()) {
      if (index === written.length - 1) {
        expect(spec).toEqual(plan.routing);
        continue;
      }
      for (const name of ['x', 'y', 'z']) {
        expect(rankOf(spec, name)).toBeLessThanOrEqual(Math.min(rankOf(old, name), rankOf(plan.routing, name)));
      }
    }
    expect(routePlan(viewWith(plan.routing), after, [], target).steps.filter(({ kind }) => kind === 'routing')).toEqual([]);
  }));
});

test('templates are watched by the doors that are written with them; those of a door that has yet to open stay in what is written first', () => {
  const pool = (phase: 'Canary' | 'AllWorkloads', name: string): PlannedMigration => ({
    name, spec: { family: 'gpu', driver: 'd', nodes: { matchLabels: { pool: name } }, deviceClassNames: [name], phase, canary: { nodes: 1, namespaces: ['n'] } },
  });
  const old = routePlan(viewWith(undefined), [pool('Canary', 'x')], [], target).routing;

  const { steps, changes } = routePlan(viewWith(old), [pool('AllWorkloads', 'x'), pool('Canary', 'y')], [], target);

  expect(old.templates).toEqual({ n: 'x: x\n' });
  expect(steps.flatMap(step => (step.kind === 'routing' ? [step.spec.templates] : []))).toEqual([{ n: 'x: x\ny: y\n' }, { n: 'y: y\n' }]);
  expect(changes.filter(({ what }) => what.startsWith('template'))).toEqual([
    { effect: 'opens', what: 'template n/x', before: 'watched for x', after: 'not watched' },
    { effect: 'closes', what: 'template n/y', before: 'not watched', after: 'watched for y' },
  ]);
});

test('a namespace with more templates than the routing takes is a mistake, so that nothing is written', () => {
  const migration: PlannedMigration = { name: 'a', spec: { family: 'gpu', driver: 'd', nodes: { matchLabels: { pool: 'a' } }, deviceClassNames: ['x'], phase: 'Observe' } };
  const templates = Array.from({ length: TEMPLATE_TEXT_LIMITS.text / 8 }, (_, index) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { namespace: 'n', name: `t${String(index).padStart(7, '0')}` },
    spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'x' } }] } } },
  }));

  const { mistakes } = routePlan(ClusterView.of(templates.map(value => ({ value, source: { name: '' } }))), [migration], [], target);

  expect(mistakes).toEqual(['The claim templates of namespace n fill 36867 characters, DeviceRouting takes 32768 a namespace. '
    + 'Only templates of classes that are not open count: delete those that nobody uses, or open the classes.']);
});

test('a door that both open is open, and one of two canaries lets in only their common namespaces', () => {
  const canary = (namespaces: string[]) => ({ door: 'Canary' as const, namespaces, interruptions: ['safe' as const], message: 'm' });

  expect(meetDoors(undefined, undefined)).toBeUndefined();
  expect(meetDoors(canary(['n', 'm']), canary(['m', 'o']))).toEqual(canary(['m']));
  expect(meetDoors(canary(['n']), { door: 'Open', message: '' })).toEqual(canary(['n']));
});
