// Objects of our kinds, and for each rule of their CRDs what it takes and what it refuses.

const VERSION = 'cdk8s-dra.dev/v1alpha1';

function object(kind, name, spec) {
  return { apiVersion: VERSION, kind, metadata: { name }, spec };
}

const MIGRATION = {
  family: 'gpu',
  driver: 'gpu.nvidia.com',
  nodes: { matchLabels: { type: 'p4d' }, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }, { key: 'retired', operator: 'DoesNotExist' }] },
  assumesDisjoint: ['other'],
  deviceClassNames: ['gpu-large', 'gpu-small'],
  legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 4, partition: '1g.5gb' }], plugin: 'NVIDIA/k8s-device-plugin' },
  phase: 'Canary',
  canary: { nodes: 2, selector: { matchLabels: { rack: '1' } }, namespaces: ['sandbox'] },
  expand: { steps: [1, '10%', '100%'], unit: { topologyKey: 'rack' }, legacyFloor: '5%' },
  gates: [{ name: 'allocations', type: 'AllocationSuccess', atLeast: '0.99', minimumSample: 200, duration: '30m' }],
  handover: { strategy: 'WaitForIdle', deadline: '72h', onDeadline: 'Hold', parallelism: 1, maxNodesWaiting: '10%', maxIdleDeviceHours: 24 },
  group: 'p4d',
  onGateFailure: 'Hold',
  optimizeFor: 'Continuity',
  windows: [{ start: '0 22 * * 1-5', duration: '4h', timeZone: 'Europe/Berlin' }],
  change: { ticket: 'CHG-1', approvedBy: 'anna' },
};

const HOLD = {
  migration: 'p4d',
  level: 'Allocation',
  classes: ['gpu-large'],
  resources: ['nvidia.com/gpu'],
  templates: { vision: 'gpu-large: trainer\n' },
  fence: [{ driver: 'gpu.nvidia.com', pools: ['node-1'] }],
  message: 'asked by the platform team',
  reason: 'double use suspected',
  ticket: 'INC-1',
  by: 'anna',
  expiresAt: '2030-01-01T00:00:00Z',
};

const REPORT = { nodeName: 'node-1', family: 'gpu', driver: 'gpu.nvidia.com' };

/** A full object of each kind, its status, and what kubectl prints of them. */
export const OBJECTS = [
  {
    object: object('DeviceMigration', 'p4d', MIGRATION),
    status: {
      observedGeneration: 1, phase: 'Observe', nodes: { total: 20, devicePlugin: 18, handover: 0, dra: 2 }, canaryNodes: ['node-1'], waitingOn: ['allocations: not yet'],
      since: '2026-01-01T00:00:00Z', next: 'hand over node-2',
    },
    prints: ['gpu', 'Canary', 'Observe', '2', '18', 'allocations: not yet', 'hand over node-2'],
  },
  { object: object('DeviceHold', 'p4d', HOLD), status: { expired: false, notDone: ['node-1 is held'] }, prints: ['p4d', 'Allocation', 'anna', 'double use suspected'] },
  {
    object: object('DeviceRouting', 'default', {
      classes: { 'gpu-large': { door: 'Canary', namespaces: ['sandbox'], interruptions: ['safe'], message: 'a canary only' } },
      resources: { 'nvidia.com/gpu': { door: 'Closed', message: 'moved' } },
      templates: { vision: 'gpu-large: trainer\n' },
      fencedPools: [{ driver: 'gpu.nvidia.com', pools: ['node-1'] }],
    }),
    prints: ['default', 'gpu.nvidia.com'],
  },
  {
    object: object('DeviceAccess', 'default', {
      classes: [{ name: 'gpu-large', implicitResource: true }], templates: ['trainer'], limits: { consumersPerClaim: 8, devicesPerClaim: 16 }, message: 'ask #platform',
    }),
    prints: ['default', 'gpu-large'],
  },
  {
    object: object('DeviceTenant', 'vision', {
      namespaces: ['vision', 'vision-dev'],
      offers: ['large'],
      quota: {
        source: 'ResourceQuota', devices: [{ deviceClassName: 'gpu-large', count: 8 }], capacity: [{ deviceClassName: 'gpu-large', name: 'memory', amount: '80Gi' }], concurrentClaims: 4,
      },
      unusedClaimTtl: '24h',
      offboard: true,
    }),
    status: { phase: 'Active', usage: [{ deviceClassName: 'gpu-large', legacy: 2, dra: 3 }] },
    prints: ['vision-dev', 'ResourceQuota', 'true'],
  },
  {
    object: object('DeviceNodeReport', 'gpu.node-1', REPORT),
    status: { owner: 'dra', mode: 'active', inventory: { hash: 'x', devices: 8 }, heldTotal: 3, pluginHeldTotal: 0, heartbeat: '2026-01-01T00:00:00Z' },
    prints: ['node-1', 'dra', 'active', '8', '3'],
  },
];

