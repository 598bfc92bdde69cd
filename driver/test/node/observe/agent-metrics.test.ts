import type { Inventory } from '../../../src/devices/inventory.js';
import type { AgentMode, HeldDevice, Isolation } from '../../../src/node/device-state.js';
import { FollowedValue } from '../../../src/node/followed-value.js';
import type { PodResources } from '../../../src/node/kubelet/pod-resources.js';
import { AgentMetrics } from '../../../src/node/observe/agent-metrics.js';
import { exportDeviceUsers } from '../../../src/node/observe/device-users.js';

const CLAIM = { uid: 'u1', namespace: 'ml', name: 'trainer' };

function device(name: string) {
  return { name, identity: `GPU-${name}`, parts: [name], attributes: {}, capacity: {}, deviceNodes: [] };
}

function state(held: readonly HeldDevice[] = []) {
  return {
    inventory: new FollowedValue<Inventory>({ devices: [device('gpu-0'), device('gpu-1')], counterSets: [], problems: [{ code: 'DRA347', subject: 'gpu-2', message: 'x' }] }),
    isolations: new FollowedValue<readonly Isolation[]>([{ device: 'gpu-1', code: 'DRA331', message: 'x', since: '2026-01-01T00:00:00Z' }]),
    held: new FollowedValue<readonly HeldDevice[]>(held),
    mode: new FollowedValue<AgentMode>('active'),
  };
}

