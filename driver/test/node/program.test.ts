import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeApiServer, status } from '../kube/fake-api-server.js';
import { FakeKubelet, socketsIn, until } from './kubelet/fake-kubelet.js';
import { runAgent } from '../../src/node/program.js';
import type { AgentExit } from '../../src/node/program.js';

const DRIVER = 'sim.example.com';
const UIDS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const CLAIM = { uid: 'c0000000-0000-4000-8000-000000000001', namespace: 'ml', name: 'trainer' };

let root: string;
let server: FakeApiServer;
let kubelet: FakeKubelet;
let said: string;
let agents: { readonly end: () => void; readonly exit: Promise<AgentExit> }[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'a'));
  server = await FakeApiServer.start();
  kubelet = new FakeKubelet({ root: join(root, 'k') });
  kubelet.start();
  said = '';
  agents = [];
  writeFileSync(join(root, 'kubeconfig'), JSON.stringify({
    'current-context': 'c',
    'contexts': [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'clusters': [{ name: 'c', cluster: { server: server.connection.server } }],
    'users': [{ name: 'u', user: {} }],
  }));
  server.put('/api/v1/nodes/node-1', { metadata: { name: 'node-1', uid: 'uid-1', labels: { 'cdk8s-dra.dev/sim-owner': 'dra' } } });
});

afterEach(async () => {
  for (const { end } of agents) end();
  await Promise.all(agents.map(({ exit }) => exit));
  await kubelet.stop();
  await server.stop();
  rmSync(root, { recursive: true });
});

function configuration(more: object = {}): string {
  const file = join(root, 'agent.yaml');
  mkdirSync(join(root, 'cdi'), { recursive: true });
  writeFileSync(file, JSON.stringify({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'NodeAgentConfiguration',
    driverName: DRIVER,
    family: 'sim',
    devices: { backend: 'simulated', fleet: [{ name: 'gpu-{index}', count: 2 }] },
    kubeletRoot: join(root, 'k'),
    cdiRoot: join(root, 'cdi'),
    http: { address: '127.0.0.1', port: 0 },
    log: { level: process.env.DEBUG_LOG ?? 'error' },
    ...more,
  }));
  return file;
}

function start({ uid = UIDS[0], ...more }: { readonly uid?: string; readonly [field: string]: unknown } = {}) {
  const end = new AbortController();
  const exit = runAgent(
    { config: configuration(more), node: 'node-1', kubeconfig: join(root, 'kubeconfig') },
    { environment: { POD_UID: uid, POD_NAME: `agent-${uid.at(-1) ?? ''}` }, say: (text) => { said += text; }, signal: end.signal },
  );
  const agent = { end: () => end.abort(), exit };
  agents.push(agent);
  return agent;
}

function allocate(device: string, claim = CLAIM): void {
  server.put(`/apis/resource.k8s.io/v1/namespaces/${claim.namespace}/resourceclaims/${claim.name}`, {
    metadata: { name: claim.name, namespace: claim.namespace, uid: claim.uid },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'sim' } }] } },
    status: { allocation: { devices: { results: [{ request: 'gpu', driver: DRIVER, pool: 'node-1', device }] } } },
  });
}

const records = () => socketsIn(join(root, 'k', 'plugins', DRIVER, 'claims')).filter((file) => file.endsWith('.json'));
const cdiFiles = () => readdirSync(join(root, 'cdi'));
const slices = () => [...server.objects].filter(([path]) => path.includes('/resourceslices/')).map(([, slice]) => slice);

async function served(): Promise<void> {
  await until('kubelet has the agent', () => kubelet.connected.length > 0);
  await until('slices', () => slices().length > 0);
}

