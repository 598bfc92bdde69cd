import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeApiServer, ok } from '../../kube/fake-api-server.js';
import { run } from '../recorded-io.js';

const EXAMPLE = new URL('../../../../examples/simulated-fleet.yaml', import.meta.url).pathname;

interface Answer {
  readonly mode: { readonly mode: string; readonly because: string };
  readonly sockets: { readonly registration: string; readonly service: string };
  readonly pool: {
    readonly name: string;
    readonly devices: readonly { readonly name: string }[];
    readonly withheld: readonly { readonly code: string }[];
    readonly untold: readonly { readonly code: string; readonly subject: string }[];
    readonly slices: readonly {
      readonly metadata: { readonly name: string };
      readonly spec: { readonly devices?: readonly object[]; readonly sharedCounters?: readonly object[] };
    }[];
  };
}

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'dry-')); });

afterEach(() => { rmSync(folder, { recursive: true }); });

function configuration(text: string): string {
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, `apiVersion: cdk8s-dra.dev/v1alpha1\nkind: NodeAgentConfiguration\ndriverName: sim.example.com\nfamily: sim\n${text}`);
  return file;
}

async function dryRun(file: string, ...options: readonly string[]) {
  return run(['node', '--config', file, '--dry-run', '--node', 'node-1', ...options]);
}

test('the example says mode, sockets, devices and what is kept back, and writes nothing', async () => {
  const { code, out, err } = await dryRun(EXAMPLE, '--kubernetes', '1.36');

  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.split('\n');
  expect(lines[0]).toBe('sim.cdk8s-dra.dev on node-1: driver of family sim');
  expect(lines[1]).toBe('Mode: active; no cluster was asked; the agent is active only while the node has the label cdk8s-dra.dev/sim-owner=dra.');
  expect(out).toContain('Sockets: /var/lib/kubelet/plugins_registry/sim.cdk8s-dra.dev-reg.sock\n         /var/lib/kubelet/plugins/sim.cdk8s-dra.dev/dra.sock\n');
  expect(out).toContain('Pool node-1: 30 devices found, 30 published in 2 slices (Kubernetes 1.36)\n');
  expect(out).toMatch(/^ {2}parted-0-1g-0 +parted-0\/1g\/0 +memory=10Gi +parted-0\(memory=10Gi slices=1\) +model=H100 profile=1g$/m);
  expect(out).toMatch(/^ {2}shared-0 +shared-0 +memory=48Gi shares=4 +shared by 4 +model=L40S$/m);
  expect(out).toContain('Counters that devices share\n  parted-0: memory=80Gi slices=7\n');
  expect(out).toContain('Found and withheld\n  DRA347 node-own is kept back: the last device is the node\'s reserve.\n');
  expect(existsSync('/var/lib/kubelet/plugins/sim.cdk8s-dra.dev')).toBe(false);
});

test('as JSON the slices are whole objects in the form of the version', async () => {
  const answer = async (...options: readonly string[]) => JSON.parse((await dryRun(EXAMPLE, '-o', 'json', ...options)).out) as Answer;
  const gates = 'DRAPartitionableDevices=true,DRADeviceTaints=true';

  const [oldest, beside, own] = [await answer(), await answer('--feature-gates', gates), await answer('--kubernetes', '1.36')];

  expect(own.pool.slices.map(({ metadata }) => metadata.name)).toEqual(['00000-sim.cdk8s-dra.dev-node-1', '00001-sim.cdk8s-dra.dev-node-1']);
  const lengths = ({ pool }: Answer) => pool.slices.map(({ spec }) => [spec.devices?.length, spec.sharedCounters?.length]);
  expect(lengths(own)).toEqual(expect.arrayContaining([[30, undefined], [undefined, 2]]));
  expect(lengths(beside)).toEqual([[28, 2]]);
  expect(oldest.pool.slices.map(({ spec }) => spec.sharedCounters)).toEqual([undefined]);
  expect(oldest.pool.untold).toHaveLength(20);
  expect(oldest.pool.devices).toHaveLength(30);
});

test('on a server that knows neither shares nor counters such devices are marked, and what is said of many is said once', async () => {
  const { code, out } = await dryRun(EXAMPLE);

  expect(code).toBe(0);
  expect(out).toContain('Pool node-1: 30 devices found, 10 published in 1 slice (Kubernetes 1.34)\n');
  expect(out).toMatch(/^ {2}- parted-0-1g-0 /m);
  expect(out).toContain('Not published, marked with -: Kubernetes 1.34 cannot express them\n  DRA373 shared-0 is for several claims, ');
  expect(out).toContain('\n         so too shared-1\n  DRA373 parted-0-1g-0 shares counters ');
  expect(out).toContain('parted-0-1g-5 and 12 more (-o json has all)\n');
});

test('devices that are withheld for a fault are a finding', async () => {
  const switches = join(folder, 'switches');
  const file = configuration(`devices: { backend: simulated, switchFolder: ${switches}, fleet: [{ name: 'gpu-{index}', count: 2 }] }\n`);
  expect((await dryRun(file)).code).toBe(0);

  mkdirSync(switches);
  writeFileSync(join(switches, 'gpu-1.not-ready'), '');
  const { code, out } = await dryRun(file);

  expect(code).toBe(1);
  expect(out).toContain('Pool node-1: 1 device found, 1 published in 1 slice');
  expect(out).toContain('DRA343 gpu-1 is not offered: the switch not-ready is on.');
});

