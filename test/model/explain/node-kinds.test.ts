import { viewOf } from './case-file';
import { allocate, Allocator, featuresOf, featuresWith } from '../../../src/model/allocator';
import { questionOf } from '../../../src/model/explain/claim-question';
import { claimDemand } from '../../../src/model/explain/device-demand';
import { DeviceInventory } from '../../../src/model/explain/device-inventory';
import { NodeKinds } from '../../../src/model/explain/node-kinds';
import { sameVerdict, verdictOf } from '../../../src/model/explain/node-verdict';
import type { NodeVerdict } from '../../../src/model/explain/node-verdict';
import { rememberingEvaluator } from '../../../src/model/explain/selector-memory';
import { Trials } from '../../../src/model/explain/trials';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import type { Minor } from '../../../src/model/target';
import { objectsAt } from '../../../src/model/view/json-field';
import { allocationCases } from '../../oracle/generate/allocation-cases';
import { NODE } from '../../oracle/generate/device-inventory';

/** The question of a case, on four nodes that each have a copy of what the one node of the case has; the last one lacks something. */
interface Cluster {
  readonly id: string;
  readonly target: Target;
  readonly objects: readonly JsonObject[];
  readonly claims: readonly JsonObject[];
}

const NODES = ['node-0', 'node-1', 'node-2', 'node-3'];

function clusters(minor: Minor, seed: number, count: number): readonly Cluster[] {
  return allocationCases(seed, count, minor).flatMap(({ question }): Cluster[] => {
    const { id, features = {}, node, classes, slices, claims, allocated = [] } = question as unknown as
      { id: string; features?: Record<string, boolean>; node: JsonObject } & Record<'classes' | 'slices' | 'claims' | 'allocated', readonly JsonObject[]>;
    let target: Target;
    try {
      target = Target.parse(minor, Object.entries(features).map(([name, value]) => `${name}=${value}`).join());
    } catch {
      // Gates that no real component would take together.
      return [];
    }
    if (JSON.stringify(featuresOf(target)) !== JSON.stringify(featuresWith(minor, features))) return [];
    // Minutes of searching prove nothing more here.
    if (allocate({ node, slices, classes, claims, allocated }, { minor, features: featuresOf(target), maxSteps: 5000 }).outOfSteps) return [];
    const isOwn = (slice: JsonObject): boolean => JSON.stringify(slice).includes(`"nodeName":"${NODE}"`);
    const owners = new Set(slices.filter(isOwn).map(poolOf));
    const shared = slices.filter(slice => !owners.has(poolOf(slice)));
    const copies = NODES.flatMap(name => slices.filter(slice => owners.has(poolOf(slice))).map(slice => copyOf(slice, name)));
    const entries = allocated.flatMap(one => (one.device === undefined ? objectsAt(one, 'status', 'allocation', 'devices', 'results') : [one]));
    const results = entries.flatMap((entry, i) => (owners.has(`${String(entry.driver)}/${String(entry.pool)}`)
      ? NODES.filter(name => name !== 'node-3' || i > 0).map(name => ({ ...entry, pool: `${String(entry.pool)}-${name}` }))
      : [entry]));
    const last = copies[copies.length - 1];
    if (last !== undefined && id.length % 2 === 0) (last.spec as { pool: { resourceSliceCount: number } }).pool.resourceSliceCount += 1;
    const holder = { metadata: { name: 'holder', namespace: 'team' }, spec: {}, status: { allocation: { devices: { results } } } };
    return [{
      id,
      target,
      claims,
      objects: [
        ...NODES.map(name => ({ apiVersion: 'v1', kind: 'Node', ...node, metadata: { ...node.metadata as JsonObject, name } })),
        ...[...copies, ...shared].map(slice => ({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', ...slice })),
        ...classes.map(one => ({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', ...one })),
        { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', ...holder },
      ],
    }];
  });
}

function poolOf(slice: JsonObject): string {
  const { driver, pool } = slice.spec as { driver: string; pool: { name: string } };
  return `${driver}/${pool.name}`;
}

/** As the slice of another node, in a pool of its own. */
function copyOf(slice: JsonObject, node: string): JsonObject {
  const copy = JSON.parse(JSON.stringify(slice).replaceAll(`"nodeName":"${NODE}"`, `"nodeName":"${node}"`)) as { metadata: { name: string }; spec: { pool: { name: string } } };
  copy.metadata.name += `-${node}`;
  copy.spec.pool.name += `-${node}`;
  return copy as unknown as JsonObject;
}

/** What a verdict says, without the node that it is about. */
function told({ node, rule, devicesFit, conflicts, fatal, tally }: NodeVerdict): object {
  const states = tally?.states.map(one => `${one.device.id.replaceAll(node.name, '@')} ${one.rule} ${one.detail}`);
  return { rule, devicesFit, conflicts, isFatal: fatal !== undefined, need: tally?.need.reference, states };
}

describe.each(['1.34', '1.35', '1.36', '1.37'] as const)('Kubernetes %s', minor => {
  const all = clusters(minor, 11, 90);

  test('nodes of one kind have the same verdict, device for device', () => {
    let shared = 0;
    for (const { id, target, objects, claims } of all) {
      const view = viewOf(objects);
      const inventory = new DeviceInventory(view, target, rememberingEvaluator(target));
      const kinds = new NodeKinds(inventory);
      const trials = new Trials(inventory, kinds, view, target);
      const demand = claims.map((claim, i) => claimDemand(`claim ${i}`, claim, i));
      const firsts = new Map<string, NodeVerdict>();
      for (const node of view.all('Node')) {
        const itsOwn = verdictOf(node, [], demand, trials.answer(node, claims), inventory);
        const kind = kinds.kindOf(node, questionOf(claims));
        const first = kind === undefined ? undefined : firsts.get(kind);
        if (kind !== undefined && first === undefined) firsts.set(kind, itsOwn);
        if (first === undefined) continue;
        shared += 1;
        expect({ id, ...told(sameVerdict(first, node, [], inventory)) }).toEqual({ id, ...told(itsOwn) });
      }
    }
    expect(shared).toBeGreaterThan(all.length);
  });

  test('the devices of other nodes change no answer, but where this version looks at them', () => {
    for (const { id, target, objects, claims } of all) {
      const view = viewOf(objects);
      const inventory = new DeviceInventory(view, target, rememberingEvaluator(target));
      const trials = new Trials(inventory, new NodeKinds(inventory), view, target);
      for (const node of view.all('Node')) {
        const first = inventory.poolsOf(node.name).flatMap(({ slices }) => slices);
        const others = view.all('ResourceSlice').map(({ value }) => value).filter(slice => !first.includes(slice));
        const whole = new Allocator(
          { slices: [...first, ...others], classes: view.all('DeviceClass').map(({ value }) => value), allocated: view.all('ResourceClaim').map(({ value }) => value) },
          { minor, features: featuresOf(target), evaluator: inventory.evaluator },
        );
        const { allocated, results, error, nodeError } = trials.answer(node, claims);
        const expected = whole.allocate(node.value, claims);
        expect({ id, allocated, results, error, nodeError }).toEqual({
          id, allocated: expected.allocated, results: expected.results, error: expected.error, nodeError: expected.nodeError,
        });
      }
    }
  });
});
