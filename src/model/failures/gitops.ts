import type { Failure } from './failure';

/** A claim template with the given fields of its request. */
function template(request: string): string {
  return `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: gpu
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {${request}}
`;
}

/** Objects kept in Git. */
export const GITOPS_FAILURES: readonly Failure[] = [
  {
    code: 'DRA170',
    name: 'default-not-written',
    title: 'The API server fills in a default',
    severity: 'info',
    why: 'Lists of requests are compared as a whole, so a GitOps engine that compares Git with the cluster may see the default as a change on every pass, and a second tool that applies the claim meets a conflict. Nothing breaks, and most manifests leave the defaults out: it is told once for all objects.',
    fix: 'Write allocationMode and count out where an engine applies the manifests.',
    wrong: template('deviceClassName: gpu.nvidia.com'),
    right: template('deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1'),
    source: 'kubernetes/kubernetes pkg/apis/resource/v1/defaults.go',
  },
  {
    code: 'DRA171',
    name: 'server-fields',
    title: 'A manifest holds fields that the server writes',
    severity: 'info',
    why: 'resourceVersion and uid come from an object that was read from a cluster. Applied again they conflict as soon as the object has changed, or in another cluster.',
    fix: 'Remove them, and status, before you keep the object in Git.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
  resourceVersion: "1234"
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
    source: 'Kubernetes API conventions, concurrency control',
  },
  {
    code: 'DRA172',
    name: 'immutable-changed',
    title: 'A manifest changes what nobody can change',
    severity: 'error',
    why: 'The spec of a claim or claim template is fixed for its life, and so are driver, pool and node of a slice and the claims of a pod or Job. The API server refuses the change when the commit is already merged, and a GitOps engine then stops with everything after it.',
    fix: 'Give the changed object another name, and let what uses it name that one.',
    previous: template('deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1'),
    wrong: template('deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 2'),
    right: template('deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 2').replace('name: gpu\nspec', 'name: gpu-2\nspec'),
    source: 'kubernetes/kubernetes pkg/apis/resource/validation/validation.go, pkg/apis/core/validation/validation.go',
  },
];