/** Lines of the text format, without help and buckets, and without the driver, which each line has. */
async function samples(metrics: AgentMetrics, name = ''): Promise<readonly string[]> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(name) && line !== '' && !line.startsWith('#') && !line.includes('_bucket{'));
  for (const line of lines) expect(line).toMatch(/[{,]driver="/);
  return lines.map((line) => line.replace(/(?<=\{)driver="[^"]*",|,driver="[^"]*"|\{driver="[^"]*"\}/, ''));
}

test('a failed operation is timed as one that went well, with its class, and counted with its code', async () => {
  const metrics = new AgentMetrics('gpu.example.com', '1.2.3');
  metrics.claims.ended({ operation: 'prepare', claim: CLAIM, outcome: 'ok', seconds: 0.002 });
  metrics.claims.ended({ operation: 'prepare', claim: CLAIM, outcome: 'retryable', code: 'DRA320', message: 'held', seconds: 4 });
  metrics.claims.ended({ operation: 'unprepare', claim: CLAIM, outcome: 'repeated', seconds: 0.001 });

  expect(await samples(metrics, 'cdk8s_dra_agent_claim_seconds_count')).toEqual([
    'cdk8s_dra_agent_claim_seconds_count{operation="prepare",outcome="ok"} 1',
    'cdk8s_dra_agent_claim_seconds_count{operation="prepare",outcome="retryable"} 1',
    'cdk8s_dra_agent_claim_seconds_count{operation="unprepare",outcome="repeated"} 1',
  ]);
  expect(await samples(metrics, 'cdk8s_dra_agent_claim_failures_total')).toEqual([
    'cdk8s_dra_agent_claim_failures_total{operation="prepare",class="retryable",code="DRA320"} 1',
  ]);
});

test('each stage has its own times, on every way out', async () => {
  const metrics = new AgentMetrics('d', '1');
  for (const outcome of ['ok', 'terminal', 'needs-cleanup'] as const) metrics.claims.stage({ operation: 'prepare', stage: 'device', outcome, seconds: 1 });

  expect((await samples(metrics, 'cdk8s_dra_agent_claim_stage_seconds_count')).map((line) => /outcome="([^"]*)"/.exec(line)?.[1])).toEqual(['ok', 'terminal', 'needs-cleanup']);
});

test('the shared state is read when somebody asks', async () => {
  const metrics = new AgentMetrics('d', '1');
  const shared = state();
  metrics.watch(shared);
  const holding: HeldDevice = { device: 'gpu-0', claimUid: 'u1', namespace: 'ml', name: 'trainer', state: 'prepared' };

  expect(await samples(metrics, 'cdk8s_dra_agent_devices')).toEqual(['cdk8s_dra_agent_devices 2']);
  expect(await samples(metrics, 'cdk8s_dra_agent_withheld')).toEqual(['cdk8s_dra_agent_withheld{code="DRA347"} 1']);
  expect(await samples(metrics, 'cdk8s_dra_agent_isolated_devices')).toEqual(['cdk8s_dra_agent_isolated_devices{code="DRA331"} 1']);
  expect(await samples(metrics, 'cdk8s_dra_agent_held_devices')).toEqual([]);
  shared.held.set([holding, { ...holding, device: 'gpu-1' }]);
  shared.mode.set('frozen');
  expect(await samples(metrics, 'cdk8s_dra_agent_held_devices')).toEqual(['cdk8s_dra_agent_held_devices{state="prepared"} 2']);
  expect(await samples(metrics, 'cdk8s_dra_agent_mode')).toEqual([
    'cdk8s_dra_agent_mode{mode="active"} 0',
    'cdk8s_dra_agent_mode{mode="frozen"} 1',
    'cdk8s_dra_agent_mode{mode="observe"} 0',
  ]);
});

test('registration is 1 only while kubelet has the agent', async () => {
  const metrics = new AgentMetrics('d', '1');
  const now = async () => (await samples(metrics, 'cdk8s_dra_agent_registered'))[0]?.at(-1);

  for (const [registration, expected] of [[{ state: 'waiting', attempt: 1 }, '0'], [{ state: 'registered' }, '1'], [{ state: 'lost', attempt: 1 }, '0']] as const) {
    metrics.registered(registration);
    expect(await now()).toBe(expected);
  }
});

// C-139
test('a device leads to its claim, and to every container that uses the claim', async () => {
  const metrics = new AgentMetrics('gpu.example.com', '1');
  const resource = { cdiDevices: [], driverName: 'gpu.example.com', poolName: 'node-1', deviceName: 'gpu-0', shareId: undefined };
  const pod = (name: string, containers: readonly string[]): PodResources => ({
    name,
    namespace: 'ml',
    containers: containers.map((container) => ({
      name: container,
      devices: [],
      dynamicResources: [{ claimNamespace: 'ml', claimName: 'shared', claimResources: [resource, { ...resource, driverName: 'nic.example.com' }] }],
    })),
  });
  exportDeviceUsers(metrics.registry, 'gpu.example.com', 'node-1', state([
    { device: 'gpu-0', claimUid: 'u1', namespace: 'ml', name: 'shared', state: 'prepared' },
    { device: 'gpu-1', claimUid: 'u2', namespace: 'ml', name: 'starting', state: 'preparing' },
  ]), () => Promise.resolve([pod('trainer-0', ['main', 'side']), pod('trainer-1', ['main'])]));

  const line = (fields: string) => `cdk8s_dra_device_user_info{pool="node-1",${fields}} 1`;
  const shared = 'device="gpu-0",identity="GPU-gpu-0",claim_namespace="ml",claim="shared",claim_uid="u1",share_id="",state="prepared",admin_access="false"';
  expect(await samples(metrics, 'cdk8s_dra_device_user_info')).toEqual([
    line(`${shared},pod_namespace="ml",pod="trainer-0",container="main"`),
    line(`${shared},pod_namespace="ml",pod="trainer-0",container="side"`),
    line(`${shared},pod_namespace="ml",pod="trainer-1",container="main"`),
    line('device="gpu-1",identity="GPU-gpu-1",claim_namespace="ml",claim="starting",claim_uid="u2",share_id="",state="preparing",admin_access="false",pod_namespace="",pod="",container=""'),
  ]);
});

test('shares of one device lead to their own pods, by share where kubelet names it', async () => {
  const metrics = new AgentMetrics('d', '1');
  const share = (uid: string): HeldDevice => ({ device: 'gpu-0', claimUid: uid, namespace: 'ml', name: uid, state: 'prepared', shareId: `share-${uid}` });
  const pod = (name: string, claimName: string, shareId: string | undefined): PodResources => ({
    name,
    namespace: 'ml',
    containers: [{
      name: 'main',
      devices: [],
      dynamicResources: [
        { claimNamespace: 'ml', claimName, claimResources: [{ cdiDevices: [], driverName: 'd', poolName: 'n', deviceName: 'gpu-0', shareId }] },
      ],
    }],
  });
  exportDeviceUsers(metrics.registry, 'd', 'n', state([share('u1'), share('u2')]), () => Promise.resolve([pod('new-kubelet', 'u1', 'share-u1'), pod('old-kubelet', 'u2', undefined)]));

  expect((await samples(metrics, 'cdk8s_dra_device_user_info')).map((line) => /share_id="([^"]*)".*,pod="([^"]*)"/.exec(line)?.slice(1))).toEqual([
    ['share-u1', 'new-kubelet'], ['share-u2', 'old-kubelet'],
  ]);
});

test('a kubelet that does not answer leaves pods out and nothing else', async () => {
  const metrics = new AgentMetrics('d', '1');
  const holding: HeldDevice = { device: 'gpu-0', claimUid: 'u1', namespace: 'ml', name: 'trainer', state: 'prepared' };
  exportDeviceUsers(metrics.registry, 'd', 'n', state([holding]), () => Promise.reject(new Error('gone')));

  expect(await samples(metrics, 'cdk8s_dra_device_user_info')).toHaveLength(1);
});

test('every metric has help, and publishing is counted by what came of it', async () => {
  const metrics = new AgentMetrics('d', '1');
  metrics.watch(state());
  metrics.slices.wrote('create', 'failure', 0.1);
  metrics.slices.published({ generation: 7, slices: [{ devices: [{ name: 'a' }, { name: 'b' }] }, {}] });
  metrics.slices.failed(new Error('x'));
  metrics.slices.problems([{ code: 'DRA345', subject: 'a', message: 'm' }, { code: 'DRA345', subject: 'b', message: 'm' }]);
  metrics.health.looked('failure', 0.1);
  metrics.health.becameSick('a', 'DRA350', 'm');
  metrics.event('dropped', 3);
  const text = await metrics.text();

  expect(await samples(metrics)).toEqual(expect.arrayContaining([
    'cdk8s_dra_agent_slice_write_seconds_count{kind="create",outcome="failure"} 1',
    'cdk8s_dra_agent_pool_generation 7',
    'cdk8s_dra_agent_published_devices 2',
    'cdk8s_dra_agent_publish_failures_total 1',
    'cdk8s_dra_agent_publish_problems{code="DRA345"} 2',
    'cdk8s_dra_agent_health_look_seconds_count{outcome="failure"} 1',
    'cdk8s_dra_agent_health_changes_total{change="sick",code="DRA350"} 1',
    'cdk8s_dra_agent_events_total{outcome="dropped"} 3',
    'cdk8s_dra_agent_build_info{version="1"} 1',
  ]));
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
  for (const [, name] of text.matchAll(/^# TYPE (\S+)/gm)) expect(helped).toContain(name);
});
