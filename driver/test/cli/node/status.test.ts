import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AgentDump } from '../../../src/node/agent-dump.js';
import type { ClaimRecord } from '../../../src/node/claims/record/claim-record.js';
import { RecordCodec } from '../../../src/node/claims/record/record-format.js';
import { FakeApiServer } from '../../kube/fake-api-server.js';
import { run } from '../recorded-io.js';

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'status-')); });

afterEach(() => { rmSync(folder, { recursive: true }); });

const DUMP: AgentDump = {
  version: '1.2.3',
  identity: { nodeName: 'node-1', podName: 'agent-x' },
  configuration: {
    driverName: 'sim.example.com',
    family: 'sim',
    roles: ['driver', 'witness'],
    kubeletRoot: '/var/lib/kubelet',
    cdiRoot: '/var/run/cdi',
    hostRoot: '/host',
    dataFolder: '/data',
    claimStatus: false,
    times: { registration: 1, registrationAttempts: 1, shutdown: 1, discovery: 1, health: 1, ghost: 1 },
    http: { address: '0.0.0.0', port: 9464 },
    log: { level: 'info' },
  },
  owner: 'dra',
  mode: 'active',
  standing: { registration: { state: 'registered' }, writing: 'writing', isDiscovered: true, isPublishing: true, isReporting: true },
  unready: undefined,
  sockets: { registration: '/r.sock', service: '/s.sock' },
  bootId: 'b',
  devices: [{ name: 'gpu-0', identity: 'SIM-0', sharable: true }, { name: 'gpu-1', identity: 'SIM-1', sharable: false }],
  problems: [{ code: 'DRA347', subject: 'gpu-9', message: 'gpu-9 is kept back' }],
  isolations: [],
  held: [
    { device: 'gpu-0', claimUid: 'u1', namespace: 'ml', name: 'trainer', state: 'prepared', shareId: 's1' },
    { device: 'gpu-0', claimUid: 'u2', namespace: 'ml', name: 'watcher', state: 'prepared', adminAccess: true },
    { device: 'gpu-7', claimUid: 'u3', namespace: 'ml', name: 'old', state: 'releasing' },
  ],
  users: [{
    device: 'gpu-0',
    identity: 'SIM-0',
    claimNamespace: 'ml',
    claim: 'trainer',
    claimUid: 'u1',
    shareId: 's1',
    state: 'prepared',
    adminAccess: false,
    podNamespace: 'ml',
    pod: 'trainer-0',
    container: 'main',
  }],
  process: { uptimeSeconds: 300, residentBytes: 70_000_000, node: 'v20.0.0' },
};

describe('of an agent', () => {
  let agent: Server;
  let answer: { readonly status: number; readonly body: string };

  beforeEach(async () => {
    answer = { status: 200, body: JSON.stringify(DUMP) };
    agent = createServer((_, response) => {
      response.writeHead(answer.status);
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => { agent.listen(0, '127.0.0.1', resolve); });
  });

  afterEach(() => { agent.close(); });

  const status = (...options: readonly string[]) => run(['node', 'status', '--address', `127.0.0.1:${(agent.address() as AddressInfo).port}`, ...options]);

  test('it says what it does, and a line for each holder and for each device without', async () => {
    const { code, out } = await status();

    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'sim.example.com on node-1: driver and witness of family sim, pod agent-x',
      'Mode: active; owner of the devices: dra',
      'Kubelet: registered at /s.sock',
      'Records: this agent holds them',
      'Publishing: yes; report: yes',
      'Version 1.2.3 on Node.js v20.0.0, up 5 min, 70 MB',
      '',
      'DEVICE  IDENTITY  STATE                 CLAIM       PODS',
      'gpu-0   SIM-0     prepared              ml/trainer  ml/trainer-0',
      'gpu-0   SIM-0     prepared, monitoring  ml/watcher',
      'gpu-1   SIM-1     free',
      'gpu-7   (gone)    releasing             ml/old',
      '',
    ]);
  });

  test('as JSON it is what the agent said', async () => {
    expect(JSON.parse((await status('-o', 'json')).out)).toEqual(JSON.parse(JSON.stringify(DUMP)));
  });

  test('what is not as it should be is named, and is the exit code', async () => {
    answer = {
      status: 200,
      body: JSON.stringify({
        ...DUMP,
        unready: 'kubelet does not call this agent: lost',
        owner: 'unknown',
        isolations: [{ device: 'gpu-1', code: 'DRA331', message: 'record damaged', since: '2026-01-01T00:00:00Z' }],
        problems: [{ code: 'DRA343', subject: 'gpu-2', message: 'gpu-2 is not ready' }],
        held: [{ device: 'gpu-1', claimUid: 'u1', namespace: 'ml', name: 'x', state: 'quarantined' }],
      }),
    };

    const { code, out } = await status();

    expect(code).toBe(1);
    expect(out.slice(out.indexOf('Not as it should be')).split('\n')).toEqual([
      'Not as it should be:',
      '  kubelet does not call this agent: lost',
      '  the Node cannot be read or says nothing that is known, so nothing new is offered',
      '  gpu-1 is isolated since 2026-01-01T00:00:00Z: DRA331 record damaged',
      '  gpu-1 is held by a record that was set aside (claim u1)',
      '  DRA343 gpu-2 is not ready',
      '',
    ]);
  });

  test.each([
    [403, 'only from within the pod', 'only from within the pod'],
    [404, '', 'status 404'],
    [200, '<html>', '<html>'],
    [200, '{"status":"UP"}', 'What answers at'],
    [200, '{"version":', 'What answers at'],
  ])('an answer %s %j is no agent\'s', async (code, body, words) => {
    answer = { status: code, body };

    const { code: exit, err } = await status();

    expect(exit).toBe(2);
    expect(err).toContain(words);
  });
});

