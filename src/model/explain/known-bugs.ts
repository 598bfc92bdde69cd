import type { ClaimDemand, Need } from './device-demand';
import type { DevicePool, KnownDevice } from './device-inventory';
import type { KnownBug } from './explanation';
import { isReleased } from './holders';
import { defectBy, hasKnownBug, knownBug } from './known-bug';
import type { Defect } from './known-bug';
import { numberOf } from './node-verdict';
import type { DeviceRule, NodeVerdict } from './node-verdict';
import { attributeValue, repeatedValue } from './repeated-value';
import type { Situation } from './situation';
import { listed } from './wording';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';
import type { UpstreamBugId } from '../upstream-bugs';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';
import { nodeOf } from '../view/node-fit';
import { isAllocated } from '../view/pod-claims';
import { referenceOf } from '../view/view-object';
import type { ViewObject } from '../view/view-object';

/** Mistakes of upstream behind an error that ends the attempt at a node. */
export function bugsOfFatal({ fatal = '', node }: NodeVerdict, situation: Situation): readonly KnownBug[] {
  const { inventory } = situation;
  const asked = /asks for all devices, but resource pool ([^/ ]+)\/(\S+) is currently (\S+)/.exec(fatal);
  if (asked) {
    const pool = inventory.pools.get(`${asked[1]}/${asked[2]}`);
    if (pool === undefined) return [];
    const state = `${asked[3] === 'invalid' ? 'invalid' : 'incomplete'} pool ${pool.name} of driver ${pool.driver}`;
    return [
      ...(serves(pool, situation) ? [] : named(situation, 'all-mode-foreign-pool', `The ${state}, which has no device of the class, stops the request for all devices`)),
      ...(inventory.strays.includes(pool) && !inventory.ownPoolsOf(node.name).includes(pool)
        ? named(situation, 'counters-of-all-nodes', `The ${state} stops node ${node.name} too, though it belongs to ${pool.node === undefined ? 'other nodes' : `node ${pool.node}`}`)
        : []),
    ];
  }
  const invalid = /^pool (\S+) is invalid: /.exec(fatal);
  if (invalid) {
    const pools = inventory.poolsOf(node.name).filter(({ name }) => name === invalid[1]);
    const foreign = pools.filter(pool => !serves(pool, situation));
    return foreign.length < pools.length ? [] : foreign.slice(0, 1).flatMap(pool => {
      return named(situation, 'foreign-invalid-pool', `The invalid pool ${pool.name} of driver ${pool.driver}, which has no device of the class, ends the attempt on all nodes`);
    });
  }
  if (fatal.startsWith('panic: runtime error: index out of range')) {
    return named(situation, 'capacity-recheck', `A request asks for more devices than a slice of ${node.name} has`);
  }
  if (fatal.includes('unsupported attribute value')) {
    const device = inventory.devicesOf(nodeOf(node)).find(hasList);
    return device === undefined ? [] : named(situation, 'list-attribute', `Device ${device.id} publishes an attribute with a list of values`);
  }
  return [];
}

/** Mistakes of upstream that keep nodes out by a rule about devices, or hide that rule. */
export function bugsOfGroup(
  rule: DeviceRule, verdicts: readonly NodeVerdict[], claims: readonly ClaimDemand[], situation: Situation,
): readonly KnownBug[] {
  return [
    ...(rule === 'counters' || rule === 'together' ? mixedCounters(verdicts, claims, situation) : []),
    ...(rule === 'capacity' ? capacityBugs(verdicts, claims, situation) : []),
    ...(rule === 'pool-invalid' ? [] : misleadingError(verdicts, situation)),
    ...(rule === 'in-use' ? silentDeletion(verdicts, situation) : []),
  ];
}

/** A mistake that keeps a pod from being bound though nodes fit. */
export function defectOfFit(situation: Situation, fitting: readonly ViewObject[]): Defect | undefined {
  const { claims, demand, target, patch } = situation;
  const allocated = claims.flatMap(({ claim }) => (claim !== undefined && isAllocated(claim) ? [claim.name] : []));
  if (allocated.length === 0 || demand.length === 0 || fitting.length < 2 || hasKnownBug('shared-claim-score', target, patch) !== true) return undefined;
  return defectBy('shared-claim-score', `Claim ${listed(allocated)} is allocated and ${demand[0].label} is not, and ${fitting.length} nodes fit`, target, patch);
}

