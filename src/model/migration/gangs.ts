import type { ClusterView, ViewObject } from '../view';
import { objectsAt, textAt, textMapAt } from '../view/json-field';

/** Work that is one whole: its pods come from one controller, or carry the label of one. */
export interface Gang {
  /** `Job vision/train`. */
  readonly name: string;
  readonly pods: number;
  /** What its pods hold together. */
  readonly units: number;
}

/** The controllers of some pods, given as `namespace/name` with what each holds; the largest first. */
export function gangsOf(view: ClusterView, pods: ReadonlyMap<string, number>): readonly Gang[] {
  const gangs = new Map<string, Gang>();
  for (const [reference, amount] of pods) {
    const [namespace = '', name = ''] = reference.split('/');
    const pod = view.find('Pod', namespace, name);
    const owner = pod && controllerOf(pod);
    if (owner === undefined) continue;
    const known = gangs.get(owner);
    gangs.set(owner, { name: owner, pods: (known?.pods ?? 0) + 1, units: (known?.units ?? 0) + amount });
  }
  return [...gangs.values()].sort((a, b) => b.pods - a.pods || (a.name < b.name ? -1 : 1));
}

function controllerOf(pod: ViewObject): string | undefined {
  const labels = textMapAt(pod.value, 'metadata', 'labels');
  for (const [label, kind] of GANG_LABELS) if (labels[label] !== undefined) return `${kind} ${pod.namespace}/${labels[label]}`;
  const owner = objectsAt(pod.value, 'metadata', 'ownerReferences').find(one => one.controller === true);
  return owner && `${textAt(owner, 'kind')} ${pod.namespace}/${textAt(owner, 'name')}`;
}

/** Labels of pods whose direct controller is a part of a larger whole. */
const GANG_LABELS = [
  ['jobset.sigs.k8s.io/jobset-name', 'JobSet'],
  ['leaderworkerset.sigs.k8s.io/name', 'LeaderWorkerSet'],
  ['training.kubeflow.org/job-name', 'training job'],
  ['ray.io/cluster', 'RayCluster'],
] as const;
