import { check, documents } from './check';

const QUEUE = { 'kueue.x-k8s.io/queue-name': 'team' };
const template = (devices: object) => JSON.stringify({
  apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'gpu', namespace: 'vision' }, spec: { spec: { devices } },
});
const exactly = (fields: object = {}) => ({ name: 'gpu', exactly: { deviceClassName: 'a100-large', allocationMode: 'ExactCount', count: 1, ...fields } });
const workload = (kind: 'Job' | 'Pod', spec: object, labels: object = QUEUE) => JSON.stringify(kind === 'Pod'
  ? { apiVersion: 'v1', kind, metadata: { name: 'train', namespace: 'vision', labels }, spec }
  : { apiVersion: 'batch/v1', kind, metadata: { name: 'train', namespace: 'vision', labels }, spec: { template: { spec: { restartPolicy: 'Never', ...spec } } } });
const claiming = (reference: object = { resourceClaimTemplateName: 'gpu' }) => ({
  resourceClaims: [{ name: 'gpu', ...reference }], containers: [{ name: 'main', image: 'x', resources: { claims: [{ name: 'gpu' }] } }],
});
const asking = (resources: object) => ({ containers: [{ name: 'main', image: 'x', resources }] });
const MIGRATION = JSON.stringify({
  apiVersion: 'cdk8s-dra.dev/v1alpha1',
  kind: 'DeviceMigration',
  metadata: { name: 'a100' },
  spec: {
    family: 'gpu',
    driver: 'gpu.example.com',
    nodes: { matchLabels: { pool: 'a100' } },
    deviceClassNames: ['a100-large'],
    legacy: { resources: [{ name: 'example.com/gpu' }] },
    phase: 'Observe',
  },
});
const clusterQueue = (counted: string) => JSON.stringify({
  apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue', metadata: { name: 'team' }, spec: { resourceGroups: [{ coveredResources: [counted] }] },
});
const messages = (yaml: string, version = '1.36') => check(yaml, version).filter(({ code }) => code === 'DRA423').map(({ message }) => message);

test.each<[string, object, string]>([
  ['constraints', { requests: [exactly()], constraints: [{ matchAttribute: 'a.b/c' }] }, 'which has constraints'],
  ['config', { requests: [exactly()], config: [{ opaque: { driver: 'gpu.example.com', parameters: {} } }] }, 'which has config'],
  ['alternatives', { requests: [{ name: 'gpu', firstAvailable: [{ name: 'a', deviceClassName: 'a100-large' }] }] }, 'which has firstAvailable'],
  ['a selector', { requests: [exactly({ selectors: [{ cel: { expression: 'true' } }] })] }, 'which has a selector in a request'],
  ['admin access', { requests: [exactly({ adminAccess: true })] }, 'which has adminAccess'],
  ['all devices', { requests: [exactly({ allocationMode: 'All', count: undefined })] }, 'which has allocationMode All'],
])('a template with %s is refused for a workload of a queue, and for no other', (_title, devices, words) => {
  expect(messages(documents(template(devices), workload('Job', claiming())))).toEqual([expect.stringContaining(words)]);
  expect(messages(documents(template(devices), workload('Job', claiming(), {})))).toEqual([]);
});

test('a plain count is taken, a claim by name is not', () => {
  expect(messages(documents(template({ requests: [exactly()] }), workload('Pod', claiming())))).toEqual([]);
  expect(messages(workload('Pod', claiming({ resourceClaimName: 'mine' })))).toEqual([expect.stringContaining("names the claim 'mine'")]);
});

test('a class is told that no queue counts, where queues count pools of the input', () => {
  const job = [template({ requests: [exactly({ deviceClassName: 'other' })] }), workload('Job', claiming())];
  expect(messages(documents(...job, MIGRATION, clusterQueue('a100-devices')))).toEqual([expect.stringContaining("class 'other', which no queue of the input counts")]);
  expect(messages(documents(...job, MIGRATION, clusterQueue('gpus')))).toEqual([]);
  expect(messages(documents(template({ requests: [exactly()] }), workload('Job', claiming()), MIGRATION, clusterQueue('a100-devices')))).toEqual([]);
});

test('an old name that a class may serve stands in requests beside limits', () => {
  const limited = asking({ limits: { 'example.com/gpu': 1, 'cpu': 1 } });
  expect(messages(documents(MIGRATION, workload('Job', limited)))).toEqual([expect.stringContaining("limits 'example.com/gpu' without requesting it")]);
  expect(messages(documents(MIGRATION, workload('Job', asking({ limits: { 'example.com/gpu': 1 }, requests: { 'example.com/gpu': 1 } }))))).toEqual([]);
  // Below 1.36 no class serves it, and the API server completes a bare pod.
  expect(messages(documents(MIGRATION, workload('Job', limited)), '1.35')).toEqual([]);
  expect(messages(documents(MIGRATION, workload('Pod', limited)))).toEqual([]);
});