/** A mistake that kills the scheduler when it looks at a node. */
export function panicOf(situation: Situation, nodes: readonly ViewObject[]): Defect | undefined {
  const { demand, inventory, target, patch } = situation;
  const needs = demand.flatMap(({ requests }) => requests.flat()).filter(({ all }) => all);
  if (needs.length === 0 || hasKnownBug('all-mode-with-counters', target, patch) === false || !target.isOn('DRAPartitionableDevices', 'kube-scheduler')) return undefined;
  for (const node of nodes) {
    const device = inventory.devicesOf(nodeOf(node)).find(one => objectsAt(one.value, 'consumesCounters').length > 0 && needs.some(need => chooses(need, one, situation)));
    if (device !== undefined) return defectBy('all-mode-with-counters', `All devices of a class are asked for, and device ${device.id} consumes counters`, target, patch);
  }
  return undefined;
}

/** Mistakes that let a pod be bound with devices that it should not get. */
export function bugsOfResults(situation: Situation, node: ViewObject, claims: readonly JsonObject[]): readonly KnownBug[] {
  const { trials, target, patch } = situation;
  const results = trials.answer(node, claims).results ?? [];
  const apart = results.flatMap(({ devices }) => objectsAt(devices, 'results')).map(result => deviceOf(result, situation)).find(device => device !== undefined && lacksItsCounters(device));
  const repeated = claims.flatMap((claim, i) => distinctBugs(situation, claim, objectsAt(results[i]?.devices, 'results'), `On ${node.name} the claim would get`));
  const mayOverlap = hasKnownBug('shares-free-of-counters', target, patch) === true && !trials.fits(node, claims, { quirks: { sharesUseCounters: true } });
  return [
    ...repeated,
    ...(apart ? named(situation, 'counter-sets-apart', `Device ${apart.id} consumes counters that are in another slice, so nobody asks how many are left`) : []),
    ...(mayOverlap ? named(situation, 'shares-free-of-counters', `On ${node.name} the claim would get a device whose counters are used up by shares of others`) : []),
  ];
}

/** Mistakes that show in what an allocated claim holds. */
export function bugsOfAllocation(situation: Situation): readonly KnownBug[] {
  return situation.claims.flatMap(({ claim }) => {
    return claim === undefined ? [] : distinctBugs(situation, claim.value, objectsAt(claim.value, 'status', 'allocation', 'devices', 'results'), `Claim ${claim.name} has`);
  });
}

function distinctBugs(situation: Situation, claim: JsonObject, results: readonly JsonObject[], has: string): readonly KnownBug[] {
  const repeated = repeatedValue(claim, results, situation.inventory);
  if (repeated === undefined) return [];
  const { attribute, devices, isWithinRequest } = repeated;
  const id = isWithinRequest ? 'distinct-within-request' : 'distinct-across-requests';
  return named(situation, id, `${has} ${listed(devices.map(one => one.id))} with one value of ${attribute} (${attributeValue(devices[0], attribute) ?? ''}), which its constraint forbids`);
}

/** Whether the node would do if drivers with pools of one name did not share counters. */
function mixedCounters(verdicts: readonly NodeVerdict[], claims: readonly ClaimDemand[], situation: Situation): readonly KnownBug[] {
  const { trials, inventory, target, patch } = situation;
  if (hasKnownBug('counters-by-pool-name', target, patch) !== true) return [];
  const objects = claims.map(({ object }) => object);
  const found = verdicts.slice(0, MOST_NODES).find(({ node }) => trials.fits(node, objects, { quirks: { countersByPoolName: false } }));
  if (found === undefined) return [];
  const pools = inventory.poolsOf(found.node.name).filter(({ slices }) => slices.some(hasCounters));
  const twins = pools.filter(pool => pools.some(other => other !== pool && other.name === pool.name));
  return named(situation, 'counters-by-pool-name', `On ${found.node.name} the counters of drivers ${listed(twins.map(({ driver }) => driver))} are taken for one, as both call their pool ${twins[0]?.name ?? ''}`);
}

function capacityBugs(verdicts: readonly NodeVerdict[], claims: readonly ClaimDemand[], situation: Situation): readonly KnownBug[] {
  const [{ tally, node }] = verdicts;
  if (tally === undefined) return [];
  const { need, states } = tally;
  const devices = states.filter(({ rule }) => rule === 'capacity').map(({ device }) => device);
  const misnamed = devices.flatMap(device => [...need.capacity.keys()].flatMap(name => {
    const published = Object.keys(device.view.capacity);
    const meant = published.includes(name) ? undefined : published.find(one => qualified(one, device) === qualified(name, device));
    return meant === undefined ? [] : [{ name, meant }];
  }))[0];
  const objects = claims.map(({ object }) => object);
  const isFractional = devices.some(device => Object.values(device.view.capacity).some(hasFractionalStep));
  return [
    ...(misnamed ? named(situation, 'capacity-name', `The request asks for capacity ${misnamed.name}, and the driver calls the same capacity ${misnamed.meant}`) : []),
    ...(isFractional && situation.trials.fits(node, objects, { hasFractions: true })
      ? named(situation, 'capacity-step-in-units', 'The amount is rounded up to whole units, though the device hands out smaller steps')
      : []),
    ...(need.adminAccess && numberOf(tally, 'capacity') > 0
      ? named(situation, 'admin-access-takes-capacity', `${need.title} asks for admin access, and is refused since the device has nothing left to give`)
      : []),
  ];
}

