import type { NetworkData } from '../../../src/devices/backend.js';
import { NodeFailure } from '../../../src/devices/node-failure.js';
import { ApiError, UnreachableError } from '../../../src/kube/api-error.js';
import type { KubeClient, Patch } from '../../../src/kube/kube-client.js';
import type { KubeObject, ObjectName } from '../../../src/kube/object.js';
import { ClaimStatusWriter } from '../../../src/node/claim-status/claim-status-writer.js';
import type { ClaimStatusLimits } from '../../../src/node/claim-status/claim-status-writer.js';
import type { ClaimRecord } from '../../../src/node/claims/record/claim-record.js';
import type { Isolation } from '../../../src/node/device-state.js';
import { ManualClock, settled } from '../manual-clock.js';

const DRIVER = 'nic.example.com';
const ADDRESS: NetworkData = { interfaceName: 'eth4', hardwareAddress: '02:00:00:00:00:01' };
const SICK: Isolation = { device: 'vf-0', code: 'DRA360', message: 'no link', since: '2026-01-01T00:00:00.250Z' };

interface Write {
  readonly name: ObjectName;
  readonly apply: { readonly metadata: { readonly uid: string }; readonly status: { readonly devices: readonly object[] } };
  readonly fieldManager: string;
  readonly force: boolean;
  readonly subresource: string | undefined;
}

let clock: ManualClock;
let writes: Write[];
let reads: number;
let records: ClaimRecord[];
let isolations: Isolation[];
let outcomes: string[];
/** Answers of the server in turn; undefined is success. */
let failures: (Error | undefined)[];
/** What the server stores of what is applied. */
let keeps: boolean;
let claims: Map<string, KubeObject>;
let writer: ClaimStatusWriter;

const client = {
  find: async (_: unknown, { name }: ObjectName) => {
    reads++;
    return claims.get(name);
  },
  patch: async (_: unknown, name: ObjectName, patch: Patch, options: { readonly subresource?: string }) => {
    const { apply, fieldManager, force } = patch as unknown as Omit<Write, 'name' | 'subresource'>;
    writes.push({ name, apply, fieldManager, force, subresource: options.subresource });
    await Promise.resolve();
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return { status: keeps ? apply.status : {} };
  },
} as unknown as Pick<KubeClient, 'find' | 'patch'>;

function make(limits: Partial<ClaimStatusLimits> = {}): void {
  writer = new ClaimStatusWriter({
    client,
    driver: DRIVER,
    node: 'node-1',
    clock,
    records: () => records,
    isolations: () => isolations,
    observer: { wrote: (outcome, { name }) => outcomes.push(`${outcome} ${name}`) },
    limits,
  });
  writer.start();
}

function record(name: string, { networkData, device = 'vf-0', shareId }: { readonly networkData?: NetworkData; readonly device?: string; readonly shareId?: string } = {}): ClaimRecord {
  return {
    uid: `uid-${name}`,
    namespace: 'ml',
    name,
    state: 'prepared',
    bootId: 'b',
    since: '2026-01-01T00:00:00Z',
    devices: [{
      device,
      pool: 'node-1',
      identity: device,
      parts: [device],
      requests: ['nic'],
      ...(shareId === undefined ? {} : { shareId }),
      consumedCapacity: {},
      consumesCounters: [],
      adminAccess: false,
      intent: {},
      prepared: { edits: {}, vendorCdiDevices: [], state: {}, ...(networkData === undefined ? {} : { networkData }) },
    }],
  };
}

async function prepared(one: ClaimRecord): Promise<void> {
  records.push(one);
  writer.prepared(one);
  await settled();
}

function allocated(name: string, uid = `uid-${name}`): void {
  const results = [
    { request: 'nic', driver: DRIVER, pool: 'node-1', device: 'vf-0' },
    { request: 'gpu', driver: 'gpu.example.com', pool: 'node-1', device: 'gpu-0' },
  ];
  claims.set(name, { metadata: { name, namespace: 'ml', uid }, status: { allocation: { devices: { results } } } } as KubeObject);
}

