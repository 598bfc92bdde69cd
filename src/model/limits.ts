import type { Problem } from './problem';
import { compareMinors } from './target/versions';
import type { Minor } from './target/versions';

/** An upper bound of the API. */
export interface Limit {
  /** The bound in the newest minor that has it. */
  readonly max: number;
  /** What is counted, so that `at most <max> <what>` reads well. */
  readonly what: string;
  /** The first minor that has the limit, if not all have it. */
  readonly since?: Minor;
  /** The last minor that has the limit, if not all have it. */
  readonly until?: Minor;
  /** Other bounds in older minors. */
  readonly earlier?: Readonly<Partial<Record<Minor, number>>>;
  /** Only written down upstream: the API server counts nothing. */
  readonly documentedOnly?: true;
  /** The API server's words, where they are not the generic "Too many" or "Too long". */
  readonly message?: string;
  /** The constant upstream, in `k8s.io/api/resource/v1/types.go` unless a file is named. */
  readonly source: string;
  /** The way out, where it is not to leave some out. */
  readonly help?: string;
}

/**
 * Every number of the resource.k8s.io API, read in v1.34.4, v1.35.4, v1.36.3 and v1.37.2.
 *
 * Lengths of names are in `names.ts`.
 */
export const LIMITS = table({
  requestsPerClaim: { max: 32, what: 'requests in a claim', source: 'DeviceRequestsMaxSize', help: 'Use a count, or split the claim.' },
  alternatives: { max: 8, what: 'alternatives in a request', source: 'FirstAvailableDeviceRequestMaxSize' },
  selectors: { max: 32, what: 'selectors', source: 'DeviceSelectorsMaxSize', help: 'Join some with && into one expression.' },
  expressionBytes: {
    max: 10 * 1024,
    what: 'bytes in a CEL expression',
    source: 'CELSelectorExpressionMaxLength',
    help: 'Split it into several selectors; all of them must be true.',
  },
  expressionCost: {
    max: 1_000_000,
    what: 'units of CEL cost',
    source: 'CELSelectorExpressionMaxCost',
    message: 'too complex, exceeds cost limit',
    help: 'Drop loops, or test fewer attributes.',
  },
  constraints: { max: 32, what: 'constraints in a claim', source: 'DeviceConstraintsMaxSize' },
  requestsPerConstraint: {
    max: 32,
    what: 'requests in a constraint',
    source: 'DeviceRequestsMaxSize',
    help: 'Leave the list empty to mean all requests.',
  },
  configs: { max: 32, what: 'configurations in a claim or class', source: 'DeviceConfigMaxSize' },
  requestsPerConfig: {
    max: 32,
    what: 'requests in a configuration',
    source: 'DeviceRequestsMaxSize',
    help: 'Leave the list empty to mean all requests.',
  },
  opaqueBytes: {
    max: 10 * 1024,
    what: 'bytes of opaque parameters',
    source: 'OpaqueParametersMaxLength',
    help: 'Keep large data in a ConfigMap and name it in the parameters.',
  },
  tolerations: { max: 16, what: 'tolerations in a request', documentedOnly: true, source: 'DeviceTolerationsMaxLength' },
  derivedAttributes: { max: 32, since: '1.37', what: 'derived attributes in a request', source: 'DeviceDerivedAttributesMaxSize' },
  derivedAttributeCost: {
    max: 1_000_000,
    since: '1.37',
    what: 'units of CEL cost for all derived attributes of a claim',
    source: 'DeviceClaimDerivedAttributeCELMaxCost',
    message: 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit',
  },

  resultsPerClaim: { max: 32, what: 'devices for a claim', source: 'AllocationResultsMaxSize', help: 'Spread the devices over several claims.' },
  allocationConfigs: { max: 64, what: 'configurations in an allocation', source: 'DeviceConfigMaxSize, twice: class and claim' },
  consumers: { max: 256, what: 'consumers of a claim', source: 'ResourceClaimReservedForMaxSize', help: 'Use a template, or several claims.' },
  deviceStatusConditions: { max: 8, what: 'conditions in a device status', source: 'AllocatedDeviceStatusMaxConditions' },
  deviceStatusDataBytes: { max: 10 * 1024, what: 'bytes of data in a device status', source: 'AllocatedDeviceStatusDataMaxLength' },
  networkIps: { max: 16, what: 'addresses in network data', source: 'NetworkDeviceDataMaxIPs' },
  networkInterfaceNameBytes: { max: 256, what: 'bytes in an interface name', source: 'NetworkDeviceDataInterfaceNameMaxLength' },
  networkHardwareAddressBytes: { max: 128, what: 'bytes in a hardware address', source: 'NetworkDeviceDataHardwareAddressMaxLength' },

  devicesPerSlice: {
    max: 128,
    what: 'devices in a slice',
    source: 'ResourceSliceMaxDevices',
    help: 'Spread the devices of the pool over several slices.',
  },
  devicesPerSliceWithExtras: {
    max: 64,
    since: '1.35',
    what: 'devices in a slice with taints, consumed counters or list attributes',
    source: 'ResourceSliceMaxDevicesWithAdvancedFeatures',
    help: 'Spread the devices of the pool over several slices.',
  },
  attributesAndCapacities: {
    max: 32,
    what: 'attributes and capacities in a device',
    source: 'ResourceSliceMaxAttributesAndCapacitiesPerDevice',
    message: 'the total number of attributes and capacities must not exceed 32',
  },
  attributeValues: {
    max: 48,
    since: '1.36',
    what: 'attribute values in a device',
    source: 'ResourceSliceMaxAttributeValuesPerDevice',
    message: 'the total number of attribute values must not exceed 48',
  },
  attributeStringBytes: {
    max: 64,
    what: 'bytes in a string or version attribute',
    source: 'DeviceAttributeMaxValueLength',
    help: 'Shorten the value.',
  },
  taintsPerDevice: { max: 16, earlier: { 1.34: 4 }, what: 'taints in a device', source: 'DeviceTaintsMaxLength' },
  validValues: {
    max: 10,
    what: 'valid values in a request policy',
    source: 'pkg/apis/resource/types.go: CapacityRequestPolicyDiscreteMaxOptions',
    help: 'Use a validRange with a step.',
  },
  bindingConditions: { max: 4, what: 'binding conditions', source: 'BindingConditionsMaxSize' },
  bindingFailureConditions: { max: 4, what: 'binding failure conditions', source: 'BindingFailureConditionsMaxSize' },
  counterSets: {
    max: 8,
    since: '1.35',
    what: 'counter sets in a slice',
    source: 'ResourceSliceMaxCounterSets',
    help: 'Spread the counter sets over several slices of the pool.',
  },
  countersPerSet: { max: 32, since: '1.35', what: 'counters in a counter set', source: 'ResourceSliceMaxCountersPerCounterSet' },
  consumesCounters: {
    max: 2, since: '1.35', what: 'counter sets that a device consumes from', source: 'ResourceSliceMaxDeviceCounterConsumptionsPerDevice',
  },
  countersPerConsumption: {
    max: 32,
    since: '1.35',
    what: 'counters that a device consumes from one set',
    source: 'ResourceSliceMaxCountersPerDeviceCounterConsumption',
  },
  sharedCountersPerSlice: {
    max: 32,
    until: '1.34',
    what: 'shared counters in a slice',
    source: 'ResourceSliceMaxSharedCounters',
    message: 'the total number of shared counters must not exceed 32',
  },
  countersPerDevice: {
    max: 32,
    until: '1.34',
    what: 'counters that a device consumes',
    source: 'ResourceSliceMaxCountersPerDevice',
    message: 'the total number of counters must not exceed 32',
  },
  deviceCountersPerSlice: {
    max: 1024,
    until: '1.34',
    what: 'counters that the devices of a slice consume',
    source: 'ResourceSliceMaxDeviceCountersPerSlice',
    message: 'the total number of counters in devices must not exceed 1024',
  },
  compatibilityGroups: { max: 2, since: '1.37', what: 'compatibility groups', source: 'DeviceCompatibilityGroupsMaxSize' },

  taintRuleConditions: {
    max: 8, since: '1.35', what: 'conditions in a DeviceTaintRule', source: 'resource/v1alpha3/types.go: DeviceTaintRuleStatusMaxConditions',
  },
  poolStatusLimit: { max: 1000, since: '1.36', what: 'pools asked for', source: 'resource/v1alpha3/types.go: ResourcePoolStatusRequestLimitMax' },
  poolStatusPools: {
    max: 1000, since: '1.36', what: 'pools in a pool status', source: 'resource/v1alpha3/types.go: ResourcePoolStatusRequestStatus.pools',
  },
  poolStatusConditions: {
    max: 10,
    since: '1.36',
    what: 'conditions in a ResourcePoolStatusRequest',
    source: 'resource/v1alpha3/types.go: ResourcePoolStatusRequestStatus.conditions',
  },
  poolStatusErrorBytes: {
    max: 256, since: '1.36', what: 'bytes in a validation error of a pool', source: 'resource/v1alpha3/types.go: PoolStatus.validationError',
  },
  poolStatusPartitionTypes: {
    max: 32, since: '1.37', what: 'partition types in a pool status', source: 'resource/v1alpha3/types.go: PoolStatus.partitionSummary',
  },
  poolStatusCapacities: {
    max: 32, since: '1.37', what: 'capacities in a pool status', source: 'resource/v1alpha3/types.go: ShareableSummaryStatus.capacity',
  },
  podGroupClaims: { max: 4, since: '1.36', what: 'claims in a pod group', source: 'scheduling: MaxPodGroupResourceClaims' },
  healthMessageBytes: {
    max: 1024,
    since: '1.36',
    what: 'bytes in a health message',
    source: 'core/v1/types.go: ResourceHealthMessageMaxLength',
    help: 'The kubelet cuts longer messages.',
  },
});

