import type { Failure } from './failure';

/** A DeviceMigration of GPUs on one instance type with these fields beside. */
function migration(name: string, fields: readonly string[], { family = 'gpu', driver = 'gpu.nvidia.com', type = name, classes = 'gpu.nvidia.com' } = {}): string {
  return `apiVersion: cdk8s-dra.dev/v1alpha1
kind: DeviceMigration
metadata:
  name: ${name}
spec:
  family: ${family}
  driver: ${driver}
  nodes: {matchLabels: {node.kubernetes.io/instance-type: ${type}}}
  deviceClassNames: [${classes}]
${fields.map(field => `  ${field}\n`).join('')}`;
}

const OBSERVE = 'phase: Observe';
const CANARY = ['phase: Canary', 'canary: {nodes: 2, namespaces: [sandbox]}'];
const LEGACY = 'legacy: {resources: [{name: nvidia.com/gpu}], plugin: NVIDIA/k8s-device-plugin}';

/** The device plugin as a DaemonSet with this pod spec before its containers. */
function plugin(affinity: string): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: nvidia-device-plugin}}
  template:
    metadata: {labels: {app.kubernetes.io/name: nvidia-device-plugin}}
    spec:
${affinity}      containers:
      - {name: plugin, image: "nvcr.io/nvidia/k8s-device-plugin:v0.17.4", volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]}
      volumes:
      - {name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}
`;
}

const AFFINITY = `      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: cdk8s-dra.dev/gpu-owner, operator: NotIn, values: [handover, dra]}]
`;

/** A Job that asks for one GPU in the old way. */
const OLD_JOB = `apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: vision}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: "registry.k8s.io/pause:3.10", resources: {limits: {nvidia.com/gpu: 1}}}
`;

/** A class of NVIDIA's GPUs with more fields of its spec. */
function deviceClass(name: string, field = ''): string {
  return `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: ${name}}
spec:
${field}  selectors:
  - {cel: {expression: device.driver == "gpu.nvidia.com"}}
`;
}

/** A Job of a queue, with its claim template and more fields in its request. */
function queued(field: string): string {
  return `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: vision}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          allocationMode: ExactCount
          count: 1
${field === '' ? '' : `          ${field}\n`}---
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: vision, labels: {kueue.x-k8s.io/queue-name: vision}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
      containers:
      - {name: main, image: "registry.k8s.io/pause:3.10", resources: {claims: [{name: gpu}]}}
`;
}

/** Quotas for namespace vision by the old name and by class. */
function tenant(total: number): string {
  return `apiVersion: cdk8s-dra.dev/v1alpha1
kind: DeviceTenant
metadata: {name: vision}
spec:
  namespaces: [vision]
  quota: {source: ResourceQuota, devices: [{deviceClassName: gpu.nvidia.com, count: ${total}}]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: devices, namespace: vision}
spec:
  hard: {requests.nvidia.com/gpu: 4, gpu.nvidia.com.deviceclass.resource.k8s.io/devices: 4}
