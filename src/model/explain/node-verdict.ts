import type { AllocateResult, Reason } from '../allocator';
import type { ClaimDemand, Need } from './device-demand';
import type { DeviceInventory, KnownDevice } from './device-inventory';
import type { NodeObjection } from '../view/node-fit';
import { nodeOf } from '../view/node-fit';
import type { ViewObject } from '../view/view-object';

/**
 * What keeps a request from the devices of a node: a rule about single devices, or `few` when the node has too few whatever their state,
 * `none` when it has none of the class, `together` when each request fits and not all, `search` when too many combinations were tried.
 */
export type DeviceRule =
  | 'pool-incomplete' | 'pool-invalid' | 'counters' | 'taint' | 'capacity' | 'constraint' | 'selector' | 'in-use' | 'gate' | 'few' | 'together' | 'search' | 'none';

/** The state of one device for one request; `free` when nothing speaks against it. */
export interface DeviceState {
  readonly device: KnownDevice;
  /** Among all devices of the node. */
  readonly place: number;
  readonly rule: DeviceRule | 'free';
  /** The place of the selector, or the text of the allocator. */
  readonly detail: string;
}

/** The devices of the right class that a node has for a request. */
export interface Tally {
  readonly need: Need;
  readonly claim: ClaimDemand;
  readonly states: readonly DeviceState[];
  /** How many are in each state. */
  readonly numbers: ReadonlyMap<DeviceState['rule'], number>;
}

/** What the scheduler says of one node. */
export interface NodeVerdict {
  readonly node: ViewObject;
  /** Why the node is out before its devices are looked at; the first is what the scheduler would say. */
  readonly objections: readonly NodeObjection[];
  /** Whether the devices would do, and nothing else is asked. */
  readonly devicesFit: boolean;
  readonly rule?: DeviceRule;
  /** The request that fails; absent with `together`. */
  readonly tally?: Tally;
  /** Why devices cannot be had together. */
  readonly conflicts: readonly string[];
  /** Why the scheduler gives up on all nodes at this one; taken over from another node of the kind, it may name that. */
  readonly fatal?: string;
  /** Whether the scheduler speaks of invalid pools of the node. */
  readonly blamesPools?: boolean;
  /** The same for nodes that were told apart by nothing. */
  readonly kind?: string;
}

export function numberOf({ numbers }: Tally, rule: DeviceState['rule']): number {
  return numbers.get(rule) ?? 0;
}

/** Devices that a request needs; of all there are with mode All. */
export function wantedOf({ need, states, numbers }: Tally): number {
  return need.all ? Math.max(1, states.length - (numbers.get('selector') ?? 0)) : need.count;
}

/** Reads the answer of the allocator about a node. */
export function verdictOf(
  node: ViewObject, objections: readonly NodeObjection[], claims: readonly ClaimDemand[], answer: AllocateResult, inventory: DeviceInventory,
): NodeVerdict {
  const base = {
    node,
    objections,
    conflicts: (answer.conflicts ?? []).map(({ detail }) => detail),
    ...(answer.nodeError === true ? { blamesPools: true } : {}),
  };
  if (answer.allocated) return { ...base, devicesFit: true };
  if (answer.outOfSteps === true) return { ...base, devicesFit: false, rule: 'search' };
  if (answer.error !== undefined && answer.nodeError !== true) return { ...base, devicesFit: false, fatal: answer.error };
  const reasons = reasonsOf(answer);
  const devices = inventory.devicesOf(nodeOf(node));
  // Of several alternatives the one that lacks least.
  const tallies = claims.flatMap(claim => claim.requests.flatMap(alternatives => alternatives
    .map(need => tallyOf(need, claim, statesOf(need, claim, devices, reasons, inventory)))
    .sort((a, b) => lackOf(a) - lackOf(b)).slice(0, 1)));
  const tally = tallies.find(one => lackOf(one) > 0);
  if (tally !== undefined) return { ...base, devicesFit: false, rule: ruleOf(tally), tally };
  if (base.conflicts.length > 0) return { ...base, devicesFit: false, rule: 'constraint' };
  const wanted = tallies.reduce((sum, one) => sum + wantedOf(one), 0);
  const free = new Set(tallies.flatMap(({ states }) => states.filter(({ rule }) => rule === 'free').map(({ device }) => device))).size;
  const conflicts = free < wanted ? [`${wanted} devices are needed together, and ${free === 1 ? '1 is' : `${free} are`} free`] : [];
  return { ...base, conflicts, devicesFit: false, rule: 'together' };
}

/** What the allocator says against each device, by `driver/pool/device`. */
export function reasonsOf(answer: AllocateResult): ReadonlyMap<string, readonly Reason[]> {
  const reasons = new Map<string, Reason[]>();
  for (const reason of answer.reasons ?? []) {
    const id = `${reason.driver}/${reason.pool}/${reason.device}`;
    const list = reasons.get(id);
    if (list) list.push(reason);
    else reasons.set(id, [reason]);
  }
  return reasons;
}

