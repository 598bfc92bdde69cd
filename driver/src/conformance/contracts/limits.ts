import { limitIn, LIMITS } from 'cdk8s-dra/model';
import type { LimitKey } from 'cdk8s-dra/model';
import type { KubeObject } from '../../kube/object.js';
import { DEVICE_CLASSES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import type { Resource } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import {
  alternative, alternatives, cel, claim, deviceClass, DRIVER, exactly, keyed, opaque, slice, sliceWith, times,
} from '../manifests.js';
import type { Fields } from '../manifests.js';

interface LimitCase {
  readonly limit: LimitKey;
  readonly resource: Resource;
  /** Type and field, if a gate may stand before it. */
  readonly gated?: readonly [definition: string, field: string];
  /** An object with so many of what is limited, right in every other way. */
  make(count: number): KubeObject;
}

const TAINT = (index: number): Fields => ({ key: `example.com/taint${index}`, effect: 'NoSchedule' });

const CASES: readonly LimitCase[] = [
  { limit: 'requestsPerClaim', resource: RESOURCE_CLAIMS, make: (n) => claim({ requests: times(n, (i) => exactly(`request${i}`)) }) },
  {
    limit: 'alternatives',
    resource: RESOURCE_CLAIMS,
    make: (n) => claim({ requests: [alternatives('device', ...times(n, (i) => alternative(`choice${i}`)))] }),
    gated: ['DeviceRequest', 'firstAvailable'],
  },
  { limit: 'selectors', resource: RESOURCE_CLAIMS, make: (n) => claim({ requests: [exactly('device', { selectors: times(n, () => cel('true')) })] }) },
  { limit: 'expressionBytes', resource: DEVICE_CLASSES, make: (n) => deviceClass({ selectors: [cel(`true${' '.repeat(n - 4)}`)] }) },
  {
    limit: 'constraints', resource: RESOURCE_CLAIMS, make: (n) => claim({ constraints: times(n, () => ({ matchAttribute: `${DRIVER}/model` })) }),
  },
  {
    limit: 'requestsPerConstraint',
    resource: RESOURCE_CLAIMS,
    // Names may repeat neither here nor there, so the claim is full as well.
    make: (n) => claim({ requests: times(Math.min(n, 32), (i) => exactly(`request${i}`)), constraints: [{ matchAttribute: `${DRIVER}/model`, requests: names(n) }] }),
  },
  { limit: 'configs', resource: RESOURCE_CLAIMS, make: (n) => claim({ config: times(n, () => opaque({ size: 1 })) }) },
  {
    limit: 'requestsPerConfig',
    resource: RESOURCE_CLAIMS,
    make: (n) => claim({ requests: times(Math.min(n, 32), (i) => exactly(`request${i}`)), config: [{ ...opaque({ size: 1 }), requests: names(n) }] }),
  },
  { limit: 'opaqueBytes', resource: DEVICE_CLASSES, make: (n) => deviceClass({ config: [opaque({ text: 'x'.repeat(n - '{"text":""}'.length) })] }) },
  {
    limit: 'tolerations',
    resource: RESOURCE_CLAIMS,
    make: (n) => claim({ requests: [exactly('device', { tolerations: times(n, (i) => ({ key: `example.com/taint${i}`, operator: 'Exists', effect: 'NoSchedule' })) })] }),
    gated: ['ExactDeviceRequest', 'tolerations'],
  },
  { limit: 'devicesPerSlice', resource: RESOURCE_SLICES, make: (n) => slice({ devices: times(n, (i) => ({ name: `device${i}` })) }) },
  {
    limit: 'devicesPerSliceWithExtras',
    resource: RESOURCE_SLICES,
    make: (n) => slice({ devices: times(n, (i) => ({ name: `device${i}`, ...(i === 0 ? { taints: [TAINT(0)] } : {}) })) }),
    gated: ['Device', 'taints'],
  },
  {
    limit: 'attributesAndCapacities',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ attributes: keyed(n - 16, 'attribute', { bool: true }), capacity: keyed(16, 'capacity', { value: '1' }) }),
  },
  {
    limit: 'attributeValues',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ attributes: { list: { ints: times(n, (i) => i) } } }),
    gated: ['DeviceAttribute', 'ints'],
  },
  { limit: 'attributeStringBytes', resource: RESOURCE_SLICES, make: (n) => sliceWith({ attributes: { text: { string: 'x'.repeat(n) } } }) },
  { limit: 'taintsPerDevice', resource: RESOURCE_SLICES, make: (n) => sliceWith({ taints: times(n, TAINT) }), gated: ['Device', 'taints'] },
  {
    limit: 'validValues',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({
      allowMultipleAllocations: true,
      capacity: { memory: { value: '64Gi', requestPolicy: { default: '1Gi', validValues: times(n, (i) => `${i + 1}Gi`) } } },
    }),
    gated: ['Device', 'allowMultipleAllocations'],
  },
  {
    limit: 'bindingConditions',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ bindingConditions: times(n, (i) => `example.com/ready${i}`), bindingFailureConditions: ['example.com/failed'] }),
    gated: ['Device', 'bindingConditions'],
  },
  {
    limit: 'bindingFailureConditions',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ bindingConditions: ['example.com/ready'], bindingFailureConditions: times(n, (i) => `example.com/failed${i}`) }),
    gated: ['Device', 'bindingFailureConditions'],
  },
  {
    limit: 'counterSets',
    resource: RESOURCE_SLICES,
    make: (n) => slice({ sharedCounters: times(n, (i) => ({ name: `set${i}`, counters: { memory: { value: '1' } } })) }),
    gated: ['ResourceSliceSpec', 'sharedCounters'],
  },
  {
    limit: 'countersPerSet',
    resource: RESOURCE_SLICES,
    make: (n) => slice({ sharedCounters: [{ name: 'set', counters: keyed(n, 'counter', { value: '1' }) }] }),
    gated: ['ResourceSliceSpec', 'sharedCounters'],
  },
  {
    limit: 'consumesCounters',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ consumesCounters: times(n, (i) => ({ counterSet: `set${i}`, counters: { memory: { value: '1' } } })) }),
    gated: ['Device', 'consumesCounters'],
  },
  {
    limit: 'countersPerConsumption',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ consumesCounters: [{ counterSet: 'set', counters: keyed(n, 'counter', { value: '1' }) }] }),
    gated: ['Device', 'consumesCounters'],
  },
  {
    limit: 'sharedCountersPerSlice',
    resource: RESOURCE_SLICES,
    make: (n) => slice({ sharedCounters: [{ name: 'set', counters: keyed(n, 'counter', { value: '1' }) }] }),
    gated: ['ResourceSliceSpec', 'sharedCounters'],
  },
  {
    limit: 'countersPerDevice',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith(
      { consumesCounters: [{ counterSet: 'set', counters: keyed(n, 'counter', { value: '1' }) }] },
      { sharedCounters: [{ name: 'set', counters: keyed(Math.min(n, 32), 'counter', { value: '1' }) }] },
    ),
    gated: ['Device', 'consumesCounters'],
  },
  {
    limit: 'deviceCountersPerSlice',
    resource: RESOURCE_SLICES,
    make: (n) => slice({
      sharedCounters: [{ name: 'set', counters: keyed(32, 'counter', { value: '1' }) }],
      devices: times(Math.ceil(n / 32), (i) => ({
        name: `device${i}`, consumesCounters: [{ counterSet: 'set', counters: keyed(Math.min(32, n - i * 32), 'counter', { value: '1' }) }],
      })),
    }),
    gated: ['Device', 'consumesCounters'],
  },
  {
    limit: 'compatibilityGroups',
    resource: RESOURCE_SLICES,
    make: (n) => sliceWith({ consumesCounters: [{ counterSet: 'set', counters: { memory: { value: '1' } }, compatibilityGroups: times(n, (i) => `group${i}`) }] }),
    gated: ['DeviceCounterConsumption', 'compatibilityGroups'],
  },
  {
    limit: 'derivedAttributes',
    resource: RESOURCE_CLAIMS,
    // Each must be used by a constraint, of which there may be as many.
    make: (n) => claim({
      requests: [exactly('device', { derivedAttributes: times(n, (i) => ({ name: `${DRIVER}/derived${i}`, expression: '1' })) })],
      constraints: times(Math.min(n, 32), (i) => ({ requests: ['device'], matchAttribute: `${DRIVER}/derived${i}` })),
    }),
    gated: ['ExactDeviceRequest', 'derivedAttributes'],
  },
];

