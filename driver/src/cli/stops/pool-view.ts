import { nearest, readPlan } from 'cdk8s-dra/model';
import type { ClusterView, HoldLevel, PlannedMigration, ReadPlan, Target, ViewKind } from 'cdk8s-dra/model';

import { readClusterFacts } from '../../conformance/cluster-facts.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { readKinds } from '../collect/read-cluster.js';
import { UsageError } from '../command.js';
import { viewOfCluster } from '../input/view-of-cluster.js';

/** What a stop looks at. */
export interface StopView extends ReadPlan {
  readonly view: ClusterView;
  readonly target: Target;
  /** Kinds that this account may not list. */
  readonly refused: readonly string[];
}

/** Needed before a hold is made: nothing that grows with the work on the cluster, and for a door nothing that grows with its nodes. */
export function beforeHold(level: HoldLevel): readonly ViewKind[] {
  const door: readonly ViewKind[] = [
    'DeviceMigration', 'DeviceHold', 'DeviceClass', 'DeviceRouting', 'ResourceClaimTemplate', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding',
  ];
  return level === 'Door' ? door : [...door, 'Node', 'ResourceSlice'];
}

/** Needed to say whom it touches. */
export const ABOUT_WORK: readonly ViewKind[] = ['DeviceNodeReport', 'Node', 'Pod', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'];

export async function stopView(client: KubeClient, kinds: readonly ViewKind[]): Promise<StopView> {
  const { view, target, unknown } = viewOfCluster(await readKinds(client, await readClusterFacts(client), kinds));
  return { view, target, refused: unknown, ...readPlan(view) };
}

/** The migration of a pool; throws with what there is instead. */
export function poolOf({ migrations, mistakes, refused }: StopView, pool: string): PlannedMigration {
  const found = migrations.find(({ name }) => name === pool);
  if (found !== undefined) return found;
  const broken = mistakes.find((mistake) => mistake.startsWith(`DeviceMigration ${pool}:`));
  if (broken !== undefined) throw new UsageError(broken);
  const unread = refused.find((line) => line.startsWith('DeviceMigration'));
  if (unread !== undefined) throw new UsageError(`${unread}. Ask for the role, or make the hold from the file hold.yaml beside the plan of the pool: kubectl create -f hold.yaml`);
  const names = migrations.map(({ name }) => name);
  const meant = nearest(pool, names);
  const known = names.length === 0
    ? 'there is none. Are the CRDs installed, and is it the right context?'
    : `${meant === undefined ? '' : `did you mean ${meant}? `}There are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}.`;
  throw new UsageError(`no DeviceMigration is called '${pool}': ${known}`);
}
