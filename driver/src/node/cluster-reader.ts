import type { ClusterReader } from './claims/read-claim.js';
import type { KubeClient } from '../kube/kube-client.js';
import { NODES, RESOURCE_CLAIMS } from '../kube/resource.js';

/** Reads for the claims, fresh each time. */
export function clusterReader(client: KubeClient, nodeName: string): ClusterReader {
  return {
    claim: (namespace, name, signal) => client.find(RESOURCE_CLAIMS, { namespace, name }, { signal }),
    node: (signal) => client.get(NODES, { name: nodeName }, { signal }),
  };
}