`;
}

function documents(...texts: readonly string[]): string {
  return texts.join('---\n');
}

const PROOFS = 'docs/migration.md, owners of a node';
const MOVES = 'docs/migration.md, phases';

/** Migrations from a device plugin to DRA: moves between two commits, then what is proved of one, then what a cluster says against it. */
export const MIGRATION_FAILURES: readonly Failure[] = [
  {
    code: 'DRA401',
    name: 'phase-skipped',
    title: 'A migration skips a phase',
    severity: 'error',
    why: 'Each phase is there so that gates can look at it before more is at stake. The API server refuses the skip too, at a moment when the commit is already merged. A migration that is new starts where it likes, but where a plugin serves its nodes all of them would move at once.',
    fix: 'Set the next phase, and move on in later commits. Going back may skip phases.',
    previous: migration('p4d', [OBSERVE]),
    wrong: migration('p4d', ['phase: Expand', 'canary: {nodes: 2, namespaces: [sandbox]}']),
    right: migration('p4d', CANARY),
    source: MOVES,
  },
  {
    code: 'DRA402',
    name: 'canary-shrunk',
    title: 'A canary shrinks while it is in use',
    severity: 'error',
    why: 'Nodes of a canary stay chosen, since devices on them may be held. With fewer nodes it would be open which of them go, and running work decides that better than a number.',
    fix: 'Go back to Observe: nodes are given back as they empty. Then start a smaller canary.',
    previous: migration('p4d', CANARY),
    wrong: migration('p4d', ['phase: Canary', 'canary: {nodes: 1, namespaces: [sandbox]}']),
    right: migration('p4d', ['phase: Observe', 'canary: {nodes: 1, namespaces: [sandbox]}']),
    source: MOVES,
  },
  {
    code: 'DRA403',
    name: 'migration-name-reused',
    title: 'The name of a migration is used again for something else',
    severity: 'error',
    why: 'Labels on nodes, holds, history and evidence of the old migration would be taken for those of the new one. The API server refuses the change of family and driver.',
    fix: 'Make a migration under another name, and retire the old one.',
    previous: migration('p4d', [OBSERVE]),
    wrong: migration('p4d', [OBSERVE], { driver: 'gpu.example.com' }),
    right: migration('p4d', [OBSERVE]),
    source: MOVES,
  },
  {
    code: 'DRA404',
    name: 'migration-removed',
    title: 'A migration is gone in the middle of the move',
    severity: 'error',
    why: 'Its nodes keep their owners, its classes open for everyone, and nothing can hold, fence or roll back the pool. At the end of the move it is a retirement, which cannot be taken back.',
    fix: 'Go back to Legacy and wait until no node is owned by DRA, or go on to PluginRemoved.',
    previous: documents(migration('p4d', CANARY), migration('p5', [OBSERVE])),
    wrong: migration('p5', [OBSERVE]),
    right: documents(migration('p4d', ['phase: Legacy']), migration('p5', [OBSERVE])),
    source: MOVES,
  },
  {
    code: 'DRA405',
    name: 'nodes-leave-pool',
    title: 'Nodes leave a pool that is on the move',
    severity: 'warning',
    why: 'A node that no migration selects keeps its owner, and no hold, gate or rollback reaches it any more. Where no such node is left nothing is wrong; manifests do not tell.',
    fix: 'Keep the selector until the nodes are gone, or go back to Observe first.',
    previous: migration('p4d', CANARY),
    wrong: migration('p4d', CANARY, { type: 'p4de' }),
    right: migration('p4d', CANARY),
    source: MOVES,
  },
  {
    code: 'DRA406',
    name: 'class-leaves-migration',
    title: 'A class leaves its migration before its door is open',
    severity: 'error',
    why: 'A class of no migration is open. Whoever takes a class off the list opens it for everyone at once, past the canary.',
    fix: 'Keep the class listed until AllWorkloads, or delete it in the same commit.',
    previous: migration('p4d', CANARY, { classes: 'gpu.nvidia.com, mig.nvidia.com' }),
    wrong: migration('p4d', CANARY),
    right: migration('p4d', CANARY, { classes: 'gpu.nvidia.com, mig.nvidia.com' }),
    source: MOVES,
  },
  {
    code: 'DRA410',
    name: 'pools-overlap',
    title: 'Two pools of one family may share a node',
    severity: 'error',
    why: 'Each migration moves its nodes by its own plan. On a node of both, one hands the devices to DRA while the other gives them back to the device plugin: the devices get two owners.',
    fix: 'Let both select by one label with different values. If other labels keep them apart, name the other pool in assumesDisjoint; check --snapshot then looks at the nodes.',
    wrong: documents(migration('p4d', [OBSERVE]), `apiVersion: cdk8s-dra.dev/v1alpha1
kind: DeviceMigration
metadata: {name: zone-a}
spec:
  family: gpu
  driver: gpu.nvidia.com
  nodes: {matchLabels: {topology.kubernetes.io/zone: a}}
  deviceClassNames: [gpu.nvidia.com]
  phase: Observe
