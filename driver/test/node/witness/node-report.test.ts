import { DEVICE_NODE_REPORT_CRD, NODE_REPORT_LIMITS } from 'cdk8s-dra/model';

import { claimHoldings, pluginHoldings, pluginResources } from '../../../src/node/witness/kubelet-holdings.js';
import { nodeReport } from '../../../src/node/witness/node-report.js';
import type { Observation } from '../../../src/node/witness/node-report.js';
import { device, gpus, inventory } from '../slices/devices.js';

const SEEN: Observation = {
  owner: 'dra',
  mode: 'active',
  roles: ['driver', 'witness'],
  agentVersion: '0.0.0',
  bootId: 'b00t',
  driver: 'sim.cdk8s-dra.dev',
  pool: 'node-1',
  inventory: inventory(gpus(2)),
  isolations: [],
  problems: [],
  held: [],
  drivers: [],
  kubelet: { claimHoldings: [], pluginHoldings: [], resources: [] },
};

const POD = {
  name: 'train-0',
  namespace: 'vision',
  containers: [{
    name: 'main',
    devices: [{ resourceName: 'nvidia.com/gpu', deviceIds: ['GPU-b', 'GPU-a'] }, { resourceName: 'nvidia.com/gpu', deviceIds: ['GPU-b'] }],
    dynamicResources: [{
      claimName: 'train-0-gpu-x', claimNamespace: 'vision', claimResources: [{ cdiDevices: [], driverName: 'gpu.nvidia.com', poolName: 'node-1', deviceName: 'gpu-3' }],
    }],
  }],
};

test('a device of a plugin is counted once, however often kubelet names it', () => {
  expect(pluginHoldings([POD, POD]).map(({ deviceId }) => deviceId)).toEqual(['GPU-a', 'GPU-b']);
});

test('a resource that is held and not offered any more shows: its plugin is gone or sick', () => {
  expect(pluginResources([{ resourceName: 'a.example/x', deviceIds: ['1', '2'] }], pluginHoldings([POD]))).toEqual([
    { name: 'a.example/x', allocatable: 2, held: 0 }, { name: 'nvidia.com/gpu', allocatable: 0, held: 2 },
  ]);
});

test('what foreign drivers hold is told beside the own claims, each once', () => {
  const own = { device: 'gpu-0', claimUid: 'u', namespace: 'vision', name: 'own', state: 'prepared' as const };
  const seenByKubelet = [...claimHoldings([POD]), { driver: 'sim.cdk8s-dra.dev', pool: 'node-1', device: 'gpu-0', claimNamespace: 'vision', claimName: 'own' }];

  const { held, heldTotal } = nodeReport({ ...SEEN, held: [own], kubelet: { ...SEEN.kubelet!, claimHoldings: seenByKubelet } });

  expect(held.map(({ driver, claimName, state }) => [driver, claimName, state])).toEqual([
    ['gpu.nvidia.com', 'train-0-gpu-x', 'in-use'], ['sim.cdk8s-dra.dev', 'own', 'prepared'],
  ]);
  expect(heldTotal).toBe(2);
});

test('a kubelet that does not answer makes holdings unknown, not zero', () => {
  expect(nodeReport({ ...SEEN, kubelet: undefined })).toMatchObject({ pluginHeldKnown: false });
});

test('the hash is that of the hardware, whoever drives it and whatever is said about it', () => {
  const hash = nodeReport(SEEN).inventory.hash;

  expect(nodeReport({ ...SEEN, inventory: inventory([...gpus(2)].reverse().map((one) => ({ ...one, attributes: {} }))) }).inventory.hash).toBe(hash);
  expect(nodeReport({ ...SEEN, inventory: inventory([...gpus(2), device('part', { identity: 'id-gpu-0' })]) }).inventory.hash).toBe(hash);
  expect(nodeReport({ ...SEEN, inventory: inventory(gpus(3)) }).inventory.hash).not.toBe(hash);
});

test('a report keeps the bounds of its CRD, and totals still count everything', () => {
  const many = 1000;
  const status = nodeReport({
    ...SEEN,
    drivers: Array.from({ length: many }, (_, index) => `driver-${index}.example.com`),
    held: Array.from({ length: many }, (_, index) => ({ device: `gpu-${index}`, claimUid: 'u', namespace: 'n', name: `c-${index}`, state: 'prepared' as const })),
    problems: Array.from({ length: many }, (_, index) => ({ code: 'DRA350', subject: 'x'.repeat(many), message: `${index}${'ä'.repeat(many)}` })),
    kubelet: {
      claimHoldings: [],
      pluginHoldings: Array.from({ length: many }, (_, index) => ({ resource: 'r', deviceId: String(index), podNamespace: 'n', podName: 'p' })),
      resources: Array.from({ length: many }, (_, index) => ({ name: `r-${index}`, allocatable: 1, held: 0 })),
    },
  });

  expect(boundProblems(STATUS_SCHEMA, status, 'status')).toEqual([]);
  expect(status).toMatchObject({ heldTotal: many, pluginHeldTotal: many });
  expect(Buffer.byteLength(status.problems[0]!.message)).toBeLessThanOrEqual(NODE_REPORT_LIMITS.messageBytes);
});

interface Bounds {
  readonly properties?: { readonly [name: string]: Bounds };
  readonly items?: Bounds;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

const STATUS_SCHEMA = (DEVICE_NODE_REPORT_CRD.spec.versions[0]!.schema!.openAPIV3Schema as unknown as Bounds).properties!.status!;

/** Fields that the schema does not know, or bounds differently. */
function boundProblems(schema: Bounds, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const tooMany = value.length > (schema.maxItems ?? 0) ? [`${path}: ${value.length} items`] : [];
    return [...tooMany, ...value.flatMap((item, index) => boundProblems(schema.items ?? {}, item, `${path}[${index}]`))];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => {
      const field = schema.properties?.[key];
      return field === undefined ? [`${path}.${key}: unknown`] : boundProblems(field, item, `${path}.${key}`);
    });
  }
  if (typeof value !== 'string') return [];
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [`${path}: ${value}`];
  return value.length > (schema.maxLength ?? 0) ? [`${path}: ${value.length} characters`] : [];
}