test('a witness publishes nothing', async () => {
  const { code, out } = await dryRun(configuration('roles: [witness]\n'));

  expect(code).toBe(0);
  expect(out).toContain('sim.example.com on node-1: witness of family sim\n');
  expect(out).toContain('A witness publishes nothing; it writes a DeviceNodeReport.\n');
  expect(out).not.toContain('Sockets');
});

test('a machine without such hardware is said to have none, with where to look', async () => {
  mkdirSync(join(folder, 'sys/bus/pci/devices'), { recursive: true });

  const { code, out } = await dryRun(configuration(`hostRoot: ${folder}\ndevices: { backend: gpu }\n`));

  expect(code).toBe(0);
  expect(out).toContain(`0 devices found, 0 published in 1 slice (Kubernetes 1.34)\nNothing is here: below ${folder} no file shows such hardware. docs/devices.md says what is read;`);
});

test('hardware that cannot be looked at is told with the root that is looked below, and the way out', async () => {
  const { code, out, err } = await dryRun(configuration(`hostRoot: ${folder}\ndevices: { backend: gpu }\n`));

  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toBe('error: DRA342 The hardware cannot be looked at: /sys/bus/pci/devices is not there on the host. See that the pod mounts it. '
    + `hostRoot is ${folder}: in a pod of NodeAgent that is where the host is mounted, on the node itself write /.\n`);
});

describe('with a cluster', () => {
  let server: FakeApiServer;
  let kubeconfig: string;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    kubeconfig = join(folder, 'kubeconfig');
    server.writeKubeconfig(kubeconfig);
    // A server without taints, counters and shares keeps none of them.
    server.script(({ method, path, body }) => (method === 'POST' && path.endsWith('/resourceslices')
      ? ok({ ...body as object, spec: { ...(body as { readonly spec: object }).spec, devices: [{ name: 'probe' }] } })
      : undefined));
  });

  afterEach(async () => { await server.stop(); });

  const fleet = 'devices: { backend: simulated, fleet: [{ name: gpu-0 }] }\n';

  test.each([
    [{ 'cdk8s-dra.dev/sim-owner': 'dra' }, {}, 'Mode: active; the node has the label cdk8s-dra.dev/sim-owner=dra.', '1 device found, 1 published in 1 slice'],
    [{ 'cdk8s-dra.dev/sim-owner': 'dra' }, { 'cdk8s-dra.dev/sim-publish': 'frozen' }, 'Mode: frozen; the node has the annotation cdk8s-dra.dev/sim-publish=frozen.', '1 device found, 0 published in 1 slice, empty as frozen'],
    [{ 'cdk8s-dra.dev/sim-owner': 'handover' }, {}, 'Mode: observe; the node has the label cdk8s-dra.dev/sim-owner=handover.', '1 device found, nothing is published'],
    [{}, {}, 'Mode: observe; the node has no label cdk8s-dra.dev/sim-owner, so the device plugin owns the devices.', '1 device found, nothing is published'],
  ])('labels %j and annotations %j: %s', async (labels, annotations, mode, pool) => {
    server.put('/api/v1/nodes/node-1', { metadata: { name: 'node-1', labels, annotations } });

    const { code, out } = await dryRun(configuration(fleet), '--kubeconfig', kubeconfig);

    expect(code).toBe(0);
    expect(out).toContain(`${mode}\n`);
    expect(out).toContain(pool);
    expect(server.seen.filter(({ method, query }) => method !== 'GET' && query.dryRun !== 'All')).toEqual([]);
  });

  test('a Node that is not there is named', async () => {
    expect(await dryRun(configuration(fleet), '--kubeconfig', kubeconfig)).toMatchObject({
      code: 2, err: `error: There is no Node 'node-1' at ${server.connection.server}. Name one with --node.\n`,
    });
  });

  test('a server that refuses is told in a sentence', async () => {
    server.script(({ path }) => (path.startsWith('/api/v1/nodes') ? { status: 403, body: { message: 'nodes is forbidden' } } : undefined));

    expect(await dryRun(configuration(fleet), '--kubeconfig', kubeconfig)).toEqual({
      code: 2, out: '', err: 'error: the server refused what is needed: nodes is forbidden\n',
    });
  });
});

test.each([
  [['node'], '--config is missing. Name a file with a NodeAgentConfiguration, such as examples/simulated-fleet.yaml.'],
  [['node', '--config', '/nope.yaml', '--dry-run'], '/nope.yaml: cannot be read (ENOENT). Name an existing file with --config.'],
  [['node', '--config', EXAMPLE, '--dry-run', '--kubernetes', '1.20'], '1.20'],
  [['node', '--config', EXAMPLE, '--dry-run', '--feature-gates', 'Nope=true'], 'Nope'],
  [['node', '--config', EXAMPLE, '--dry-run', '-o', 'yaml'], 'Allowed choices are text, json'],
])('%j is wrong usage', async (args, words) => {
  const { code, err } = await run(args);

  expect(code).toBe(2);
  expect(err).toContain(words);
});

test('every wrong setting is named, and nothing is begun', async () => {
  const file = configuration('kubeletRoot: x\ndevices: { backend: simulated, fleet: 3 }\n');

  const { code, err } = await run(['node', '--config', file, '--node', 'node-1']);

  expect(code).toBe(2);
  expect(err).toMatch(/2 settings are wrong:\n {2}'kubeletRoot' .*\n {2}'devices\.fleet' /);
});

test('the help of both commands teaches with examples and exit codes', async () => {
  for (const args of [['node', '--help'], ['node', 'status', '--help']]) {
    const { code, out } = await run(args);
    expect(code).toBe(0);
    expect(out).toContain('Exit codes: 0 ');
    expect(out).toContain('kubectl-dra node status');
  }
});
