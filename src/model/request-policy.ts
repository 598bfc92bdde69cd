import { LIMITS } from './limits';
import type { Problem } from './problem';
import { Quantity } from './quantity';

/** An amount as manifests hold it. */
export type Amount = string | number | bigint;

/** Which amounts a claim may ask of a shared device, as `capacity.requestPolicy` of a device. */
export interface RequestPolicy {
  readonly default?: Amount;
  readonly validValues?: readonly Amount[];
  readonly validRange?: { readonly min?: Amount; readonly max?: Amount; readonly step?: Amount };
}

/**
 * Why a value is no amount of a capacity or counter.
 *
 * Stricter than the API server, which takes any quantity: a negative amount fits everywhere and means nothing.
 */
export function capacityQuantityProblem(value: unknown): Problem | undefined {
  const amount = capacityQuantity(value);
  return amount instanceof Quantity ? undefined : amount;
}

/**
 * Why a request policy does not fit the capacity it belongs to.
 *
 * Decides as `validateRequestPolicy` of 1.34.4 to 1.37.2 does, and in all of them refuses what 1.37.2 refuses for safety:
 * steps that are not positive and, beside a step, amounts beyond int64, which crash or mislead older API servers.
 * Stricter than all: negative amounts, and with `fractional` one value spelled twice (`1`, `1000m`).
 *
 * @param fractional Whether the gate DRAFractionalCapacityRange (1.37) is on: ranges are then counted in thousandths.
 *   Without it amounts are rounded up to whole units before steps and duplicates are counted.
 */
export function requestPolicyProblem(capacity: Amount, policy: RequestPolicy, fractional = false): Problem | undefined {
  const parsed = parsePolicy(capacity, policy);
  if ('rule' in parsed) return parsed;
  const { values, range } = parsed;
  if (values.length > 0 && range) {
    return { rule: 'must not have both validValues and validRange', help: 'Keep the one that describes the amounts a claim may ask for.' };
  }
  if (values.length === 0 && !range) return undefined;
  if (!parsed.default) {
    return {
      rule: `must have a default when ${range ? 'validRange' : 'validValues'} is set`,
      help: 'Name the amount that a claim gets which asks for none.',
    };
  }
  return range
    ? rangeProblem(parsed.default, parsed.capacity, range, fractional)
    : valuesProblem(parsed.default, parsed.capacity, values, fractional);
}

interface ParsedRange {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly step?: Quantity;
}

interface ParsedPolicy {
  readonly capacity: Quantity;
  readonly default?: Quantity;
  readonly values: readonly Quantity[];
  readonly range?: ParsedRange;
}

function capacityQuantity(value: unknown): Quantity | Problem {
  const amount = Quantity.fromJson(value);
  if (!(amount instanceof Quantity)) return amount;
  if (amount.sign() < 0) return { rule: 'must not be negative', help: 'Write an amount of 0 or more.' };
  if (!/\d/.test(String(value))) return { rule: 'must have a digit', help: 'The API server reads this as 0; write an amount such as 40Gi.' };
  return amount;
}

/** All amounts as quantities, or the first that is none. */
function parsePolicy(capacity: Amount, policy: RequestPolicy): ParsedPolicy | Problem {
  const problems: Problem[] = [];
  const read = (field: string, value: Amount): Quantity => {
    const amount = capacityQuantity(value);
    if (amount instanceof Quantity) return amount;
    problems.push({ rule: `must have amounts everywhere: ${field} ${amount.rule}`, help: amount.help });
    return ZERO;
  };
  const readOptional = (field: string, value: Amount | undefined) => (value === undefined ? undefined : read(field, value));
  const range = policy.validRange;
  const parsed: ParsedPolicy = {
    capacity: read('the capacity', capacity),
    default: readOptional('default', policy.default),
    values: (policy.validValues ?? []).map((value, i) => read(`validValues[${i}]`, value)),
    range: range && {
      min: readOptional('validRange.min', range.min),
      max: readOptional('validRange.max', range.max),
      step: readOptional('validRange.step', range.step),
    },
  };
  return problems[0] ?? parsed;
}

