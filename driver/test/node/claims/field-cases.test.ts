import { CDI, claimName, Machine, outcome } from './kit/agent-under-test.js';
import type { Agent } from './kit/agent-under-test.js';
import { claimFiles, disagreements, remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import { settled } from './kit/test-clock.js';
import type { DeviceBackend } from '../../../src/devices/backend.js';
import { NodeFailure } from '../../../src/devices/node-failure.js';

const MINUTE = 60_000;
const [a, b, c] = [claimName('aaa'), claimName('bbb'), claimName('ccc')];

function machineWith(...names: readonly string[]): Machine {
  return new Machine(new FakeHardware(inventoryOf(names.map((name) => device(name)))));
}

/** Claims of one device each, prepared. */
async function prepared(machine: Machine, agent: Agent, count: number): Promise<readonly ReturnType<typeof claimName>[]> {
  const claims = Array.from({ length: count }, (_, index) => claimName(`uid-${index}`));
  for (const [index, claim] of claims.entries()) {
    machine.cluster.put(claim, [{ device: `gpu-${index}` }]);
    expect(outcome(await agent.prepare(claim))).toEqual([`gpu-${index}`]);
  }
  return claims;
}

const GPUS = Array.from({ length: 16 }, (_, index) => `gpu-${index}`);

// C-001
test('finished claims whose UID is gone are found, named and given back after a grace time, also one whose name lives on', async () => {
  const machine = machineWith(...GPUS);
  const agent = await machine.start();
  const claims = await prepared(machine, agent, 4);
  for (const claim of claims.slice(0, 3)) machine.cluster.delete(claim);
  machine.cluster.put({ ...claims[3]!, uid: 'another' }, [{ device: 'gpu-9' }]);

  await machine.clock.advance(2 * MINUTE);
  expect(agent.notices.filter(({ code }) => code === 'DRA326').map(({ claim }) => claim?.uid)).toEqual(['uid-0', 'uid-1', 'uid-2', 'uid-3']);
  expect(Object.keys(machine.hardware.ready())).toHaveLength(4);

  await machine.clock.advance(6 * MINUTE);
  expect(remains(machine, agent)).toEqual([]);
});

test('a claim that lives and has no device here any more is a ghost, one whose claim comes back in time is none', async () => {
  const machine = machineWith(...GPUS);
  const agent = await machine.start();
  const [moved, back] = await prepared(machine, agent, 2);
  machine.cluster.put(moved!, [{ device: 'gpu-0', pool: 'node-2' }]);
  machine.cluster.delete(back!);
  await machine.clock.advance(3 * MINUTE);
  machine.cluster.put(back!, [{ device: 'gpu-1' }]);
  await machine.clock.advance(30 * MINUTE);
  expect(agent.claims.records.map(({ uid }) => uid)).toEqual(['uid-1']);
});

test('an API server that does not answer, or refuses, proves nothing about a claim', async () => {
  const machine = machineWith(...GPUS);
  const agent = await machine.start();
  await prepared(machine, agent, 2);
  machine.cluster.claims.clear();
  machine.cluster.isDown = true;
  await machine.clock.advance(60 * MINUTE);
  machine.cluster.isDown = false;
  machine.cluster.status = 403;
  await machine.clock.advance(60 * MINUTE);
  expect(agent.claims.records).toHaveLength(2);
  machine.cluster.status = undefined;
  await machine.clock.advance(7 * MINUTE);
  expect(remains(machine, agent)).toEqual([]);
});

test('an API server that answers nothing at all does not hold up the clean-up of what is half done', async () => {
  const machine = machineWith(...GPUS);
  let isMute = false;
  const agent = await machine.start({ pace: async (step) => { if (isMute && step.startsWith('get claim')) await new Promise(() => undefined); } });
  await prepared(machine, agent, 4);
  isMute = true;
  const reads = machine.cluster.reads;
  await machine.clock.advance(2 * MINUTE);

  expect(machine.cluster.reads - reads).toBeGreaterThan(0);
  expect(machine.cluster.reads - reads).toBeLessThanOrEqual(2);

  isMute = false;
  machine.cluster.claims.clear();
  await machine.clock.advance(12 * MINUTE);
  expect(remains(machine, agent)).toEqual([]);
});

test('a ghost stays as long as kubelet says that a pod has the claim, or cannot say', async () => {
  const machine = machineWith(...GPUS);
  const says: (boolean | undefined)[] = [true, undefined];
  const agent = await machine.start({ claimInUse: async () => says.length > 0 ? says.shift() : false });
  await prepared(machine, agent, 1);
  machine.cluster.claims.clear();
  await machine.clock.advance(6 * MINUTE);
  expect(agent.claims.records).toHaveLength(1);
  await machine.clock.advance(3 * MINUTE);
  expect(says).toEqual([]);
  expect(remains(machine, agent)).toEqual([]);
});

// C-004
test('the clean-up runs all the time beside fifty prepares and unprepares, and all agree in the end', async () => {
  const machine = machineWith(...GPUS);
  const agent = await machine.start({ times: { tidyEvery: 1, ghostsEvery: 1, ghostGrace: 1 }, pace: async () => settled() });
  const claims = GPUS.map((gpu, index) => {
    const claim = claimName(`uid-${index}`);
    machine.cluster.put(claim, [{ device: gpu }]);
    return claim;
  });
  const calls: Promise<unknown>[] = [];
  for (let round = 0; round < 50; round++) {
    const claim = claims[round % claims.length]!;
    calls.push(round % 3 === 2 ? agent.unprepare(claim) : agent.prepare(claim));
    if (round === 25) machine.cluster.delete(claims[0]!);
    await machine.clock.advance(2);
  }
  expect(await agent.inTime(Promise.all(calls))).toHaveLength(50);
  await machine.clock.advance(1000);
  expect(disagreements(machine, agent)).toEqual([]);
  await agent.claims.stop();
});

// C-007
describe('after a reboot', () => {
  test('finished claims are prepared again at kubelet\'s call, and not before', async () => {
    const machine = machineWith(...GPUS);
    const claims = await prepared(machine, await machine.start(), 2);
    machine.reboot();
    const agent = await machine.start();
    expect(machine.hardware.ready()).toEqual({});
    expect(machine.disk.under(CDI)).toEqual([]);
    expect(agent.claims.held.current.map(({ device: name, state }) => [name, state])).toEqual([['gpu-0', 'prepared'], ['gpu-1', 'prepared']]);

    expect(outcome(await agent.prepare(claims[0]!))).toEqual(['gpu-0']);
    expect(machine.hardware.ready()).toEqual({ 'gpu-0': ['uid-0'] });
    expect(await agent.unprepare(claims[1]!)).toEqual({});
    expect(disagreements(machine, agent)).toEqual([]);
  });

  test('nobody gets a device of a finished claim that was not asked back', async () => {
    const machine = machineWith('gpu-0');
    await prepared(machine, await machine.start(), 1);
    machine.cluster.put(b, [{ device: 'gpu-0' }]);
    machine.reboot();
    const agent = await machine.start();
    expect(outcome(await agent.prepare(b))).toMatch(/^DRA320 device-still-held: device gpu-0 is held by claim vision\/claim-uid-0 \(uid uid-0\)$/);
  });

  test('a device that the claim would get in another way now is undone first', async () => {
    const machine = machineWith('gpu-0');
    machine.cluster.put(a, [{ device: 'gpu-0' }], [{ parameters: { mode: 'old' } }]);
    expect(outcome(await (await machine.start()).prepare(a))).toEqual(['gpu-0']);
    machine.cluster.put(a, [{ device: 'gpu-0' }], [{ parameters: { mode: 'new' } }]);
    machine.reboot();
    const agent = await machine.start();
    expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
    expect(machine.hardware.unprepares).toBe(1);
    expect(disagreements(machine, agent)).toEqual([]);
  });
});

// C-008
test('a device node that is missing fails the claim for now and leaves nothing; once it is there the same call succeeds', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.hardware.missingNodes.add('/dev/gpu-0');
  const agent = await machine.start();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toBe('DRA350 device-node-missing: there is no /dev/gpu-0');
  expect(agent.ended.at(-1)).toMatchObject({ outcome: 'retryable', code: 'DRA350' });
  expect(machine.disk.under(CDI)).toEqual([]);
  expect(remains(machine, agent)).toEqual([]);
  machine.hardware.missingNodes.clear();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toEqual(['gpu-0']);
});