beforeEach(() => {
  clock = new ManualClock();
  writes = [];
  reads = 0;
  records = [];
  isolations = [];
  outcomes = [];
  failures = [];
  keeps = true;
  claims = new Map();
  make();
});

afterEach(() => writer.stop());

test('the address of a network device is applied under the name of the driver, to the claim of that UID and no other', async () => {
  await prepared(record('a', { networkData: ADDRESS, shareId: 's1' }));

  expect(writes).toEqual([{
    name: { namespace: 'ml', name: 'a' },
    apply: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { namespace: 'ml', name: 'a', uid: 'uid-a' },
      status: { devices: [{ driver: DRIVER, pool: 'node-1', device: 'vf-0', shareID: 's1', networkData: ADDRESS }] },
    },
    fieldManager: DRIVER,
    force: true,
    subresource: 'status',
  }]);
  expect(outcomes).toEqual(['written a']);
});

test('a claim with nothing to tell is never written, whatever becomes of it', async () => {
  const one = record('a');
  await prepared(one);
  records = [];
  writer.released(one);
  await clock.advance(60_000);

  expect([writes, reads]).toEqual([[], 0]);
});

test('a repeated prepare writes nothing again', async () => {
  await prepared(record('a', { networkData: ADDRESS }));
  for (let count = 0; count < 20; count++) {
    writer.prepared(records[0]!);
    await clock.advance(11_000);
  }

  expect(writes).toHaveLength(1);
});

test('a sick device is told while it is sick, and its address stays', async () => {
  await prepared(record('a', { networkData: ADDRESS }));
  isolations = [SICK];
  writer.look();
  await clock.advance(10_000);
  const condition = { type: 'Healthy', status: 'False', reason: 'LinkDown', message: 'DRA360 link-down: no link', lastTransitionTime: '2026-01-01T00:00:00Z' };
  expect(writes.at(-1)?.apply.status.devices).toMatchObject([{ conditions: [condition], networkData: ADDRESS }]);

  isolations = [];
  writer.look();
  await clock.advance(10_000);

  expect(writes.at(-1)?.apply.status.devices).toEqual([{ driver: DRIVER, pool: 'node-1', device: 'vf-0', networkData: ADDRESS }]);
  expect(writes).toHaveLength(3);
});

test('a device that flaps costs a claim one write in ten seconds', async () => {
  await prepared(record('a', { networkData: ADDRESS }));
  for (let second = 0; second < 100; second++) {
    isolations = second % 2 === 0 ? [{ ...SICK, message: `flap ${second}` }] : [];
    writer.look();
    await clock.advance(1000);
  }

  expect(writes.length).toBeGreaterThan(5);
  expect(writes.length).toBeLessThanOrEqual(11);
});

// C-112
test('why devices will never be prepared is told once on those of this driver, however often kubelet asks', async () => {
  allocated('a');
  for (let count = 0; count < 10; count++) {
    writer.failed(record('a'), new NodeFailure('DRA341', 'terminal', 'unknown field \'colour\''));
    await clock.advance(11_000);
  }

  expect(writes).toHaveLength(1);
  expect(writes[0]?.apply.status.devices).toEqual([{
    driver: DRIVER,
    pool: 'node-1',
    device: 'vf-0',
    conditions: [{
      type: 'Prepared', status: 'False', reason: 'DeviceConfigWrong', message: 'DRA341 device-config-wrong: unknown field \'colour\'', lastTransitionTime: '2026-01-01T00:00:00Z',
    }],
  }]);
});

test.each([
  ['may pass', new NodeFailure('DRA320', 'retryable', 'held'), 'uid-a'],
  ['is of a claim that has lost its name', new NodeFailure('DRA312', 'terminal', 'replaced'), 'uid-of-another'],
])('a failure that %s is not told', async (_, failure, uid) => {
  allocated('a', uid);
  writer.failed(record('a'), failure);
  await clock.advance(60_000);

  expect(writes).toEqual([]);
});

test('a claim that is given back tells no address any more, also when an agent before this one wrote it', async () => {
  const one = record('a', { networkData: ADDRESS });
  writer.released(one);
  await settled();

  expect(writes.map(({ apply }) => apply.status.devices)).toEqual([[]]);
});

