import { GrowingList } from './value';
import type { Value } from './value';

/** Part of an expression that is ready to run. */
export type Run = (state: State) => Value;

/** What changes while an expression is evaluated. */
export class State {
  public cost = 0;
  /** Steps of loops, which some loops take without cost. */
  public steps = 0;
  /** Loop variables and accumulators, by the number the planner gave them; undefined accumulators are not computed yet. */
  public readonly slots: (Value | undefined)[];

  public constructor(public readonly globals: readonly Value[], slots: number, public readonly costLimit: number) {
    this.slots = slots === 0 ? NO_SLOTS : new Array<Value | undefined>(slots);
  }
}

const NO_SLOTS: (Value | undefined)[] = [];

/** Ends an evaluation at once, past everything that could absorb an error. */
export class Cancellation {
  public constructor(public readonly message: string) {}
}

const OVER_COST_LIMIT = new Cancellation('operation cancelled: actual cost limit exceeded');

/** Counts costs; ends the evaluation above the limit. A cost that a double cannot hold comes as bigint, and wraps at 2^64 as in Go. */
export function charge(state: State, cost: number | bigint): void {
  if (typeof cost === 'bigint') state.cost = Number(BigInt.asUintN(64, BigInt(state.cost) + cost));
  else state.cost += cost;
  if (state.cost > state.costLimit) throw OVER_COST_LIMIT;
}

/** Ends an evaluation that takes long without costing much, which upstream leaves to a timeout. */
export const INTERRUPTED = new Cancellation('operation interrupted');

/** Counts the work on long texts and lists that functions do at a fixed price. */
export function countWork(state: State, value: Value): void {
  const length = typeof value === 'string' || (Array.isArray(value) && !(value instanceof GrowingList)) ? value.length : 0;
  if (length < LONG) return;
  state.steps += length / LONG;
  if (state.steps > MAX_STEPS) throw INTERRUPTED;
}

const LONG = 64;

/** More steps than a loop within the cost limit of selectors takes, few enough that no loop lasts long. */
export const MAX_STEPS = 3_000_000;
