import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { credentials, status } from '@grpc/grpc-js';

import { FakeKubelet, until } from './fake-kubelet.js';
import { DRAPluginClient } from '../../../gen/dra/v1/dra.js';
import type { AnsweredDevice, ClaimName, ClaimService, PrepareAnswer, UnprepareAnswer } from '../../../src/node/claim-service.js';
import { KubeletPlugin } from '../../../src/node/kubelet/kubelet-plugin.js';
import { defaultDataFolder } from '../../../src/node/kubelet/socket-paths.js';

const DRIVER = 'gpu.example.com';

let root: string;
let kubelet: FakeKubelet;
let plugin: KubeletPlugin;
let asked: { readonly claims: readonly ClaimName[]; readonly signal: AbortSignal }[];
let answer: (claims: readonly ClaimName[]) => Promise<ReadonlyMap<string, PrepareAnswer & UnprepareAnswer>>;

const claims: ClaimService = {
  prepare: (names, signal) => { asked.push({ claims: names, signal }); return answer(names); },
  unprepare: (names, signal) => { asked.push({ claims: names, signal }); return answer(names); },
};

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'k'));
  asked = [];
  answer = (names) => Promise.resolve(new Map(names.map(({ uid }) => [uid, { devices: [] }])));
  await serve(['v1.DRAPlugin', 'v1beta1.DRAPlugin']);
});

afterEach(async () => {
  await kubelet.stop();
  await plugin.stop();
  rmSync(root, { recursive: true });
});

async function serve(versions: readonly string[]): Promise<void> {
  kubelet = new FakeKubelet({ root, versions });
  plugin = new KubeletPlugin({ kubeletRoot: root, dataFolder: defaultDataFolder(root, DRIVER), driverName: DRIVER, claims });
  kubelet.start();
  await plugin.start();
  await plugin.registered();
}

async function serveAgain(versions: readonly string[]): Promise<void> {
  await kubelet.stop();
  await plugin.stop();
  await serve(versions);
}

function claim(uid: string): ClaimName {
  return { uid, namespace: 'ml', name: `claim-${uid}` };
}

const DEVICE: AnsweredDevice = {
  requestNames: ['gpus'], poolName: 'node-1', deviceName: 'gpu-0', cdiDeviceIds: ['gpu.example.com/claim=u1-gpu-0'], shareId: '5f0c2c66-2c57-4a77-9f7e-d4f2c8d0d001',
};

test('v1 is preferred, and a device reaches kubelet whole', async () => {
  answer = () => Promise.resolve(new Map([['u1', { devices: [DEVICE] }]]));

  const answers = await kubelet.prepare(DRIVER, [claim('u1')]);

  expect(kubelet.registered).toEqual([{ name: DRIVER, endpoint: plugin.paths.service, version: 'v1.DRAPlugin' }]);
  expect(asked[0]?.claims).toEqual([claim('u1')]);
  expect(answers).toEqual({ claims: { u1: { error: '', devices: [DEVICE] } } });
});

test('v1beta1 serves a kubelet that knows nothing newer, and has no share ids', async () => {
  await serveAgain(['v1beta1.DRAPlugin']);
  answer = () => Promise.resolve(new Map([['u1', { devices: [DEVICE] }]]));
  const { shareId: _, ...older } = DEVICE;

  expect(kubelet.registered[0]?.version).toBe('v1beta1.DRAPlugin');
  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { error: '', devices: [older] } } });
  expect(await kubelet.unprepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { error: '' } } });
});

test('many claims of one call are asked for together, each is answered once, also one that is named twice', async () => {
  const answers = await kubelet.prepare(DRIVER, [claim('u1'), claim('u2'), claim('u1')]);

  expect(asked).toHaveLength(1);
  expect(asked[0]?.claims.map(({ uid }) => uid)).toEqual(['u1', 'u2']);
  expect(Object.keys(answers.claims)).toEqual(['u1', 'u2']);
});

test('a failed claim is told in its entry, and the others succeed', async () => {
  answer = () => Promise.resolve(new Map<string, PrepareAnswer & UnprepareAnswer>([['u1', { error: 'DRA320 gpu-0 is held by claim ml/other' }], ['u2', { devices: [DEVICE] }]]));

  expect(await kubelet.prepare(DRIVER, [claim('u1'), claim('u2')])).toEqual({
    claims: { u1: { devices: [], error: 'DRA320 gpu-0 is held by claim ml/other' }, u2: { devices: [DEVICE], error: '' } },
  });
  expect(await kubelet.unprepare(DRIVER, [claim('u1'), claim('u2')])).toEqual({
    claims: { u1: { error: 'DRA320 gpu-0 is held by claim ml/other' }, u2: { error: '' } },
  });
});

