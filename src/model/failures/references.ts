import type { Failure } from './failure';

/** A policy for slices, and a binding for the policy that is named. */
function boundPolicy(policyName: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: own-slices
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [resource.k8s.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [resourceslices]}
  validations: [{expression: object.spec.driver == "gpu.acme.example"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: own-slices
spec:
  policyName: ${policyName}
  validationActions: [Deny]
`;
}

/** Names of other objects, and of parts of the same one. */
export const REFERENCE_FAILURES: readonly Failure[] = [
  {
    code: 'DRA130',
    name: 'class-not-found',
    title: 'A request names a DeviceClass that is not in the input',
    severity: 'warning',
    why: 'Classes are usually installed by the driver or the platform. If nobody does, the pod stays Pending with "device class does not exist".',
    fix: 'Correct the name, or check the class together with the claim.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu-large
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu-larg, allocationMode: ExactCount, count: 1}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu-large
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu-large, allocationMode: ExactCount, count: 1}
`,
    source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/dynamicresources',
  },
  {
    code: 'DRA131',
    name: 'claim-not-found',
    title: 'A pod names a claim or template that is not in the input',
    severity: 'warning',
    why: 'A pod waits for its claim. For a named claim there is not even an event: it stays Pending silently.',
    fix: 'Correct the name, or check claim and pod together.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: large
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: large
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: gpu}]
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: large
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
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
    source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/dynamicresources, PreEnqueue',
  },
  {
    code: 'DRA132',
    name: 'container-claim-not-found',
    title: 'A container uses a claim that its pod does not have',
    severity: 'error',
    why: 'resources.claims of a container names an entry of resourceClaims of its pod, not a ResourceClaim: the API server refuses the pod.',
    fix: 'Use the name of the entry in the pod spec.',
    wrong: `apiVersion: v1
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
      claims: [{name: large}, {name: gpu}]
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
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  {
    code: 'DRA133',
    name: 'request-not-found',
    title: 'A container uses a request that the claim does not have',
    severity: 'error',
    why: 'The container starts without the device, or the API server refuses the pod where an alternative (request/subrequest) is named.',
    fix: 'Name a request of the claim, or leave it out to get the devices of all.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: pair
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: devices
    resourceClaimTemplateName: pair
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: devices, request: gpus}]
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: pair
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: devices
    resourceClaimTemplateName: pair
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: devices, request: gpu}]
`,
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go, pkg/kubelet/cm/dra',
  },
  {
    code: 'DRA134',
    name: 'unknown-request-reference',
    title: 'A constraint or config names a request that the claim does not have',
    severity: 'error',
    why: 'The API server refuses the claim.',
    fix: 'Name a request, or request/subrequest for one of its alternatives; leave the list out to mean all.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 2}
    constraints:
    - requests: [gpu]
      matchAttribute: resource.kubernetes.io/pcieRoot
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: pair
spec:
  devices:
    requests:
    - name: gpus
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 2}
    constraints:
    - requests: [gpus]
      matchAttribute: resource.kubernetes.io/pcieRoot
`,
    source: 'kubernetes/kubernetes pkg/apis/resource/validation/validation.go',
  },
  {
    code: 'DRA135',
    name: 'unused-claim',
    title: 'No container uses a claim of its pod',
    severity: 'warning',
    why: 'The devices are allocated and prepared all the same and blocked for others, but no container sees them. Network devices are the exception: they belong to the pod as a whole.',
    fix: 'Add the claim to resources.claims of a container, or remove it from the pod.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: large
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
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
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: large
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
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
    source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/dynamicresources, pkg/kubelet/cm/dra',
  },
  {
    code: 'DRA136',
    name: 'account-not-found',
    title: 'A pod or binding names a ServiceAccount that is not in the input',
    severity: 'warning',
    why: 'A binding to an account that does not exist gives no rights, and a pod with such an account is not created. Usually the name was typed twice.',
    fix: 'Use one name in both places.',
    wrong: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: gpu-driver
  namespace: drivers
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gpu-driver-privileged
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:openshift:scc:privileged"}
subjects:
- {kind: ServiceAccount, name: gpu-driver-account, namespace: drivers}
`,
    right: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: gpu-driver
  namespace: drivers
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gpu-driver-privileged
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:openshift:scc:privileged"}
subjects:
- {kind: ServiceAccount, name: gpu-driver, namespace: drivers}
`,
    source: 'kubernetes-sigs/dra-driver-nvidia-gpu#753',
  },
  {
    code: 'DRA137',
    name: 'role-not-found',
    title: 'A binding names a role that is not in the input',
    severity: 'warning',
    why: 'The binding is accepted and gives no rights until the role exists.',
    fix: 'Correct the name, or check the role together with the binding.',
    wrong: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: claim-reader
rules:
- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: claim-reader
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: claims-reader}
subjects:
- {kind: Group, apiGroup: rbac.authorization.k8s.io, name: operators}
`,
    right: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: claim-reader
rules:
- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: claim-reader
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: claim-reader}
subjects:
- {kind: Group, apiGroup: rbac.authorization.k8s.io, name: operators}
`,
    source: 'Kubernetes documentation, Using RBAC Authorization',
  },
  {
    code: 'DRA138',
    name: 'policy-not-bound',
    title: 'An admission policy and its binding do not meet',
    severity: 'warning',
    why: 'A policy decides only where a binding names it, and a binding without its policy does nothing: what should be protected is not.',
    fix: 'Give the binding the name of the policy.',
    wrong: boundPolicy('own-slice'),
    right: boundPolicy('own-slices'),
    source: 'Kubernetes documentation, Validating Admission Policy',
  },
  {
    code: 'DRA139',
    name: 'claim-in-other-namespace',
    title: 'A pod names a claim of another namespace',
    severity: 'warning',
    why: 'A pod sees claims and templates of its own namespace only. There is no claim for several namespaces.',
    fix: 'Put a template into each namespace, or run the pods that share devices in one.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
  namespace: team-a
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
  namespace: team-b
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: shared
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: gpu}]
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
  namespace: team-a
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
---
apiVersion: v1
kind: Pod
metadata:
  name: trainer
  namespace: team-a
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: shared
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims: [{name: gpu}]
`,
    source: 'kubernetes/kubernetes#128440',
  },
];
