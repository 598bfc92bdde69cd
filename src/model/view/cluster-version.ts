import type { ClusterView } from './cluster-view';
import { textAt } from './json-field';
import { compareMinors, parseMinor } from '../target/versions';
import type { Minor } from '../target/versions';

/** The version of the cluster, from what the view says of itself or from its nodes; undefined when neither says. */
export interface KnownVersion {
  readonly minor: Minor;
  /** A kubelet may be older than the API server, never newer. */
  readonly from: 'server' | 'kubelets';
}

export function clusterVersion(view: ClusterView): KnownVersion | undefined {
  const server = parseMinor(view.collection?.serverVersion ?? '');
  if (typeof server === 'string') return { minor: server, from: 'server' };
  let newest: Minor | undefined;
  for (const node of view.all('Node')) {
    const minor = parseMinor(textAt(node.value, 'status', 'nodeInfo', 'kubeletVersion'));
    if (typeof minor === 'string' && (newest === undefined || compareMinors(minor, newest) > 0)) newest = minor;
  }
  return newest && { minor: newest, from: 'kubelets' };
}