test('a finished claim whose device nodes have gone is made whole before kubelet is told of it again', async () => {
  const machine = machineWith('gpu-0');
  const nodes = new Set(['/dev/gpu-0']);
  const agent = await machine.start({ deviceNodeExists: async (path) => nodes.has(path) });
  const [claim] = await prepared(machine, agent, 1);
  const { prepares, unprepares } = machine.hardware;
  nodes.clear();
  expect(outcome(await agent.prepare(claim!))).toEqual(['gpu-0']);
  expect([machine.hardware.prepares, machine.hardware.unprepares]).toEqual([prepares + 1, unprepares]);
  machine.hardware.missingNodes.add('/dev/gpu-0');
  expect(outcome(await agent.prepare(claim!))).toMatch(/^DRA350/);
  // Another pod may be using it: a claim goes only forward.
  expect(machine.hardware.ready()).toEqual({ 'gpu-0': ['uid-0'] });
  expect(disagreements(machine, agent)).toEqual([]);
});

// C-017
test('twenty half prepared claims of an agent that died: half are asked back, the rest is cleaned up', async () => {
  const machine = machineWith(...Array.from({ length: 20 }, (_, index) => `gpu-${index}`));
  const claims = Array.from({ length: 20 }, (_, index) => {
    const claim = claimName(`uid-${index}`);
    machine.cluster.put(claim, [{ device: `gpu-${index}` }]);
    return claim;
  });
  // None is enabled before all are configured, and then the agent dies.
  const first = await machine.start({
    pace: async (step) => step.startsWith('hardware enable') ? new Promise<never>(() => undefined) : undefined,
  });
  for (const claim of claims) void first.prepare(claim);
  await settled();
  await settled();
  first.kill();
  expect(claimFiles(machine.disk).filter((file) => file.endsWith('.json'))).toHaveLength(20);
  expect(machine.hardware.touched).toHaveLength(20);

  const agent = await machine.start();
  for (const claim of claims.slice(0, 10)) expect(await agent.unprepare(claim)).toEqual({});
  await machine.clock.advance(10_000);
  expect(remains(machine, agent)).toEqual([]);
});