test('from the configuration file to the container\'s device and back', async () => {
  const agent = start();
  await served();
  expect(slices()[0]).toMatchObject({ spec: { driver: DRIVER, nodeName: 'node-1', devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }] } });
  allocate('gpu-1');

  const { claims } = await kubelet.prepare(DRIVER, [CLAIM]);

  expect(claims[CLAIM.uid]).toMatchObject({ error: '', devices: [{ requestNames: ['gpu'], poolName: 'node-1', deviceName: 'gpu-1' }] });
  const [file = ''] = cdiFiles();
  expect(readFileSync(join(root, 'cdi', file), 'utf8')).toContain('CDK8S_DRA_SIM_GPU_1=gpu-1');
  expect(records()).toEqual([`${CLAIM.uid}.json`]);

  expect(await kubelet.unprepare(DRIVER, [CLAIM])).toEqual({ claims: { [CLAIM.uid]: { error: '' } } });
  expect([records(), cdiFiles()]).toEqual([[], []]);

  agent.end();
  expect(await agent.exit).toBe(0);
  expect(socketsIn(kubelet.registry)).toEqual([]);
  expect(slices()).toHaveLength(1);
});

test('a claim that is refused is told with its code, and the reason becomes an Event on it', async () => {
  start();
  await served();
  allocate('gpu-9');

  const { claims } = await kubelet.prepare(DRIVER, [CLAIM]);

  expect(claims[CLAIM.uid]?.error).toMatch(/^DRA316 device-unknown: /);
  await until('an Event', () => [...server.objects.keys()].some((path) => path.includes('/apis/events.k8s.io/v1/namespaces/ml/events/trainer.')));
});

// C-028
test('with the API server away an agent starts, is registered, and gives back what is on record', async () => {
  const first = start();
  await served();
  allocate('gpu-0');
  await kubelet.prepare(DRIVER, [CLAIM]);
  first.end();
  await first.exit;
  server.script(() => status(503, 'ServiceUnavailable', 'away'));

  start();
  await until('kubelet has the agent', () => kubelet.connected.length > 0);

  expect(await kubelet.unprepare(DRIVER, [CLAIM])).toEqual({ claims: { [CLAIM.uid]: { error: '' } } });
  expect([records(), cdiFiles()]).toEqual([[], []]);
});

// C-095
test('during an update the newer agent takes over claims and kubelet, and the older one comes back when it ends', async () => {
  start();
  await served();
  allocate('gpu-0');
  await kubelet.prepare(DRIVER, [CLAIM]);

  const newer = start({ uid: UIDS[1] });
  await until('both are registered', () => kubelet.connected.length === 2);
  expect((await kubelet.unprepare(DRIVER, [CLAIM])).claims[CLAIM.uid]?.error).toBe('');
  expect(records()).toEqual([]);
  newer.end();
  expect(await newer.exit).toBe(0);
  await until('the older alone', () => kubelet.registered.length === 1);

  // It takes over within a second.
  let error: string | undefined = 'not asked';
  for (let attempt = 0; error !== '' && attempt < 100; attempt++) {
    error = (await kubelet.prepare(DRIVER, [CLAIM])).claims[CLAIM.uid]?.error;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  expect(error).toBe('');
  expect(records()).toEqual([`${CLAIM.uid}.json`]);
});

// C-016
test('a kubelet that never comes ends the agent with exit code 1', async () => {
  kubelet.ignore = 1000;
  const agent = start({ times: { registration: '2s', registrationAttempts: 1 } });

  expect(await agent.exit).toBe(1);

  expect(socketsIn(kubelet.registry)).toEqual([]);
  expect(existsSync(join(root, 'k', 'plugins', DRIVER, 'claims'))).toBe(false);
});

test.each([
  [{ devices: { backend: 'simulated', fleet: 3 } }, '\'devices.fleet\' must be a list, got 3.'],
  [{ kubeletRoot: `/${'deep/'.repeat(30)}` }, 'must have at most 107 bytes'],
])('a configuration that cannot work, %j, is exit code 2 with the reason', async (more, words) => {
  const agent = start(more);

  expect(await agent.exit).toBe(2);
  expect(said).toContain(words);
});

test('a family of another owner is looked at and not offered', async () => {
  server.put('/api/v1/nodes/node-1', { metadata: { name: 'node-1', uid: 'uid-1', labels: {} } });
  start();
  await until('kubelet has the agent', () => kubelet.connected.length > 0);
  await until('a report', () => [...server.objects.keys()].some((path) => path.includes('/devicenodereports/')));
  allocate('gpu-0');

  expect((await kubelet.prepare(DRIVER, [CLAIM])).claims[CLAIM.uid]?.error).toMatch(/^DRA304 owner-not-dra: /);
  expect(slices()).toEqual([]);
});
