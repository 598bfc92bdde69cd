import { demandOf, extendedRequests } from './device-demand';
import type { ClaimDemand, ExtendedRequest } from './device-demand';
import { DeviceInventory } from './device-inventory';
import { patchOf, quirksOf } from './known-bug';
import { NodeKinds } from './node-kinds';
import { rememberingEvaluator } from './selector-memory';
import { Trials } from './trials';
import { counted } from './wording';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { quantitiesAt } from '../view/json-field';
import { podClaims } from '../view/pod-claims';
import type { PodClaim } from '../view/pod-claims';
import type { ViewObject } from '../view/view-object';

/** A pod with everything that its explanation looks at, read once. */
export interface Situation {
  readonly view: ClusterView;
  readonly target: Target;
  /** The patch release of the scheduler, where it is known. */
  readonly patch: number | undefined;
  readonly pod: ViewObject;
  readonly claims: readonly PodClaim[];
  /** Of the claims that are not allocated. */
  readonly demand: readonly ClaimDemand[];
  readonly extended: readonly ExtendedRequest[];
  readonly inventory: DeviceInventory;
  readonly kinds: NodeKinds;
  readonly trials: Trials;
  /** What was missing; grows as causes are looked for. */
  readonly unknown: Set<string>;
}

export function situationOf(view: ClusterView, pod: ViewObject, target: Target): Situation {
  const claims = podClaims(view, pod);
  const inventory = new DeviceInventory(view, target, rememberingEvaluator(target));
  const kinds = new NodeKinds(inventory);
  const patch = patchOf(view, target);
  const demand = demandOf(pod, claims);
  return {
    view,
    target,
    patch,
    pod,
    claims,
    inventory,
    kinds,
    demand,
    extended: extendedRequests(view, pod, target),
    trials: new Trials(inventory, kinds, view, target, quirksOf(target, patch)),
    unknown: new Set([
      ...view.unreadObjects().map(object => `${object}: read it as v1`),
      ...shown(view.repeatedObjects()).map(object => `which ${object} counts: it stands in the input more than once, and the last one is taken`),
      ...demand.flatMap(implausible),
    ]),
  };
}

/** Whether devices have anything to do with a pod. */
export function asksForDevices({ claims, extended, view }: Situation): boolean {
  return claims.length > 0 || extended.some(({ resource, className }) => className !== undefined || !view.all('Node').some(node => offers(node, resource)));
}

/** Whether a device plugin offers a resource on a node. */
export function offers(node: ViewObject, resource: string): boolean {
  const amount = quantitiesAt(node.value, 'status', 'allocatable').get(resource);
  return amount !== undefined && !amount.isZero();
}

/** Whether DRA is asked for a resource on a node; in 1.34 not where a device plugin has ever been, which leaves the resource with 0. */
export function isLeftToDevices(node: ViewObject, resource: string, target: Target): boolean {
  return target.atLeast('1.35') ? !offers(node, resource) : !quantitiesAt(node.value, 'status', 'allocatable').has(resource);
}

/** Counts that no API server takes. */
function implausible({ label, requests }: ClaimDemand): readonly string[] {
  return requests.flat().filter(({ all, count }) => !all && count < 1)
    .map(({ title, count }) => `whether the API server took ${label}: ${title} asks for ${counted(count, 'device')}`);
}

function shown(names: readonly string[]): readonly string[] {
  return names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), `any of ${names.length - MOST_NAMES} more objects`];
}

const MOST_NAMES = 5;
