import type { Quantity } from '../quantity';
import { poolKey } from './allocated';
import {
  readFlag, readList, readManifest, readObject, readOptionalFlag, readOptionalQuantity, readOptionalText, readQuantity, readText, readTexts,
  readWhole,
} from './json';
import type { JsonObject } from './json';
import { readNodeSelector } from './node';
import type { Place } from './node';
import type { SelectorDevice } from './selector-evaluator';
import type { Variant } from './variant';

/** An attribute as published; the allocator looks at every value that is set. */
export interface Attribute {
  readonly int?: number | bigint | null;
  readonly bool?: boolean | null;
  readonly string?: string | null;
  readonly version?: string | null;
  readonly ints?: readonly (number | bigint)[] | null;
  readonly bools?: readonly boolean[] | null;
  readonly strings?: readonly string[] | null;
  readonly versions?: readonly string[] | null;
}

export interface CapacityRange {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly step?: Quantity;
}

export interface CapacityPolicy {
  readonly default?: Quantity;
  /** Undefined when the manifest has none; an empty list is not the same. */
  readonly validValues?: readonly Quantity[];
  readonly validRange?: CapacityRange;
}

export interface Capacity {
  readonly name: string;
  readonly value: Quantity;
  readonly policy?: CapacityPolicy;
}

export interface CounterAmount {
  readonly name: string;
  readonly value: Quantity;
}

export interface CounterSet {
  readonly name: string;
  readonly counters: readonly CounterAmount[];
}

