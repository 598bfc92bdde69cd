import type { ClusterReader } from './claims/read-claim.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { KubeObject } from '../kube/object.js';
import { NODES, RESOURCE_CLAIMS } from '../kube/resource.js';

/** Reads for the claims, fresh each time: a read of the Node that has not begun yet serves all who ask until it does. */
export function clusterReader(client: KubeClient, nodeName: string): ClusterReader {
  let next: Promise<KubeObject> | undefined;
  return {
    claim: (namespace, name, signal) => client.find(RESOURCE_CLAIMS, { namespace, name }, { signal }),
    node: () => {
      next ??= new Promise<void>((resolve) => { setImmediate(resolve); }).then(async () => {
        next = undefined;
        // Of no single call, so none of them ends it early; whoever asks waits no longer than he wants to.
        return client.get(NODES, { name: nodeName }, { signal: AbortSignal.timeout(TIMEOUT) });
      });
      return next;
    },
  };
}

/** Milliseconds; a call of kubelet waits for ten seconds for all its reads. */
const TIMEOUT = 10_000;
