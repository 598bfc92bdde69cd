import { ClusterView, collectionAnnotations } from 'cdk8s-dra/model';
import type { Target } from 'cdk8s-dra/model';

import type { ExplainInput } from './run-explain.js';
import type { ClusterOptions } from '../cluster-connection.js';
import { readCluster } from '../collect/read-cluster.js';

/** Everything that an explanation looks at, read from a live cluster. */
export async function inputFromCluster(options: ClusterOptions, targetOf: (version: string, gates: string) => Target): Promise<ExplainInput> {
  const { objects, collection, refused, namespace } = await readCluster(options);
  const list = { apiVersion: 'v1', kind: 'List', metadata: { annotations: collectionAnnotations(collection) }, items: objects };
  const view = ClusterView.of([{ value: list, source: { name: 'cluster' } }]);
  const unknown = [
    ...refused,
    ...collection.featureGates === undefined ? ['feature gates: the metrics of the API server may not be read, so defaults are taken'] : [],
  ];
  return { view, target: targetOf(collection.serverVersion, collection.featureGates ?? ''), namespace, unknown };
}