/** The verdict about another node of the same kind: the same states, of its own devices. */
export function sameVerdict(verdict: NodeVerdict, node: ViewObject, objections: readonly NodeObjection[], inventory: DeviceInventory): NodeVerdict {
  const { tally } = verdict;
  // Without pools of its own a node sees the very same devices.
  if (tally === undefined || inventory.ownPoolsOf(node.name).length === 0) return { ...verdict, node, objections };
  const devices = inventory.devicesOf(nodeOf(node));
  const states = tally.states.map(({ place, rule, detail }) => ({ device: devices[place], place, rule, detail }));
  return { ...verdict, node, objections, tally: { ...tally, states } };
}

function tallyOf(need: Need, claim: ClaimDemand, states: readonly DeviceState[]): Tally {
  const numbers = new Map<DeviceState['rule'], number>();
  for (const { rule } of states) numbers.set(rule, (numbers.get(rule) ?? 0) + 1);
  return { need, claim, states, numbers };
}

export function lackOf(tally: Tally): number {
  return wantedOf(tally) - numberOf(tally, 'free');
}

function statesOf(
  need: Need, claim: ClaimDemand, devices: readonly KnownDevice[], reasons: ReadonlyMap<string, readonly Reason[]>, inventory: DeviceInventory,
): readonly DeviceState[] {
  return devices.flatMap((device, place): DeviceState[] => {
    return inventory.isOfClass(device, need.className) ? [{ device, place, ...stateOf(need, claim, device, reasons, inventory) }] : [];
  });
}

/** The state of a device of the right class for a request. */
export function stateOf(
  need: Need, claim: ClaimDemand, device: KnownDevice, reasons: ReadonlyMap<string, readonly Reason[]>, inventory: DeviceInventory,
): Pick<DeviceState, 'rule' | 'detail'> {
  const about = reasons.get(device.id) ?? [];
  const ofPool = about.find(({ rule }) => rule === 'pool-incomplete' || rule === 'pool-invalid');
  const selector = need.selectors.findIndex(expression => !inventory.selects(expression, device));
  if (selector >= 0) return { rule: 'selector', detail: String(selector) };
  if (ofPool) return { rule: ofPool.rule as DeviceRule, detail: ofPool.detail };
  if (!need.adminAccess && inventory.isHeld(device)) return { rule: 'in-use', detail: '' };
  const own = about.find(({ claim: reference, request }) => reference === claim.reference && request === need.reference);
  const rule = own && STATES[own.rule.replace(/ \d+$/, '')];
  return rule === undefined ? { rule: 'free', detail: '' } : { rule, detail: own?.detail ?? '' };
}

/** Rules of the allocator about single devices; an earlier request of the pod is no obstacle of the cluster. */
const STATES: { readonly [rule: string]: DeviceRule | undefined } = {
  counters: 'counters', taint: 'taint', capacity: 'capacity', constraint: 'constraint', gate: 'gate',
};

/**
 * The rule without which the request would fit; of several the one that takes most devices, then the one that is mended most easily.
 *
 * Selectors say what is meant: while enough devices match them, what else is wrong with those is the cause. That devices are in use is
 * the course of things: while enough are not, it is no cause either.
 */
function ruleOf(tally: Tally): DeviceRule {
  const wanted = wantedOf(tally);
  if (tally.states.length === 0) return 'none';
  // The slices that are missing may hold what is missing.
  const isOpen = numberOf(tally, 'pool-incomplete') > 0;
  if (tally.states.length < wanted) return isOpen ? 'pool-incomplete' : 'few';
  if (tally.states.length - numberOf(tally, 'selector') < wanted) return isOpen ? 'pool-incomplete' : 'selector';
  const free = numberOf(tally, 'free');
  const isOut = ({ rule }: { readonly rule: DeviceRule }): boolean => {
    return rule === 'selector' || (rule === 'in-use' && tally.states.length - numberOf(tally, 'selector') - numberOf(tally, 'in-use') >= wanted);
  };
  const present = EASIEST_FIRST.map(rule => ({ rule, count: numberOf(tally, rule) })).filter(one => one.count > 0 && !isOut(one));
  const enough = present.filter(({ count }) => free + count >= wanted);
  const [most] = [...enough.length > 0 ? enough : present].sort((a, b) => b.count - a.count);
  return most?.rule ?? 'together';
}

/** In the order in which ties are broken. */
export const EASIEST_FIRST: readonly DeviceRule[] = [
  'pool-incomplete', 'pool-invalid', 'constraint', 'counters', 'taint', 'capacity', 'selector', 'in-use', 'gate', 'few', 'together', 'search', 'none',
];
