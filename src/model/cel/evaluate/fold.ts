import { CelMap, LiteralMap } from './map';
import { MAX_STEPS } from './state';
import type { Run, State } from './state';
import { goTypeName } from './type-name';
import { CelError, GrowingList, isList } from './value';
import type { Value } from './value';

/** The parts of a comprehension, ready to run, and the slots of its variables. */
export interface Fold {
  readonly range: Run;
  readonly initial: Run;
  readonly condition: Run;
  readonly step: Run;
  readonly result: Run;
  readonly accumulator: number;
  readonly variable: number;
  /** The second variable of the two-variable form. */
  readonly variable2: number | undefined;
}

const INTERRUPTED = new CelError('operation interrupted');

/** Runs a comprehension (cel-go `interpreter/interpretable.go`, evalFold). */
export function foldRun(fold: Fold): Run {
  const { range, result, accumulator } = fold;
  return (state) => {
    state.slots[accumulator] = undefined;
    const over = range(state);
    if (over instanceof CelError) return over;
    const entries = isList(over) ? over : over instanceof CelMap ? over.keys() : undefined;
    if (entries === undefined) return notIterable(over, fold);
    if (!iterate(state, fold, entries, over)) return INTERRUPTED;
    return finished(result(state), accumulator, state);
  };
}

/** False if it went on for too long. */
function iterate(state: State, { condition, step, accumulator, variable, variable2 }: Fold, entries: readonly Value[], over: Value): boolean {
  const { slots } = state;
  for (let index = 0; index < entries.length; index++) {
    if (variable2 === undefined) {
      slots[variable] = entries[index];
    } else {
      const byKey = over instanceof CelMap;
      slots[variable] = byKey ? entries[index] : BigInt(index);
      slots[variable2] = byKey ? over.findOwn(entries[index]) ?? null : entries[index];
    }
    const goOn = condition(state);
    if (goOn === false) return true;
    slots[accumulator] = step(state);
    if (++state.steps > MAX_STEPS) return false;
  }
  return true;
}

function notIterable(over: Value, { variable2 }: Fold): CelError {
  return new CelError(variable2 === undefined
    ? `got '${goTypeName(over)}', expected iterable type`
    : `unsupported comprehension range type: ${goTypeName(over)}`);
}

/** A list or map that was filled in place is done growing. */
function finished(value: Value, accumulator: number, state: State): Value {
  if (value instanceof GrowingList && state.slots[accumulator] === value) return Array.from(value);
  if (value instanceof LiteralMap && value.growing) value.growing = false;
  return value;
}

/** Reads an accumulator, which gets its first value only now; an empty list or map becomes one that can grow. */
export function accumulatorRun(slot: number, initial: Run): Run {
  return (state) => {
    const current = state.slots[slot];
    if (current !== undefined) return current;
    let value = initial(state);
    if (isList(value) && value.length === 0) value = new GrowingList();
    else if (value instanceof CelMap && value.size === 0) value = new LiteralMap(true);
    state.slots[slot] = value;
    return value;
  };
}
