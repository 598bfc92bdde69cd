// Nodes and pools without a machine behind them: enough for the scheduler.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { removeObjects } from './scratch.mjs';

/** Makes a ready Node for one contract and removes it whatever happens. */
export async function withNode(cluster, name, run) {
  await makeNode(cluster, name);
  try {
    return await run(name);
  } finally {
    await removeObjects(cluster, [nodeObject(name)]);
  }
}

/** Makes a Node that is ready, with room for pods. */
export async function makeNode({ api }, name) {
  await api.create('/api/v1/nodes', nodeObject(name));
  const amounts = { cpu: '64', memory: '256Gi', pods: '110' };
  await api.patch(`/api/v1/nodes/${name}/status`, {
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [{ type: 'Ready', status: 'True', reason: 'HandMade', lastHeartbeatTime: new Date().toISOString() }],
    },
  });
  // Admission taints each new Node; the controller manager takes the taint off once the Node is ready.
  await waitFor(`node ${name} to lose its not-ready taint`, async () => {
    const { spec } = await api.get(`/api/v1/nodes/${name}`);
    return (spec.taints ?? []).length === 0 ? { done: true } : spec.taints;
  });
}

/** A slice that is a whole pool of a node. */
export function sliceObject({ name, driver, node, devices }) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: { driver, nodeName: node, pool: { name: node, generation: 1, resourceSliceCount: 1 }, devices },
  };
}

/** A Node as it is written. */
export function nodeObject(name) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name } } };
}
