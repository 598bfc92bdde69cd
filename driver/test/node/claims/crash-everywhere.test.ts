import { claimName, DATA, Machine, outcome } from './kit/agent-under-test.js';
import type { Agent } from './kit/agent-under-test.js';
import { disagreements, forgotten, remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import type { ClaimName } from '../../../src/node/claim-service.js';

/** What kubelet asks; it asks again until it is answered. */
type Call = { readonly prepare: ClaimName } | { readonly unprepare: ClaimName };

interface Story {
  readonly name: string;
  readonly machine: () => Machine;
  readonly calls: readonly Call[];
}

const [a, b, c] = [claimName('aaa'), claimName('bbb'), claimName('ccc')];
const SHARE_A = '11111111-1111-4111-8111-111111111111';
const SHARE_B = '22222222-2222-4222-8222-222222222222';

const STORIES: readonly Story[] = [
  {
    name: 'one claim with two devices',
    machine: () => {
      const machine = new Machine(new FakeHardware(inventoryOf([device('gpu-0'), device('gpu-1')])));
      machine.cluster.put(a, [{ device: 'gpu-0' }, { device: 'gpu-1' }]);
      return machine;
    },
    calls: [{ prepare: a }, { prepare: a }, { unprepare: a }],
  },
  {
    name: 'one device from claim to claim',
    machine: () => {
      const machine = new Machine(new FakeHardware(inventoryOf([device('gpu-0')])));
      for (const name of [a, b]) machine.cluster.put(name, [{ device: 'gpu-0' }]);
      return machine;
    },
    calls: [{ prepare: a }, { unprepare: a }, { prepare: b }, { unprepare: a }, { unprepare: b }],
  },
  {
    name: 'shares of one device, and a monitor beside them',
    machine: () => {
      const gpu = device('gpu-0', { allowMultipleAllocations: true, capacity: { memory: { value: '40Gi' } } });
      const machine = new Machine(new FakeHardware(inventoryOf([gpu])));
      machine.cluster.put(a, [{ device: 'gpu-0', shareID: SHARE_A, consumedCapacity: { memory: '20Gi' } }]);
      machine.cluster.put(b, [{ device: 'gpu-0', shareID: SHARE_B, consumedCapacity: { memory: '20Gi' } }]);
      machine.cluster.put(c, [{ device: 'gpu-0', adminAccess: true }]);
      return machine;
    },
    calls: [{ prepare: c }, { prepare: a }, { prepare: b }, { unprepare: a }, { unprepare: c }, { unprepare: b }],
  },
];

async function answer(agent: Agent, call: Call): Promise<string | undefined> {
  if ('prepare' in call) {
    const answered = await agent.inTime(agent.prepare(call.prepare));
    return answered === undefined ? undefined : outcome(answered).toString();
  }
  const answered = await agent.inTime(agent.unprepare(call.unprepare));
  return answered === undefined ? undefined : answered.error ?? '';
}

async function stopped(agent: Agent): Promise<true> {
  await agent.claims.stop();
  return true;
}

/** Tells the story to an agent that is killed at a half step and to the one after it; the number of half steps of the first. */
async function tell({ machine: make, calls }: Story, killAt: number, between: (machine: Machine) => void): Promise<number> {
  const machine = make();
  let agent = await machine.start({ killAt });
  const first = agent;
  let wasKilled = false;
  for (const call of calls) {
    let answered = await answer(agent, call);
    if (answered === undefined) {
      expect(wasKilled).toBe(false);
      wasKilled = true;
      between(machine);
      agent = await machine.start();
      expect([killAt, call, forgotten(machine, agent)]).toEqual([killAt, call, []]);
      answered = await answer(agent, call);
    }
    expect([killAt, call, answered]).toEqual([killAt, call, expect.not.stringContaining('DRA')]);
    expect([killAt, call, disagreements(machine, agent)]).toEqual([killAt, call, []]);
  }
  // What no call of kubelet was about, the clean-up ends.
  await machine.clock.advance(10_000);
  expect([killAt, remains(machine, agent)]).toEqual([killAt, []]);
  if (await agent.inTime(stopped(agent)) === undefined) {
    expect(wasKilled).toBe(false);
    between(machine);
    agent = await machine.start();
    expect([killAt, remains(machine, agent)]).toEqual([killAt, []]);
    await agent.claims.stop();
  }
  expect([killAt, machine.disk.under(`${DATA}/claims`)]).toEqual([killAt, []]);
  return first.steps.halfSteps;
}

/** As `tell`, but kubelet forgets: the claims are deleted and nobody asks again. */
async function forget({ machine: make, calls }: Story, killAt: number, between: (machine: Machine) => void): Promise<void> {
  const machine = make();
  const first = await machine.start({ killAt });
  for (const call of calls.filter((one) => 'prepare' in one)) if (await answer(first, call) === undefined) break;
  for (const name of [a, b, c]) machine.cluster.delete(name);
  first.kill();
  between(machine);
  const agent = await machine.start();
  expect([killAt, forgotten(machine, agent)]).toEqual([killAt, []]);
  await machine.clock.advance(30 * 60_000);
  expect([killAt, remains(machine, agent)]).toEqual([killAt, []]);
  await agent.claims.stop();
}

describe.each(STORIES)('$name', (story) => {
  let halfSteps = 0;

  beforeAll(async () => {
    halfSteps = await tell(story, Infinity, () => undefined);
    expect(halfSteps).toBeGreaterThan(80);
  });

  test('killed before and after every step, the next agent goes on as if nothing had happened', async () => {
    for (let killAt = 0; killAt < halfSteps; killAt++) await tell(story, killAt, () => undefined);
  }, 300_000);

  test.each([[0, 0], [0.5, 1], [1, 2]])('power lost at every third half step, with a part %s of what was never synced', async (survive, from) => {
    for (let killAt = from; killAt < halfSteps; killAt += 3) await tell(story, killAt, (machine) => machine.failPower(survive));
  }, 300_000);

  test.each([[0, 0], [0.5, 1], [1, 2]])('the same with devices that stay as they are without power: a part %s', async (survive, from) => {
    for (let killAt = from; killAt < halfSteps; killAt += 3) await tell(story, killAt, (machine) => loseHostOnly(machine, survive));
  }, 300_000);

  test('killed at every fifth half step and forgotten by kubelet, claims that are deleted leave nothing behind', async () => {
    for (let killAt = 0; killAt < halfSteps; killAt += 5) await forget(story, killAt, () => undefined);
  }, 300_000);

  test.each([0, 0.5, 1])('the same when power is lost, with a part %s of what was never synced', async (survive) => {
    for (let killAt = 0; killAt < halfSteps; killAt += 5) await forget(story, killAt, (machine) => loseHostOnly(machine, survive));
  }, 300_000);
});

/** Power of the host; devices have their own. */
function loseHostOnly(machine: Machine, survive: number): void {
  machine.hardware.outlivesReboots = true;
  machine.failPower(survive);
}
