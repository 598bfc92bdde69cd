import type { Component, GateName } from './gates';
import { compareMinors } from './versions';
import type { Minor } from './versions';

/*
 * Sources, read at v1.34.4, v1.35.4, v1.36.3 and v1.37.2:
 *   fields a gate drops    pkg/registry/resource/{resourceslice,resourceclaim,resourceclaimtemplate,deviceclass,resourcepoolstatusrequest}/strategy.go,
 *                          pkg/api/resourceclaimspec/util.go (from 1.35), pkg/api/pod/util.go, pkg/registry/scheduling/{podgroup,workload}/strategy.go
 *   fields a gate carries  `+featureGate=` in k8s.io/api resource/v1, resource/v1alpha3, core/v1 and scheduling
 *   values                 pkg/apis/resource/validation/validation.go (validDeviceTaintEffects)
 *
 * 1.34 does not drop `tolerations` and `distinctAttribute` when their gates are off, it stores them: tolerations are then ignored,
 * and the scheduler cannot allocate a claim with the constraint. Unsupported either way.
 */

/** What stands behind feature gates: a whole type, one of its fields, or one value of a field. */
export interface GatedField {
  /** Short name of the Kubernetes type, e.g. `ExactDeviceRequest`. */
  readonly definition: string;
  /** Name in JSON; absent, the whole type is meant. */
  readonly field?: string;
  /** The one value that is meant; absent, every value. */
  readonly value?: string;
  readonly gates: readonly GateName[];
  /** First minor that has it, where that is later than the gate. */
  readonly since?: Minor;
  /** Last minor that has it. */
  readonly until?: Minor;
  /** Components that must have the gates on, where fewer are needed than read the gates. */
  readonly components?: readonly Component[];
}

/** The fields of one type behind the same gates. */
function fields(gates: readonly GateName[], definition: string, ...names: readonly string[]): readonly GatedField[] {
  return names.map(field => ({ definition, field, gates }));
}

/** Types that only gated fields use. */
function types(gates: readonly GateName[], ...definitions: readonly string[]): readonly GatedField[] {
  return definitions.map(definition => ({ definition, gates }));
}

const BINDING: readonly GateName[] = ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'];