function names(count: number): readonly string[] {
  return times(count, (i) => `request${i}`);
}

const COST: Contract = {
  id: 'limit-expression-cost',
  area: 'Limits',
  title: 'an expression that may cost more than a million units is refused',
  why: 'check computes the same cost and refuses before the server does.',
  mode: 'live',
  effect: 'tries',
  needs: need(DEVICE_CLASSES, ['create']),
  run: async (trial) => {
    const loop = (depth: number): string => (depth === 0 ? 'true' : `[0,1,2,3,4,5,6,7,8,9].all(x${depth}, ${loop(depth - 1)})`);
    await trial.accepts('an expression of three loops', trial.tryCreate(DEVICE_CLASSES, deviceClass({ selectors: [cel(loop(3))] })));
    await trial.refuses('an expression of seven loops', trial.tryCreate(DEVICE_CLASSES, deviceClass({ selectors: [cel(loop(7))] })), LIMITS.expressionCost.message ?? '');
  },
};

function limitContract({ limit, resource, make, gated }: LimitCase): Contract {
  const { what, since, until, documentedOnly, message } = LIMITS[limit];
  return {
    id: `limit-${limit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    area: 'Limits',
    title: documentedOnly === true ? `the documented number of ${what} is not enforced` : `the number of ${what} has the bound that is known, and the refusal says so`,
    why: 'Constructs and check refuse what the server would refuse, and nothing else.',
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    mode: 'live',
    effect: 'tries',
    needs: need(resource, ['create']),
    run: async (trial) => {
      if (gated !== undefined) trial.requires(...gated);
      const max = limitIn(limit, trial.facts.programMinor) ?? 0;
      await trial.accepts(`${max} ${what}`, trial.tryCreate(resource, make(max)));
      const above = trial.tryCreate(resource, make(max + 1));
      if (documentedOnly === true) await trial.accepts(`${max + 1} ${what}`, above);
      else await trial.refuses(`${max + 1} ${what}`, above, ...(message === undefined ? ['Too', String(max)] : [message]));
    },
  };
}

export const LIMIT_CONTRACTS: readonly Contract[] = [...CASES.map(limitContract), COST];
