import { isDeepStrictEqual } from 'node:util';

import { Quantity } from 'cdk8s-dra/model';

import type { SliceContent, SliceDevice, SliceTaint } from './slice-object.js';
import type { CounterConsumption, CounterSet, DeviceCapacity } from '../../devices/inventory.js';

/**
 * Whether two slices say the same.
 *
 * A server spells quantities in its own way, and the time of a taint is no difference: it stays what it was first.
 */
export function sameContent(one: SliceContent, two: SliceContent): boolean {
  return isDeepStrictEqual(canonical(one), canonical(two));
}

/** The wanted content with the times of taints that are there already. */
export function withKnownTimes(wanted: SliceContent, known: ReadonlyMap<string, SliceDevice>): SliceContent {
  if (wanted.devices === undefined) return wanted;
  return { ...wanted, devices: wanted.devices.map((device) => deviceWithKnownTimes(device, known.get(device.name)?.taints ?? [])) };
}

function deviceWithKnownTimes(device: SliceDevice, known: readonly SliceTaint[]): SliceDevice {
  if (device.taints === undefined) return device;
  return {
    ...device,
    taints: device.taints.map((taint) => {
      const before = known.find(({ key, value, effect }) => key === taint.key && value === taint.value && effect === taint.effect);
      return before?.timeAdded === undefined ? taint : { ...taint, timeAdded: before.timeAdded };
    }),
  };
}

/** One spelling for each meaning; fields that this agent never writes stay, so that an edit by others shows. */
function canonical({ devices, sharedCounters }: SliceContent): unknown {
  return { devices: (devices ?? []).map(canonicalDevice), sharedCounters: (sharedCounters ?? []).map(canonicalCounters) };
}

function canonicalDevice({ attributes, capacity, allowMultipleAllocations, consumesCounters, taints, ...rest }: SliceDevice): unknown {
  return {
    ...rest,
    attributes: mapValues(attributes ?? {}, (value) => mapValues({ ...value } as Record<string, unknown>, (part) => (typeof part === 'bigint' ? Number(part) : part))),
    capacity: mapValues(capacity ?? {}, canonicalCapacity),
    allowMultipleAllocations: allowMultipleAllocations ?? false,
    consumesCounters: (consumesCounters ?? []).map(canonicalCounters),
    taints: (taints ?? []).map(({ timeAdded, ...taint }) => ({ ...taint, value: taint.value ?? '' })),
  };
}

function canonicalCapacity({ value, requestPolicy, ...rest }: DeviceCapacity): unknown {
  const { validRange, validValues, default: usual, ...others } = requestPolicy ?? {};
  return {
    ...rest,
    ...others,
    value: canonicalQuantity(value),
    default: canonicalQuantity(usual),
    validValues: (validValues ?? []).map(canonicalQuantity),
    validRange: mapValues({ ...validRange } as Record<string, string>, canonicalQuantity),
  };
}

function canonicalCounters<T extends CounterSet | CounterConsumption>({ counters, ...rest }: T): unknown {
  return { ...rest, counters: mapValues(counters, ({ value, ...others }) => ({ ...others, value: canonicalQuantity(value) })) };
}

function canonicalQuantity(text: unknown): unknown {
  if (text === undefined) return undefined;
  const quantity = Quantity.fromJson(text);
  return quantity instanceof Quantity ? quantity.toString() : text;
}

function mapValues<T>(record: { readonly [key: string]: T }, change: (value: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, change(value)]));
}
