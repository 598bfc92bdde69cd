import * as fc from 'fast-check';

import { ApiError, UnreachableError } from '../../../src/kube/api-error.js';
import type { KubeClient, Patch } from '../../../src/kube/kube-client.js';
import type { KubeObject, ObjectName } from '../../../src/kube/object.js';
import type { ClaimEvent } from '../../../src/node/claims/claim-observer.js';
import { EventWriter } from '../../../src/node/observe/event-writer.js';
import type { EventLimits } from '../../../src/node/observe/event-writer.js';
import { ManualClock, settled } from '../manual-clock.js';

type Call = { readonly create: KubeObject } | { readonly name: ObjectName; readonly patch: Patch };

let clock: ManualClock;
let calls: Call[];
let counts: { [outcome: string]: number };
/** Answers of the server in turn; undefined is success. */
let failures: (Error | undefined)[];
let writer: EventWriter;

const client = {
  create: (_: unknown, object: KubeObject) => answer({ create: object }),
  patch: (_: unknown, name: ObjectName, patch: Patch) => answer({ name, patch }),
} as unknown as Pick<KubeClient, 'create' | 'patch'>;

async function answer(call: Call): Promise<KubeObject> {
  calls.push(call);
  await Promise.resolve();
  const failure = failures.shift();
  if (failure !== undefined) throw failure;
  return {};
}

function write(limits: Partial<EventLimits> = {}): EventWriter {
  writer = new EventWriter({
    client,
    driver: 'gpu.example.com',
    node: 'node-1',
    nodeUid: () => 'uid-of-node',
    instance: 'agent-x',
    clock,
    limits,
    counted: (outcome, count = 1) => { counts[outcome] = (counts[outcome] ?? 0) + count; },
  });
  return writer;
}

beforeEach(() => {
  clock = new ManualClock();
  calls = [];
  counts = {};
  failures = [];
  write();
});

const CLAIM = { uid: 'u1', namespace: 'ml', name: 'trainer' };
const HELD: ClaimEvent = { type: 'Warning', reason: 'DeviceStillHeld', message: 'DRA320 gpu-0 is held by claim ml/other', claim: CLAIM };

function created(): readonly KubeObject[] {
  return calls.flatMap((call) => ('create' in call ? [call.create] : []));
}

test('an Event about a claim is whole', async () => {
  writer.emit(HELD);
  await settled();

  expect(created()).toEqual([{
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: expect.stringMatching(/^trainer\.[0-9a-f]{16}$/) as string, namespace: 'ml' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'gpu.example.com',
    reportingInstance: 'agent-x',
    action: 'NodeAgent',
    type: 'Warning',
    reason: 'DeviceStillHeld',
    note: 'DRA320 gpu-0 is held by claim ml/other',
    regarding: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', namespace: 'ml', name: 'trainer', uid: 'u1' },
  }]);
});

test('an Event about no claim is about the Node, in the namespace for objects without one', async () => {
  writer.emit({ type: 'Normal', reason: 'DeviceRecovered', message: 'device gpu-0 is well again' });
  await settled();

  expect(created()[0]).toMatchObject({ metadata: { namespace: 'default' }, regarding: { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'uid-of-node' } });
});

test('the same words in one moment are one write with a count', async () => {
  for (let time = 0; time < 5; time++) writer.emit(HELD);
  await settled();

  expect(created()).toHaveLength(1);
  expect(created()[0]).toMatchObject({ series: { count: 5 } });
});

// C-112
test('words that are said again and again are one Event whose count is written once a minute', async () => {
  writer.emit(HELD);
  for (let second = 0; second < 300; second++) {
    await clock.advance(1000);
    writer.emit(HELD);
  }
  await clock.advance(60_000);

  const patches = calls.filter((call) => 'patch' in call);
  expect(created()).toHaveLength(1);
  expect(patches.length).toBeLessThanOrEqual(6);
  expect(patches.at(-1)).toMatchObject({ name: { name: created()[0]?.metadata?.name, namespace: 'ml' }, patch: { merge: { series: { count: 301 } } } });
});

test('after the window the same words are a new Event', async () => {
  writer.emit(HELD);
  await clock.advance(600_000);
  writer.emit(HELD);
  await settled();

  expect(created()).toHaveLength(2);
});