export const GATED_FIELDS: readonly GatedField[] = [
  ...fields(['DRAAdminAccess'], 'ExactDeviceRequest', 'adminAccess'),
  ...fields(['DRAAdminAccess'], 'DeviceRequestAllocationResult', 'adminAccess'),

  ...fields(['DRAPrioritizedList'], 'DeviceRequest', 'firstAvailable'),
  ...types(['DRAPrioritizedList'], 'DeviceSubRequest'),

  ...fields(['DRADeviceTaints'], 'Device', 'taints'),
  ...fields(['DRADeviceTaints'], 'ExactDeviceRequest', 'tolerations'),
  ...fields(['DRADeviceTaints'], 'DeviceSubRequest', 'tolerations'),
  ...fields(['DRADeviceTaints'], 'DeviceRequestAllocationResult', 'tolerations'),
  ...types(['DRADeviceTaints'], 'DeviceTaint', 'DeviceToleration'),
  { definition: 'DeviceTaint', field: 'effect', value: 'None', gates: ['DRADeviceTaints'], since: '1.35' },
  { definition: 'DeviceToleration', field: 'effect', value: 'None', gates: ['DRADeviceTaints'], since: '1.35' },

  // 1.34 has rules without a gate of their own; from 1.35 the gate is what scheduler and eviction controller read.
  { definition: 'DeviceTaintRule', gates: ['DRADeviceTaints'], until: '1.34' },
  { definition: 'DeviceTaintRule', gates: ['DRADeviceTaintRules'], since: '1.35' },
  { definition: 'DeviceTaintRule', field: 'status', gates: ['DRADeviceTaintRules'], since: '1.35' },
  { definition: 'DeviceTaintSelector', field: 'deviceClassName', gates: ['DRADeviceTaints'], until: '1.34' },
  { definition: 'DeviceTaintSelector', field: 'selectors', gates: ['DRADeviceTaints'], until: '1.34' },

  ...fields(['DRAConsumableCapacity'], 'Device', 'allowMultipleAllocations'),
  ...fields(['DRAConsumableCapacity'], 'DeviceCapacity', 'requestPolicy'),
  ...fields(['DRAConsumableCapacity'], 'ExactDeviceRequest', 'capacity'),
  ...fields(['DRAConsumableCapacity'], 'DeviceSubRequest', 'capacity'),
  ...fields(['DRAConsumableCapacity'], 'DeviceConstraint', 'distinctAttribute'),
  ...fields(['DRAConsumableCapacity'], 'DeviceRequestAllocationResult', 'shareID', 'consumedCapacity'),
  ...fields(['DRAConsumableCapacity'], 'AllocatedDeviceStatus', 'shareID'),
  ...types(['DRAConsumableCapacity'], 'CapacityRequestPolicy', 'CapacityRequestPolicyRange', 'CapacityRequirements'),

  ...fields(['DRAPartitionableDevices'], 'ResourceSliceSpec', 'perDeviceNodeSelection', 'sharedCounters'),
  ...fields(['DRAPartitionableDevices'], 'Device', 'allNodes', 'consumesCounters', 'nodeName', 'nodeSelector'),
  ...types(['DRAPartitionableDevices'], 'Counter', 'CounterSet', 'DeviceCounterConsumption'),
  ...fields(['DRADeviceCompatibilityGroups'], 'DeviceCounterConsumption', 'compatibilityGroups'),
  ...fields(['DRAPartitionableDevicesType'], 'ResourceSliceSpec', 'partitionTypeAttribute'),
  ...fields(['DRAPartitionableDevicesType'], 'ResourcePoolStatusRequestSpec', 'defaultPartitionTypeAttribute'),
  ...types(['DRAResourcePoolStatus'], 'ResourcePoolStatusRequest'),

  ...fields(BINDING, 'Device', 'bindingConditions', 'bindingFailureConditions', 'bindsToNode'),
  ...fields(BINDING, 'DeviceRequestAllocationResult', 'bindingConditions', 'bindingFailureConditions'),
  ...fields(BINDING, 'AllocationResult', 'allocationTimestamp'),

  // The scheduler reads the gate for binding conditions only.
  { definition: 'ResourceClaimStatus', field: 'devices', gates: ['DRAResourceClaimDeviceStatus'], components: ['kube-apiserver'] },
  { definition: 'AllocatedDeviceStatus', gates: ['DRAResourceClaimDeviceStatus'], components: ['kube-apiserver'] },
  { definition: 'NetworkDeviceData', gates: ['DRAResourceClaimDeviceStatus'], components: ['kube-apiserver'] },

  ...fields(['DRAListTypeAttributes'], 'DeviceAttribute', 'bools', 'ints', 'strings', 'versions'),

  { definition: 'Device', field: 'nodeAllocatableResourceMappings', gates: ['DRANodeAllocatableResources'], until: '1.36' },
  { definition: 'NodeAllocatableResourceMapping', gates: ['DRANodeAllocatableResources'], until: '1.36' },
  { definition: 'Device', field: 'nodeAllocatableResources', gates: ['DRANodeAllocatableResources'], since: '1.37' },
  { definition: 'NodeAllocatableResource', gates: ['DRANodeAllocatableResources'], since: '1.37' },
  { definition: 'NodeAllocatableMapping', gates: ['DRANodeAllocatableResources'], since: '1.37' },
  { definition: 'NodeAllocatableOverhead', gates: ['DRANodeAllocatableResources'], since: '1.37' },
  ...fields(['DRANodeAllocatableResources'], 'PodStatus', 'nodeAllocatableResourceClaimStatuses'),

  ...fields(['DRAOptionalNodeOperations'], 'ResourceSliceSpec', 'skipNodeOperations'),
  ...fields(['DRAOptionalNodeOperations'], 'DeviceRequestAllocationResult', 'skipNodeOperations'),

  ...fields(['DRADerivedAttributes'], 'ExactDeviceRequest', 'derivedAttributes'),
  ...fields(['DRADerivedAttributes'], 'DeviceSubRequest', 'derivedAttributes'),
  ...types(['DRADerivedAttributes'], 'DeviceDerivedAttribute'),

  ...fields(['DRAExtendedResource'], 'DeviceClassSpec', 'extendedResourceName'),
  ...fields(['DRAExtendedResource'], 'PodStatus', 'extendedResourceClaimStatus'),
  ...types(['DRAExtendedResource'], 'ContainerExtendedResourceRequest', 'PodExtendedResourceClaimStatus'),

  ...types(['DynamicResourceAllocation'], 'DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'),
  ...fields(['DynamicResourceAllocation'], 'PodSpec', 'resourceClaims'),
  ...fields(['DynamicResourceAllocation'], 'ResourceRequirements', 'claims'),
  ...fields(['DynamicResourceAllocation'], 'PodStatus', 'resourceClaimStatuses'),

  ...fields(['ResourceHealthStatus'], 'ContainerStatus', 'allocatedResourcesStatus'),
  ...fields(['ResourceHealthStatusMessage'], 'ResourceHealth', 'message'),

  ...fields(['DRAWorkloadResourceClaims'], 'PodGroupSpec', 'resourceClaims'),
  ...fields(['DRAWorkloadResourceClaims'], 'PodGroupStatus', 'resourceClaimStatuses'),
  ...fields(['DRAWorkloadResourceClaims'], 'PodGroupTemplate', 'resourceClaims'),
  { definition: 'Workload', gates: ['GenericWorkload'] },
  { definition: 'PodGroup', gates: ['GenericWorkload'], since: '1.36' },
  { definition: 'PodSpec', field: 'workloadRef', gates: ['GenericWorkload'], until: '1.35' },
  { definition: 'PodSpec', field: 'schedulingGroup', gates: ['GenericWorkload'], since: '1.36' },
];

/** Every entry that names exactly this type, field or value, oldest first; none when it has no gate of its own. */
export function gatedFields(definition: string, field?: string, value?: string): readonly GatedField[] {
  return BY_KEY.get(keyOf(definition, field, value)) ?? [];
}

/** Whether an entry holds in a minor, its gates aside. */
export function coversMinor(entry: GatedField, minor: Minor): boolean {
  return (entry.since === undefined || compareMinors(entry.since, minor) <= 0)
    && (entry.until === undefined || compareMinors(minor, entry.until) <= 0);
}

function keyOf(definition: string, field = '', value = ''): string {
  return `${definition}\n${field}\n${value}`;
}

const BY_KEY = new Map<string, GatedField[]>();
for (const entry of GATED_FIELDS) {
  const key = keyOf(entry.definition, entry.field, entry.value);
  BY_KEY.set(key, [...BY_KEY.get(key) ?? [], entry]);
}
