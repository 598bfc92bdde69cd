import { onAbort } from '../on-abort.js';
import { turnOrLeave } from './turn-or-leave.js';

/** The place of a call among all calls for its claim. */
export interface Turn {
  /** Counts calls; a later one has a higher number. */
  readonly arrival: number;
  /** Aborted when a call to give the claim back arrived after this one: kubelet has long stopped wanting what this call is for. */
  readonly overtaken: AbortSignal;
  /** Aborted when nobody wants the call any more: it was overtaken, or whoever called has given up. */
  readonly givenUp: AbortSignal;
}

/** A call that ended before its turn came: it had been given up, or overtaken. */
export class TurnLostError extends Error {
  public override readonly name = 'TurnLostError';
}

/**
 * The calls of one claim, one after another as they arrived; claims do not wait for each other.
 *
 * A call to give back is a tombstone for what arrived before it and nothing else: a call to prepare that still waits ends at once, one that is
 * under way is told, and one that arrives later is an honest new use of the claim.
 */
export class ArrivalOrder {
  private readonly lanes = new Map<string, Lane>();
  private arrivals = 0;

  /** Claims with a call under way or waiting. */
  public get busy(): number {
    return this.lanes.size;
  }

  public isBusy(uid: string): boolean {
    return this.lanes.has(uid);
  }

  /** `work` begins in this very step when nobody is before it. */
  public async prepare<T>(uid: string, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
    const [overtaken, givenUp] = [new AbortController(), new AbortController()];
    const lane = this.lane(uid);
    const overtake = () => {
      overtaken.abort(OVERTAKEN);
      givenUp.abort(OVERTAKEN);
    };
    lane.prepares.add(overtake);
    const stop = onAbort(signal, () => givenUp.abort(signal.reason));
    try {
      return await this.enter(uid, lane, { overtaken: overtaken.signal, givenUp: givenUp.signal }, work);
    } finally {
      stop();
      lane.prepares.delete(overtake);
    }
  }

  public async giveBack<T>(uid: string, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
    const lane = this.lane(uid);
    for (const overtake of lane.prepares) overtake();
    return this.enter(uid, lane, { overtaken: NEVER, givenUp: signal }, work);
  }

  /** Work on a claim that is no call of kubelet: it neither overtakes nor can be overtaken. */
  public async inTurn<T>(uid: string, work: () => Promise<T>): Promise<T> {
    return this.enter(uid, this.lane(uid), { overtaken: NEVER, givenUp: NEVER }, work);
  }

  /** Resolves when all calls for the claim that have arrived by now have ended. */
  public async idle(uid: string): Promise<void> {
    await this.lanes.get(uid)?.tail;
  }

  /** Resolves when no call is left. */
  public async allIdle(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map(({ tail }) => tail));
  }

  private lane(uid: string): Lane {
    let lane = this.lanes.get(uid);
    if (lane === undefined) {
      lane = { tail: undefined, waiting: 0, prepares: new Set() };
      this.lanes.set(uid, lane);
    }
    return lane;
  }

  private async enter<T>(uid: string, lane: Lane, signals: Pick<Turn, 'overtaken' | 'givenUp'>, work: (turn: Turn) => Promise<T>): Promise<T> {
    const before = lane.tail;
    const turn = { arrival: ++this.arrivals, ...signals };
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    // Who comes later waits for those before even when this call leaves early.
    lane.tail = before === undefined ? ended : before.then(async () => ended);
    lane.waiting += 1;
    try {
      if (before !== undefined) await turnOrLeave(before, turn.givenUp);
      if (turn.givenUp.aborted) throw new TurnLostError('given up before its turn');
      return await work(turn);
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.lanes.delete(uid);
      end();
    }
  }
}

interface Lane {
  tail: Promise<void> | undefined;
  waiting: number;
  /** Of the calls to prepare that have not ended: what overtakes them. */
  readonly prepares: Set<() => void>;
}

const NEVER = new AbortController().signal;
/** Without a reason of its own an abort makes an error with a stack. */
const OVERTAKEN = 'the claim was given back meanwhile';