const migration = (fields, name = 'p4d') => object('DeviceMigration', name, { ...MIGRATION, ...fields });
const selecting = matchExpressions => ({ matchExpressions: [matchExpressions] });
const holds = fields => object('DeviceHold', 'p4d', { migration: 'p4d', reason: 'x', ...fields });

/** Rules about one object; `words` are of the refusal. */
export const VALUES = [
  { text: 'a canary from Canary on', takes: migration({ phase: 'Observe', canary: undefined }), refuses: migration({ canary: undefined }), words: 'canary must be set from phase Canary on' },
  { text: 'some label is selected', takes: migration({ nodes: { matchLabels: { a: 'b' } } }), refuses: migration({ nodes: {} }), words: 'must select by at least one label' },
  {
    text: 'In has values',
    takes: migration({ nodes: selecting({ key: 'a', operator: 'Exists' }) }),
    refuses: migration({ nodes: selecting({ key: 'a', operator: 'In', values: [] }) }),
    words: 'In and NotIn need values',
  },
  {
    text: 'Exists has no values',
    takes: migration({ canary: { ...MIGRATION.canary, selector: selecting({ key: 'a', operator: 'NotIn', values: ['b'] }) } }),
    refuses: migration({ canary: { ...MIGRATION.canary, selector: selecting({ key: 'a', operator: 'Exists', values: ['b'] }) } }),
    words: 'Exists and DoesNotExist have none',
  },
  { text: 'the name fits a label', takes: migration({}, 'x'.repeat(63)), refuses: migration({}, 'x'.repeat(64)), words: 'the name must have at most 63 characters' },
  { text: 'a hold names something', takes: holds({ level: 'Door', classes: ['a'] }), refuses: holds({ level: 'Door' }), words: 'must name what it holds' },
  {
    text: 'a hold of allocation names pools', takes: holds({ level: 'Allocation', fence: [{ driver: 'a.b' }] }), refuses: holds({ level: 'Allocation', classes: ['a'] }), words: 'levels Allocation and Rollback need fence',
  },
  { text: 'one routing', takes: object('DeviceRouting', 'default', {}), refuses: object('DeviceRouting', 'other', {}), words: 'must be named default: the policies read no other' },
  { text: 'one access', takes: object('DeviceAccess', 'default', {}), refuses: object('DeviceAccess', 'other', {}), words: 'must be named default: the policies read no other' },
  { text: 'the name of a report', takes: object('DeviceNodeReport', 'gpu.node-1', REPORT), refuses: object('DeviceNodeReport', 'node-1', REPORT), words: 'must be named <spec.family>.<spec.nodeName>' },
];

const canary = nodes => ({ ...MIGRATION, canary: { ...MIGRATION.canary, nodes } });

/** Rules about a change of one object. */
export const CHANGES = [
  {
    text: 'one phase at a time',
    from: migration({ phase: 'Observe' }),
    takes: ['Legacy', 'Observe', 'Canary'].map(phase => ({ ...MIGRATION, phase })),
    refuses: ['Expand', 'AllWorkloads', 'PluginRemoved'].map(phase => ({ ...MIGRATION, phase })),
    words: 'A pool moves on one phase at a time, not from ',
  },
  {
    text: 'back to any phase', from: migration({ phase: 'PluginRemoved' }), takes: ['Legacy', 'Canary', 'AllWorkloads'].map(phase => ({ ...MIGRATION, phase })), refuses: [], words: 'Going back may skip phases',
  },
  { text: 'family and driver stay', from: migration({}), takes: [{ ...MIGRATION, group: 'x' }], refuses: [{ ...MIGRATION, family: 'nic' }, { ...MIGRATION, driver: 'x.y' }], words: 'never changes. Retire this migration' },
  {
    text: 'a canary does not shrink',
    from: migration({}),
    takes: [canary(2), canary(3), canary('10%'), { ...canary(1), phase: 'Observe' }],
    refuses: [canary(1), canary(0)],
    words: 'must not shrink while the pool is in Canary',
  },
  { text: 'a report stays that of its node', from: object('DeviceNodeReport', 'gpu.node-1', REPORT), takes: [REPORT], refuses: [{ ...REPORT, driver: 'x' }], words: 'never changes; delete the report' },
];
