import type { Failure } from './failure';

const VALIDATION = 'kubernetes/kubernetes pkg/apis/resource/validation/validation.go';

/** Limits and values of claims, classes and slices. */
export const VALUE_FAILURES: readonly Failure[] = [
  {
    code: 'DRA120',
    name: 'too-many-entries',
    title: 'A list or map holds too many entries',
    severity: 'error',
    why: 'Every list of the API has a limit, so that one object cannot overload the scheduler: the API server refuses more.',
    fix: 'Leave entries out, or spread them over several objects.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      firstAvailable:
${Array.from({ length: 9 }, (_, i) => `      - {name: choice-${i}, deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: ${i + 1}}`).join('\n')}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      firstAvailable:
${Array.from({ length: 8 }, (_, i) => `      - {name: choice-${i}, deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: ${i + 1}}`).join('\n')}
`,
    source: 'k8s.io/api resource/v1/types.go',
  },
  {
    code: 'DRA121',
    name: 'invalid-name',
    title: 'A name inside an object has a wrong form',
    severity: 'error',
    why: 'Requests, devices and counters are DNS labels, drivers and pools DNS subdomains, and attributes C identifiers after the domain: with a hyphen CEL would read a subtraction.',
    fix: 'Use the form that is named.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      product-name: {string: A100}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      productName: {string: A100}
`,
    source: `${VALIDATION}; kubernetes-sigs/dra-driver-cpu#217`,
  },
  {
    code: 'DRA122',
    name: 'invalid-count',
    title: 'A count of devices cannot be met',
    severity: 'error',
    why: 'A count is at least 1, at most 32 as one claim cannot hold more, and has no meaning beside allocationMode All.',
    fix: 'Write a count from 1 to 32, or allocationMode: All without count.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: All
        count: 8
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 8
`,
    source: VALIDATION,
  },
  {
    code: 'DRA123',
    name: 'too-many-devices',
    title: 'The requests of a claim add up to more than 32 devices',
    severity: 'error',
    why: 'The API server looks at each request alone and takes the claim. The scheduler adds them up and refuses for ever: the pod stays Pending.',
    fix: 'Split the claim: a pod may have several.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
    requests:
    - name: first
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 20}
    - name: second
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 13}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
    requests:
    - name: first
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 20}
    - name: second
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 12}
`,
    source: 'k8s.io/api resource/v1/types.go AllocationResultsMaxSize; k8s.io/dynamic-resource-allocation structured allocator',
  },
  {
    code: 'DRA124',
    name: 'not-exactly-one',
    title: 'Of several fields exactly one must be set',
    severity: 'error',
    why: 'A request is exactly or firstAvailable, a constraint has one attribute, a pod claim names a claim or a template. With none or two the API server refuses the object or ignores one of them.',
    fix: 'Keep the one that is meant.',
    wrong: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: shared
    resourceClaimTemplateName: large
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: gpu}]
`,
    right: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: large
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: gpu}]
`,
    source: `${VALIDATION}, pkg/apis/core/validation/validation.go`,
  },
  {
    code: 'DRA125',
    name: 'invalid-value',
    title: 'A quantity, version or attribute value has a wrong form',
    severity: 'error',
    why: 'Quantities are numbers with a suffix such as Gi, versions follow semver.org without a leading v, texts of attributes have at most 64 bytes: the API server refuses others. Memory below 1Mi, such as 40 for 40Gi, is a warning: every device has more.',
    fix: 'Write the value in the form that is named.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      driverVersion: {version: v570.86}
    capacity:
      memory: {value: 40GB}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      driverVersion: {version: 570.86.0}
    capacity:
      memory: {value: 40Gi}
`,
    source: `${VALIDATION}; k8s.io/apimachinery pkg/api/resource/quantity.go`,
  },
  {
    code: 'DRA126',
    name: 'invalid-parameters',
    title: 'Parameters for a driver have a wrong form',
    severity: 'error',
    why: 'Opaque parameters are a JSON object of at most 10 KiB: the API server refuses texts, lists and more.',
    fix: 'Write an object with named fields; keep large data in a ConfigMap.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
  config:
  - opaque:
      driver: gpu.acme.example
      parameters: "sharing: TimeSlicing"
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
  config:
  - opaque:
      driver: gpu.acme.example
      parameters:
        sharing: TimeSlicing
`,
    source: VALIDATION,
  },
  {
    code: 'DRA127',
    name: 'invalid-taint',
    title: 'A taint or toleration has a wrong form',
    severity: 'error',
    why: 'Keys are label keys, values label values, a taint needs an effect, and the operator Exists takes no value: the API server refuses others.',
    fix: 'Correct the field that is named.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: maintenance
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 1
        tolerations:
        - {key: example.com/maintenance, operator: Exists, value: planned}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: maintenance
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 1
        tolerations:
        - {key: example.com/maintenance, operator: Equal, value: planned}
`,
    kubernetes: '1.36',
    source: VALIDATION,
  },
  {
    code: 'DRA128',
    name: 'invalid-request-policy',
    title: 'A request policy does not fit its capacity',
    severity: 'error',
    why: 'A policy is for devices that are shared, has a default, and all its amounts fit the capacity and the step: the API server refuses others.',
    fix: 'Correct the amount that is named.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    allowMultipleAllocations: true
    capacity:
      memory:
        value: 40Gi
        requestPolicy:
          validRange: {min: 1Gi, step: 1Gi}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    allowMultipleAllocations: true
    capacity:
      memory:
        value: 40Gi
        requestPolicy:
          default: 1Gi
          validRange: {min: 1Gi, step: 1Gi}
`,
    kubernetes: '1.36',
    source: VALIDATION,
  },
  {
    code: 'DRA129',
    name: 'invalid-slice',
    title: 'A ResourceSlice contradicts itself or its pool',
    severity: 'error',
    why: 'The API server refuses a slice with two ways to choose nodes or, from 1.35, with devices beside sharedCounters. A pool with a device twice or a counter set missing is left out by the scheduler as a whole.',
    fix: 'Keep one way; put counter sets into a slice of their own and count it in resourceSliceCount.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  allNodes: true
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-gpu
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
`,
    source: VALIDATION,
  },
];
