import type { Failure } from './failure';

function claim(devices: string): string {
  return `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpus
spec:
  devices:
${devices}`;
}

function derived(attribute: string): string {
  return claim(`    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 2
        derivedAttributes:
        - {name: derived/socket, expression: 'device.attributes["gpu.nvidia.com"].?numaNode.orValue(0) / 4'}
    constraints:
    - {requests: [gpus], matchAttribute: ${attribute}}
`);
}

function tolerating(...tolerations: readonly string[]): string {
  return claim(`    requests:
    - name: gpus
      exactly:
        deviceClassName: gpu.nvidia.com
        allocationMode: ExactCount
        count: 1
        tolerations:
${tolerations.map((toleration) => `        - ${toleration}\n`).join('')}`);
}

const PARTITIONS = `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-counters
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - name: gpu-0
    counters: {memory: {value: 80Gi}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: node-1-devices
spec:
  driver: gpu.acme.example
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 2}
  devices:
  - name: gpu-0-half
    consumesCounters:
    - counterSet: gpu-0
      counters: {memory: {value: 40Gi}}
---
`;

/** Claims that are refused, or that the scheduler cannot cope with. */
export const ALLOCATION_FAILURES: readonly Failure[] = [
  {
    code: 'DRA180',
    name: 'derived-attribute-unused',
    title: 'No constraint uses a derived attribute',
    severity: 'error',
    why: 'A derived attribute exists for the constraints of its request only. The API server refuses the claim when none names it.',
    fix: 'Name it in a matchAttribute or distinctAttribute for this request, or remove it.',
    wrong: derived('resource.kubernetes.io/numaNode'),
    right: derived('derived/socket'),
    kubernetes: '1.37',
    featureGates: { DRADerivedAttributes: true },
    source: 'kubernetes/kubernetes pkg/apis/resource/validation/validation.go validateDeviceDerivedAttribute',
  },
  {
    code: 'DRA181',
    name: 'all-of-partitionable-devices',
    title: 'A request for all devices meets devices that consume counters',
    severity: 'warning',
    why: 'kube-scheduler 1.35.0 to 1.35.5 and 1.36.0 to 1.36.1 panics on it: the program ends, starts again, and ends again at the same pod. 1.34 and 1.37 are not affected. Partitions that overlap cannot all be had in any release.',
    fix: 'Run 1.35.6, 1.36.2 or later, or ask for a count of devices.',
    wrong: `${PARTITIONS}${claim(`    requests:
    - name: gpus
      exactly: {deviceClassName: gpu, allocationMode: All}
`)}`,
    right: `${PARTITIONS}${claim(`    requests:
    - name: gpus
      exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}
`)}`,
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes#138882',
  },
  {
    code: 'DRA182',
    name: 'long-search',
    title: 'The search for the devices of a claim can take too long',
    severity: 'warning',
    why: 'The scheduler tries one choice of devices after the other until all requests and constraints are met. Where one device is missing it tries them all, for every node, and their number grows with the power of the devices. After ten seconds it stops; up to then it schedules nothing else.',
    fix: 'Ask for equal devices in one request with a count, for fewer devices in one claim, or for all devices of a node.',
    wrong: claim(`    requests:
${Array.from({ length: 12 }, (_, i) => `    - {name: gpu-${i}, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}}`).join('\n')}
`),
    right: claim(`    requests:
    - {name: gpus, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 12}}
`),
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes#131730, #130593; kubernetes/kubernetes test/integration/dra testFilterTimeout',
  },
  {
    code: 'DRA183',
    name: 'toleration-until-eviction',
    title: 'A toleration lets a pod onto a device and does not keep it there',
    severity: 'warning',
    why: 'The eviction controller reads the tolerations of the allocation, and of these only such with the effect NoExecute; one without effect tolerates everything when the pod is scheduled, and nothing afterwards. 1.34 copies no tolerations into the allocation. The pod is then scheduled and ended again and again.',
    fix: 'Write a toleration with effect NoExecute beside the one for NoSchedule, and target 1.35 or later.',
    wrong: tolerating('{key: example.com/sick, operator: Exists}'),
    right: tolerating('{key: example.com/sick, operator: Exists, effect: NoSchedule}', '{key: example.com/sick, operator: Exists, effect: NoExecute}'),
    kubernetes: '1.36',
    source: 'kubernetes/kubernetes#134434; pkg/controller/devicetainteviction/device_taint_eviction.go',
  },
  {
    code: 'DRA184',
    name: 'claim-asks-for-nothing',
    title: 'A claim asks for no device',
    severity: 'warning',
    why: 'A claim without requests is valid, and nothing needs to be allocated for it: it counts as allocated at once, and the containers start without a device. A template whose requests come out empty, e.g. of a loop, looks like this.',
    fix: 'Write what is needed into devices.requests, or take the claim out of the pods.',
    wrong: claim(`    requests: []
`),
    right: claim(`    requests:
    - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}}
`),
    source: 'kubernetes/kubernetes staging/src/k8s.io/api/resource/v1/types.go DeviceClaim.requests',
  },
];
