import type { Quantity } from '../quantity';
import { poolKey } from './allocated';
import {
  readFlag, readList, readManifest, readObject, readOptionalFlag, readOptionalText, readQuantity, readText, readTexts, readWhole,
} from '../decoding';
import { readAttributes, readCapacities } from '../device-json';
import type { Attribute, Capacity } from '../device-json';
import { readNodeSelector } from './node';
import type { Place } from './node';
import type { SelectorDevice } from './selector-evaluator';
import type { Variant } from './variant';

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
  const attributes = readAttributes(device.attributes, `${path}.attributes`);
  const capacity = device.capacity === undefined ? NONE : readCapacities(device.capacity, `${path}.capacity`);
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
