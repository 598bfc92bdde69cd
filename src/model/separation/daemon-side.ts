import type { NodeSelectorRequirement, Toleration } from '../../../imports/types';
import { handoverTaint, ownerLabel } from '../node-contract';

/** Which of two daemons of a family: the device plugin, or the DRA driver. */
export type DaemonSide = 'plugin' | 'driver';

/**
 * The condition on a node's owner that keeps the two apart.
 *
 * Without the label a node is the plugin's, so that adopting a pool changes nothing; in `handover` neither runs.
 */
export function ownerRequirement(side: DaemonSide, family: string): NodeSelectorRequirement {
  const key = ownerLabel(family);
  return side === 'plugin' ? { key, operator: 'NotIn', values: ['handover', 'dra'] } : { key, operator: 'In', values: ['dra'] };
}

/** Without it a daemon gets no pod on the node that it is to take over, and does not come back on one that it keeps. */
export function handoverToleration(family: string): Toleration {
  return { key: handoverTaint(family), operator: 'Exists' };
}
