const DRIVER = 'gpu.example.com';

/**
 * A pod that waits for more devices than any node has free: on every second node half of the devices are in use, on the others a selector
 * refuses half of them.
 */
export function pendingCluster(nodes, devicesPerNode) {
  const objects = [
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu-large' },
      spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}" && device.capacity["${DRIVER}"].memory.compareTo(quantity("40Gi")) >= 0` } }] },
    },
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'trainer', namespace: 'team', uid: 'trainer' },
      spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: 'gpu-large', allocationMode: 'ExactCount', count: devicesPerNode } }] } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'trainer-0', namespace: 'team', uid: 'trainer-0' },
      spec: { schedulerName: 'default-scheduler', containers: [{ name: 'train', resources: { claims: [{ name: 'gpus' }] } }], resourceClaims: [{ name: 'gpus', resourceClaimName: 'trainer' }] },
      status: { phase: 'Pending' },
    },
  ];
  for (let node = 0; node < nodes; node++) objects.push(...nodeObjects(`node-${String(node).padStart(4, '0')}`, devicesPerNode, node % 2 === 0));
  return { objects, pod: ['team', 'trainer-0'] };
}

function nodeObjects(name, count, isBusy) {
  const devices = Array.from({ length: count }, (_, index) => ({
    name: `gpu-${index}`,
    attributes: { model: { string: 'A100' }, index: { int: index } },
    capacity: { memory: { value: isBusy || index % 2 === 0 ? '80Gi' : '24Gi' } },
  }));
  const objects = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name } }, status: { allocatable: { cpu: '64', memory: '512Gi', pods: '110' } } },
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: `${name}-${DRIVER}` },
      spec: { driver: DRIVER, nodeName: name, pool: { name, generation: 1, resourceSliceCount: 1 }, devices },
    },
  ];
  if (!isBusy) return objects;
  const held = devices.slice(0, count / 2).map(({ name: device }) => ({ request: 'gpus', driver: DRIVER, pool: name, device }));
  return [...objects, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: `holder-${name}`, namespace: 'team', uid: `holder-${name}` },
    spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: 'gpu-large', count: held.length } }] } },
    status: { allocation: { devices: { results: held } }, reservedFor: [{ resource: 'pods', name: `job-${name}`, uid: `job-${name}` }] },
  }];
}
