import type { Failure } from './failure';

function driverRole(rules: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: gpu-driver
rules:
${rules}
`;
}

const BINDING = `---
apiVersion: v1
kind: ServiceAccount
metadata: {name: gpu-driver, namespace: drivers}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: gpu-driver}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: gpu-driver}
subjects:
- {kind: ServiceAccount, name: gpu-driver, namespace: drivers}
`;

const SLICE_RULE = '- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: [get, list, watch, create, update, patch, delete]}';

function policyFor(account: string): string {
  return `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: gpu-slices}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [resource.k8s.io], apiVersions: ["*"], operations: [CREATE, UPDATE, DELETE], resources: [resourceslices]}
  matchConditions:
  - name: driver
    expression: request.userInfo.username == "system:serviceaccount:${account}"
  validations:
  - expression: >-
      request.userInfo.?extra[?"authentication.kubernetes.io/node-name"][0].orValue("")
      == (request.operation == "DELETE" ? oldObject : object).spec.?nodeName.orValue("")
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: gpu-slices}
spec: {policyName: gpu-slices, validationActions: [Deny]}
`;
}

function daemonSet(paths: { readonly plugins: string; readonly cdi: string }, strategy: string, env: string): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: gpu-driver, namespace: drivers}
spec:
  selector: {matchLabels: {app: gpu-driver}}
  updateStrategy: ${strategy}
  template:
    metadata: {labels: {app: gpu-driver}}
    spec:
      containers:
      - name: plugin
        image: registry.example/gpu-driver
        env: ${env}
        volumeMounts:
        - {name: registry, mountPath: /var/lib/kubelet/plugins_registry}
        - {name: plugins, mountPath: ${paths.plugins}}
        - {name: cdi, mountPath: /cdi}
      volumes:
      - {name: registry, hostPath: {path: /var/lib/kubelet/plugins_registry}}
      - {name: plugins, hostPath: {path: ${paths.plugins}}}
      - {name: cdi, hostPath: {path: ${paths.cdi}}}
`;
}

const PATHS = { plugins: '/var/lib/kubelet/plugins', cdi: '/var/run/cdi' };
const UID = '[{name: POD_UID, valueFrom: {fieldRef: {fieldPath: metadata.uid}}}]';
const SURGE = '{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}';

/** How drivers are deployed: rights, policies, paths, updates. */
export const DEPLOYMENT_FAILURES: readonly Failure[] = [
  {
    code: 'DRA160',
    name: 'status-right-missing',
    title: 'A right to write claim status is not enough from 1.36 on',
    severity: 'error',
    why: 'Besides resourceclaims/status the API server asks for resourceclaims/driver to change status.devices, and for resourceclaims/binding to change allocation or reservedFor. Without, every write is refused and pods wait for their network or device.',
    fix: 'Add the rule for resourceclaims/driver with the name of the driver and the verbs associated-node:update and associated-node:patch.',
    wrong: driverRole('- {apiGroups: [resource.k8s.io], resources: [resourceclaims/status], verbs: [update, patch]}'),
    right: driverRole(`- {apiGroups: [resource.k8s.io], resources: [resourceclaims/status], verbs: [update, patch]}
- apiGroups: [resource.k8s.io]
  resources: [resourceclaims/driver]
  resourceNames: [gpu.acme.example]
  verbs: ["associated-node:update", "associated-node:patch"]`),
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes#138149; pkg/registry/resource/resourceclaim/strategy.go',
  },
  {
    code: 'DRA161',
    name: 'slices-of-other-nodes',
    title: 'A driver may write the slices of every node',
    severity: 'info',
    why: 'RBAC cannot tell nodes apart. Whoever takes over one node can announce devices on all, unless a policy compares the node of the slice with the node of the token.',
    fix: 'Add a ValidatingAdmissionPolicy for the account of the driver.',
    wrong: driverRole(SLICE_RULE) + BINDING,
    right: driverRole(SLICE_RULE) + BINDING + policyFor('drivers:gpu-driver'),
    source: 'Kubernetes documentation, hardening guide for Dynamic Resource Allocation',
  },
  {
    code: 'DRA162',
    name: 'policy-for-nobody',
    title: 'A policy for slices is about another account than the driver\'s',
    severity: 'warning',
    why: 'The condition never holds, so the policy lets everything through and nobody notices.',
    fix: 'Use the namespace and name of the account that the driver runs as, from one place.',
    wrong: driverRole(SLICE_RULE) + BINDING + policyFor('drivers:gpu-driver-account'),
    right: driverRole(SLICE_RULE) + BINDING + policyFor('drivers:gpu-driver'),
    source: 'kubernetes-sigs/dra-driver-nvidia-gpu#753',
  },
  {
    code: 'DRA163',
    name: 'kubelet-root-mismatch',
    title: 'A driver mounts paths of two kubelet roots',
    severity: 'warning',
    why: 'The kubelet finds the registration socket below its root and dials the path that the driver reports. If the two folders differ, or the path differs inside the container, the driver never registers.',
    fix: 'Derive all paths from one kubelet root, e.g. /var/lib/k0s/kubelet, and mount them at the same path.',
    wrong: daemonSet({ ...PATHS, plugins: '/var/lib/k0s/kubelet/plugins' }, SURGE, UID),
    right: daemonSet(PATHS, SURGE, UID),
    source: 'kubernetes-sigs/dranet#250',
  },
  {
    code: 'DRA164',
    name: 'cdi-folder-unknown',
    title: 'CDI files go where the container runtime does not look',
    severity: 'warning',
    why: 'containerd and CRI-O read /etc/cdi and /var/run/cdi. With another folder the pod fails with an unresolvable CDI device.',
    fix: 'Use /var/run/cdi, or configure the runtime of every node.',
    wrong: daemonSet({ ...PATHS, cdi: '/opt/cdi' }, SURGE, UID),
    right: daemonSet(PATHS, SURGE, UID),
    source: 'intel/intel-resource-drivers-for-kubernetes#35',
  },
  {
    code: 'DRA165',
    name: 'driver-update-gap',
    title: 'An update of the driver leaves a gap, or two pods with one socket',
    severity: 'error',
    why: 'While no driver runs, no pod with its devices can start. With maxSurge the new pod starts first, but both need sockets of their own, named after the pod uid. maxSurge: 1 alone is refused: the API server fills in maxUnavailable: 1, and one of the two must be 0.',
    fix: 'Write maxSurge: 1, maxUnavailable: 0 and POD_UID together, or none of them.',
    wrong: daemonSet(PATHS, '{type: RollingUpdate, rollingUpdate: {maxSurge: 1}}', UID),
    right: daemonSet(PATHS, SURGE, UID),
    source: 'kubernetes-sigs/dra-example-driver#107; kubernetes/kubernetes pkg/apis/apps/validation/validation.go',
  },
  {
    code: 'DRA166',
    name: 'rights-too-wide',
    title: 'A role allows more than its work needs',
    severity: 'warning',
    why: 'Who may write the status of every claim can hand devices to itself. And an operator cannot create a role that allows more than it may do itself.',
    fix: 'Write one rule for each group, with the resources and verbs that are used, and resourceNames for resourceclaims/driver.',
    wrong: driverRole('- {apiGroups: [resource.k8s.io], resources: ["*"], verbs: ["*"]}'),
    right: driverRole('- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [get]}'),
    source: 'NVIDIA/gpu-operator#2697',
  },
];
