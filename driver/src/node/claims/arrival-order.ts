/** The place of a call among all calls for its claim. */
export interface Turn {
  /** Counts calls; a later one has a higher number. */
  readonly arrival: number;
  /** Aborted when a call to give the claim back arrived after this one: kubelet has long stopped wanting what this call is for. */
  readonly overtaken: AbortSignal;
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
    const overtaken = new AbortController();
    const lane = this.lane(uid);
    lane.prepares.add(overtaken);
    return this.enter(uid, lane, AbortSignal.any([signal, overtaken.signal]), overtaken, work);
  }

  public async giveBack<T>(uid: string, signal: AbortSignal, work: (turn: Turn) => Promise<T>): Promise<T> {
    const lane = this.lane(uid);
    for (const earlier of lane.prepares) earlier.abort();
    return this.enter(uid, lane, signal, new AbortController(), work);
  }

  /** Work on a claim that is no call of kubelet: it neither overtakes nor can be overtaken. */
  public async inTurn<T>(uid: string, work: () => Promise<T>): Promise<T> {
    const never = new AbortController();
    return this.enter(uid, this.lane(uid), never.signal, never, work);
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

  private async enter<T>(uid: string, lane: Lane, leave: AbortSignal, overtaken: AbortController, work: (turn: Turn) => Promise<T>): Promise<T> {
    const before = lane.tail;
    const turn = { arrival: ++this.arrivals, overtaken: overtaken.signal };
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    // Who comes later waits for those before even when this call leaves early.
    lane.tail = before === undefined ? ended : before.then(async () => ended);
    lane.waiting += 1;
    try {
      if (before !== undefined) await turnOrLeave(before, leave);
      if (leave.aborted) throw new TurnLostError('given up before its turn');
      return await work(turn);
    } finally {
      lane.prepares.delete(overtaken);
      lane.waiting -= 1;
      if (lane.waiting === 0) this.lanes.delete(uid);
      end();
    }
  }
}

interface Lane {
  tail: Promise<void> | undefined;
  waiting: number;
  readonly prepares: Set<AbortController>;
}

async function turnOrLeave(turn: Promise<void>, leave: AbortSignal): Promise<void> {
  if (leave.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      // A signal with a listener may never be freed.
      leave.removeEventListener('abort', end);
      resolve();
    };
    leave.addEventListener('abort', end, { once: true });
    void turn.then(end);
  });
}