export interface CounterUse {
  readonly counterSet: string;
  readonly counters: readonly CounterAmount[];
  readonly compatibilityGroups: readonly string[];
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

export interface SliceDevice extends Place {
  readonly name: string;
  readonly slice: Slice;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** Sorted by name. */
  readonly capacity: readonly Capacity[];
  readonly consumesCounters: readonly CounterUse[];
  readonly taints: readonly Taint[];
  readonly bindsToNode: boolean;
  /** Undefined when the manifest has none; an empty list still moves the pool to the end. */
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations: boolean;
  /** What selectors see. */
  readonly view: SelectorDevice;
}

export interface Slice extends Place {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  /** Driver and pool in one. */
  readonly poolKey: string;
  readonly generation: number;
  readonly sliceCount: number;
  readonly devices: readonly SliceDevice[];
  readonly sharedCounters: readonly CounterSet[];
  /** Undefined when the manifest does not say. */
  readonly perDeviceNodeSelection?: boolean;
  readonly skipNodeOperations: readonly string[];
  /** Place in the input. */
  readonly index: number;
  /** Of any device. */
  readonly hasBindingConditions: boolean;
  readonly consumesCounters: boolean;
  readonly usesCompatibilityGroups: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads a v1 ResourceSlice for an allocator; throws for values of a wrong type, as Go's decoder would refuse them. */
export function readSlice(value: unknown, index: number, path: string, variant: Variant): Slice {
  const object = readManifest(value, path);
  const spec = readObject(object.spec, `${path}.spec`);
  const pool = readObject(spec.pool, `${path}.spec.pool`);
  const devices: SliceDevice[] = [];
  const driver = readText(spec.driver, `${path}.spec.driver`);
  const poolName = readText(pool.name, `${path}.spec.pool.name`);
  const slice: Writable<Slice> = {
    nodeName: readOptionalText(spec.nodeName, `${path}.spec.nodeName`),
    allNodes: readFlag(spec.allNodes, `${path}.spec.allNodes`),
    nodeSelector: readNodeSelector(spec.nodeSelector, `${path}.spec.nodeSelector`, variant.oldLabelWords),
    name: readText(readObject(object.metadata, `${path}.metadata`).name, `${path}.metadata.name`),
    driver,
    pool: poolName,
    poolKey: poolKey(driver, poolName),
    generation: readWhole(pool.generation, `${path}.spec.pool.generation`),
    sliceCount: readWhole(pool.resourceSliceCount, `${path}.spec.pool.resourceSliceCount`),
    devices,
    sharedCounters: readList(spec.sharedCounters, `${path}.spec.sharedCounters`).map((one, i) => {
      const set = readObject(one, `${path}.spec.sharedCounters[${i}]`);
      return {
        name: readText(set.name, `${path}.spec.sharedCounters[${i}].name`),
        counters: readCounters(set.counters, `${path}.spec.sharedCounters[${i}].counters`),
      };
    }),
    perDeviceNodeSelection: readOptionalFlag(spec.perDeviceNodeSelection, `${path}.spec.perDeviceNodeSelection`),
    skipNodeOperations: readTexts(spec.skipNodeOperations, `${path}.spec.skipNodeOperations`),
    index,
    hasBindingConditions: false,
    consumesCounters: false,
    usesCompatibilityGroups: false,
  };
  const list = readList(spec.devices, `${path}.spec.devices`);
  for (let i = 0; i < list.length; i++) {
    const device = readDevice(list[i], slice, `${path}.spec.devices[${i}]`, variant);
    devices.push(device);
    slice.hasBindingConditions ||= device.bindingConditions !== undefined;
    slice.consumesCounters ||= device.consumesCounters.length > 0;
    slice.usesCompatibilityGroups ||= device.consumesCounters.some(use => use.compatibilityGroups.length > 0);
  }
  return slice;
}

// One shape for all devices, with every field: thousands of them are looked at in each search.
function readDevice(value: unknown, slice: Slice, path: string, variant: Variant): SliceDevice {
  const device = readObject(value, path);
  const attributes = readAttributes(device.attributes, path);
  const capacity = device.capacity === undefined ? NONE : readCapacities(readObject(device.capacity, `${path}.capacity`), `${path}.capacity`);
  const multiple = readOptionalFlag(device.allowMultipleAllocations, `${path}.allowMultipleAllocations`);
  return {
    nodeName: readOptionalText(device.nodeName, `${path}.nodeName`),
    allNodes: readFlag(device.allNodes, `${path}.allNodes`),
    nodeSelector: readNodeSelector(device.nodeSelector, `${path}.nodeSelector`, variant.oldLabelWords),
    name: readText(device.name, `${path}.name`),
    slice,
    attributes,
    capacity,
    consumesCounters: device.consumesCounters === undefined ? NONE : readConsumption(device.consumesCounters, `${path}.consumesCounters`),
    taints: device.taints === undefined ? NONE : readTaints(device.taints, `${path}.taints`),
    bindsToNode: readFlag(device.bindsToNode, `${path}.bindsToNode`),
    bindingConditions: readOptionalTexts(device.bindingConditions, `${path}.bindingConditions`),
    bindingFailureConditions: readOptionalTexts(device.bindingFailureConditions, `${path}.bindingFailureConditions`),
    allowMultipleAllocations: multiple ?? false,
    view: {
      driver: slice.driver,
      attributes,
      capacity: capacity.length === 0 ? NO_CAPACITY : Object.fromEntries(capacity.map(one => [one.name, one])),
      // Selectors see sharing only where the allocator knows it.
      allowMultipleAllocations: variant.full ? multiple : undefined,
    },
  };
}

function readTaints(value: unknown, path: string): readonly Taint[] {
  return readList(value, path).map((one, i) => {
    const taint = readObject(one, `${path}[${i}]`);
    return {
      key: readText(taint.key, `${path}[${i}].key`),
      value: readText(taint.value, `${path}[${i}].value`),
      effect: readText(taint.effect, `${path}[${i}].effect`),
    };
  });
}

function readConsumption(value: unknown, path: string): readonly CounterUse[] {
  return readList(value, path).map((one, i) => {
    const use = readObject(one, `${path}[${i}]`);
    return {
      counterSet: readText(use.counterSet, `${path}[${i}].counterSet`),
      counters: readCounters(use.counters, `${path}[${i}].counters`),
      compatibilityGroups: readTexts(use.compatibilityGroups, `${path}[${i}].compatibilityGroups`),
    };
  });
}

function readCapacities(capacity: JsonObject, path: string): readonly Capacity[] {
  return Object.keys(capacity).sort().map(name => readCapacity(name, capacity[name], `${path}.${name}`));
}

function readAttributes(value: unknown, device: string): Readonly<Record<string, Attribute>> {
  let attributes = readObject(value, `${device}.attributes`);
  for (const name in attributes) {
    if (attributes[name] === null) attributes = { ...attributes, [name]: {} };
    else readAttribute(attributes[name], device, name);
  }
  return attributes as Readonly<Record<string, Attribute>>;
}

function readAttribute(value: unknown, device: string, name: string): void {
  const attribute = readObject(value, device);
  for (const field in attribute) {
    const content = attribute[field];
    if (content === null) continue;
    switch (field) {
      case 'string':
      case 'version':
        if (typeof content !== 'string') readText(content, `${device}.attributes.${name}.${field}`);
        break;
      case 'bool':
        readFlag(content, `${device}.attributes.${name}.bool`);
        break;
      case 'int':
        if (!Number.isInteger(content)) readWhole(content, `${device}.attributes.${name}.int`);
        break;
      case 'strings':
      case 'versions':
        readItems(content, 'string', `${device}.attributes.${name}.${field}`);
        break;
      case 'bools':
        readItems(content, 'boolean', `${device}.attributes.${name}.bools`);
        break;
      case 'ints':
        readItems(content, 'number', `${device}.attributes.${name}.ints`).forEach(one => readWhole(one, `${device}.attributes.${name}.ints`));
        break;
    }
  }
}

function readItems(value: unknown, type: 'string' | 'boolean' | 'number', path: string): readonly unknown[] {
  const list = readList(value, path);
  const wrong = list.findIndex(one => typeof one !== type && !(type === 'number' && typeof one === 'bigint'));
  if (wrong >= 0) throw new Error(`'${path}[${wrong}]' must be a ${type}, got ${String(JSON.stringify(list[wrong]))}.`);
  return list;
}

function readCapacity(name: string, value: unknown, path: string): Capacity {
  const capacity = readObject(value, path);
  const amount = readQuantity(capacity.value, `${path}.value`);
  if (capacity.requestPolicy === undefined || capacity.requestPolicy === null) return { name, value: amount };
  const policy = readObject(capacity.requestPolicy, `${path}.requestPolicy`);
  const at = `${path}.requestPolicy`;
  const range = policy.validRange === undefined || policy.validRange === null ? undefined : readObject(policy.validRange, `${at}.validRange`);
  return {
    name,
    value: amount,
    policy: {
      default: readOptionalQuantity(policy.default, `${at}.default`),
      validValues: policy.validValues === undefined || policy.validValues === null
        ? undefined
        : readList(policy.validValues, `${at}.validValues`).map((one, i) => readQuantity(one, `${at}.validValues[${i}]`)),
      validRange: range && {
        min: readOptionalQuantity(range.min, `${at}.validRange.min`),
        max: readOptionalQuantity(range.max, `${at}.validRange.max`),
        step: readOptionalQuantity(range.step, `${at}.validRange.step`),
      },
    },
  };
}

function readCounters(value: unknown, path: string): readonly CounterAmount[] {
  const counters = readObject(value, path);
  return Object.keys(counters).sort().map(name => ({
    name,
    value: readQuantity(readObject(counters[name], `${path}.${name}`).value, `${path}.${name}.value`),
  }));
}

function readOptionalTexts(value: unknown, path: string): readonly string[] | undefined {
  return value === undefined || value === null ? undefined : readTexts(value, path);
}

const NONE: readonly never[] = Object.freeze([]);
const NO_CAPACITY: SelectorDevice['capacity'] = Object.freeze({});
