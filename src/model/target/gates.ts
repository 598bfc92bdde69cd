import type { Minor } from './versions';

/*
 * Sources, read at v1.34.4, v1.35.4, v1.36.3 and v1.37.2 of kubernetes/kubernetes:
 *   stages, defaults, locks   pkg/features/kube_features.go, defaultVersionedKubernetesFeatureGates
 *   dependencies              pkg/features/kube_features.go, defaultKubernetesFeatureGateDependencies (from 1.35)
 *   components                where `features.<Gate>` is read: pkg/registry, pkg/api, pkg/apis, plugin/pkg (kube-apiserver),
 *                             pkg/scheduler, cmd/kube-controller-manager and pkg/controller, pkg/kubelet; metrics do not count
 *   DRAFractionalCapacityRange is on only with --min-compatibility-version=1.37, which defaults to one minor less
 */

/** A program of Kubernetes that has feature gates. */
export type Component = 'kube-apiserver' | 'kube-scheduler' | 'kube-controller-manager' | 'kubelet';

/** Every component, in the order that messages name them. */
export const COMPONENTS: readonly Component[] = ['kube-apiserver', 'kube-scheduler', 'kube-controller-manager', 'kubelet'];

export type Stage = 'alpha' | 'beta' | 'ga';

/**
 * How far a feature can be relied on, judged by the newest known minor.
 *
 * `stable`: GA. `beta`: on by default. `experimental`: off by default. `driver-specific`: does nothing unless the driver takes part.
 */
export type Maturity = 'stable' | 'beta' | 'experimental' | 'driver-specific';

/** What one minor makes of a gate. */
export interface GateState {
  readonly stage: Stage;
  readonly default: boolean;
  /** A locked gate accepts no other value than its default. */
  readonly locked: boolean;
}

export interface Gate {
  /** What the gate switches, as a title. */
  readonly title: string;
  /** Components that read the gate. */
  readonly components: readonly Component[];
  /** Components that started to read the gate in a later minor than the gate's first. */
  readonly componentsFrom?: Partial<Record<Component, Minor>>;
  /** Gates that must be on wherever this one is. */
  readonly dependsOn: readonly GateName[];
  /** The minors in which the gate's state changed; before the first, the gate is unknown. */
  readonly changes: Partial<Record<Minor, GateState>>;
  readonly driverSpecific?: boolean;
}

const ALPHA: GateState = { stage: 'alpha', default: false, locked: false };
const BETA_OFF: GateState = { stage: 'beta', default: false, locked: false };
const BETA_ON: GateState = { stage: 'beta', default: true, locked: false };
const GA_ON: GateState = { stage: 'ga', default: true, locked: false };
const GA_LOCKED: GateState = { stage: 'ga', default: true, locked: true };

const API = 'kube-apiserver';
const SCHEDULER = 'kube-scheduler';
const CONTROLLERS = 'kube-controller-manager';
const KUBELET = 'kubelet';

export type GateName =
  | 'DRAAdminAccess'
  | 'DRAConsumableCapacity'
  | 'DRADerivedAttributes'
  | 'DRADeviceBindingConditions'
  | 'DRADeviceCompatibilityGroups'
  | 'DRADeviceTaintRules'
  | 'DRADeviceTaints'
  | 'DRAExtendedResource'
  | 'DRAFractionalCapacityRange'
  | 'DRAListTypeAttributes'
  | 'DRANodeAllocatableResources'
  | 'DRAOptionalNodeOperations'
  | 'DRAPartitionableDevices'
  | 'DRAPartitionableDevicesType'
  | 'DRAPrioritizedList'
  | 'DRAResourceClaimDeviceStatus'
  | 'DRAResourceClaimGranularStatusAuthorization'
  | 'DRAResourcePoolStatus'
  | 'DRASchedulerFilterTimeout'
  | 'DRAWorkloadResourceClaims'
  | 'DynamicResourceAllocation'
  | 'GenericWorkload'
  | 'KubeletPodResourcesDynamicResources'
  | 'KubeletPodResourcesGet'
  | 'NodeDeclaredFeatures'
  | 'ResourceHealthStatus'
  | 'ResourceHealthStatusMessage'
  | 'SchedulerPreQueueingHints';

