import type { AllocateResult } from '../allocator';
import { boundCause } from './bound-causes';
import { capacityShortage } from './capacity-shortage';
import { claimCauses } from './claim-causes';
import { counterShortage } from './counter-shortage';
import type { ClaimDemand, Need } from './device-demand';
import type { KnownDevice } from './device-inventory';
import type { Cause, KnownBug } from './explanation';
import { holderText } from './holders';
import { demandOn, elsewhereOf, podDemandOf } from './judge-nodes';
import { bugsOfFatal, bugsOfGroup } from './known-bugs';
import { reasonsOf, stateOf, verdictOf } from './node-verdict';
import type { DeviceRule } from './node-verdict';
import { bindingCauses, extendedCauses, queueCauses } from './queue-causes';
import { lacksDevices } from './scheduling-causes';
import { comparisonsOf } from './selector-rewrite';
import { situationOf } from './situation';
import type { Situation } from './situation';
import { listed } from './wording';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { nodeOf } from '../view/node-fit';
import type { NodeRule } from '../view/node-fit';
import { referenceOf } from '../view/view-object';

/** What a device of the node is to a request: `class` when its class does not choose it, else a rule that excludes it, or `free`. */
export type DeviceStateName = DeviceRule | 'class' | 'free';

export interface DeviceOnNode {
  /** `driver/pool/device`. */
  readonly device: string;
  readonly state: DeviceStateName;
  /** Why, as a clause; '' for a free device. */
  readonly because: string;
}

/** One request of the pod, or one alternative of it, before the devices of a node. */
export interface RequestOnNode {
  /** `claim c (template t)`. */
  readonly claim: string;
  /** As results name it. */
  readonly request: string;
  readonly deviceClass: string;
  /** How many are asked for; 0 for all. */
  readonly wanted: number;
  readonly free: number;
  readonly devices: readonly DeviceOnNode[];
}

/** What excludes a pod from one node: the answer of `kubectl-dra explain --node`. */
export interface NodeExplanation {
  readonly pod: string;
  readonly kubernetes: string;
  readonly node: string;
  /** Whether nothing in these objects keeps the pod off the node. */
  readonly fits: boolean;
  /** What is wrong whatever the devices: CPU, taints, labels. */
  readonly objections: readonly { readonly rule: NodeRule; readonly because: string; readonly help: string }[];
  readonly requests: readonly RequestOnNode[];
  /** Why devices that are free cannot be had together. */
  readonly conflicts: readonly string[];
  /** What the scheduler says of the node, when that is more than that it does not fit. */
  readonly error?: string;
  /** What holds the pod before any node is looked at. */
  readonly others: readonly Cause[];
  readonly knownBugs: readonly KnownBug[];
  readonly unknown: readonly string[];
}

/** Why a node does not take a pod, device by device; undefined when the view has not both. Never throws, whatever the objects hold. */
export function explainNode(view: ClusterView, namespace: string, name: string, nodeName: string, target: Target): NodeExplanation | undefined {
  const pod = view.find('Pod', namespace, name);
  const node = view.find('Node', '', nodeName);
  if (pod === undefined || node === undefined) return undefined;
  const situation = situationOf(view, pod, target);
  const { inventory, trials, unknown } = situation;
  lacksDevices(situation);
  const claims = demandOn(situation, node);
  const answer = trials.answer(node, claims.map(({ object }) => object));
  const verdict = verdictOf(node, podDemandOf(situation).objectionsTo(node), claims, answer, inventory);
  const elsewhere = elsewhereOf(situation, node);
  const bound = boundCause(situation);
  const before = bound === undefined ? [claimCauses, queueCauses, bindingCauses, extendedCauses].flatMap(find => find(situation)) : [bound];
  const requestsOf = (claim: ClaimDemand): readonly RequestOnNode[] => {
    return claim.requests.flat().map(need => requestOn(situation, claim, need, answer, verdict.devicesFit, nodeName));
  };
  const requests = claims.flatMap(requestsOf);
  const shown = requests.reduce((sum, { devices }) => sum + devices.length, 0);
  if (shown > MOST_DEVICES) unknown.add(`${shown - MOST_DEVICES} of ${shown} devices: not listed`);
  let room = MOST_DEVICES;
  return {
    pod: referenceOf(pod),
    kubernetes: target.minor,
    node: nodeName,
    fits: verdict.devicesFit && verdict.objections.length === 0 && elsewhere === undefined && before.length === 0,
    objections: verdict.objections.map(({ rule, detail, remedy }) => ({ rule, because: detail, help: remedy })),
    requests: requests.map(request => {
      const devices = request.devices.slice(0, Math.max(0, room));
      room -= devices.length;
      return { ...request, devices };
    }),
    conflicts: [
      ...verdict.conflicts,
      ...(elsewhere === undefined ? [] : [`claim ${elsewhere.claim?.name ?? ''} is allocated for other nodes`]),
      ...(verdict.rule === 'search' ? ['there are too many combinations of devices to search in time'] : []),
    ],
    ...(answer.error === undefined ? {} : { error: answer.error }),
    others: before.map(({ cause, because }) => ({ cause, because })),
    knownBugs: verdict.fatal === undefined
      ? verdict.rule === undefined ? [] : bugsOfGroup(verdict.rule, [verdict], claims, situation)
      : bugsOfFatal(verdict, situation),
    unknown: [...unknown].sort(),
  };
}

