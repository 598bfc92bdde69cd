import type { Failure } from './failure';

const SCHEMA = 'OpenAPI schemas of Kubernetes 1.34 to 1.37';

/** API versions and fields of Kubernetes. */
export const FIELD_FAILURES: readonly Failure[] = [
  {
    code: 'DRA110',
    name: 'dropped-field',
    title: 'The target drops a field without a word',
    severity: 'error',
    why: 'A field behind a feature gate that is off is removed when the object is written. There is no error and no warning: the claim then asks for something else than the file says.',
    fix: 'Switch the gate on in every component that reads it and name it in the target, target a version that has it on, or do without the field.',
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
        - key: example.com/maintenance
          operator: Exists
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
`,
    source: 'kubernetes/kubernetes pkg/registry/resource/*/strategy.go, pkg/features/kube_features.go',
  },
  {
    code: 'DRA111',
    name: 'field-of-other-version',
    title: 'A field exists in another Kubernetes version only',
    severity: 'error',
    why: 'The API server of the target does not know the field: kubectl refuses it, other clients write the object without it.',
    fix: 'Leave it out for this cluster, or name the version that the cluster really has.',
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
    nodeAllocatableResources: {}
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
    source: SCHEMA,
  },
  {
    code: 'DRA112',
    name: 'unknown-field',
    title: 'A field does not exist',
    severity: 'error',
    why: 'A misspelt field does nothing. kubectl refuses it with its default --validate=strict; server-side clients and older tools drop it silently.',
    fix: 'Correct the name, or move it to the level that it belongs to.',
    wrong: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplate: large
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
    source: SCHEMA,
  },
  {
    code: 'DRA113',
    name: 'wrong-type',
    title: 'A value has the wrong type',
    severity: 'error',
    why: 'The API server cannot decode the object and refuses it. Often YAML took a word for something else: 1.0 for a number, on for a boolean.',
    fix: 'Put texts in quotes and take numbers out of them.',
    wrong: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  containers:
  - name: train
    image: registry.example/train
    env:
    - name: WORKERS
      value: 8
`,
    right: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  containers:
  - name: train
    image: registry.example/train
    env:
    - name: WORKERS
      value: "8"
`,
    source: SCHEMA,
  },
  {
    code: 'DRA114',
    name: 'missing-field',
    title: 'A required field is missing',
    severity: 'error',
    why: 'The API server refuses the object.',
    fix: 'Add the field.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        allocationMode: ExactCount
        count: 1
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 1
`,
    source: SCHEMA,
  },
  {
    code: 'DRA115',
    name: 'unknown-value',
    title: 'A field has a value that is none of its choices',
    severity: 'error',
    why: 'The API server takes only the values that it knows, in exactly this spelling.',
    fix: 'Use one of the values that are named.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: all-gpus
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: all
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: all-gpus
spec:
  devices:
    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: All
`,
    source: SCHEMA,
  },
  {
    code: 'DRA116',
    name: 'version-not-served',
    title: 'The target does not serve this kind in this version',
    severity: 'error',
    why: 'kubectl answers "no matches for kind", and a Helm release or GitOps sync stops there. Beta versions of resource.k8s.io are off by default.',
    fix: 'Write the version that is named. From 1.34 on that is resource.k8s.io/v1 for claims, templates, classes and slices.',
    wrong: `apiVersion: resource.k8s.io/v1beta2
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    source: 'kubernetes/kubernetes pkg/registry/resource/rest/storage_resource.go; kubernetes-sigs/dra-driver-nvidia-gpu#533',
  },
  {
    code: 'DRA117',
    name: 'shape-of-other-version',
    title: 'The shape belongs to another API version',
    severity: 'error',
    why: 'v1beta1 keeps deviceClassName and count in the request itself and device data under basic; v1 has exactly and no basic. Changing apiVersion alone loses these fields.',
    fix: 'Move the fields to where this version has them.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        deviceClassName: gpu.nvidia.com
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
`,
    source: 'k8s.io/api resource/v1beta1/types.go and resource/v1/types.go',
  },
  {
    code: 'DRA118',
    name: 'nested-pod-claim',
    title: 'A pod claim has the form of Kubernetes before 1.31',
    severity: 'error',
    why: 'The level named source is gone. It is dropped, and the API server refuses a pod claim with neither claim nor template.',
    fix: 'Move the name up beside the name of the entry.',
    wrong: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    source:
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
    source: 'kubernetes/kubernetes#131877',
  },
  {
    code: 'DRA119',
    name: 'label-not-text',
    title: 'The value of a label or annotation is no text',
    severity: 'error',
    why: 'Labels and annotations are texts. Unquoted, YAML reads true, 12 and 1.10 as something else, YAML 1.1 also yes, on and 012: the API server refuses the object.',
    fix: 'Put the value in quotes.',
    wrong: `apiVersion: v1
kind: Namespace
metadata:
  name: ops
  labels:
    resource.kubernetes.io/admin-access: true
`,
    right: `apiVersion: v1
kind: Namespace
metadata:
  name: ops
  labels:
    resource.kubernetes.io/admin-access: "true"
`,
    source: 'k8s.io/apimachinery pkg/apis/meta/v1/types.go; cdk8s-team/cdk8s#1416',
  },
];
