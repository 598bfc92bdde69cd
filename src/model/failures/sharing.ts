import type { Failure } from './failure';

/** A workload with a named claim, of `replicas` pods. */
function deployment(reference: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: inference
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: inference}}
  template:
    metadata: {labels: {app: inference}}
    spec:
      resourceClaims:
      - name: gpu
        ${reference}
      containers:
      - name: server
        image: registry.example/server
        resources:
          claims: [{name: gpu}]
`;
}

function podWith(resources: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  containers:
  - name: train
    image: registry.example/train
    resources: ${resources}
`;
}

function classFor(name: string, resource: string): string {
  return `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: ${name}
spec:
  extendedResourceName: ${resource}
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`;
}

function adminClaim(label: string): string {
  return `apiVersion: v1
kind: Namespace
metadata:
  name: ops
  labels: {${label}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: monitor
  namespace: ops
spec:
  devices:
    requests:
    - name: gpus
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: All, adminAccess: true}
`;
}

function quota(key: string): string {
  return `apiVersion: v1
kind: ResourceQuota
metadata:
  name: devices
  namespace: team-a
spec:
  hard:
    ${key}: 8
`;
}

/** Sharing, quota, extended resources, admin access and driver config. */
export const SHARING_FAILURES: readonly Failure[] = [
  {
    code: 'DRA150',
    name: 'shared-claim',
    title: 'Several pods share one claim',
    severity: 'warning',
    why: 'A named claim is allocated once: all pods that name it get the same devices and must run where these are. Replicas do not get a device each.',
    fix: 'Name a ResourceClaimTemplate for devices of its own for each pod. Keep the claim where sharing is meant.',
    wrong: deployment('resourceClaimName: gpu', 2),
    right: deployment('resourceClaimTemplateName: gpu', 2),
    source: 'Kubernetes documentation, Dynamic Resource Allocation',
  },
  {
    code: 'DRA151',
    name: 'too-many-consumers',
    title: 'More than 256 pods use one claim',
    severity: 'error',
    why: 'status.reservedFor of a claim holds 256 entries; further pods stay Pending.',
    fix: 'Use a template, or several claims.',
    wrong: deployment('resourceClaimName: gpu', 257),
    right: deployment('resourceClaimName: gpu', 256),
    source: 'k8s.io/api resource/v1/types.go ResourceClaimReservedForMaxSize',
  },
  {
    code: 'DRA152',
    name: 'extended-resource-twice',
    title: 'Two classes answer for one extended resource',
    severity: 'warning',
    why: 'The scheduler takes the class that was created last, and the smaller name among equals. The other class gets no request, and which one it is depends on the order of installation.',
    fix: 'Keep the name on one class.',
    wrong: `${classFor('gpu-small', 'example.com/gpu')}---
${classFor('gpu-large', 'example.com/gpu')}`,
    right: `${classFor('gpu-small', 'example.com/gpu')}---
${classFor('gpu-large', 'example.com/gpu-large')}`,
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/dynamicresources/extendeddynamicresources.go',
  },
  {
    code: 'DRA153',
    name: 'extended-resource-name',
    title: 'The name of an extended resource has a wrong form',
    severity: 'error',
    why: 'An extended resource has a domain, in lower case and not of Kubernetes: the API server refuses others, in classes and in containers. The names that classes have by themselves are deviceclass.resource.kubernetes.io/<class>, with a class name of at most 63 characters.',
    fix: 'Write <domain>/<resource>.',
    wrong: classFor('gpu', 'gpu'),
    right: classFor('gpu', 'example.com/gpu'),
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes pkg/apis/core/v1/helper/helpers.go IsExtendedResourceName; kubernetes/kubernetes#135667',
  },
  {
    code: 'DRA154',
    name: 'extended-resource-not-served',
    title: 'The target does not serve extended resources from claims',
    severity: 'error',
    why: 'Where DRAExtendedResource is off, extended resources come from device plugins only. The pod stays Pending with "Insufficient …".',
    fix: 'Switch the gate on in all components, target 1.36 or later, or use a claim.',
    wrong: podWith('{limits: {deviceclass.resource.kubernetes.io/gpu.nvidia.com: 1}}'),
    right: podWith('{limits: {nvidia.com/gpu: 1}}'),
    source: 'kubernetes/kubernetes pkg/features/kube_features.go DRAExtendedResource',
  },
  {
    code: 'DRA155',
    name: 'extended-resource-amount',
    title: 'The amount of an extended resource is refused',
    severity: 'error',
    why: 'Extended resources are whole numbers and cannot be overcommitted: request and limit are equal, and a request alone is refused.',
    fix: 'Write the same whole number in limits and, if at all, in requests.',
    wrong: podWith('{requests: {nvidia.com/gpu: 1}}'),
    right: podWith('{requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}'),
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  {
    code: 'DRA156',
    name: 'admin-access-not-allowed',
    title: 'Admin access in a namespace that does not allow it',
    severity: 'error',
    why: 'Claims and templates with adminAccess reach devices that others use. The API server refuses them unless the namespace has the label resource.kubernetes.io/admin-access with exactly "true".',
    fix: 'Label the namespace. Whoever may edit namespaces can give this right.',
    wrong: adminClaim('resource.kubernetes.io/admin-access: "True"'),
    right: adminClaim('resource.kubernetes.io/admin-access: "true"'),
    source: 'kubernetes/kubernetes pkg/registry/resource/utils.go',
  },
  {
    code: 'DRA157',
    name: 'claim-without-owner',
    title: 'A claim was made for a pod, and no pod owns it',
    severity: 'warning',
    why: 'The claim controller deletes what it made through the owner reference. Without one the claim stays, keeps its name, and a new pod of that name cannot use it.',
    fix: 'Use a ResourceClaimTemplate, or set metadata.ownerReferences.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: trainer-gpu
  annotations: {resource.kubernetes.io/pod-claim-name: gpu}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: trainer-gpu
  annotations: {resource.kubernetes.io/pod-claim-name: gpu}
  ownerReferences:
  - {apiVersion: v1, kind: Pod, name: trainer, uid: 6dbd7e6a-3c0e-4a4d-9b5c-0d0d6f6c5a11, controller: true}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
`,
    source: 'Project-HAMi/HAMi-DRA#21',
  },
  {
    code: 'DRA158',
    name: 'quota-counts-nothing',
    title: 'A quota for devices counts nothing',
    severity: 'warning',
    why: 'Quota takes any key with a slash that looks like a resource. Only <class>.deviceclass.resource.k8s.io/devices counts devices of a class, and requests.<name> extended resources, with requests.deviceclass.resource.kubernetes.io/<class> for the name that a class has by itself. A key without a slash, or with a domain in upper case, is refused.',
    fix: 'Correct the key, and name a class that exists.',
    wrong: quota('gpu.nvidia.com.deviceclass.resource.k8s.io/device'),
    right: quota('gpu.nvidia.com.deviceclass.resource.k8s.io/devices'),
    source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/resource_claims.go and pods.go, pkg/apis/core/validation/validation.go',
  },
  {
    code: 'DRA159',
    name: 'driver-config-refused',
    title: 'The driver does not accept these parameters',
    severity: 'error',
    why: 'The API server does not know what parameters mean. The driver finds out on the node, after the pod was bound: it then stays in ContainerCreating.',
    fix: 'Correct the field that is named by the documentation of the driver.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu-shared
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.nvidia.com"
  config:
  - opaque:
      driver: gpu.nvidia.com
      parameters:
        apiVersion: resource.nvidia.com/v1beta1
        kind: GpuConfig
        sharing:
          strategy: TimeSlice
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu-shared
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.nvidia.com"
  config:
  - opaque:
      driver: gpu.nvidia.com
      parameters:
        apiVersion: resource.nvidia.com/v1beta1
        kind: GpuConfig
        sharing:
          strategy: TimeSlicing
`,
    source: 'the driver profiles of this project; kubernetes-sigs/dra-driver-nvidia-gpu#501',
  },
];
