import { Quantity } from '../quantity';
import type { Request } from './claim';
import type { SliceDevice } from './slice';
import type { Capacity, CapacityPolicy, CapacityRange } from '../device-json';

/** What one request takes of one device, whatever else is in use. */
export interface CapacityNeed {
  /** An amount for each capacity of the device, in its order. */
  readonly amounts: readonly Quantity[];
  /** The device lacks a capacity that the request names. */
  readonly undefinedCapacity: boolean;
  /** Some amount is none that the device hands out. */
  readonly againstPolicy: boolean;
  /** Why the whole attempt fails (strict rules only). */
  readonly error?: string;
  /** What kills a scheduler of the time. */
  readonly panic?: string;
}

/** The rules of a minor: `strict` from 1.37 on, `fractional` with the gate DRAFractionalCapacityRange. */
export interface CapacityRules {
  readonly strict: boolean;
  readonly fractional: boolean;
}

/** The amounts that a request takes, rounded up as the policies of the device say. */
export function capacityNeed(request: Request, device: SliceDevice, rules: CapacityRules): CapacityNeed {
  if (device.capacity.length === 0) return request.capacity.size === 0 ? NOTHING : LACKING;
  for (const name of request.capacity.keys()) {
    if (!device.capacity.some(one => one.name === name)) return LACKING;
  }
  const amounts: Quantity[] = [];
  let againstPolicy = false;
  for (const capacity of device.capacity) {
    const amount = amountOf(request.capacity.get(capacity.name), capacity, rules);
    if (!(amount instanceof Quantity)) return { ...LACKING, undefinedCapacity: false, ...amount };
    if (rules.strict && amount.sign() < 0) {
      return { ...LACKING, undefinedCapacity: false, error: `capacity ${JSON.stringify(capacity.name)}: capacity value is negative` };
    }
    amounts.push(amount);
  }
  for (const [i, capacity] of device.capacity.entries()) {
    const violated = violatesPolicy(amounts[i], capacity.policy, rules);
    if (typeof violated === 'string') return { ...LACKING, undefinedCapacity: false, panic: violated };
    againstPolicy ||= violated;
    if (againstPolicy) break;
  }
  return { amounts, undefinedCapacity: false, againstPolicy };
}

/** The first capacity of which too little is left; undefined when all is well. */
export function missingCapacity(
  device: SliceDevice, need: CapacityNeed, inUse: ReadonlyMap<string, Quantity> | undefined, taken: ReadonlyMap<string, Quantity> | undefined,
): Capacity | undefined {
  for (let i = 0; i < device.capacity.length; i++) {
    const capacity = device.capacity[i];
    let total = need.amounts[i];
    const before = inUse?.get(capacity.name);
    if (before) total = before.add(total);
    const now = taken?.get(capacity.name);
    if (now) total = total.add(now);
    if (total.compareTo(capacity.value) > 0) return capacity;
  }
  return undefined;
}

type Failure = { readonly error: string } | { readonly panic: string };

function amountOf(requested: Quantity | undefined, capacity: Capacity, rules: CapacityRules): Quantity | Failure {
  const { policy } = capacity;
  if (!requested) return policy?.default ?? capacity.value;
  if (policy?.validRange?.min) return roundUpRange(requested, policy.validRange, policy.validRange.min, capacity.name, rules);
  if (policy?.validValues) return policy.validValues.find(valid => requested.compareTo(valid) <= 0) ?? requested;
  return requested;
}

function roundUpRange(requested: Quantity, range: CapacityRange, min: Quantity, name: string, rules: CapacityRules): Quantity | Failure {
  if (requested.compareTo(min) < 0) return min;
  const { step } = range;
  if (!step) return requested;
  const failure = (why: string): Failure => ({
    error: `capacity ${JSON.stringify(name)}: capacity request cannot be represented in the device's range arithmetic: ${why}`,
  });
  if (usesMilli(range, rules)) {
    const milli = exactMilli(requested);
    if (milli === undefined) return failure(`request ${requested.toString()} is not a representable milli value`);
    const stepMilli = step.milliValue();
    const minMilli = min.milliValue();
    const times = wholeSteps(milli - minMilli, stepMilli);
    if (times > (MAX_INT64 - minMilli) / stepMilli) {
      return failure(`rounding request ${requested.toString()} up to the next step passes the milli-value range`);
    }
    const value = minMilli + stepMilli * times;
    if (value % 1000n === 0n) return Quantity.of(value / 1000n, step.format);
    return Quantity.parse(step.format === 'DecimalExponent' ? `${value}e-3` : `${value}m`);
  }
  if (rules.strict && requested.compareTo(LARGEST) > 0) return failure(`request ${requested.toString()} exceeds MaxInt64`);
  const stepValue = step.value();
  const minValue = min.value();
  if (stepValue === 0n) return { panic: DIVIDE_BY_ZERO };
  const times = wholeSteps(wrap(requested.value() - minValue), stepValue);
  if (rules.strict && minValue >= 0n && times > (MAX_INT64 - minValue) / stepValue) {
    return failure(`rounding request ${requested.toString()} up to the next step passes MaxInt64`);
  }
  return Quantity.of(wrap(minValue + wrap(stepValue * times)), rules.strict ? step.format : 'BinarySI');
}

/** Whether an amount is none that the device hands out; a text when the question kills the scheduler. */
function violatesPolicy(amount: Quantity, policy: CapacityPolicy | undefined, rules: CapacityRules): boolean | string {
  if (!policy) return false;
  if (policy.default && amount.isSameStruct(policy.default)) return false;
  if (!policy.validRange) {
    const { validValues = [] } = policy;
    return validValues.length > 0 && !validValues.some(one => one.equals(amount));
  }
  const { min, max, step } = policy.validRange;
  if (max && amount.compareTo(max) > 0) return true;
  if (!step) return false;
  if (!min) return NIL_POINTER;
  if (usesMilli(policy.validRange, rules)) {
    const milli = exactMilli(amount);
    return milli === undefined || (milli - min.milliValue()) % step.milliValue() !== 0n;
  }
  const stepValue = step.value();
  return stepValue === 0n ? DIVIDE_BY_ZERO : wrap(amount.value() - min.value()) % stepValue !== 0n;
}

function usesMilli({ min, max, step }: CapacityRange, rules: CapacityRules): boolean {
  if (!rules.fractional) return false;
  for (const bound of [min, max, step]) {
    if (bound && exactMilli(bound) === undefined) return false;
  }
  return !step || step.milliValue() >= 1n;
}

function exactMilli(quantity: Quantity): bigint | undefined {
  const milli = quantity.milliValue();
  return quantity.equals(Quantity.parse(`${milli}m`)) ? milli : undefined;
}

function wholeSteps(distance: bigint, step: bigint): bigint {
  return distance / step + (distance % step === 0n ? 0n : 1n);
}

function wrap(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

const MAX_INT64 = 2n ** 63n - 1n;
const LARGEST = Quantity.of(MAX_INT64);
const DIVIDE_BY_ZERO = 'panic: runtime error: integer divide by zero';
const NIL_POINTER = 'panic: runtime error: invalid memory address or nil pointer dereference';
const NOTHING: CapacityNeed = { amounts: [], undefinedCapacity: false, againstPolicy: false };
const LACKING: CapacityNeed = { amounts: [], undefinedCapacity: true, againstPolicy: false };