test.each([
  ['127.0.0.1:1', 'No agent answers at 127.0.0.1:1 (ECONNREFUSED). Look from within its pod or through kubectl port-forward, or name a Node or --data-folder.'],
  ['nonsense', '--address must be HOST:PORT, got \'nonsense\'. Write for example 127.0.0.1:9464.'],
  ['127.0.0.1:99999', '--address must be HOST:PORT, got \'127.0.0.1:99999\'. Write for example 127.0.0.1:9464.'],
])('--address %s is told what is the matter', async (address, message) => {
  expect(await run(['node', 'status', '--address', address])).toEqual({ code: 2, out: '', err: `error: ${message}\n` });
});

describe('of a data folder', () => {
  const record = (uid: string, more: Partial<ClaimRecord> = {}): ClaimRecord => ({
    uid,
    namespace: 'ml',
    name: `claim-${uid}`,
    state: 'prepared',
    bootId: 'b',
    since: '2026-01-01T00:00:00.000Z',
    devices: [{
      device: 'gpu-0',
      pool: 'node-1',
      identity: 'SIM-0',
      parts: ['gpu-0'],
      requests: ['gpu'],
      consumedCapacity: {},
      consumesCounters: [],
      adminAccess: false,
      intent: {},
      prepared: { edits: {}, vendorCdiDevices: [], state: {} },
    }],
    ...more,
  });
  const write = (file: string, content: string): void => {
    mkdirSync(join(folder, 'claims'), { recursive: true });
    mkdirSync(join(folder, 'quarantine'), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  const encoded = (one: ClaimRecord) => new RecordCodec().encode(one, 1) ?? '';
  const status = (...options: readonly string[]) => run(['node', 'status', '--data-folder', folder, ...options]);

  test('records are read without an agent', async () => {
    write('claims/u1.json', encoded(record('u1')));

    const { code, out } = await status();

    expect(code).toBe(0);
    expect(out).toBe(`${folder}: 1 record, 0 set aside

CLAIM        STATE     DEVICES  SINCE                     UID
ml/claim-u1  prepared  gpu-0    2026-01-01T00:00:00.000Z  u1
`);
  });

  test('an empty folder is well', async () => {
    mkdirSync(join(folder, 'claims'));

    expect(await status()).toEqual({ code: 0, out: `${folder}: 0 records, 0 set aside\n`, err: '' });
  });

  test('what nobody can read is a finding, and so is what was set aside', async () => {
    write('claims/u1.json', '{"format":1');
    write('claims/note.txt', '');
    write('quarantine/u2.0123abcd.json', 'damaged');

    const { code, out } = await status();

    expect(code).toBe(1);
    expect(out).toContain('claims/u1.json cannot be read; the next agent sets it aside\n');
    expect(out).toContain('quarantine/u2.0123abcd.json: ');
    expect(out).toContain('claims/note.txt is no record\n');
  });

  test('another folder is told what it lacks', async () => {
    expect(await status()).toEqual({
      code: 2, out: '', err: `error: ${folder} has no folder 'claims'. Name the data folder of an agent, such as /var/lib/kubelet/plugins/gpu.cdk8s-dra.dev.\n`,
    });
  });
});

describe('of a Node', () => {
  let server: FakeApiServer;
  let kubeconfig: string;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    kubeconfig = join(folder, 'kubeconfig');
    server.writeKubeconfig(kubeconfig);
  });

  afterEach(async () => { await server.stop(); });

  function put(family: string, node: string, status: object): void {
    server.put(`/apis/cdk8s-dra.dev/v1alpha1/devicenodereports/${family}.${node}`, {
      metadata: { name: `${family}.${node}` }, spec: { nodeName: node, family, driver: `${family}.example.com` }, status,
    });
  }

  const status = (...options: readonly string[]) => run(['node', 'status', 'node-1', '--kubeconfig', kubeconfig, ...options]);
  const fresh = () => ({
    owner: 'dra',
    mode: 'active',
    roles: ['driver', 'witness'],
    heartbeat: new Date(Date.now() - 5000).toISOString(),
    inventory: { hash: '0123456789', devices: 4, isolated: 0, withheld: 1 },
    drivers: [{ name: 'sim.example.com', registered: true }],
    resources: [{ name: 'nvidia.com/gpu', allocatable: 8, held: 1 }],
    held: [{ driver: 'sim.example.com', pool: 'node-1', device: 'gpu-0', claimNamespace: 'ml', claimName: 'trainer', state: 'prepared' }],
    heldTotal: 3,
    pluginHeld: [{ resource: 'nvidia.com/gpu', deviceId: 'GPU-1', podNamespace: 'ml', podName: 'old' }],
    pluginHeldTotal: 1,
    pluginHeldKnown: true,
    problems: [],
  });

  test('its reports say who holds what, on both paths, and others are left out', async () => {
    put('sim', 'node-1', fresh());
    put('sim', 'node-2', fresh());

    const { code, out } = await status();

    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^sim\.example\.com on node-1: driver and witness, told [5-9] s ago$/) as string,
      'Mode: active; owner of the devices: dra',
      'Devices: 4 offered, 0 isolated, 1 withheld (inventory 01234567)',
      'Drivers at this kubelet: sim.example.com',
      'Device plugin nvidia.com/gpu: 1 of 8 held',
      '',
      'DEVICE  OF               STATE     HELD BY',
      'gpu-0   sim.example.com  prepared  claim ml/trainer',
      'GPU-1   nvidia.com/gpu   in-use    pod ml/old',
      'and 2 more',
      '',
    ]);
  });

  test('a silent agent, sick devices, problems and a report without a word are findings', async () => {
    put('gpu', 'node-1', {});
    put('sim', 'node-1', {
      ...fresh(),
      heartbeat: '2026-01-01T00:00:00Z',
      inventory: { ...fresh().inventory, isolated: 2 },
      problems: [{ code: 'DRA343', subject: 'gpu-2', message: 'gpu-2 is not ready' }],
      pluginHeldKnown: false,
    });

    const { code, out } = await status();

    expect(code).toBe(1);
    expect(out).toContain('gpu.example.com on node-1: agent of unknown role, told nothing yet\n');
    expect(out).toContain('Device plugins: not known, as kubelet did not say\n');
    const findings = out.slice(out.indexOf('Not as it should be'));
    expect(findings).toContain('gpu.node-1 has no heartbeat: nothing is known\n');
    expect(findings).toMatch(/sim\.node-1 is \d+ s old: the agent is silent, and its devices count as held\n/);
    expect(findings).toContain('sim.node-1: 2 of 4 devices are isolated\n');
    expect(findings).toContain('DRA343 gpu-2 is not ready\n');
  });

  test('a Node without a report is named', async () => {
    expect(await status()).toEqual({
      code: 2, out: '', err: `error: There is no DeviceNodeReport of Node 'node-1' at ${server.connection.server}. Does an agent run there? Look for its pod.\n`,
    });
  });

  test('a server without the CRD is no cluster of agents', async () => {
    server.script(({ path }) => (path.endsWith('/devicenodereports') ? { status: 404, body: '404 page not found' } : undefined));

    expect(await status()).toEqual({
      code: 2,
      out: '',
      err: `error: ${server.connection.server} does not know DeviceNodeReport. Is it the right cluster? Its CRD comes with DeviceNodeReportCrd, its reports with an agent.\n`,
    });
  });

  test('a cluster that refuses is told as by every other command', async () => {
    server.script(() => ({ status: 401, body: {} }));

    const { code, out, err } = await status();

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('error: the server refused what is needed: the server answered 401 without a message\n');
  });
});