// C-019
describe.each(['the old claim first', 'the new claim first'])('one device from claim to claim, %s', (order) => {
  test.each([0, 1, 2, 3, 5, 8, 13, 40])('with %s turns between the two calls', async (turns) => {
    const machine = machineWith('gpu-0');
    machine.cluster.put(a, [{ device: 'gpu-0' }]);
    machine.cluster.put(b, [{ device: 'gpu-0' }]);
    const agent = await machine.start({ pace: async () => new Promise((resolve) => { setImmediate(resolve); }) });
    expect(outcome(await agent.inTime(agent.prepare(a)))).toEqual(['gpu-0']);

    const calls = [async () => agent.unprepare(a), async () => agent.prepare(b)];
    if (order === 'the new claim first') calls.reverse();
    const begun = [calls[0]!()];
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => { setImmediate(resolve); });
    begun.push(calls[1]!());
    await agent.inTime(Promise.all(begun));

    expect(machine.hardware.violations).toEqual([]);
    // Kubelet asks again, at the latest now the device is free.
    expect(outcome(await agent.inTime(agent.prepare(b)))).toEqual(['gpu-0']);
    expect(disagreements(machine, agent)).toEqual([]);
  });
});

test('a claim that wants a device which is just being given back waits for it instead of being refused', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.cluster.put(b, [{ device: 'gpu-0' }]);
  const agent = await machine.start({ pace: async (step) => step.startsWith('hardware un') ? machine.clock.sleep(2000) : undefined });
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  const calls = Promise.all([agent.unprepare(a), agent.prepare(b)]);
  expect(outcome((await agent.inTime(calls))![1])).toEqual(['gpu-0']);
  expect(disagreements(machine, agent)).toEqual([]);
});

// C-020
test('results of other drivers are neither prepared nor answered', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'nic-0', driver: 'nic.example', pool: 'fabric' }, { device: 'gpu-0' }], [
    { driver: 'nic.example', parameters: { vlan: 7 } }, { parameters: { mode: 'fast' } },
  ]);
  const agent = await machine.start();
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  expect(agent.claims.records[0]!.devices.map(({ intent }) => intent)).toEqual([{ device: 'gpu-0', mode: 'fast', modes: ['fast'] }]);
});

// C-022, C-037
test('a device that a live claim holds is refused with the name of the holder, for as long as it takes', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.cluster.put(b, [{ device: 'gpu-0' }]);
  const agent = await machine.start();
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  for (let hours = 0; hours < 2; hours++) {
    expect(outcome(await agent.prepare(b))).toBe('DRA320 device-still-held: device gpu-0 is held by claim vision/claim-aaa (uid aaa)');
    await machine.clock.advance(60 * MINUTE);
  }
  expect(await agent.unprepare(a)).toEqual({});
  expect(outcome(await agent.prepare(b))).toEqual(['gpu-0']);
});