export type LimitKey = keyof typeof LIMITS;

/** The bound in a minor; undefined where that minor has none. */
export function limitIn(key: LimitKey, minor: Minor): number | undefined {
  const { max, since, until, earlier } = LIMITS[key];
  if (since && compareMinors(minor, since) < 0) return undefined;
  if (until && compareMinors(minor, until) > 0) return undefined;
  return earlier?.[minor] ?? max;
}

/** Why a number of things, bytes or cost units is too large for a minor. */
export function limitProblem(key: LimitKey, given: number, minor: Minor): Problem | undefined {
  const max = limitIn(key, minor);
  if (max === undefined || given <= max) return undefined;
  const { what, help } = LIMITS[key];
  return { rule: `must have at most ${max} ${what}, but has ${given}`, help: help ?? 'Leave some out.' };
}

/** Why a number is no count of devices for one request. */
export function countProblem(count: unknown): Problem | undefined {
  const most = LIMITS.resultsPerClaim.max;
  if (typeof count !== 'number' || !Number.isInteger(count)) {
    return { rule: 'must be a whole number', help: `Write a number from 1 to ${most}.` };
  }
  if (count < 1) return { rule: 'must be greater than zero', help: 'Leave the request out when it needs no device.' };
  if (count <= most) return undefined;
  return { rule: `must be at most ${most}, the devices that one claim can get`, help: 'Spread the devices over several claims.' };
}

/** Keeps the keys for `LimitKey` and gives every entry the same type. */
function table<K extends string>(limits: Record<K, Limit>): Readonly<Record<K, Limit>> {
  return limits;
}