function requestOn(
  situation: Situation, claim: ClaimDemand, need: Need, answer: AllocateResult, devicesFit: boolean, nodeName: string,
): RequestOnNode {
  const { inventory, view } = situation;
  const node = view.find('Node', '', nodeName);
  const reasons = reasonsOf(answer);
  const devices = (node === undefined ? [] : inventory.devicesOf(nodeOf(node))).map((device): DeviceOnNode => {
    if (!inventory.isOfClass(device, need.className)) return { device: device.id, state: 'class', because: classText(situation, device, need) };
    const { rule, detail } = stateOf(need, claim, device, reasons, inventory);
    // What was chosen has no reason against it, and what was not chosen then is not in the way.
    const state = devicesFit && rule !== 'in-use' && rule !== 'selector' && rule !== 'pool-incomplete' && rule !== 'pool-invalid' && rule !== 'taint' ? 'free' : rule;
    return { device: device.id, state, because: state === 'free' ? '' : becauseOf(situation, device, need, state, detail) };
  });
  return {
    claim: claim.label,
    request: need.reference,
    deviceClass: need.className,
    wanted: need.all ? 0 : need.count,
    free: devices.filter(({ state }) => state === 'free').length,
    devices,
  };
}

function becauseOf({ inventory, view }: Situation, device: KnownDevice, need: Need, rule: DeviceRule | 'free', detail: string): string {
  switch (rule) {
    case 'selector': return selectorText(need.selectors[Number(detail)] ?? '', device, `selector ${detail} of ${need.title}`, inventory.evaluator);
    case 'in-use': return `held by ${listed([...new Set(inventory.usesOf(device).map(({ claim }) => holderText(claim, view)))])}`;
    case 'capacity': return capacityShortage(device, need, inventory) ?? detail;
    case 'counters': {
      const short = counterShortage(device, inventory);
      return short === undefined ? detail : `needs ${short.needed.toString()} of counter ${short.counter}, and ${short.left.toString()} of ${short.total.toString()} is left`;
    }
    default: return detail;
  }
}

function classText({ inventory, view }: Situation, device: KnownDevice, { className }: Need): string {
  if (view.find('DeviceClass', '', className) === undefined) return `class ${className} does not exist`;
  const selectors = inventory.selectorsOf(className);
  const index = selectors.findIndex(expression => !inventory.selects(expression, device));
  return selectorText(selectors[index] ?? '', device, `selector ${index} of class ${className}`, inventory.evaluator);
}

/** What a device has where a selector looks, or the error that it ends in. */
function selectorText(expression: string, device: KnownDevice, title: string, evaluator: Situation['inventory']['evaluator']): string {
  const compiled = evaluator.compile(expression);
  if ('compileError' in compiled) return `${title} is no valid expression`;
  const result = compiled.matches(device.view);
  if (typeof result === 'object') return `${title} ends in an error: ${result.error}`;
  const seen = comparisonsOf(expression).map(comparison => `${comparison.name} is ${comparison.valueOf(device) ?? 'missing'}; ${comparison.operator} ${comparison.asked} is asked`);
  return `fails ${title} (${seen.length === 0 ? expression : seen.join('; ')})`;
}

/** Of all requests together: more than anybody reads. */
const MOST_DEVICES = 2000;
