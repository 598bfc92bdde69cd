import type { ExplainInput } from './run-explain.js';
import type { ClusterOptions } from '../cluster-connection.js';
import { readCluster } from '../collect/read-cluster.js';
import { viewOfCluster } from '../input/view-of-cluster.js';
import type { TargetOptions } from '../input/view-of-files.js';

/** Everything that an explanation looks at, read from a live cluster. */
export async function inputFromCluster(options: ClusterOptions & TargetOptions): Promise<ExplainInput> {
  const objects = await readCluster(options);
  const { view, target, unknown } = viewOfCluster(objects, options);
  const gates = objects.collection.featureGates === undefined ? ['feature gates: the metrics of the API server may not be read, so defaults are taken'] : [];
  return { view, target, namespace: objects.namespace, unknown: [...unknown, ...gates] };
}
