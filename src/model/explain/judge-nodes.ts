import { questionOf } from './claim-question';
import type { ClaimQuestion } from './claim-question';
import { extendedDemand } from './device-demand';
import type { ClaimDemand } from './device-demand';
import { sameVerdict, verdictOf } from './node-verdict';
import type { NodeVerdict } from './node-verdict';
import { isLeftToDevices } from './situation';
import type { Situation } from './situation';
import { counted } from './wording';
import { field } from '../view/json-field';
import { matchesSelector, nodeOf, PodDemand } from '../view/node-fit';
import { isAllocated } from '../view/pod-claims';
import type { PodClaim } from '../view/pod-claims';
import type { ViewObject } from '../view/view-object';

/** What is known of a pod and one node. */
export interface Judged {
  readonly verdict: NodeVerdict;
  readonly claims: readonly ClaimDemand[];
  /** The allocated claim of the pod that keeps it on other nodes. */
  readonly elsewhere: PodClaim | undefined;
}

/** Every node that there is room to look at, in the order of names; nodes that differ in nothing are judged once. */
export function judgeNodes(situation: Situation, nodes: readonly ViewObject[]): readonly Judged[] {
  const { extended, kinds, trials, inventory, unknown } = situation;
  const demand = podDemandOf(situation);
  const demands = new Map<string, { readonly wanted: readonly ClaimDemand[]; readonly question: ClaimQuestion | undefined }>();
  const alike = new Map<string, NodeVerdict>();
  let devices = 0;
  const judged: Judged[] = [];
  for (const node of nodes) {
    const answered = extended.filter(({ resource, className }) => className !== undefined && isLeftToDevices(node, resource, situation.target));
    const key = answered.map(({ resource }) => resource).join();
    let asked = demands.get(key);
    if (asked === undefined) {
      const wanted = demandOn(situation, node);
      demands.set(key, asked = { wanted, question: questionOf(wanted.map(({ object }) => object)) });
    }
    const { wanted, question } = asked;
    const objections = demand.objectionsTo(node);
    const kind = kinds.kindOf(node, question);
    const known = kind === undefined ? undefined : alike.get(`${kind} ${key}`);
    let verdict: NodeVerdict;
    if (known !== undefined) {
      verdict = sameVerdict(known, node, objections, inventory);
    } else {
      if ((devices += inventory.sizeFor(node.name)) > MOST_DEVICES && judged.length > 0) break;
      verdict = verdictOf(node, objections, wanted, trials.answer(node, wanted.map(({ object }) => object)), inventory);
      if (kind !== undefined) alike.set(`${kind} ${key}`, verdict = { ...verdict, kind });
    }
    judged.push({ verdict, claims: wanted, elsewhere: elsewhereOf(situation, node) });
  }
  if (judged.length < nodes.length) unknown.add(`${counted(nodes.length - judged.length, 'node')} of ${nodes.length}: too many devices to look at all`);
  return judged;
}

/** The pod's side of every comparison with a node. */
export function podDemandOf({ view, pod, extended, target }: Situation): PodDemand {
  const answered = new Set(extended.filter(({ className }) => className !== undefined).map(({ resource }) => resource));
  return new PodDemand(view, pod, answered, !target.atLeast('1.35'));
}

/** An allocated claim of the pod that keeps it off a node. */
export function elsewhereOf({ claims }: Situation, node: ViewObject): PodClaim | undefined {
  return claims.find(({ claim }) => {
    if (claim === undefined || !isAllocated(claim)) return false;
    const selector = field(claim.value, 'status', 'allocation', 'nodeSelector');
    return selector !== undefined && !matchesSelector(selector, nodeOf(node));
  });
}

/** What the allocator has to find on a node; without a node, for extended resources on one that has no device plugin. */
export function demandOn({ demand, extended, pod, target }: Situation, node: ViewObject | undefined): readonly ClaimDemand[] {
  const needed = extended.filter(({ resource, className }) => {
    return className !== undefined && (node === undefined || isLeftToDevices(node, resource, target));
  });
  if (needed.length === 0) return demand;
  return [...demand, extendedDemand(pod, needed, demand.length)];
}

/** Devices that are looked at, node by node: a few seconds. */
const MOST_DEVICES = 200_000;