test('other words, another claim of the same name and another type are other Events', async () => {
  writer.emit(HELD);
  writer.emit({ ...HELD, message: 'other' });
  writer.emit({ ...HELD, claim: { ...CLAIM, uid: 'u2' } });
  writer.emit({ ...HELD, type: 'Normal' });
  await settled();

  expect(created()).toHaveLength(4);
});

test('a new Event does not wait behind a count that is not due', async () => {
  writer.emit(HELD);
  await clock.advance(10);
  writer.emit(HELD);
  await clock.advance(10);

  writer.emit({ ...HELD, message: 'other' });
  await clock.advance(10);

  expect(created()).toHaveLength(2);
});

test('a storm is written as a burst and then slowly, and what waits is bounded', async () => {
  write({ burst: 5, refill: 1000, waiting: 10 });
  for (let index = 0; index < 100; index++) writer.emit({ ...HELD, message: `storm ${index}` });
  await clock.advance(0);
  expect(created()).toHaveLength(5);
  expect(counts).toEqual({ dropped: 90, written: 5 });

  await clock.advance(3000);
  expect(created()).toHaveLength(8);
  await clock.advance(60_000);
  expect(created().map(({ note }) => note)).toEqual(Array.from({ length: 10 }, (_, index) => `storm ${90 + index}`));
});

test('a server that is away gets the Event once it is back', async () => {
  failures = [new UnreachableError('gone'), new ApiError('slow down', 429, 'TooManyRequests'), new ApiError('broken', 500, 'InternalError')];
  writer.emit(HELD);
  await clock.advance(20_000);

  expect(created()).toHaveLength(4);
  expect(counts).toEqual({ written: 1 });
});

test('an Event that is refused, or cannot be written for too long, is given up and counted', async () => {
  failures = [new ApiError('namespace is gone', 404, 'NotFound')];
  writer.emit(HELD);
  await clock.advance(600_000);
  expect(counts).toEqual({ failed: 1 });

  failures = Array.from({ length: 1000 }, () => new UnreachableError('gone'));
  writer.emit({ ...HELD, message: 'other' });
  await clock.advance(600_000);

  expect(counts).toEqual({ failed: 2 });
  expect(calls.length).toBeLessThan(30);
});

test('at the end what waits is written, what does not answer is cut, and nothing more is taken', async () => {
  writer.emit(HELD);
  await writer.stop(2000);
  expect(created()).toHaveLength(1);
  writer.emit({ ...HELD, message: 'too late' });
  await settled();
  expect(created()).toHaveLength(1);

  const hanging = new EventWriter({
    client: { create: (_resource, _object, { signal } = {}) => new Promise((_, reject) => { signal?.addEventListener('abort', () => reject(new Error('cut'))); }) } as Pick<KubeClient, 'create' | 'patch'>,
    driver: 'd',
    node: 'n',
    nodeUid: () => undefined,
    instance: 'i',
    clock,
    counted: () => undefined,
  });
  hanging.emit(HELD);
  await settled();
  let isStopped = false;
  const stopped = hanging.stop(2000).then(() => { isStopped = true; });
  await clock.advance(1999);
  expect(isStopped).toBe(false);
  await clock.advance(1);
  await stopped;
});

test('whatever is said, the Event keeps the bounds of the API', async () => {
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.constant('ä€😀'.repeat(500)));
  await fc.assert(fc.asyncProperty(texts, fc.string({ minLength: 1, maxLength: 300 }), async (message, reason) => {
    clock = new ManualClock();
    calls = [];
    write();
    writer.emit({ type: 'Warning', reason, message, claim: { ...CLAIM, name: 'x'.repeat(253) } });
    await settled();

    const [event] = created();
    expect(Buffer.byteLength(String(event?.note))).toBeLessThanOrEqual(1024);
    expect(String(event?.reason).length).toBeLessThanOrEqual(128);
    expect(String(event?.metadata?.name)).toMatch(/^[a-z0-9.-]{1,253}$/);
  }), { numRuns: 30 });
});

/** So many turns of the event loop's smallest kind. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('what is said %i turns after the last write was told is written too', async (count) => {
  let isFirst = true;
  const made: EventWriter = new EventWriter({
    client,
    driver: 'd',
    node: 'n',
    nodeUid: () => undefined,
    instance: 'i',
    clock,
    counted: () => {
      if (!isFirst) return;
      isFirst = false;
      void turns(count).then(() => made.emit({ ...HELD, message: 'second' }));
    },
  });
  made.emit(HELD);
  await settled();

  expect(created().map(({ note }) => note)).toEqual([HELD.message, 'second']);
});