// C-025
test('a claim that was prepared and never asked back goes when its claim does', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  const [claim] = await prepared(machine, agent, 1);
  machine.cluster.delete(claim!);
  await machine.clock.advance(10 * MINUTE);
  expect(remains(machine, agent)).toEqual([]);
});

// C-026
test('a claim that is given back while others have it reserved goes at once, and is told of later', async () => {
  const machine = machineWith('gpu-0', 'gpu-1');
  const agent = await machine.start();
  const [shared, normal] = await prepared(machine, agent, 2);
  const reserve = (uid: string, pods: readonly string[]) => {
    const claim = machine.cluster.claims.get(`vision/claim-${uid}`) as { status: { reservedFor?: object[] } };
    claim.status.reservedFor = pods.map((name) => ({ resource: 'pods', name, uid: `${name}-uid` }));
  };
  reserve('uid-0', ['p1', 'p2']);
  reserve('uid-1', ['p3']);
  const reads = machine.cluster.reads;
  expect(await agent.unprepare(shared!)).toEqual({});
  expect(await agent.unprepare(normal!)).toEqual({});
  expect(machine.cluster.reads).toBe(reads);
  // The pod that ended is off the list by then, as always.
  reserve('uid-1', []);
  await machine.clock.advance(40_000);
  expect(agent.notices.filter(({ code }) => code === 'DRA327')).toEqual([
    expect.objectContaining({ message: expect.stringContaining('still reserved for p1, p2'), claim: shared }),
  ]);
});

// C-028
test.each(['unknown', 'down', 'forbidden'])('a claim is given back from its record alone: API server %s', async (api) => {
  const machine = machineWith('gpu-0');
  const first = await machine.start();
  const [claim] = await prepared(machine, first, 1);
  await first.claims.stop();
  if (api === 'unknown') machine.cluster.claims.clear();
  if (api === 'down') machine.cluster.isDown = true;
  if (api === 'forbidden') machine.cluster.status = 403;
  const agent = await machine.start();
  const reads = machine.cluster.reads;
  expect(await agent.unprepare({ ...claim!, namespace: '', name: '' })).toEqual({});
  expect(machine.cluster.reads).toBe(reads);
  expect(remains(machine, agent)).toEqual([]);
});

