import type { Account } from '../account.js';
import type { ArrivalOrder } from '../arrival-order.js';
import { pauseAfter } from '../backoff.js';
import type { ClaimObserver } from '../claim-observer.js';
import type { ClaimTimes } from '../claim-times.js';
import { uncleanLane } from '../clean-up.js';
import type { Clock } from '../clock.js';
import { asFailure } from '../failure.js';
import type { AgentLock, HeldLock } from './agent-lock.js';
import type { WritingTime } from './writing-time.js';
import type { RecordCodec } from '../record/record-format.js';
import type { RecordName } from '../record/record-name.js';

export interface WriterOptions {
  readonly lock: () => AgentLock;
  readonly codec: RecordCodec;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: ClaimObserver;
  readonly writing: WritingTime;
  readonly order: ArrivalOrder;
  readonly account: Account;
  readonly times: ClaimTimes;
  /** Learns from the disk. */
  readonly open: () => Promise<void>;
  /** Leaves the disk to whoever writes next. */
  readonly close: () => Promise<void>;
  readonly rewrite: (uid: string) => Promise<void>;
  readonly rewriteUnclean: (name: RecordName) => Promise<void>;
  /** One pass over what nobody calls for; `isLong` now and then. */
  readonly tidy: (signal: AbortSignal, isLong: boolean) => Promise<void>;
}

/**
 * When this agent writes: seeks the lock, asking an older agent to yield; writes until a newer one asks; stands by, and writes again when that
 * one is gone.
 */
export class Writer {
  private readonly stopped = new AbortController();
  private life: Promise<void> | undefined;
  private tenure: HeldLock | undefined;

  public constructor(private readonly options: WriterOptions) {}

  /** Of records, so that every agent that waits can read them. */
  public get format(): number {
    const { codec } = this.options;
    const peers = this.tenure?.peers.current ?? [];
    const common = codec.readable.filter((format) => peers.every(({ formats }) => formats.includes(format)));
    return common.at(-1) ?? codec.readable[0]!;
  }

  public start(): void {
    this.life ??= this.live();
  }

  public async stop(): Promise<void> {
    this.stopped.abort();
    await this.life;
  }

  private async live(): Promise<void> {
    const lock = await this.insist(async () => this.options.lock());
    // Asked once: whoever has yielded must not ask back.
    for (let ask = true; lock !== undefined && !this.stopped.signal.aborted; ask = false) {
      const waiting = (message: string) => this.options.observer.noticed({ message });
      const tenure = await this.insist(async () => lock.acquire(this.stopped.signal, { ask, waiting }));
      if (tenure === undefined) continue;
      await this.write(tenure);
      // Whoever asked must come to it, and does not when this agent is quicker; it takes over again when that one is gone.
      if (tenure.yieldAsked.aborted) await this.options.clock.sleep(GIVE_WAY, this.stopped.signal);
    }
    this.options.writing.set('standby');
    lock?.close();
  }

  /** Nothing that goes wrong with the disk may end the agent; it is tried again, until the agent is stopped. */
  private async insist<T>(work: () => Promise<T>, over = this.stopped.signal): Promise<T | undefined> {
    const { clock, random, observer, times } = this.options;
    for (let failures = 1; !over.aborted; failures++) {
      try {
        return await work();
      } catch (error) {
        const { code, message } = asFailure(error, 'DRA333');
        observer.noticed({ code, message });
        await clock.sleep(pauseAfter(failures, times.openBackoff, random), over);
      }
    }
    return undefined;
  }

  private async write(tenure: HeldLock): Promise<void> {
    const { writing, order, account, observer, open, close } = this.options;
    const end = new AbortController();
    const over = AbortSignal.any([this.stopped.signal, tenure.yieldAsked, end.signal]);
    this.tenure = tenure;
    try {
      const isOpen = await this.insist(async () => {
        await open();
        return true;
      }, over);
      if (isOpen) {
        writing.set('writing', () => tenure.isInPlace);
        observer.noticed({ message: `this agent writes (number ${tenure.number})` });
        const follow = tenure.peers.follow(() => this.alignFormats());
        this.alignFormats();
        await this.tidyUntil(over, () => {
          if (!tenure.isInPlace) end.abort();
        });
        follow();
      }
      writing.set('ending');
      await order.allIdle();
      if (isOpen) {
        await close().catch((error: unknown) => {
          const { code, message } = asFailure(error, 'DRA330');
          observer.noticed({ code, message });
        });
      }
    } finally {
      account.clear();
      this.tenure = undefined;
      // Only now, when nothing of ours writes any more.
      await tenure.end();
      writing.set(tenure.yieldAsked.aborted || this.stopped.signal.aborted ? 'standby' : 'seeking');
    }
  }

  private async tidyUntil(over: AbortSignal, check: () => void): Promise<void> {
    const { tidy, clock, times, observer } = this.options;
    let lastLong = -Infinity;
    while (!over.aborted) {
      const isLong = clock.monotonic() - lastLong >= times.ghostsEvery;
      if (isLong) lastLong = clock.monotonic();
      try {
        await tidy(over, isLong);
      } catch (error) {
        const { code, message } = asFailure(error, 'DRA300');
        observer.noticed({ code, message });
      }
      await clock.sleep(times.tidyEvery, over);
      check();
    }
  }

  /** An older agent that waits must be able to read every record when it takes over. */
  private alignFormats(): void {
    const { codec, account, order, rewrite, rewriteUnclean, observer } = this.options;
    if (this.format === codec.newest) return;
    const work = [
      ...account.records.map(async ({ uid }) => order.inTurn(uid, async () => rewrite(uid))),
      ...account.unclean.map(async ({ name }) => order.inTurn(uncleanLane(name), async () => rewriteUnclean(name))),
    ];
    for (const one of work) one.catch((error: unknown) => observer.noticed({ code: asFailure(error, 'DRA330').code, message: asFailure(error, 'DRA330').message }));
  }
}

/** Milliseconds; whoever waits for the lock is told by the kernel at once. */
const GIVE_WAY = 1000;
