import type { PlannedMigration } from './plan';
import { classesOfClaimSpec } from './template-classes';
import { IMPLICIT_DOMAIN, podClaims, podRequests, referenceOf } from '../view';
import type { ClusterView } from '../view';
import { field, textAt } from '../view/json-field';

/** A pod that is not scheduled yet, with the classes and extended resources that it asks for. */
export interface WaitingPod {
  /** `namespace/name`. */
  readonly pod: string;
  readonly asks: ReadonlySet<string>;
}

/** All pods that wait to be scheduled and ask for something. */
export function waitingWork(view: ClusterView): readonly WaitingPod[] {
  return view.all('Pod').flatMap((pod): WaitingPod[] => {
    const { value } = pod;
    if (textAt(value, 'spec', 'nodeName') !== '' || !['', 'Pending'].includes(textAt(value, 'status', 'phase'))) return [];
    const classes = podClaims(view, pod).flatMap(({ claim, template }) => classesOfClaimSpec(claim?.value.spec ?? field(template?.value, 'spec', 'spec')));
    const asks = new Set([...classes, ...podRequests(value).keys()]);
    return asks.size === 0 ? [] : [{ pod: referenceOf(pod), asks }];
  });
}

/** The pods among them that a pool may serve, on either way. */
export function waitingFor(waiting: readonly WaitingPod[], { spec }: PlannedMigration): readonly string[] {
  const names = [
    ...spec.deviceClassNames, ...spec.deviceClassNames.map(name => `${IMPLICIT_DOMAIN}/${name}`), ...spec.legacy?.resources.map(({ name }) => name) ?? [],
  ];
  return waiting.filter(({ asks }) => names.some(name => asks.has(name))).map(({ pod }) => pod);
}
