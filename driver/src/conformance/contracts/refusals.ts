import type { Minor } from 'cdk8s-dra/model';
import type { KubeObject } from '../../kube/object.js';
import { DEVICE_CLASSES, PODS, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import type { Resource } from '../../kube/resource.js';
import { validatesByDeclaration } from '../cluster-facts.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import {
  ABSENT_NODE, alternatives, alternative, cel, claim, CONTAINER_POLICY, deviceClass, DRIVER, exactly, opaque, pod, slice, sliceWith,
} from '../manifests.js';

interface Refusal {
  readonly id: string;
  /** What is wrong, so that `is refused` reads well. */
  readonly what: string;
  readonly resource: Resource;
  readonly object: KubeObject;
  /** Words of the server's message. */
  readonly words: readonly string[];
  /** Words of declarative validation, where they are others. */
  readonly declared?: readonly string[];
  readonly since?: Minor;
  readonly until?: Minor;
  readonly gated?: readonly [definition: string, field: string];
}

const POOL = { name: 'conformance', generation: 1, resourceSliceCount: 1 };
const SHARED = { allowMultipleAllocations: true };
const policy = (requestPolicy: unknown): KubeObject => sliceWith({ ...SHARED, capacity: { memory: { value: '10Gi', requestPolicy } } });

