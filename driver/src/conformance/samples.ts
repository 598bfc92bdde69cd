import type { Minor } from 'cdk8s-dra/model';

import {
  ABSENT_NODE, alternative, alternatives, cel, claim, claimTemplate, CONTAINER_POLICY, deviceClass, DRIVER, exactly, pod, slice, sliceWith,
} from './manifests.js';
import type { Fields } from './manifests.js';
import type { KubeObject } from '../kube/object.js';
import {
  DEVICE_CLASSES, PODS, POOL_STATUS_REQUESTS, RESOURCE_CLAIMS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_QUOTAS, RESOURCE_SLICES, TAINT_RULES,
} from '../kube/resource.js';
import type { Resource } from '../kube/resource.js';

/** An object with many fields set, and what must be on for the server to accept it. */
export interface Sample {
  /** Kebab-case. */
  readonly name: string;
  readonly resource: Resource;
  /** Key of `DEFINITIONS`. */
  readonly definition: string;
  readonly object: KubeObject;
  /** Fields without which the object is refused, as type and field: when one is off, nothing is known about the rest. */
  readonly requires?: readonly (readonly [definition: string, field: string])[];
  readonly since?: Minor;
  readonly until?: Minor;
}

const SELECTOR = cel(`device.attributes["${DRIVER}"].?model.orValue("") != ""`);
const NODES = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [ABSENT_NODE] }] }] };
const TOLERATIONS: readonly Fields[] = [
  { key: 'example.com/one', operator: 'Equal', value: 'yes', effect: 'NoExecute', tolerationSeconds: 30 },
  { key: 'example.com/two', operator: 'Exists', effect: 'NoSchedule' },
];
const CAPACITY = { requests: { memory: '10Gi' } };
const DERIVED: readonly Fields[] = [{ name: `${DRIVER}/rack`, expression: '"a"' }];

const COUNTERS: readonly Fields[] = [{ name: 'memory', counters: { memory: { value: '40Gi' } } }];
const CONSUMED: Fields = { counterSet: 'memory', counters: { memory: { value: '20Gi' } }, compatibilityGroups: ['mig'] };

const CLAIM_DEVICES: Fields = {
  requests: [
    exactly('device', { selectors: [SELECTOR], allocationMode: 'ExactCount', count: 2, tolerations: TOLERATIONS, capacity: CAPACITY, derivedAttributes: DERIVED }),
    exactly('every', { allocationMode: 'All', adminAccess: false }),
  ],
  constraints: [{ requests: ['device'], matchAttribute: `${DRIVER}/model` }, { requests: ['device'], matchAttribute: `${DRIVER}/rack` }],
  config: [{ requests: ['device'], opaque: { driver: DRIVER, parameters: { apiVersion: 'example.com/v1', kind: 'Settings', share: 9007199254740993n } } }],
};

const ALTERNATIVES: Fields = {
  requests: [alternatives(
    'device',
    alternative('large', { selectors: [SELECTOR], allocationMode: 'ExactCount', count: 1, tolerations: TOLERATIONS, capacity: CAPACITY, derivedAttributes: DERIVED }),
    alternative('small', { allocationMode: 'All' }),
  )],
  constraints: [{ requests: ['device'], matchAttribute: `${DRIVER}/rack` }],
  config: [{ requests: ['device/large'], opaque: { driver: DRIVER, parameters: { size: 1 } } }],
};

function sample(name: string, resource: Resource, definition: string, object: KubeObject, requires: Sample['requires'] = []): Sample {
  return { name, resource, definition, object, requires };
}

const TAINT_RULE: KubeObject = {
  spec: { deviceSelector: { driver: DRIVER, pool: 'conformance', device: 'device' }, taint: { key: 'example.com/sick', value: 'yes', effect: 'NoSchedule' } },
};

