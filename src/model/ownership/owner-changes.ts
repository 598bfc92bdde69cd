import type { DeviceOwner } from '../api';

/** The owner label of a node; undefined: the label is missing, which means `device-plugin`. */
export type OwnerLabel = DeviceOwner | undefined;

/** Every value of the owner label. */
export const OWNER_LABELS: readonly OwnerLabel[] = [undefined, 'device-plugin', 'handover', 'dra'];

/** The only changes of the owner label that anybody makes: always through `handover`, in both directions. */
export const OWNER_CHANGES: ReadonlyArray<readonly [from: OwnerLabel, to: OwnerLabel]> = [
  [undefined, 'device-plugin'],
  [undefined, 'handover'],
  ['device-plugin', 'handover'],
  ['handover', 'device-plugin'],
  ['handover', 'dra'],
  ['dra', 'handover'],
];

/** One step of handing a node over. Each can be done twice, and a crash after any leaves a state that the next run understands. */
export interface HandoverStep {
  readonly name: string;
  /** Of the label, once the step is done. */
  readonly owner: 'leaving' | 'handover' | 'entering';
  readonly does: string;
}

/** The steps of a hand-over, in order; the entering owner is only let in when the leaving one is gone and nothing it gave out is held. */
export const HANDOVER_STEPS: readonly HandoverStep[] = [
  { name: 'Preflight', owner: 'leaving', does: 'both daemons tolerate the hand-over taint, and no driver upgrade or change of partitions runs' },
  { name: 'Close', owner: 'leaving', does: 'the node is tainted and its pools are fenced' },
  { name: 'Idle', owner: 'leaving', does: 'the leaving owner holds nothing, by API and node report' },
  { name: 'Release', owner: 'handover', does: 'the label says handover' },
  { name: 'Gone', owner: 'handover', does: 'the pod of the leaving daemon is gone and what it offered is withdrawn' },
  { name: 'StillIdle', owner: 'handover', does: 'still nothing is held: a pod bound from a stale decision may have slipped in' },
  { name: 'Take', owner: 'entering', does: 'the label names the entering owner' },
  { name: 'Offered', owner: 'entering', does: 'the entering owner offers what the inventory says' },
  { name: 'Open', owner: 'entering', does: 'fence and taint are gone' },
];