test('claims that nobody asked for are left out, claims without an answer are failures', async () => {
  answer = () => Promise.resolve(new Map<string, PrepareAnswer & UnprepareAnswer>([['stranger', { devices: [] }]]));

  const prepared = await kubelet.prepare(DRIVER, [claim('u1')]);

  expect(Object.keys(prepared.claims)).toEqual(['u1']);
  expect(prepared.claims.u1?.error).toContain('The agent has no answer for this claim');
});

test('an error without words is still an error, one with too many is cut to what an Event takes', async () => {
  answer = () => Promise.resolve(new Map<string, PrepareAnswer & UnprepareAnswer>([['u1', { error: '' }], ['u2', { error: `DRA338 ${'x'.repeat(5000)}` }]]));

  const { claims: entries } = await kubelet.prepare(DRIVER, [claim('u1'), claim('u2')]);

  expect(entries.u1?.error).not.toBe('');
  expect(entries.u2?.error).toMatch(/^DRA338 x+…$/);
  expect(entries.u2?.error.length).toBeLessThanOrEqual(800);
});

test('a service that throws, against its contract, fails the claims and not the agent', async () => {
  answer = () => Promise.reject(new Error('the disk is gone'));

  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: 'the disk is gone' } } });
  expect(await kubelet.unprepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { error: 'the disk is gone' } } });
});

test('requests are top-level, each once', async () => {
  answer = () => Promise.resolve(new Map([['u1', { devices: [{ ...DEVICE, requestNames: ['gpus/large', 'gpus/small', 'nic'] }] }]]));

  const { claims: entries } = await kubelet.prepare(DRIVER, [claim('u1')]);

  expect(entries.u1?.devices[0]?.requestNames).toEqual(['gpus', 'nic']);
});

test('a claim without uid is refused and never asked for, and one with the name of a prototype is as any other', async () => {
  const { claims: entries } = await kubelet.unprepare(DRIVER, [claim(''), claim('constructor')]);

  expect(asked[0]?.claims.map(({ uid }) => uid)).toEqual(['constructor']);
  expect(entries['']?.error).toContain('no uid');
  expect(entries.constructor).toEqual({ error: '' });
});

test('a call without claims is answered without asking', async () => {
  expect(await kubelet.prepare(DRIVER, [])).toEqual({ claims: {} });
  expect(asked).toEqual([]);
});

test('kubelet giving up ends the signal, and the late answer goes nowhere', async () => {
  let finish: (value: ReadonlyMap<string, PrepareAnswer & UnprepareAnswer>) => void = () => undefined;
  answer = () => new Promise((resolve) => { finish = resolve; });

  await expect(kubelet.prepare(DRIVER, [claim('u1')], 100)).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });

  await until('the signal ends', () => asked[0]?.signal.aborted === true);
  finish(new Map([['u1', { devices: [] }]]));
  answer = (names) => Promise.resolve(new Map(names.map(({ uid }) => [uid, { devices: [] }])));
  expect(await kubelet.prepare(DRIVER, [claim('u2')])).toEqual({ claims: { u2: { devices: [], error: '' } } });
});

test('sixty-four calls at once are asked at once', async () => {
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => { finish = resolve; });
  answer = async (names) => {
    if (asked.length === 64) finish();
    await all;
    return new Map(names.map(({ uid }) => [uid, { devices: [] }]));
  };

  const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => kubelet.prepare(DRIVER, [claim(`u${index}`)])));

  expect(answers.flatMap(({ claims: entries }) => Object.keys(entries))).toEqual(Array.from({ length: 64 }, (_, index) => `u${index}`));
});

test('a message beyond the limit is refused, and the next call works', async () => {
  const client = new DRAPluginClient(`unix:${plugin.paths.service}`, credentials.createInsecure());
  const huge = { claims: [{ uid: 'u1', namespace: 'ml', name: 'x'.repeat(5 * 1024 * 1024) }] };

  const refused = await new Promise<{ readonly code: number } | null>((resolve) => { client.nodePrepareResources(huge, (error) => resolve(error)); });

  client.close();
  expect(refused?.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(asked).toEqual([]);
  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: '' } } });
});