/** The scheduler speaks of an invalid pool that has nothing to do with the pod. */
function misleadingError(verdicts: readonly NodeVerdict[], situation: Situation): readonly KnownBug[] {
  const { inventory } = situation;
  for (const { node, blamesPools } of verdicts) {
    if (blamesPools !== true) continue;
    const pools = inventory.poolsOf(node.name);
    // Which of them is invalid is the allocator's to know; all that could be are foreign.
    const suspects = pools.filter(pool => !serves(pool, situation));
    if (suspects.length === 0 || pools.some(pool => serves(pool, situation) && situation.trials.isInvalid(node, pool))) continue;
    const invalid = suspects.find(pool => situation.trials.isInvalid(node, pool));
    if (invalid === undefined) continue;
    return named(situation, 'foreign-invalid-pool', `The scheduler says 'invalid resource pools were encountered' of ${node.name}, which is about pool ${invalid.name} of driver ${invalid.driver} and not about this pod`);
  }
  return [];
}

/** A claim that has to be deleted, of which the scheduler hears nothing. */
function silentDeletion(verdicts: readonly NodeVerdict[], situation: Situation): readonly KnownBug[] {
  const { inventory } = situation;
  for (const { node } of verdicts) {
    const claim = inventory.poolsOf(node.name).flatMap(pool => inventory.usesIn(pool)).map(use => use.claim).find(holder => !isReleased(holder));
    if (claim !== undefined) return named(situation, 'claim-deletion-wakes-nobody', `Claim ${referenceOf(claim)} has no finalizer of the scheduler, which hears nothing when it is deleted`);
  }
  return [];
}

function named(situation: Situation, id: UpstreamBugId, what: string): readonly KnownBug[] {
  const { target, patch } = situation;
  return hasKnownBug(id, target, patch) === false ? [] : [knownBug(id, what, target, patch)];
}

/** Whether a pool has a device of a class that the pod asks for. */
function serves(pool: DevicePool, { demand, inventory }: Situation): boolean {
  const classes = new Set(demand.flatMap(({ requests }) => requests.flat().map(({ className }) => className)));
  return pool.devices.some(device => [...classes].some(name => inventory.isOfClass(device, name)));
}

function chooses({ className, selectors }: Need, device: KnownDevice, { inventory }: Situation): boolean {
  return inventory.isOfClass(device, className) && selectors.every(expression => inventory.selects(expression, device));
}

function deviceOf(result: JsonObject, { inventory }: Situation): KnownDevice | undefined {
  return inventory.pools.get(`${textAt(result, 'driver')}/${textAt(result, 'pool')}`)?.devices.find(({ name }) => name === textAt(result, 'device'));
}

/** Whether a device consumes counters that its own slice does not have. */
function lacksItsCounters({ value, pool: { slices } }: KnownDevice): boolean {
  const slice = slices.find(one => objectsAt(one, 'spec', 'devices').includes(value));
  const sets = new Set(objectsAt(slice, 'spec', 'sharedCounters').map(set => textAt(set, 'name')));
  return objectsAt(value, 'consumesCounters').some(use => !sets.has(textAt(use, 'counterSet')));
}

function hasCounters(slice: JsonObject): boolean {
  return objectsAt(slice, 'spec', 'sharedCounters').length > 0;
}

function hasList({ view }: KnownDevice): boolean {
  return Object.values(view.attributes).some(attribute => ['ints', 'bools', 'strings', 'versions'].some(type => field(attribute, type) !== undefined));
}

function hasFractionalStep(capacity: unknown): boolean {
  const range = objectAt(capacity, 'requestPolicy', 'validRange');
  return [range.min, range.step].some(bound => {
    const amount = Quantity.fromJson(bound);
    return amount instanceof Quantity && !Quantity.of(amount.value()).equals(amount);
  });
}

function qualified(name: string, { pool }: KnownDevice): string {
  return name.includes('/') ? name : `${pool.driver}/${name}`;
}

const MOST_NODES = 12;
