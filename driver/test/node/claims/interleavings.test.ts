import fc from 'fast-check';


import { claimName, Machine } from './kit/agent-under-test.js';
import type { Agent } from './kit/agent-under-test.js';
import { disagreements, remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import { systemError } from './kit/steps.js';
import { settled } from './kit/test-clock.js';
import type { PrepareAnswer } from '../../../src/node/claim-service.js';

const CLAIMS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => claimName(letter));
const [a, b, c, d, e, f] = CLAIMS as [typeof CLAIMS[0], typeof CLAIMS[0], typeof CLAIMS[0], typeof CLAIMS[0], typeof CLAIMS[0], typeof CLAIMS[0]];
const share = (n: number) => `${n}${n}${n}${n}${n}${n}${n}${n}-1111-4111-8111-111111111111`;

/** Claims that want the same: two devices of one card, and shares of a third. */
function machine(): Machine {
  const gpus = [
    device('gpu-0', { parts: ['card-0'] }),
    device('gpu-1', { parts: ['card-0'] }),
    device('gpu-2', { allowMultipleAllocations: true, maxShares: 2, capacity: { memory: { value: '40Gi' } } }),
  ];
  const made = new Machine(new FakeHardware(inventoryOf(gpus)));
  made.cluster.put(a, [{ device: 'gpu-0' }]);
  made.cluster.put(b, [{ device: 'gpu-0' }, { device: 'gpu-1' }]);
  made.cluster.put(c, [{ device: 'gpu-1' }, { device: 'gpu-2', shareID: share(1), consumedCapacity: { memory: '15Gi' } }]);
  made.cluster.put(d, [{ device: 'gpu-2', shareID: share(2), consumedCapacity: { memory: '15Gi' } }]);
  made.cluster.put(e, [{ device: 'gpu-2', shareID: share(3), consumedCapacity: { memory: '15Gi' } }]);
  made.cluster.put(f, [{ device: 'gpu-0', adminAccess: true }, { device: 'gpu-2', adminAccess: true }]);
  return made;
}

type Act =
  | { readonly do: 'prepare' | 'unprepare'; readonly claim: number }
  /** Kubelet gives up all calls to prepare that are under way. */
  | { readonly do: 'giveUp' }
  | { readonly do: 'fail'; readonly what: string; readonly is: boolean }
  | { readonly do: 'kill' | 'power' | 'hostPower' | 'reboot' }
  | { readonly do: 'wait'; readonly milliseconds: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('prepare' as const), claim: fc.nat(CLAIMS.length - 1) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('unprepare' as const), claim: fc.nat(CLAIMS.length - 1) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'giveUp' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), what: fc.constantFrom('api', 'disk', 'hardware'), is: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'kill' as const }, { do: 'power' as const }, { do: 'hostPower' as const }, { do: 'reboot' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(0, 10, 500, 30_000) }) },
);

/** An agent, and what befalls it. */
class Run {
  public readonly machine = machine();
  public agent!: Agent;
  private readonly failing = new Set<string>();
  private readonly signals = new Set<AbortController>();
  private readonly dead = new Set<Agent>();
  private step = 0;

  /** `paces`: how many turns of the event loop the steps of the outside world take. */
  public constructor(private readonly paces: readonly number[]) {}