/** Every gate of Dynamic Resource Allocation, and those that it depends on. */
export const GATES: Readonly<Record<GateName, Gate>> = {
  DRAAdminAccess: {
    title: 'Admin access to devices in use',
    components: [API, SCHEDULER, CONTROLLERS],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: BETA_ON, 1.36: GA_LOCKED },
  },
  DRAConsumableCapacity: {
    title: 'Shares of a device by capacity, and distinctAttribute',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON },
  },
  DRADerivedAttributes: {
    title: 'Attributes computed by a request',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.37: ALPHA },
  },
  DRADeviceBindingConditions: {
    title: 'Pods bound only once a device is ready',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation', 'DRAResourceClaimDeviceStatus'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON },
  },
  DRADeviceCompatibilityGroups: {
    title: 'Groups of partitions that exclude each other',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation', 'DRAPartitionableDevices'],
    changes: { 1.37: ALPHA },
  },
  DRADeviceTaintRules: {
    title: 'Taints set by an administrator',
    components: [API, SCHEDULER, CONTROLLERS],
    dependsOn: ['DRADeviceTaints'],
    changes: { 1.35: ALPHA, 1.36: BETA_OFF, 1.37: GA_ON },
  },
  DRADeviceTaints: {
    title: 'Device taints and tolerations',
    components: [API, SCHEDULER, CONTROLLERS],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON, 1.37: GA_ON },
  },
  DRAExtendedResource: {
    title: 'Extended resources served by DRA drivers',
    // From 1.35 the quota controller reads it too, to count such requests; the field works without.
    components: [API, SCHEDULER, KUBELET],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON, 1.37: GA_LOCKED },
  },
  DRAFractionalCapacityRange: {
    title: 'Capacity ranges below one unit',
    components: [API, SCHEDULER],
    dependsOn: ['DRAConsumableCapacity'],
    changes: { 1.37: BETA_OFF },
  },
  DRAListTypeAttributes: {
    title: 'Attributes with a list of values',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.36: ALPHA },
  },
  DRANodeAllocatableResources: {
    title: 'Devices that consume CPU, memory or huge pages of the node',
    components: [API, SCHEDULER, KUBELET],
    componentsFrom: { kubelet: '1.37' },
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.36: ALPHA },
  },
  DRAOptionalNodeOperations: {
    title: 'Drivers without prepare or unprepare on the node',
    components: [API, SCHEDULER, KUBELET],
    dependsOn: ['DynamicResourceAllocation', 'NodeDeclaredFeatures'],
    changes: { 1.37: ALPHA },
  },
  DRAPartitionableDevices: {
    title: 'Devices that share counters',
    components: [API, SCHEDULER],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON },
  },
  DRAPartitionableDevicesType: {
    title: 'Pool status by partition type',
    components: [API],
    dependsOn: ['DynamicResourceAllocation', 'DRAPartitionableDevices', 'DRAResourcePoolStatus'],
    changes: { 1.37: ALPHA },
  },
  DRAPrioritizedList: {
    title: 'Alternatives in order of preference',
    components: [API, SCHEDULER, CONTROLLERS],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: BETA_ON, 1.36: GA_ON, 1.37: GA_LOCKED },
  },
  DRAResourceClaimDeviceStatus: {
    title: 'Device status in a claim, written by drivers',
    components: [API, SCHEDULER],
    dependsOn: [],
    changes: { 1.34: BETA_ON, 1.37: GA_LOCKED },
  },
  DRAResourceClaimGranularStatusAuthorization: {
    title: 'Separate permissions for parts of a claim status',
    components: [API],
    dependsOn: ['DynamicResourceAllocation', 'DRAResourceClaimDeviceStatus'],
    changes: { 1.36: BETA_ON },
  },
  DRAResourcePoolStatus: {
    title: 'Pool status on request',
    components: [API, CONTROLLERS],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.36: ALPHA },
  },
  DRASchedulerFilterTimeout: {
    title: 'Time limit for allocation on a node',
    components: [SCHEDULER],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: BETA_ON },
  },
  DRAWorkloadResourceClaims: {
    title: 'Claims of pod groups',
    components: [API, SCHEDULER, CONTROLLERS, KUBELET],
    dependsOn: ['DynamicResourceAllocation', 'GenericWorkload'],
    changes: { 1.36: ALPHA, 1.37: BETA_OFF },
  },
  DynamicResourceAllocation: {
    title: 'Dynamic Resource Allocation',
    components: [API, SCHEDULER, CONTROLLERS, KUBELET],
    dependsOn: [],
    changes: { 1.34: GA_ON, 1.35: GA_LOCKED },
  },
  GenericWorkload: {
    title: 'Workloads and pod groups',
    components: [API, SCHEDULER, CONTROLLERS],
    componentsFrom: { 'kube-controller-manager': '1.36' },
    dependsOn: [],
    changes: { 1.35: ALPHA, 1.37: BETA_OFF },
  },
  KubeletPodResourcesDynamicResources: {
    title: 'Claims in the pod resources API of the kubelet',
    components: [KUBELET],
    dependsOn: [],
    changes: { 1.34: BETA_ON, 1.36: GA_LOCKED },
  },
  KubeletPodResourcesGet: {
    title: 'Single pods in the pod resources API of the kubelet',
    components: [KUBELET],
    dependsOn: [],
    changes: { 1.34: BETA_ON, 1.36: GA_LOCKED },
  },
  NodeDeclaredFeatures: {
    title: 'Nodes that declare their features',
    components: [API, SCHEDULER, KUBELET],
    dependsOn: [],
    changes: { 1.35: ALPHA, 1.36: BETA_ON, 1.37: GA_LOCKED },
  },
  ResourceHealthStatus: {
    title: 'Device health in the pod status',
    components: [API, KUBELET],
    dependsOn: ['DynamicResourceAllocation'],
    changes: { 1.34: ALPHA, 1.36: BETA_ON },
    driverSpecific: true,
  },
  ResourceHealthStatusMessage: {
    title: 'Message beside device health',
    components: [API, KUBELET],
    dependsOn: ['ResourceHealthStatus'],
    changes: { 1.36: BETA_ON },
    driverSpecific: true,
  },
  SchedulerPreQueueingHints: {
    title: 'Fewer pods looked at again on an event',
    components: [SCHEDULER],
    dependsOn: [],
    changes: { 1.37: ALPHA },
  },
};
