import { ClusterView, collectionAnnotations } from 'cdk8s-dra/model';
import type { Target } from 'cdk8s-dra/model';

import { targetOf } from './view-of-files.js';
import type { TargetOptions } from './view-of-files.js';
import type { ClusterObjects } from '../collect/read-cluster.js';

/** The objects of a live cluster. */
export interface LiveView {
  readonly view: ClusterView;
  readonly target: Target;
  /** What may not be read. */
  readonly unknown: readonly string[];
}

export function viewOfCluster({ objects, collection, refused }: ClusterObjects, options: TargetOptions = {}): LiveView {
  const list = { apiVersion: 'v1', kind: 'List', metadata: { annotations: collectionAnnotations(collection) }, items: objects };
  return {
    view: ClusterView.of([{ value: list, source: { name: 'cluster' } }]),
    target: targetOf(options.kubernetes ?? collection.serverVersion, options.featureGates ?? collection.featureGates ?? ''),
    unknown: refused,
  };
}