/** The backend of a machine, with faults of its own. */
function failing(machine: Machine, fault: (call: 'prepare' | 'unprepare', device: string, count: number) => Error | undefined): void {
  const original = machine.hardware.backend.bind(machine.hardware);
  const counts = new Map<string, number>();
  machine.hardware.backend = (steps) => {
    const backend = original(steps);
    const check = (call: 'prepare' | 'unprepare', name: string) => {
      const key = `${call} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const error = fault(call, name, counts.get(key)!);
      if (error !== undefined) throw error;
    };
    return {
      ...backend,
      prepare: async (claim, intent, signal) => {
        const result = await backend.prepare(claim, intent, signal);
        check('prepare', claim.device.name);
        return result;
      },
      unprepare: async (release) => {
        check('unprepare', release.device);
        await backend.unprepare(release);
      },
    } satisfies DeviceBackend;
  };
}

// C-034
test('of three functions the second fails: each try begins clean, the others are given back, and a later call succeeds', async () => {
  const machine = machineWith('gpu-0', 'gpu-1', 'gpu-2');
  let isBroken = true;
  failing(machine, (call, name) => isBroken && call === 'prepare' && name === 'gpu-1' ? new Error('it does not answer') : undefined);
  machine.cluster.put(a, [{ device: 'gpu-0' }, { device: 'gpu-1' }, { device: 'gpu-2' }]);
  const agent = await machine.start();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toBe('DRA338 device-prepare-failed: device gpu-1: it does not answer');
  expect(remains(machine, agent)).toEqual([]);
  isBroken = false;
  expect(outcome(await agent.inTime(agent.prepare(a)))).toEqual(['gpu-0', 'gpu-1', 'gpu-2']);
});

// C-035, C-137
test('undo goes on past a device that cannot be undone; that one is isolated over restarts, the others can be had', async () => {
  const machine = machineWith('gpu-0', 'gpu-1', 'gpu-2');
  let isStuck = true;
  failing(machine, (call, name) => {
    if (name !== 'gpu-1') return undefined;
    if (call === 'prepare' && isStuck) return new Error('between unbind and bind');
    return call === 'unprepare' && isStuck ? new NodeFailure('DRA359', 'needs-cleanup', 'the card is on no driver') : undefined;
  });
  machine.cluster.put(a, [{ device: 'gpu-0' }, { device: 'gpu-1' }, { device: 'gpu-2' }]);
  machine.cluster.put(b, [{ device: 'gpu-0' }, { device: 'gpu-2' }]);
  machine.cluster.put(c, [{ device: 'gpu-1' }]);
  let agent = await machine.start();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA359 clean-up-failed/);
  expect(outcome(await agent.inTime(agent.prepare(b)))).toEqual(['gpu-0', 'gpu-2']);
  agent.kill();

  agent = await machine.start();
  await settled();
  expect(agent.claims.isolations.current).toEqual([
    { device: 'gpu-1', code: 'DRA359', message: 'left unclean by claim vision/claim-aaa: the card is on no driver', since: expect.any(String) },
  ]);
  expect(outcome(await agent.inTime(agent.prepare(c)))).toMatch(/^DRA324 device-isolated: device gpu-1 is isolated since .*: DRA359/);
  // Kubelet's late word about the old claim touches nothing that others have by now.
  expect(await agent.unprepare(a)).toEqual({});
  expect(disagreements(machine, agent)).toEqual([]);
  isStuck = false;
  await machine.clock.advance(10 * MINUTE);
  expect(agent.claims.isolations.current).toEqual([]);
  expect(outcome(await agent.inTime(agent.prepare(c)))).toEqual(['gpu-1']);
});

// C-137
test('a scrub that fails lets the pod go and keeps the device', async () => {
  const machine = machineWith('gpu-0');
  let isDirty = true;
  failing(machine, (call) => isDirty && call === 'unprepare' ? new NodeFailure('DRA359', 'needs-cleanup', 'memory cannot be scrubbed') : undefined);
  const agent = await machine.start();
  const [claim] = await prepared(machine, agent, 1);
  expect(await agent.inTime(agent.unprepare(claim!))).toEqual({});
  expect(agent.ended.at(-1)).toMatchObject({ operation: 'unprepare', outcome: 'needs-cleanup', code: 'DRA359' });
  machine.cluster.put(b, [{ device: 'gpu-0' }]);
  expect(outcome(await agent.prepare(b))).toMatch(/^DRA324/);
  isDirty = false;
  await machine.clock.advance(10 * MINUTE);
  expect(outcome(await agent.prepare(b))).toEqual(['gpu-0']);
});

// C-047
test('one device for several requests of a claim is one CDI device, prepared once', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0', request: 'one' }, { device: 'gpu-0', request: 'two/large' }]);
  const agent = await machine.start();
  expect(await agent.prepare(a)).toEqual({ devices: [expect.objectContaining({ requestNames: ['one', 'two'], cdiDeviceIds: ['gpu.cdk8s-dra.dev/claim=claim-aaa-gpu-0'] })] });
  expect(machine.hardware.prepares).toBe(1);
});

test('monitoring neither waits for a device, nor takes or changes it, nor ends its use', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.cluster.put(b, [{ device: 'gpu-0', adminAccess: true }]);
  const agent = await machine.start();
  agent.sick.set([{ device: 'gpu-0', code: 'DRA362', message: 'sick', since: '2026-01-01T00:00:00Z' }]);
  expect(outcome(await agent.prepare(b))).toEqual(['gpu-0']);
  agent.sick.set([]);
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  expect(await agent.unprepare(b)).toEqual({});
  expect(machine.hardware.ready()).toEqual({ 'gpu-0': ['aaa'] });
  expect(disagreements(machine, agent)).toEqual([]);
});

// C-094
test('after a restart two of five claims are gone at the API server: these two go', async () => {
  const machine = machineWith(...GPUS);
  const first = await machine.start();
  const claims = await prepared(machine, first, 5);
  await first.claims.stop();
  for (const claim of claims.slice(0, 2)) machine.cluster.delete(claim);
  const agent = await machine.start();
  await machine.clock.advance(10 * MINUTE);
  expect(agent.claims.records.map(({ uid }) => uid)).toEqual(['uid-2', 'uid-3', 'uid-4']);
  expect(disagreements(machine, agent)).toEqual([]);
});

// C-100
test('a backend that has nothing for the container fails the claim, and no file is written', async () => {
  const machine = machineWith('gpu-0');
  const original = machine.hardware.backend.bind(machine.hardware);
  machine.hardware.backend = (steps) => {
    const backend = original(steps);
    return { ...backend, prepare: async (...call) => ({ ...await backend.prepare(...call), edits: {} }) };
  };
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  const agent = await machine.start();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA335 cdi-empty: device gpu-0/);
  expect(agent.steps.taken.filter((step) => step.startsWith(`create ${CDI}`))).toEqual([]);
  expect(remains(machine, agent)).toEqual([]);
});

// C-103
test('killed between prepare and the start of the container, the next agent answers the same', async () => {
  const machine = machineWith('gpu-0');
  const first = await machine.start();
  const [claim] = await prepared(machine, first, 1);
  const answer = await first.prepare(claim!);
  first.kill();
  machine.cluster.isDown = true;
  const agent = await machine.start();
  expect(await agent.prepare(claim!)).toEqual(answer);
  expect(disagreements(machine, agent)).toEqual([]);
});

// C-104
test('what fails three times and then works is tried with growing pauses within one call', async () => {
  const machine = machineWith('gpu-0');
  failing(machine, (call, _, count) => call === 'prepare' && count <= 3 ? new Error('not yet') : undefined);
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  const agent = await machine.start();
  expect(outcome(await agent.inTime(agent.prepare(a)))).toEqual(['gpu-0']);
  const pauses = agent.retries.map(({ pauseSeconds }) => pauseSeconds);
  expect(pauses).toHaveLength(3);
  expect(pauses).toEqual([...pauses].sort((one, two) => one - two));
  expect(agent.retries.map(({ failures }) => failures)).toEqual([1, 2, 3]);
});

// C-107
test('a device that a container has not let go of yet is tried again, and kept if it stays so', async () => {
  const machine = machineWith('gpu-0');
  failing(machine, (call, _, count) => call === 'unprepare' && count <= 2 ? new NodeFailure('DRA355', 'retryable', 'in use') : undefined);
  const agent = await machine.start();
  const [claim] = await prepared(machine, agent, 1);
  expect(await agent.inTime(agent.unprepare(claim!))).toEqual({});
  expect(agent.retries).toHaveLength(2);
  expect(remains(machine, agent)).toEqual([]);
});

// C-109
test('a UID that was never seen is given back at once and nothing is read, written or touched for it', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  await settled();
  const steps = agent.steps.taken.length;
  for (let count = 0; count < 100; count++) expect(await agent.unprepare(claimName(`never-${count}`))).toEqual({});
  expect(agent.steps.taken).toHaveLength(steps);
});

// C-112
test('a claim that can never be prepared is final, costs no try at hardware, and is told each time to who writes its status', async () => {
  const machine = machineWith('gpu-0');
  machine.cluster.put(a, [{ device: 'gpu-0' }], [{ parameters: { mode: 'x', colour: 'red' } }]);
  const failed: string[] = [];
  const agent = await machine.start({ status: { prepared: () => undefined, released: () => undefined, failed: (claim, { failureClass, code }) => failed.push(`${claim.uid} ${failureClass} ${code}`) } });
  for (let count = 0; count < 3; count++) expect(outcome(await agent.prepare(a))).toBe("DRA341 device-config-wrong: the configuration for gpu-0 has the unknown field 'colour'");
  expect(failed).toEqual(Array(3).fill('aaa terminal DRA341'));
  expect(machine.hardware.prepares).toBe(0);
  expect(remains(machine, agent)).toEqual([]);
});

// C-113
test('sixty-four claims at once take as long as one device', async () => {
  const machine = machineWith(...Array.from({ length: 64 }, (_, index) => `gpu-${index}`));
  const agent = await machine.start({ pace: async (step) => step.startsWith('hardware enable') ? machine.clock.sleep(200) : undefined });
  const claims = Array.from({ length: 64 }, (_, index) => {
    const claim = claimName(`uid-${index}`);
    machine.cluster.put(claim, [{ device: `gpu-${index}` }]);
    return claim;
  });
  const begun = machine.clock.monotonic();
  const answers = Promise.all(claims.map(async (claim) => agent.prepare(claim)));
  await machine.clock.advance(200);
  expect((await answers).map(outcome).flat()).toHaveLength(64);
  expect(machine.clock.monotonic() - begun).toBe(200);
});