  public async start(): Promise<void> {
    this.agent = this.machine.launch({
      pace: async () => {
        const turns = this.paces[this.step++ % this.paces.length] ?? 0;
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => { setImmediate(resolve); });
      },
      fault: (step) => {
        if (this.failing.has('disk') && /^(create|write|rename|remove) /.test(step)) return systemError('ENOSPC');
        return this.failing.has('hardware') && /^hardware (un)?configure/.test(step) ? new Error('the hardware does not answer') : undefined;
      },
    });
    // Not for ever: what a loss of power left is mended first, and a disk that cannot be written keeps an agent from that.
    for (let turn = 0; turn < 500 && this.agent.claims.state.current !== 'writing'; turn++) await settled();
  }

  public async perform(one: Act): Promise<void> {
    switch (one.do) {
      case 'prepare': return this.prepare(one.claim);
      case 'unprepare': return void this.agent.unprepare(CLAIMS[one.claim]!);
      case 'giveUp': {
        for (const signal of this.signals) signal.abort();
        return settled();
      }
      case 'fail': {
        if (one.what === 'api') this.machine.cluster.isDown = one.is;
        else if (one.is) this.failing.add(one.what);
        else this.failing.delete(one.what);
        return;
      }
      case 'wait': return this.machine.clock.advance(one.milliseconds);
      default: return this.fall(one.do);
    }
  }

  public mend(): void {
    this.machine.cluster.isDown = false;
    this.failing.clear();
  }

  private async fall(how: 'kill' | 'power' | 'hostPower' | 'reboot'): Promise<void> {
    this.agent.kill();
    this.dead.add(this.agent);
    // Devices keep what was set up, or forget it with the host.
    this.machine.hardware.outlivesReboots = how === 'hostPower';
    if (how === 'power' || how === 'hostPower') this.machine.failPower(0.5);
    if (how === 'reboot') this.machine.reboot();
    await this.start();
  }

  private prepare(index: number): void {
    const claim = CLAIMS[index]!;
    const signal = new AbortController();
    this.signals.add(signal);
    const { agent } = this;
    void agent.prepare(claim, signal.signal).then((answer) => {
      this.signals.delete(signal);
      // An agent that has been killed meanwhile tells nobody.
      if (!this.dead.has(agent)) this.check(index, answer);
    });
  }

  /** What kubelet is told must be so, unless it has asked for the claim back in the meantime. */
  private check(index: number, answer: PrepareAnswer): void {
    if ('error' in answer) return;
    const { uid } = CLAIMS[index]!;
    const record = this.agent.claims.records.find((one) => one.uid === uid);
    if (record?.state !== 'prepared') return;
    const ready = this.machine.hardware.ready();
    for (const { deviceName, shareId } of answer.devices) {
      const isAdmin = index === CLAIMS.indexOf(f);
      const key = shareId === undefined ? uid : `${uid}/${shareId}`;
      if (!isAdmin && !ready[deviceName]?.includes(key)) this.machine.hardware.violations.push(`${deviceName} was promised to ${key} and is not ready`);
    }
  }
}

/** Orders that once went wrong. */
const SEEN: Array<[Act[], number[]]> = [
  // The disk fails while a new agent removes what a loss of power left of a file.
  [[
    { do: 'prepare', claim: 3 }, { do: 'prepare', claim: 1 }, { do: 'wait', milliseconds: 0 }, { do: 'fail', what: 'disk', is: true }, { do: 'power' },
    { do: 'unprepare', claim: 0 }, { do: 'unprepare', claim: 0 }, { do: 'wait', milliseconds: 0 }, { do: 'prepare', claim: 0 },
  ], [0]],
  // A reboot while a second call for a claim that is ready has its answer.
  [[
    { do: 'prepare', claim: 0 }, { do: 'wait', milliseconds: 0 }, { do: 'prepare', claim: 0 }, { do: 'unprepare', claim: 0 }, { do: 'prepare', claim: 0 },
    { do: 'unprepare', claim: 0 }, { do: 'reboot' }, { do: 'prepare', claim: 0 }, { do: 'wait', milliseconds: 0 }, { do: 'unprepare', claim: 0 },
  ], [0]],
];

// C-019, C-004, C-095: whatever comes in whatever order, no device has two owners, and records, CDI files and hardware agree in the end.
test('calls, faults, crashes and reboots in any order never give a device twice and leave nothing behind', async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 40, size: 'max' }), fc.array(fc.nat(4), { minLength: 1, maxLength: 40 }), async (acts, paces) => {
    const run = new Run(paces);
    await run.start();
    for (const one of acts) await run.perform(one);
    run.mend();
    await run.machine.clock.advance(30 * 60_000);
    // What the last tick began takes as many turns as its steps.
    for (let turn = 0; turn < 100; turn++) await settled();
    expect(disagreements(run.machine, run.agent)).toEqual([]);
    for (const claim of CLAIMS) expect(await run.agent.inTime(run.agent.unprepare(claim))).toEqual({});
    await run.machine.clock.advance(60_000);
    expect(remains(run.machine, run.agent)).toEqual([]);
    // All of it can be had again.
    for (const claim of [a, c, f]) expect(await run.agent.inTime(run.agent.prepare(claim))).toEqual({ devices: expect.anything() });
    expect(run.machine.hardware.violations).toEqual([]);
    await run.agent.claims.stop();
  }), { numRuns: Number(process.env.RUNS ?? 100), endOnFailure: process.env.RUNS !== undefined, examples: SEEN });
}, 600_000);
