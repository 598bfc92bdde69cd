import * as fc from 'fast-check';
import { DOORS } from '../../../src/model/api';
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

test('a door that both open is open, and one of two canaries lets in only their common namespaces', () => {
  const canary = (namespaces: string[]) => ({ door: 'Canary' as const, namespaces, interruptions: ['safe' as const], message: 'm' });

  expect(meetDoors(undefined, undefined)).toBeUndefined();
  expect(meetDoors(canary(['n', 'm']), canary(['m', 'o']))).toEqual(canary(['m']));
  expect(meetDoors(canary(['n']), { door: 'Open', message: '' })).toEqual(canary(['n']));
});