const REFUSALS: readonly Refusal[] = [
  {
    id: 'request-kind',
    what: 'a request that is neither exact nor a list of alternatives',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [{ name: 'device' }] }),
    words: ['exactly one of `exactly` or `firstAvailable` is required'],
  },
  {
    id: 'request-both-kinds',
    what: 'a request that is exact and a list of alternatives',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [{ ...exactly('device'), ...alternatives('device', alternative('one')) }] }),
    words: ['exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'],
    gated: ['DeviceRequest', 'firstAvailable'],
  },
  {
    id: 'request-name',
    what: 'a request name that is no DNS label',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [exactly('Device_1')] }),
    words: ['spec.devices.requests[0].name', 'RFC 1123 label'],
  },
  {
    id: 'request-name-twice',
    what: 'a request name that stands twice',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [exactly('device'), exactly('device')] }),
    words: ['Duplicate value', '"device"'],
  },
  {
    id: 'request-class',
    what: 'a request without a class',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [{ name: 'device', exactly: {} }] }),
    words: ['spec.devices.requests[0].exactly.deviceClassName', 'Required value'],
  },
  {
    id: 'count-zero',
    what: 'a count below one',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [exactly('device', { count: -1 })] }),
    words: ['must be greater than zero'],
  },
  {
    id: 'count-with-all',
    what: 'a count beside allocationMode All',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [exactly('device', { allocationMode: 'All', count: 2 })] }),
    words: ["must not be specified when allocationMode is 'All'"],
  },
  {
    id: 'allocation-mode',
    what: 'an allocation mode that does not exist',
    resource: RESOURCE_CLAIMS,
    object: claim({ requests: [exactly('device', { allocationMode: 'Some' })] }),
    words: ['Unsupported value: "Some"', '"All", "ExactCount"'],
  },
  {
    id: 'constraint-request',
    what: 'a constraint on a request that does not exist',
    resource: RESOURCE_CLAIMS,
    object: claim({ constraints: [{ requests: ['other'], matchAttribute: `${DRIVER}/model` }] }),
    words: ["must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"],
  },
  {
    id: 'constraint-attribute',
    what: 'a constraint on an attribute without a domain',
    since: '1.35',
    resource: RESOURCE_CLAIMS,
    object: claim({ constraints: [{ matchAttribute: 'model' }] }),
    words: ['a fully qualified name must be a domain and a name separated by a slash'],
  },
  {
    id: 'constraint-attribute-134',
    what: 'a constraint on an attribute without a domain',
    until: '1.34',
    resource: RESOURCE_CLAIMS,
    object: claim({ constraints: [{ matchAttribute: 'model' }] }),
    words: ['must include a domain'],
  },
  {
    id: 'opaque-object',
    what: 'opaque parameters that are no object',
    resource: DEVICE_CLASSES,
    object: deviceClass({ config: [opaque([1, 2])] }),
    words: ['must be a valid JSON object'],
  },
  {
    id: 'cel-syntax',
    what: 'a selector that does not compile',
    resource: DEVICE_CLASSES,
    object: deviceClass({ selectors: [cel('device.driver ==')] }),
    words: ['spec.selectors[0].cel.expression', 'compilation failed: ERROR:'],
  },
  {
    id: 'cel-type',
    what: 'a selector that is no boolean',
    resource: DEVICE_CLASSES,
    object: deviceClass({ selectors: [cel('device.driver')] }),
    words: ['must evaluate to bool'],
  },
  {
    id: 'class-extended-resource',
    what: 'a name of Kubernetes itself as extended resource of a class',
    resource: DEVICE_CLASSES,
    object: deviceClass({ extendedResourceName: 'cpu' }),
    words: ['spec.extendedResourceName'],
    gated: ['DeviceClassSpec', 'extendedResourceName'],
  },
  {
    id: 'slice-nodes',
    what: 'a slice for no node',
    resource: RESOURCE_SLICES,
    object: slice({ nodeName: undefined }),
    words: ['exactly one of `nodeName`, `nodeSelector`, `allNodes`'],
  },
  {
    id: 'slice-nodes-twice',
    what: 'a slice for a node and for all',
    resource: RESOURCE_SLICES,
    object: slice({ allNodes: true }),
    words: ['exactly one of `nodeName`, `nodeSelector`, `allNodes`'],
  },
  {
    id: 'slice-selector-terms',
    what: 'a slice with two node selector terms',
    resource: RESOURCE_SLICES,
    object: slice({
      nodeName: undefined,
      nodeSelector: { nodeSelectorTerms: [1, 2].map(() => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [ABSENT_NODE] }] })) },
    }),
    words: ['must have exactly one node selector term'],
  },
  {
    id: 'slice-count',
    what: 'a pool of no slices',
    resource: RESOURCE_SLICES,
    object: slice({ pool: { ...POOL, resourceSliceCount: 0 } }),
    words: ['spec.pool.resourceSliceCount', 'must be greater than zero'],
  },
  {
    id: 'slice-device-twice',
    what: 'a device name that stands twice in a slice',
    resource: RESOURCE_SLICES,
    object: slice({ devices: [{ name: 'device' }, { name: 'device' }] }),
    words: ['Duplicate value', '"device"'],
  },
  {
    id: 'slice-devices-or-counters',
    what: 'a slice with devices and shared counters',
    resource: RESOURCE_SLICES,
    since: '1.35',
    object: sliceWith({}, { sharedCounters: [{ name: 'set', counters: { memory: { value: '1' } } }] }),
    words: ['only one of `sharedCounters` or `devices` is allowed'],
    gated: ['ResourceSliceSpec', 'sharedCounters'],
  },
  {
    id: 'attribute-name',
    what: 'an attribute name that is no C identifier',
    resource: RESOURCE_SLICES,
    object: sliceWith({ attributes: { 'gpu-model': { bool: true } } }),
    words: ['a valid C identifier'],
  },
  {
    id: 'attribute-name-long',
    what: 'an attribute name of more than 32 bytes',
    resource: RESOURCE_SLICES,
    object: sliceWith({ attributes: { ['x'.repeat(33)]: { bool: true } } }),
    words: ['Too long', '32'],
  },
  {
    id: 'driver-name-long',
    what: 'a driver name of more than 63 bytes',
    resource: RESOURCE_SLICES,
    object: slice({ driver: `${'x'.repeat(52)}.example.com` }),
    words: ['spec.driver', 'Too long', '63'],
  },
  {
    id: 'pool-name-long',
    what: 'a pool name of more than 253 bytes',
    resource: RESOURCE_SLICES,
    object: slice({ pool: { ...POOL, name: 'x'.repeat(254) } }),
    words: ['spec.pool.name', 'Too long', '253'],
  },
  {
    id: 'device-name-long',
    what: 'a device name of more than 63 bytes',
    resource: RESOURCE_SLICES,
    object: slice({ devices: [{ name: 'x'.repeat(64) }] }),
    words: ['spec.devices[0].name', '63'],
  },
  {
    id: 'attribute-no-value',
    what: 'an attribute without a value',
    resource: RESOURCE_SLICES,
    object: sliceWith({ attributes: { model: {} } }),
    words: ['exactly one value must be specified'],
    declared: ['must specify one of: `int`, `bool`, `string`, `version`'],
  },
  {
    id: 'attribute-two-values',
    what: 'an attribute with two values',
    resource: RESOURCE_SLICES,
    object: sliceWith({ attributes: { model: { bool: true, string: 'A1' } } }),
    words: ['exactly one value must be specified'],
    declared: ['must specify exactly one of: `int`, `bool`, `string`, `version`'],
  },
  {
    id: 'attribute-version',
    what: 'a version attribute that is no semantic version',
    resource: RESOURCE_SLICES,
    object: sliceWith({ attributes: { firmware: { version: '1.2' } } }),
    words: ['must be a string compatible with semver.org spec 2.0.0'],
  },
  {
    id: 'device-nodes',
    what: 'a node for a device in a slice for one node',
    resource: RESOURCE_SLICES,
    object: sliceWith({ allNodes: true }),
    words: ['can only be set if `perDeviceNodeSelection` is set to true'],
    gated: ['Device', 'allNodes'],
  },
  {
    id: 'taint-effect',
    what: 'a device taint with an effect that does not exist',
    resource: RESOURCE_SLICES,
    object: sliceWith({ taints: [{ key: 'example.com/sick', effect: 'PreferNoSchedule' }] }),
    words: ['taints[0].effect', 'Unsupported value: "PreferNoSchedule"'],
    gated: ['Device', 'taints'],
  },
  {
    id: 'binding-conditions-alone',
    what: 'binding conditions without failure conditions',
    resource: RESOURCE_SLICES,
    object: sliceWith({ bindingConditions: ['example.com/ready'] }),
    words: ['bindingFailureConditions are required to use bindingConditions'],
    gated: ['Device', 'bindingConditions'],
  },
  {
    id: 'share-policy-alone',
    what: 'a request policy on a device that is not shared',
    resource: RESOURCE_SLICES,
    object: sliceWith({ capacity: { memory: { value: '10Gi', requestPolicy: { default: '1Gi' } } } }),
    words: ['allowMultipleAllocations must be true'],
    gated: ['Device', 'allowMultipleAllocations'],
  },
  {
    id: 'share-default',
    what: 'a request policy with values and no default',
    resource: RESOURCE_SLICES,
    object: policy({ validValues: ['1Gi'] }),
    words: ['required when validValues is defined'],
    gated: ['Device', 'allowMultipleAllocations'],
  },
  {
    id: 'share-default-invalid',
    what: 'a default that is none of the valid values',
    resource: RESOURCE_SLICES,
    object: policy({ default: '2Gi', validValues: ['1Gi'] }),
    words: ['default value is not valid according to the requestPolicy'],
    gated: ['Device', 'allowMultipleAllocations'],
  },
  {
    id: 'share-step',
    what: 'a default between two steps',
    resource: RESOURCE_SLICES,
    object: policy({ default: '1536Mi', validRange: { min: '1Gi', step: '1Gi' } }),
    words: ['value is not a multiple of a given step (1Gi) from (1Gi)'],
    gated: ['Device', 'allowMultipleAllocations'],
  },
  {
    id: 'pod-claim-names',
    what: 'a container that uses a claim its pod does not list',
    resource: PODS,
    object: pod({ containers: [{ name: 'main', image: 'localhost/none', ...CONTAINER_POLICY, resources: { claims: [{ name: 'missing' }] } }] }),
    words: ['must be one of the names in pod.spec.resourceClaims'],
  },
  {
    id: 'pod-claim-source',
    what: 'a pod claim with a claim and a template',
    resource: PODS,
    object: pod({ resourceClaims: [{ name: 'one', resourceClaimName: 'claim', resourceClaimTemplateName: 'template' }] }),
    words: ['at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'],
  },
];

export const REFUSAL_CONTRACTS: readonly Contract[] = REFUSALS.map(({
  id, what, resource, object, words, declared = words, since, until, gated,
}): Contract => ({
  id: `refusal-${id}`,
  area: 'Refusals',
  title: `${what} is refused in the words that are known`,
  why: 'check refuses it before the server does; explain and the docs quote the message.',
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
  mode: 'live',
  effect: 'tries',
  needs: need(resource, ['create']),
  run: async (trial) => {
    if (gated !== undefined) trial.requires(...gated);
    await trial.refuses(what, trial.tryCreate(resource, object), ...validatesByDeclaration(trial.facts) ? declared : words);
  },
}));
