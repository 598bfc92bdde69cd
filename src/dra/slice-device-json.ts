import { canonicalQuantity } from './canonical-quantity';
import type { CounterConsumption, DeviceCapacityValue, SliceDevice } from './slice-device';
import type { Device, DeviceCapacity, NodeSelector } from '../../imports/types';

/** The device as the API has it. */
export function sliceDeviceJson(device: SliceDevice): Device {
  const { attributes, capacity, consumesCounters, nodeLabels, taints, ...plain } = device;
  return {
    ...plain,
    ...(attributes ? { attributes: mapValues(attributes, value => value._toJson()) } : {}),
    ...(capacity ? { capacity: mapValues(capacity, capacityJson) } : {}),
    ...(consumesCounters ? { consumesCounters: consumesCounters.map(consumptionJson) } : {}),
    ...(taints ? { taints: taints.map(({ key, value, effect }) => ({ key, value, effect })) } : {}),
    ...(nodeLabels ? { nodeSelector: nodeSelectorJson(nodeLabels) } : {}),
  };
}

/** The labels as a node selector of one term, the only form a slice accepts. */
export function nodeSelectorJson(labels: { readonly [key: string]: string }): NodeSelector {
  const keys = Object.keys(labels).sort();
  return { nodeSelectorTerms: [{ matchExpressions: keys.map(key => ({ key, operator: 'In', values: [labels[key]] })) }] };
}

function capacityJson(capacity: DeviceCapacityValue): DeviceCapacity {
  return { value: canonicalQuantity(capacity.value), ...(capacity.requestPolicy ? { requestPolicy: capacity.requestPolicy._toJson() } : {}) };
}

function consumptionJson({ counterSet, counters, compatibilityGroups }: CounterConsumption) {
  return { counterSet, counters: counterValues(counters), ...(compatibilityGroups ? { compatibilityGroups } : {}) };
}

/** Counters by name, in the API's `{value}` form. */
export function counterValues(counters: { readonly [name: string]: string }): { [name: string]: { value: string } } {
  return mapValues(counters, value => ({ value: canonicalQuantity(value) }));
}

function mapValues<A, B>(map: { readonly [key: string]: A }, convert: (value: A) => B): { [key: string]: B } {
  return Object.fromEntries(Object.keys(map).sort().map(key => [key, convert(map[key])]));
}