test('an agent that begins to write tells what the one before it did not come to', async () => {
  await writer.stop();
  records = [record('a', { networkData: ADDRESS }), record('b'), { ...record('c', { networkData: ADDRESS }), state: 'releasing' }];
  writer.prepared(records[0]!);
  await settled();
  expect(writes).toEqual([]);

  writer.start();
  await settled();

  expect(writes.map(({ name }) => name.name)).toEqual(['a']);
});

test('an API server that is away is tried again with what is so by then, ever more rarely, and given up', async () => {
  failures = Array<Error>(20).fill(new UnreachableError('nobody answers'));
  await prepared(record('a', { networkData: ADDRESS }));
  await clock.advance(600_000);

  expect(writes).toHaveLength(8);
  expect(outcomes).toEqual(['failed a']);
});

test.each([
  [403, 'failed a'], [409, 'failed a'], [422, 'failed a'],
])('a refusal with %s is told and not tried again', async (status, outcome) => {
  failures = [new ApiError('no', status, 'X')];
  await prepared(record('a', { networkData: ADDRESS }));
  await clock.advance(600_000);

  expect([writes.length, outcomes]).toEqual([1, [outcome]]);
});

test('a claim that is gone is no failure', async () => {
  failures = [new ApiError('gone', 404, 'NotFound')];
  await prepared(record('a', { networkData: ADDRESS }));

  expect(outcomes).toEqual([]);
});

test('a server that drops the field is told of, and not written again for the same', async () => {
  keeps = false;
  await prepared(record('a', { networkData: ADDRESS }));
  writer.prepared(records[0]!);
  await clock.advance(60_000);

  expect([writes.length, outcomes]).toEqual([1, ['dropped a']]);
});

test('a burst of claims is written at a bounded rate, and what is too much is left out and counted', async () => {
  await writer.stop();
  make({ waiting: 20, burst: 5, refill: 1000 });
  for (let index = 0; index < 30; index++) records.push(record(`n${index}`, { networkData: ADDRESS }));
  for (const one of records) writer.prepared(one);
  await settled();
  expect(outcomes.filter((outcome) => outcome.startsWith('dropped'))).toHaveLength(10);
  expect(writes).toHaveLength(5);

  await clock.advance(3000);
  expect(writes).toHaveLength(8);
  await clock.advance(60_000);
  expect(writes).toHaveLength(20);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('what is told %i turns after the last write is written too', async (turns) => {
  let isFirst = true;
  const made: ClaimStatusWriter = new ClaimStatusWriter({
    client,
    driver: DRIVER,
    node: 'node-1',
    clock,
    records: () => records,
    isolations: () => [],
    observer: {
      wrote: () => {
        if (!isFirst) return;
        isFirst = false;
        void (async () => {
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          records.push(record('b', { networkData: ADDRESS }));
          made.prepared(records[1]!);
        })();
      },
    },
  });
  made.start();
  records.push(record('a', { networkData: ADDRESS }));
  made.prepared(records[0]!);
  await settled();

  expect(writes.map(({ name: { name } }) => name)).toEqual(['a', 'b']);
  await made.stop();
});

test.each([0, 1, 2, 3])('a writer that is started again %i turns after it began to write writes what is due then', async (turns) => {
  records.push(record('a', { networkData: ADDRESS }), record('b', { networkData: ADDRESS }));
  writer.prepared(records[0]!);
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  const stopped = writer.stop();
  writer.start();
  await stopped;
  await clock.advance(20_000);

  expect(writes.map(({ name: { name } }) => name)).toContain('b');
});

test('claims that will never be prepared leave nothing behind once they are many', async () => {
  make({ waiting: 8, burst: 10_000 });
  for (let count = 0; count < 200; count++) {
    allocated(`c${count}`);
    writer.failed({ uid: `uid-c${count}`, namespace: 'ml', name: `c${count}` }, new NodeFailure('DRA341', 'terminal', 'wrong'));
    await settled();
  }

  expect((writer as unknown as { readonly written: ReadonlyMap<string, unknown> }).written.size).toBe(128);
});
