import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRAM = join(__dirname, '..', '..', 'tools', 'cluster', 'main.mjs');
const SUITES = join(__dirname, 'run.mjs');

let cache: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'cluster-command-'));
});

afterEach(() => rmSync(cache, { recursive: true, force: true }));

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, CDK8S_DRA_CLUSTER_CACHE: cache, KUBECONFIG: undefined, ...env },
  });
  return { status, stdout, stderr };
}

describe('wrong usage ends with exit code 2 and one sentence that says what to write instead', () => {
  test.each([
    [['fly'], 'A command must be one of up, down, status, logs, kubeconfig, build, check, fault, got "fly".'],
    [['up', '--kubernetes', '1.33'], '--kubernetes must be one of 1.34, 1.35, 1.36, 1.37, got "1.33".'],
    [['up', '--kubernetes', '1.35', '--emulate', '1.36'], '--emulate must not be newer than --kubernetes 1.35, got 1.36.'],
    [['up', '--name', 'Big One'], '--name must be 1 to 20 lower-case letters, digits and inner "-", got "Big One".'],
    [['up', '--nodes', '7'], '--nodes must be 0, 1 or 2, got 7.'],
    [['up', '--port', '99999'], '--port must be 1 to 65535, got 99999.'],
    [['up', '--port', '80x'], '--port must be 1 to 65535, got 80x.'],
    [['up', '--cache', __filename], 'The cache must be a folder, and '],
    [['check', '--kubernetes', '2.0'], '--kubernetes must be one of 1.34, 1.35, 1.36, 1.37, got "2.0".'],
    [['build', '--port', '1'], 'build does not take --port.'],
    [['up', '--feature-gates', 'DRADeviceTaints'], '--feature-gates must look like'],
    [['up', '--runtime-config', 'a b'], '--runtime-config must look like'],
    [['down', '--nodes', '1'], 'down does not take --nodes.'],
    [['up', '--speed'], 'Unknown option \'--speed\'.'],
    [['status', 'now'], 'status does not take "now".'],
    [['kubeconfig', '--name', 'gone'], 'No cluster is named "gone"'],
    [['fault', 'kill', 'etcd'], 'No cluster is named "default"'],
  ])('cluster %j', (args, sentence) => {
    const { status, stdout, stderr } = run(PROGRAM, args);

    expect(stderr).toContain(`cluster: ${sentence}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test.each([
    [['--suite', 'poems'], 'A suite must be one of '],
    [['--kubernetes', '1.34,1.35', '--emulate', '1.34'], '--emulate takes a single --kubernetes'],
    [['--kubernetes', '1.36', '--kubeconfig', 'x'], '--kubeconfig and --kubernetes exclude each other'],
  ])('test:cluster %j', (args, sentence) => {
    const { status, stderr } = run(SUITES, args);

    expect(stderr).toContain(`test:cluster: ${sentence}`);
    expect(status).toBe(2);
  });
});

test.each([['up'], ['build'], ['check']])('without Go, %s says that it is needed, leaves nothing, and ends with exit code 3', command => {
  const { status, stderr } = run(PROGRAM, [command], { PATH: cache });

  expect(stderr).toMatch(/^cluster: Go 1\.\d+ or newer is needed .*\n$/);
  expect(status).toBe(3);
  expect(readdirSync(cache)).toEqual([]);
});

describe('where Go is', () => {
  beforeEach(() => {
    // Enough to be asked for its version; whoever builds with it fails.
    writeFileSync(join(cache, 'go'), '#!/bin/sh\n[ "$1" = env ] && echo go1.99.0 && exit 0\necho "no such proxy: dial tcp: refused" >&2\nexit 1\n', { mode: 0o755 });
  });

  const withGo = () => ({ PATH: `${cache}:${process.env.PATH}`, CDK8S_DRA_CLUSTER_CACHE: join(cache, 'cache') });

  test('a port that somebody listens on is refused before anything is built', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const { status, stderr } = run(PROGRAM, ['up', '--port', String(port)], withGo());
    server.close();

    expect(stderr).toBe(`cluster: Port ${port} of 127.0.0.1 is in use. Leave --port out to get a free one, or name another.\n`);
    expect(status).toBe(2);
  });

  test('modules that cannot be fetched are something that this machine lacks, and no half-built entry stays', () => {
    const { status, stderr } = run(PROGRAM, ['build'], withGo());

    expect(stderr).toContain('Modules could not be fetched. Check the network and "go env GOPROXY", then run it again.');
    expect(status).toBe(3);
    expect(readdirSync(join(cache, 'cache'))).toEqual([]);
  });

  test('without root, nodes are refused and the way out is named', () => {
    const { status, stderr } = run(PROGRAM, ['up', '--nodes', '1'], { ...withGo(), NODE_OPTIONS: '--import data:text/javascript,process.getuid=()=>1000' });

    expect(stderr).toBe(
      'cluster: A node needs root: it mounts, makes control groups and network namespaces. Run it as root. Or use --nodes 0, for a control plane alone.\n',
    );
    expect(status).toBe(3);
  });

  test('what a dead cluster left is removed before the next of that name starts', () => {
    writeState([{ ...identity(process.pid), startTime: '1' }], join(cache, 'cache'));

    const { stderr } = run(PROGRAM, ['up'], withGo());

    expect(stderr).toMatch(/^Removing what an earlier cluster "default" left behind \(dead\)\.\n/);
    expect(existsSync(join(cache, 'cache', 'run'))).toBe(false);
  });

  test('a cluster that runs is not started twice', () => {
    writeState([identity(process.pid)], join(cache, 'cache'));

    const { status, stderr } = run(PROGRAM, ['up'], withGo());

    expect(stderr).toBe(
      'cluster: Cluster "default" is running already, Kubernetes 1.36.3. End it with "npm run cluster -- down --name default", or choose another --name.\n',
    );
    expect(status).toBe(2);
  });
});

test('with --if-built, suites are left out with a reason where nothing is built, and that is no failure', () => {
  expect(run(SUITES, ['--if-built', '--suite', 'gates'], { PATH: cache })).toMatchObject({ status: 0, stdout: expect.stringContaining('Real clusters are not tried: Go') });
});

test('a fault that is unknown, or for what is not there, is refused', () => {
  writeState([identity(process.pid)]);

  expect(run(PROGRAM, ['fault', 'burn', 'etcd']).stderr).toContain('A fault must be one of kill, restart, freeze, thaw, cut, heal, fill, free, wipe, got "burn".');
  expect(run(PROGRAM, ['fault', 'kill', 'node-1/kubelet']).stderr).toContain('A component must be one of etcd, got "node-1/kubelet".');
  expect(run(PROGRAM, ['fault', 'wipe', 'node-1', '/run']).stderr).toContain('This cluster has no nodes. Start one that has: npm run cluster -- up --nodes 1.');
  expect(run(PROGRAM, ['fault', 'kill', 'etcd', '/run']).stderr).toContain('fault kill does not take "/run".');
});

describe('down', () => {
  let child: ChildProcess;

  beforeEach(() => {
    child = spawn('sleep', ['600']);
  });

  afterEach(() => child.kill('SIGKILL'));

  test('ends the processes of the state file and removes the folder', async () => {
    writeState([identity(child.pid!)]);
    const ended = once(child, 'exit');

    const { status, stdout } = run(PROGRAM, ['down']);

    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(stdout).toBe('Cluster "default" is gone.\n');
    expect(status).toBe(0);
    expect(existsSync(join(cache, 'run'))).toBe(false);
  });

  test.each([
    ['of another start time', { startTime: '1' }],
    ['of another boot', { boot: 'another' }],
  ])('leaves a process alone whose pid is in the state file, but %s', (_, other) => {
    writeState([{ ...identity(child.pid!), ...other }]);

    const { status } = run(PROGRAM, ['down']);

    expect(status).toBe(0);
    expect(existsSync(join(cache, 'run'))).toBe(false);
    expect(existsSync(`/proc/${child.pid}`)).toBe(true);
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });

  test('ends a process that carries the mark of the cluster and stands in no state file', async () => {
    writeState([]);
    const marked = spawn('sleep', ['600'], { env: { ...process.env, CDK8S_DRA_CLUSTER_FOLDER: join(cache, 'run', 'default') } });
    const ended = once(marked, 'exit');

    run(PROGRAM, ['down']);

    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  test('keeps the logs when told to', () => {
    writeState([]);
    mkdirSync(join(cache, 'run', 'default', 'logs'));
    writeFileSync(join(cache, 'run', 'default', 'logs', 'etcd.log'), 'words\n');

    const { stdout } = run(PROGRAM, ['down', '--keep-logs']);

    expect(stdout).toBe(`Cluster "default" is gone. Its logs: ${join(cache, 'logs', 'default')}\n`);
    expect(readFileSync(join(cache, 'logs', 'default', 'etcd.log'), 'utf8')).toBe('words\n');
  });

  test('of a cluster that is not there is no failure', () => {
    expect(run(PROGRAM, ['down'])).toEqual({ status: 0, stdout: 'There is no cluster "default"; nothing to do.\n', stderr: '' });
  });
});

test('a suite that was killed leaves a cluster, which the next suite removes', () => {
  const starter = { ...identity(process.pid), startTime: '1' };
  writeState([], cache, { name: 'suite-1', owned: true, starter });
  writeState([], cache, { name: 'mine', owned: false, starter });
  const script = `import { removeOrphans } from '${pathToFileURL(join(PROGRAM, '..', 'cluster.mjs')).href}'; await removeOrphans('${cache}');`;

  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });

  expect(readdirSync(join(cache, 'run'))).toEqual(['mine']);
});

test('status tells a dead process with the end of its log, and exits with 1', () => {
  const log = join(cache, 'etcd.log');
  writeFileSync(log, 'first\nno space left\n');
  writeState([{ ...identity(process.pid), startTime: '1', name: 'etcd', log }]);

  const { status, stdout } = run(PROGRAM, ['status']);

  expect(stdout).toContain('default: dead, Kubernetes 1.36.3');
  expect(stdout).toMatch(/etcd +dead/);
  expect(stdout).toContain('no space left');
  expect(status).toBe(1);
});

function identity(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return { name: 'etcd', log: '', pid, startTime, boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
}

function writeState(processes: readonly object[], root = cache, more: { name?: string; [field: string]: unknown } = {}) {
  const folder = join(root, 'run', more.name ?? 'default');
  mkdirSync(folder, { recursive: true });
  const version = { kubernetes: '1.36', release: '1.36.3' };
  const state = { name: 'default', folder, phase: 'running', ...version, server: 'https://127.0.0.1:1', keepData: false, processes, nodes: [], ...more };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
}