/** Together they set every field of the kinds that this project emits. */
export const SAMPLES: readonly Sample[] = [
  sample('device-class', DEVICE_CLASSES, 'resource.v1.DeviceClass', deviceClass({
    selectors: [SELECTOR], config: [{ opaque: { driver: DRIVER, parameters: { size: 1 } } }], extendedResourceName: 'example.com/conformance',
  })),

  sample('claim', RESOURCE_CLAIMS, 'resource.v1.ResourceClaim', claim(CLAIM_DEVICES)),
  sample('claim-alternatives', RESOURCE_CLAIMS, 'resource.v1.ResourceClaim', claim(ALTERNATIVES), [['DeviceRequest', 'firstAvailable']]),
  sample('claim-distinct', RESOURCE_CLAIMS, 'resource.v1.ResourceClaim', claim({
    requests: [exactly('device', { count: 2 })], constraints: [{ requests: ['device'], distinctAttribute: `${DRIVER}/slot` }],
  }), [['DeviceConstraint', 'distinctAttribute']]),
  sample('claim-template', RESOURCE_CLAIM_TEMPLATES, 'resource.v1.ResourceClaimTemplate', claimTemplate(CLAIM_DEVICES, { labels: { 'example.com/a': 'b' }, annotations: { 'example.com/c': 'd' } })),

  sample('slice-node', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    attributes: {
      'model': { string: 'A1' }, 'slot': { int: 9007199254740993n }, 'example.com/shared': { bool: true }, 'firmware': { version: '1.2.3-rc.1+b' },
    },
    capacity: { memory: { value: '40Gi' } },
  }, { skipNodeOperations: ['NodePrepareResources', 'NodeUnprepareResources'] })),
  sample('slice-selector', RESOURCE_SLICES, 'resource.v1.ResourceSlice', slice({ nodeName: undefined, nodeSelector: NODES, devices: [{ name: 'device' }] })),
  sample('slice-everywhere', RESOURCE_SLICES, 'resource.v1.ResourceSlice', slice({ nodeName: undefined, allNodes: true, devices: [{ name: 'device' }] })),
  sample('slice-node-per-device', RESOURCE_SLICES, 'resource.v1.ResourceSlice', slice({
    nodeName: undefined,
    perDeviceNodeSelection: true,
    devices: [{ name: 'one', nodeName: ABSENT_NODE }, { name: 'two', nodeSelector: NODES }, { name: 'three', allNodes: true }],
  }), [['ResourceSliceSpec', 'perDeviceNodeSelection']]),
  sample('slice-counters', RESOURCE_SLICES, 'resource.v1.ResourceSlice', slice({ sharedCounters: COUNTERS })),
  // 1.34 wants counters and their consumers in one slice, later minors in two.
  {
    ...sample('slice-partitions', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith(
      { attributes: { model: { string: 'A1' } }, consumesCounters: [CONSUMED] }, { partitionTypeAttribute: `${DRIVER}/model` },
    )),
    since: '1.35',
  },
  {
    ...sample('slice-partitions-134', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({ consumesCounters: [CONSUMED] }, { sharedCounters: COUNTERS })),
    until: '1.34',
  },
  sample('slice-taints', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    taints: [{ key: 'example.com/sick', value: 'ecc', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' }],
  })),
  sample('slice-binding', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    bindsToNode: true, bindingConditions: ['example.com/ready'], bindingFailureConditions: ['example.com/failed'],
  })),
  sample('slice-shares', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    allowMultipleAllocations: true,
    capacity: {
      memory: { value: '40Gi', requestPolicy: { default: '1Gi', validRange: { min: '1Gi', max: '20Gi', step: '1Gi' } } },
      slots: { value: '8', requestPolicy: { default: '1', validValues: ['1', '2', '4'] } },
    },
  })),
  sample('slice-lists', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    attributes: { a: { ints: [1, 9007199254740993n] }, b: { bools: [true, false] }, c: { strings: ['x', 'y'] }, d: { versions: ['1.0.0', '2.0.0'] } },
  }), [['DeviceAttribute', 'ints']]),
  sample('slice-node-resources', RESOURCE_SLICES, 'resource.v1.ResourceSlice', sliceWith({
    capacity: { cores: { value: '8' } },
    nodeAllocatableResourceMappings: { cpu: { capacityKey: 'cores', allocationMultiplier: '1' } },
    nodeAllocatableResources: {
      cpu: { mapping: { capacityKey: 'cores', capacityMultiplier: '1' }, overhead: { perPod: '1', perContainer: '1' } },
      memory: { mapping: { deviceMultiplier: '1Gi' } },
    },
  }, { nodeName: undefined, nodeSelector: NODES })),

  ...TAINT_RULES.map((resource) => sample(`taint-rule-${resource.version}`, resource, `resource.${resource.version}.DeviceTaintRule`, TAINT_RULE)),
  sample('pool-status-request', POOL_STATUS_REQUESTS, 'resource.v1alpha3.ResourcePoolStatusRequest', {
    spec: { driver: DRIVER, poolName: 'conformance', limit: 10, defaultPartitionTypeAttribute: `${DRIVER}/model` },
  }),

  sample('pod', PODS, 'core.v1.Pod', pod({
    resourceClaims: [{ name: 'own', resourceClaimTemplateName: 'template' }, { name: 'shared', resourceClaimName: 'claim' }],
    containers: [
      { name: 'main', image: 'localhost/none', imagePullPolicy: 'Never', ...CONTAINER_POLICY, resources: { claims: [{ name: 'own', request: 'device' }, { name: 'shared' }] } },
    ],
    initContainers: [
      { name: 'before', image: 'localhost/none', imagePullPolicy: 'Never', ...CONTAINER_POLICY, resources: { claims: [{ name: 'own' }] } },
    ],
  })),
  sample('quota', RESOURCE_QUOTAS, 'core.v1.ResourceQuota', {
    spec: { hard: { [`${DRIVER}.deviceclass.resource.k8s.io/devices`]: '4', 'count/resourceclaims.resource.k8s.io': '10' } },
  }),
];
