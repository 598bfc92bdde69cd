import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { claimName, outcome } from './kit/agent-under-test.js';
import { DRIVER, FakeCluster, NODE } from './kit/fake-cluster.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import { Steps } from './kit/steps.js';
import { createClaimService } from '../../../src/node/claims/create-claim-service.js';
import type { ClaimsOfNode } from '../../../src/node/claims/create-claim-service.js';
import { FORMAT_1 } from '../../../src/node/claims/record/record-format-1.js';
import type { RecordFormat } from '../../../src/node/claims/record/record-format.js';
import { FollowedValue } from '../../../src/node/followed-value.js';

const [a, b, c] = [claimName('aaa'), claimName('bbb'), claimName('ccc')];
const FORMAT_2: RecordFormat = { ...FORMAT_1, format: 2 };
const signal = new AbortController().signal;

let folder: string;
let hardware: FakeHardware;
let cluster: FakeCluster;
let agents: ClaimsOfNode[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agents-'));
  hardware = new FakeHardware(inventoryOf([device('gpu-0'), device('gpu-1'), device('gpu-2')]));
  cluster = new FakeCluster();
  agents = [];
  for (const [index, name] of [a, b, c].entries()) cluster.put(name, [{ device: `gpu-${index}` }]);
});
afterEach(async () => {
  await Promise.all(agents.map(async (agent) => agent.stop()));
  rmSync(folder, { recursive: true, force: true });
});

interface StartOptions {
  readonly reads?: readonly RecordFormat[];
  readonly pace?: (step: string) => Promise<void>;
}

/** An agent of this node, on a real disk and with the real lock. */
function start(name: string, options: StartOptions = {}): ClaimsOfNode {
  const steps = new Steps(Infinity, options.pace);
  const agent = createClaimService({
    driver: DRIVER,
    family: 'gpu',
    node: NODE,
    agent: name,
    bootId: 'boot-1',
    dataFolder: join(folder, 'data'),
    cdiFolder: join(folder, 'cdi'),
    backend: hardware.backend(steps),
    inventory: new FollowedValue(hardware.inventory),
    healthIsolations: new FollowedValue([]),
    reader: cluster.reader(steps),
    formats: options.reads ?? [FORMAT_1],
  });
  agents.push(agent);
  agent.start();
  return agent;
}

async function until(agent: ClaimsOfNode, state: string): Promise<void> {
  while (agent.state.current !== state) await new Promise((resolve) => { setTimeout(resolve, 2); });
}

async function prepare(agent: ClaimsOfNode, claim: ReturnType<typeof claimName>): Promise<readonly string[] | string> {
  return outcome((await agent.prepare([claim], signal)).get(claim.uid));
}

async function unprepare(agent: ClaimsOfNode, claim: ReturnType<typeof claimName>): Promise<unknown> {
  return (await agent.unprepare([claim], signal)).get(claim.uid);
}

function formats(): readonly unknown[] {
  const files = readdirSync(join(folder, 'data/claims')).filter((file) => file.endsWith('.json')).sort();
  return files.map((file) => (JSON.parse(readFileSync(join(folder, 'data/claims', file), 'utf8')) as { readonly format: number }).format);
}

// C-095
test('a newer agent takes over with all claims, and a call to it waits instead of failing', async () => {
  const old = start('old');
  expect(await prepare(old, a)).toEqual(['gpu-0']);
  const young = start('new');
  // Kubelet may call the newer agent before it has the lock.
  expect(await prepare(young, a)).toEqual(['gpu-0']);
  expect(await prepare(young, b)).toEqual(['gpu-1']);
  expect(old.state.current).toBe('standby');
  expect(await prepare(old, c)).toMatch(/^DRA303 agent-stands-by/);
  expect(await unprepare(old, a)).toEqual({ error: expect.stringMatching(/^DRA303/) });
  expect(await unprepare(young, a)).toEqual({});
  expect(Object.keys(hardware.ready())).toEqual(['gpu-1']);
  expect(hardware.violations).toEqual([]);
});

test('the holder finishes what is past its commit point before it yields', async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let begun: () => void = () => undefined;
  const atWork = new Promise<void>((resolve) => (begun = resolve));
  const old = start('old', {
    pace: async (step) => {
      if (step !== 'hardware configure gpu-0') return;
      begun();
      await gate;
    },
  });
  const answer = prepare(old, a);
  await atWork;
  const young = start('new');
  await until(old, 'ending');
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  expect(young.state.current).toBe('seeking');
  expect(await prepare(old, b)).toMatch(/^DRA303/);
  release();
  expect(await answer).toEqual(['gpu-0']);
  await until(young, 'writing');
  expect(young.records.map(({ uid, state }) => [uid, state])).toEqual([['aaa', 'prepared']]);
});

test('who stands by takes over again when the newer one is gone, and knows what that one did', async () => {
  const old = start('old');
  await until(old, 'writing');
  const young = start('new');
  await until(young, 'writing');
  expect(await prepare(young, a)).toEqual(['gpu-0']);
  await young.stop();
  await until(old, 'writing');
  expect(old.records.map(({ uid }) => uid)).toEqual(['aaa']);
  expect(await prepare(old, c)).toEqual(['gpu-2']);
  expect(await unprepare(old, a)).toEqual({});
});

test('while an agent waits that reads the older format only, all records are written in it; alone, the newer one is used', async () => {
  const young = start('new', { reads: [FORMAT_1, FORMAT_2] });
  expect(await prepare(young, a)).toEqual(['gpu-0']);
  expect(formats()).toEqual([2]);
  // The older agent asks to take over: nothing it cannot read is left to it.
  const old = start('old');
  await until(old, 'writing');
  expect(formats()).toEqual([1]);
  expect(old.records.map(({ uid }) => uid)).toEqual(['aaa']);
  expect(await prepare(old, b)).toEqual(['gpu-1']);
  await old.stop();
  await until(young, 'writing');
  expect(young.records.map(({ uid }) => uid)).toEqual(['aaa', 'bbb']);
  expect(await prepare(young, c)).toEqual(['gpu-2']);
  expect(formats()).toEqual([1, 1, 2]);
  // Still the newer one writes, and an older one begins to wait.
  const waiting = start('old again');
  await until(young, 'standby');
  await until(waiting, 'writing');
  expect(waiting.records.map(({ uid }) => uid)).toEqual(['aaa', 'bbb', 'ccc']);
});

test('a lock that a person took away is sought again, and nothing is begun without it', async () => {
  const agent = start('a');
  expect(await prepare(agent, a)).toEqual(['gpu-0']);
  for (const file of readdirSync(join(folder, 'data')).filter((name) => name.startsWith('lock.'))) rmSync(join(folder, 'data', file));
  expect(await prepare(agent, b)).toMatch(/^DRA303 .*taken away/);
});

test('records and CDI files on a real disk are for the agent alone and for the runtime, and go away', async () => {
  const agent = start('a');
  expect(await prepare(agent, a)).toEqual(['gpu-0']);
  expect(statSync(join(folder, 'data/claims/aaa.json')).mode % 0o1000).toBe(0o600);
  expect(readdirSync(join(folder, 'cdi'))).toEqual([`${DRIVER}-claim_aaa.json`]);
  expect(await unprepare(agent, a)).toEqual({});
  await agent.stop();
  expect([...readdirSync(join(folder, 'cdi')), ...readdirSync(join(folder, 'data/claims'))]).toEqual([]);
});