function valuesProblem(defaultAmount: Quantity, capacity: Quantity, values: readonly Quantity[], fractional: boolean): Problem | undefined {
  const { max, help } = LIMITS.validValues;
  if (values.length > max) return { rule: `must have at most ${max} valid values, but has ${values.length}`, help: help ?? '' };
  for (const [i, value] of values.entries()) {
    if (i > 0 && values[i - 1].compareTo(value) > 0) {
      return { rule: `must have valid values in ascending order, but ${value} follows ${values[i - 1]}`, help: 'Sort the values.' };
    }
    if (value.compareTo(capacity) > 0) {
      return { rule: `must have valid values up to the capacity ${capacity}, but has ${value}`, help: 'Leave out what no device can give.' };
    }
    // The API server looks for duplicates among whole units.
    const twin = values.slice(0, i).find(earlier => (fractional ? earlier.equals(value) : earlier.value() === value.value()));
    if (twin) {
      const rounded = twin.equals(value) ? '' : ', as both are rounded up to whole units';
      return { rule: `must have no valid value twice, but has ${twin} and ${value}${rounded}`, help: 'Leave one out, or count in a smaller unit.' };
    }
  }
  return values.some(value => value.equals(defaultAmount)) ? undefined : {
    rule: `must have a default that is one of the valid values, but has ${defaultAmount}`,
    help: `Choose one of ${values.join(', ')}.`,
  };
}

function rangeProblem(defaultAmount: Quantity, capacity: Quantity, range: ParsedRange, fractional: boolean): Problem | undefined {
  const { min, max, step } = range;
  if (!min) return { rule: 'must have a min in validRange', help: 'Name the least amount that a claim can get.' };
  const order = orderProblem([['min', min], ['default', defaultAmount], ...max ? [['max', max] as const] : [], ['capacity', capacity]]);
  if (order) return order;

  const milli = fractional && [defaultAmount, min, max, step].some(amount => amount && !amount.isWhole());
  if (milli) {
    const fine = [defaultAmount, min, max, step].find(amount => amount && !amount.equals(Quantity.parse(`${amount.milliValue()}m`)));
    if (fine) return { rule: `must have amounts in thousandths, but has ${fine}`, help: 'Round it to thousandths, fewer than 2^63 of them.' };
  }
  if (!step) return undefined;
  if (step.sign() <= 0) return { rule: 'must have a step greater than zero', help: 'Leave the step out to allow every amount in the range.' };
  if (min.add(step).compareTo(capacity) > 0) {
    return { rule: `must have room for a step of ${step} from ${min} up to the capacity ${capacity}`, help: 'Make the step smaller.' };
  }
  const large = milli ? undefined : [defaultAmount, min, max, step].find(amount => amount && amount.compareTo(MAX_INT64) > 0);
  if (large) return { rule: `must have amounts up to ${MAX_INT64} beside a step, but has ${large}`, help: 'Count in a larger unit.' };

  const units = (amount: Quantity) => (milli ? amount.milliValue() : amount.value());
  for (const [name, amount] of [['default', defaultAmount], ['max', max]] as const) {
    if (amount && (units(amount) - units(min)) % units(step) !== 0n) {
      return {
        rule: `must have a ${name} that is whole steps of ${step} above the min ${min}, but has ${amount}`,
        help: `Choose ${nearestStep(amount, min, step, units, milli)}.`,
      };
    }
  }
  return undefined;
}

/** The amounts must not descend: min, default, max, capacity. */
function orderProblem(amounts: readonly (readonly [name: string, amount: Quantity])[]): Problem | undefined {
  for (const [i, [name, amount]] of amounts.entries()) {
    // Upstream does not compare the default with the capacity itself.
    const earlier = amounts.slice(0, i).filter(([lower]) => !(lower === 'default' && name === 'capacity'));
    const lower = earlier.find(([, least]) => least.compareTo(amount) > 0);
    if (lower) {
      return {
        rule: `must have a ${lower[0]} up to the ${name}, but ${lower[1]} is more than ${amount}`,
        help: 'The order is min, default, max, capacity.',
      };
    }
  }
  return undefined;
}

function nearestStep(amount: Quantity, min: Quantity, step: Quantity, units: (amount: Quantity) => bigint, milli: boolean): string {
  const below = units(min) + ((units(amount) - units(min)) / units(step)) * units(step);
  return milli ? Quantity.parse(`${below}m`).toString() : Quantity.of(below, min.format).toString();
}

const ZERO = Quantity.of(0n);
const MAX_INT64 = Quantity.of(2n ** 63n - 1n);