`),
    right: documents(migration('p4d', [OBSERVE]), migration('p5', [OBSERVE])),
    source: PROOFS,
  },
  {
    code: 'DRA411',
    name: 'impossible-pool',
    title: 'A pool or canary can have no nodes, or loses them by its own move',
    severity: 'error',
    why: 'Conditions that contradict each other select nothing, so nothing would ever move. A pool that is chosen by the owner label changes while its nodes are handed over, and nobody finishes the hand-over.',
    fix: 'Select by what a node is, e.g. its instance type, with conditions that can hold together.',
    wrong: migration('p4d', ['phase: Canary', 'canary: {nodes: 2, namespaces: [sandbox], selector: {matchLabels: {node.kubernetes.io/instance-type: p5}}}']),
    right: migration('p4d', ['phase: Canary', 'canary: {nodes: 2, namespaces: [sandbox], selector: {matchLabels: {topology.kubernetes.io/zone: a}}}']),
    source: PROOFS,
  },
  {
    code: 'DRA412',
    name: 'two-owners',
    title: 'A device plugin and a DRA driver can serve one node',
    severity: 'error',
    why: 'Neither sees what the other gave away, so one device goes to two pods. Where the plugin also runs in handover, or the driver before dra, the two meet while one ends and the other starts.',
    fix: 'Give the plugin the required node affinity <owner label> NotIn (handover, dra) and the driver In (dra).',
    wrong: documents(migration('p4d', [OBSERVE, LEGACY]), plugin('')),
    right: documents(migration('p4d', [OBSERVE, LEGACY]), plugin(AFFINITY)),
    source: `${PROOFS}; reports of double use: NVIDIA/aicr#332, Project-HAMi/HAMi#2076`,
  },
  {
    code: 'DRA413',
    name: 'door-without-nodes',
    title: 'A phase opens the classes of a pool and moves none of its nodes',
    severity: 'warning',
    why: 'Admission lets claims in, and no node becomes DRA\'s that could serve them: their pods wait unless another pool serves the class, and gates wait for data that never comes.',
    fix: 'Let at least one node move (1% is rounded up to one), or stay in the phase before.',
    wrong: migration('p4d', ['phase: Canary', 'canary: {nodes: 0, namespaces: [sandbox]}']),
    right: migration('p4d', ['phase: Observe', 'canary: {nodes: 0, namespaces: [sandbox]}']),
    source: MOVES,
  },
  {
    code: 'DRA414',
    name: 'resource-name-on-two-classes',
    title: 'A resource that moves is, or will be, on two classes',
    severity: 'error',
    why: 'Of two classes with one extended resource name the scheduler takes the newest, so the devices that a pod gets change with the next class that somebody creates.',
    fix: 'Leave the name on no class: the bridge puts it on the first class of the migration once all pools of the resource are in Expand.',
    wrong: documents(migration('p4d', [OBSERVE, LEGACY], { classes: 'gpu-large' }), deviceClass('gpu-large'), deviceClass('gpu-any', '  extendedResourceName: nvidia.com/gpu\n')),
    right: documents(migration('p4d', [OBSERVE, 'legacy: {resources: [{name: nvidia.com/gpu}]}']), deviceClass('gpu-any')),
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/dynamicresources/extended/extendedresourcecache',
  },
  {
    code: 'DRA415',
    name: 'bridge-name-in-git',
    title: 'A class of a migration carries an extended resource name in Git',
    severity: 'error',
    why: 'The bridge is part of the move: its name comes onto the class when all pools of the resource are in Expand, and goes first when something is held. In Git a GitOps engine would put it back against that, and below Expand pods would land on canary nodes.',
    fix: 'Remove extendedResourceName from the class.',
    wrong: documents(migration('p4d', [OBSERVE], { classes: 'gpu-large' }), deviceClass('gpu-large', '  extendedResourceName: nvidia.com/gpu\n')),
    right: documents(migration('p4d', [OBSERVE], { classes: 'gpu-large' }), deviceClass('gpu-large')),
    kubernetes: '1.36',
    source: 'docs/migration.md, phases',
  },
  {
    code: 'DRA416',
    name: 'no-path',
    title: 'A workload asks for devices on a way that is closed, or where no node offers them',
    severity: 'error',
    why: 'The doors refuse new work at submission, and without a node that offers the resource a pod waits for ever. A warning says that the next promotion does this to a workload, or that its node selector allows nodes of the other owner only.',
    fix: 'Ask for what is open in the phase of the pool, or move the pool on first.',
    wrong: documents(migration('p4d', ['phase: AllWorkloads', 'canary: {nodes: 2, namespaces: [sandbox]}', LEGACY]), OLD_JOB),
    right: documents(migration('p4d', ['phase: Canary', 'canary: {nodes: 2, namespaces: [sandbox]}', 'expand: {legacyFloor: 2}', LEGACY]), OLD_JOB),
    source: 'docs/migration.md, doors',
  },
  {
    code: 'DRA417',
    name: 'no-legacy-floor',
    title: 'Nothing keeps nodes for work that asks in the old way',
    severity: 'warning',
    why: 'In Expand the old way stays open, but step by step all nodes move. Where no bridge serves the old name, its pods wait for ever after the last step.',
    fix: 'Set expand.legacyFloor to the nodes that such work needs, or change it to claims.',
    wrong: documents(migration('p4d', ['phase: Expand', 'canary: {nodes: 2, namespaces: [sandbox]}', LEGACY]), OLD_JOB),
    right: documents(migration('p4d', ['phase: Expand', 'canary: {nodes: 2, namespaces: [sandbox]}', 'expand: {legacyFloor: 2}', LEGACY]), OLD_JOB),
    source: 'docs/migration.md, phases',
  },
  {
    code: 'DRA418',
    name: 'quota-of-both-ways',
    title: 'Quotas of the old way and of claims add up to more than a tenant may have',
    severity: 'error',
    why: 'Quota counts the old resource and the devices of a class apart. While both doors are open a tenant can fill both; a way without a limit has none.',
    fix: 'Split the total of the tenant between the two keys, and shift the split with the phase. 0 closes a way.',
    wrong: documents(migration('p4d', ['phase: Expand', 'canary: {nodes: 2, namespaces: [sandbox]}', LEGACY]), tenant(4)),
    right: documents(migration('p4d', ['phase: Expand', 'canary: {nodes: 2, namespaces: [sandbox]}', LEGACY]), tenant(8)),
    source: 'kubernetes/kubernetes pkg/quota/v1/evaluator/core/resource_claims.go',
  },
  {
    code: 'DRA419',
    name: 'group-apart',
    title: 'Migrations of one group do not move together',
    severity: 'error',
    why: 'A group is for families whose devices are on the same nodes: one drain moves all. Different nodes, phases or canaries would drain a node for one family and leave the other behind.',
    fix: 'Write the same nodes, phase, canary and steps in all members, each for another family.',
    wrong: documents(
      migration('gpus', [OBSERVE, 'group: p4d'], { type: 'p4d' }),
      migration('nics', ['phase: Legacy', 'group: p4d'], { family: 'nic', driver: 'nic.example.com', type: 'p4d' }),
    ),
    right: documents(
      migration('gpus', [OBSERVE, 'group: p4d'], { type: 'p4d' }),
      migration('nics', [OBSERVE, 'group: p4d'], { family: 'nic', driver: 'nic.example.com', type: 'p4d' }),
    ),
    source: PROOFS,
  },
  {
    code: 'DRA420',
    name: 'class-of-migration-not-found',
    title: 'A migration names a DeviceClass that is not in the input',
    severity: 'warning',
    why: 'A door for a class that does not exist lets nobody in, and the class that is meant has no door: it is open for everyone. An error where a class of nearly that name is there.',
    fix: 'Correct the name, or add the class.',
    wrong: migration('p4d', [OBSERVE], { classes: 'gpu-large' }),
    right: documents(migration('p4d', [OBSERVE], { classes: 'gpu-large' }), deviceClass('gpu-large')),
    source: 'docs/migration.md, doors',
  },
  {
    code: 'DRA421',
    name: 'unknown-plugin',
    title: 'A migration names a device plugin that nobody knows',
    severity: 'error',
    why: 'From its name come the switches that take the plugin off a node and the affinity that it needs. For an unknown one nothing is patched, and plugin and driver meet on a node.',
    fix: 'Name a plugin that has a profile, or the DaemonSet of the plugin as namespace/name and check it together with the migration, or leave plugin out.',
    wrong: migration('p4d', [OBSERVE, 'legacy: {resources: [{name: nvidia.com/gpu}], plugin: nvidia/device-plugin}']),
    right: migration('p4d', [OBSERVE, LEGACY]),
    source: 'docs/profiles.md',
  },
  {
    code: 'DRA422',
    name: 'run-time-object-in-git',
    title: 'An object in Git is written while the cluster runs',
    severity: 'warning',
    why: 'A GitOps engine puts back what it finds in Git: a hold that was released comes again, a routing that a controller computed is undone.',
    fix: 'Keep such objects out of what is synced.',
    wrong: `apiVersion: cdk8s-dra.dev/v1alpha1
kind: DeviceHold
metadata: {name: p4d}
spec: {migration: p4d, level: Door, classes: [gpu.nvidia.com], reason: double use suspected}
`,
    right: migration('p4d', [OBSERVE]),
    source: 'docs/migration.md, objects',
  },
  {
    code: 'DRA423',
    name: 'queue-cannot-count',
    title: 'A workload of a Kueue queue asks for devices in a form that Kueue cannot count',
    severity: 'error',
    why: 'Kueue 0.17 counts templates with plain counts of mapped classes. Selectors, alternatives, constraints, config, all devices, admin access and claims by name make it refuse the workload, and an extended resource that a class serves counts only where it stands in requests: the workload is suspended for ever.',
    fix: 'Put the selection into the class, write a template with allocationMode ExactCount and a count, let a KueueQuota count the pool of the class, and write requests beside limits.',
    wrong: queued('selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]'),
    right: queued(''),
    source: 'kubernetes-sigs/kueue v0.17.0 pkg/dra/claims.go, pkg/dra/extended_resources.go',
  },
  {
    code: 'DRA424',
    name: 'resource-of-another-vendor',
    title: 'A migration leaves an extended resource of another vendor than its driver',
    severity: 'error',
    why: 'The driver never has a device for the pods of that resource, and through the bridge it would get them: a pod that asks for one vendor\'s device is given another\'s. The plugin that is on the nodes is not the one that the move keeps away from the driver.',
    fix: 'Name a resource that the device plugin of these nodes advertises. Resources of the same vendor, and names of no vendor such as example.com/gpu, are taken as they are.',
    wrong: migration('p4d', [OBSERVE, 'legacy: {resources: [{name: amd.com/gpu}]}']),
    right: migration('p4d', [OBSERVE, 'legacy: {resources: [{name: nvidia.com/mig-1g.5gb, partition: 1g.5gb}, {name: example.com/gpu}]}']),
    source: 'docs/profiles.md',
  },
  {
    code: 'DRA430',
    name: 'offered-twice',
    title: 'A node offers its devices by plugin and by DRA',
    severity: 'error',
    why: 'The kubelet gives a device to a pod that asks for the resource, the scheduler allocates the same one to a claim: two pods use one device.',
    fix: 'Hold the migration, take the one off the node that its owner label does not name, and look for pods of both that hold one device.',
    source: 'reports of double use: NVIDIA/aicr#332, Project-HAMi/HAMi#2076',
  },
  {
    code: 'DRA431',
    name: 'pool-without-nodes',
    title: 'A pool or canary selects no node of the cluster',
    severity: 'warning',
    why: 'Nothing moves, and every gate waits for data that never comes.',
    fix: 'Correct the selector, or go on if the nodes come later.',
    source: 'docs/migration.md, owners of a node',
  },
  {
    code: 'DRA432',
    name: 'number-beyond-pool',
    title: 'A number of nodes does not fit the pool',
    severity: 'warning',
    why: 'A canary of all nodes is no canary, and a floor of all nodes lets nothing move before AllWorkloads.',
    fix: 'Lower the number, or write a share.',
    source: 'docs/migration.md, phases',
  },
  {
    code: 'DRA433',
    name: 'node-in-two-pools',
    title: 'A node of the cluster belongs to two pools of a family',
    severity: 'error',
    why: 'What the selectors leave open, and assumesDisjoint takes for granted, is not so: both migrations would move this node.',
    fix: 'Correct the labels of the node, or make the selectors disjoint.',
    source: PROOFS,
  },
  {
    code: 'DRA434',
    name: 'owner-not-planned',
    title: 'Nodes have an owner that the plan does not allow',
    severity: 'warning',
    why: 'More nodes are owned by DRA than the phase allows, so applying the plan begins a rollback; or the label says a word that is no owner, and the plugin runs.',
    fix: 'Name the phase that the pool is in, or go on if a rollback is meant. Correct a wrong label.',
    source: PROOFS,
  },
];
