import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
    [['fly'], 'A command must be one of up, down, status, logs, kubeconfig, build, fault, got "fly".'],
    [['up', '--kubernetes', '1.33'], '--kubernetes must be one of 1.34, 1.35, 1.36, 1.37, got "1.33".'],
    [['up', '--kubernetes', '1.35', '--emulate', '1.36'], '--emulate must not be newer than --kubernetes 1.35, got 1.36.'],
    [['up', '--name', 'Big One'], '--name must be 1 to 20 lower-case letters, digits and inner "-", got "Big One".'],
    [['up', '--nodes', '7'], '--nodes must be 0, 1 or 2, got 7.'],
    [['up', '--port', '99999'], '--port must be 1 to 65535, got 99999.'],
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

test('without Go, up says that it is needed and leaves nothing', () => {
  const { status, stderr } = run(PROGRAM, ['up'], { PATH: cache });

  expect(stderr).toMatch(/^cluster: Go 1\.\d+ or newer is needed .*\n$/);
  expect(status).toBe(2);
  expect(readdirSync(cache)).toEqual([]);
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

function writeState(processes: readonly object[]) {
  const folder = join(cache, 'run', 'default');
  mkdirSync(folder, { recursive: true });
  const version = { kubernetes: '1.36', release: '1.36.3' };
  const state = { name: 'default', folder, phase: 'running', ...version, server: 'https://127.0.0.1:1', keepData: false, processes, nodes: [] };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
}
