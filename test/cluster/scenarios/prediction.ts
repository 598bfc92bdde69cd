import { Allocator, featuresOf, implementationFor } from '../../../src/model/allocator';
import type { AllocateResult } from '../../../src/model/allocator';
import { explainPod } from '../../../src/model/explain';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Quantity } from '../../../src/model/quantity';
import { Target } from '../../../src/model/target';
import { ClusterView, isAllocated, matchesSelector, nodeOf, podClaims, PodDemand, taintedSlices } from '../../../src/model/view';
import { Random } from '../../oracle/generate/random';

/** What the scheduler may do with a pod. */
export interface Prediction {
  /** By node on which the pod fits: the devices of each claim, in every form that the order of pools allows. */
  readonly nodes: Readonly<Record<string, readonly string[]>>;
  /** Errors that end the attempt for all nodes; they may depend on the order of pools. */
  readonly errors: readonly string[];
  /** Whether every order of pools ends in an error. */
  readonly fails: boolean;
  /** The cause that explain gives. */
  readonly cause: string;
}

/** The pod in question, and the cluster with it. */
export interface Question {
  readonly objects: readonly JsonObject[];
  readonly namespace: string;
  readonly name: string;
  readonly kubernetes: string;
  readonly gates: string;
}

/** Foresees a pod that is in the view with all its claims. @param pools `driver/pool` that may come first, where the order is random */
export function predict({ objects, namespace, name, kubernetes, gates }: Question, pools: readonly string[] = []): Prediction {
  const target = Target.parse(kubernetes, gates);
  const view = ClusterView.of(objects.map(value => ({ value, source: { name: 'cluster' } })));
  const pod = view.find('Pod', namespace, name);
  if (pod === undefined) throw new Error(`No pod ${namespace}/${name}.`);
  const claims = podClaims(view, pod).flatMap(({ claim }) => claim ?? []);
  const open = claims.filter(claim => !isAllocated(claim)).map(({ value }) => value);
  const demand = new PodDemand(view, pod);
  const candidates = view.all('Node').filter(node => demand.objectionsTo(node).length === 0 && claims.every(({ value }) => {
    const selector = ((value.status as JsonObject | undefined)?.allocation as JsonObject | undefined)?.nodeSelector;
    return selector === undefined || matchesSelector(selector, nodeOf(node));
  }));
  const nodes: Record<string, Set<string>> = {};
  const errors = new Set<string>();
  const orders = ordersOf(taintedSlices(view, target), target, pools);
  let failing = 0;
  for (const slices of orders) {
    const devices = { slices, classes: view.all('DeviceClass').map(({ value }) => value), allocated: view.all('ResourceClaim').map(({ value }) => value) };
    const allocator = new Allocator(devices, { minor: target.minor, features: featuresOf(target) });
    const answers = candidates.map(node => ({ node: node.name, answer: allocator.allocate(node.value, open) }));
    const fatal = answers.filter(({ answer }) => answer.error !== undefined && answer.nodeError !== true);
    for (const { answer } of fatal) errors.add(answer.error ?? '');
    if (fatal.length > 0) failing++;
    else for (const { node, answer } of answers) if (answer.allocated) (nodes[node] ??= new Set()).add(devicesOf(answer));
  }
  return {
    nodes: Object.fromEntries(Object.entries(nodes).map(([node, forms]) => [node, [...forms]])),
    errors: [...errors],
    fails: failing === orders.length,
    cause: explainPod(view, namespace, name, target)?.cause ?? '',
  };
}

/** Upstream goes through pools in the order of a Go map before 1.36: some of the orders, the given one first. */
function ordersOf(slices: readonly JsonObject[], target: Target, pools: readonly string[]): readonly (readonly JsonObject[])[] {
  if (target.atLeast('1.36') && implementationFor(target.minor, featuresOf(target)) !== 'stable') return [slices];
  const random = new Random(1);
  const place = (slice: JsonObject): number => {
    const found = pools.indexOf(poolOf(slice.spec as JsonObject));
    return found < 0 ? pools.length : found;
  };
  const shuffled = random.list(60, () => random.shuffled(slices));
  return [slices, ...shuffled].map(order => [...order].sort((a, b) => place(a) - place(b)));
}

function poolOf({ driver, pool }: JsonObject): string {
  return `${String(driver)}/${String((pool as JsonObject).name)}`;
}

/** The pools of devices in the order in which a claim got them. */
export function poolsIn(results: readonly JsonObject[] = []): readonly string[] {
  return [...new Set(results.map(({ driver, pool }) => `${String(driver)}/${String(pool)}`))];
}

function devicesOf({ results = [] }: AllocateResult): string {
  return results.map(({ devices }) => devicesText(devices.results as unknown as readonly JsonObject[])).join('; ');
}

/** Devices of a claim, as told in messages: amounts as quantities, without share IDs, which are random. */
export function devicesText(results: readonly JsonObject[] = []): string {
  return results.map(({ request, driver, pool, device, adminAccess, consumedCapacity }) => {
    const amounts = Object.entries((consumedCapacity ?? {}) as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}=${amount(value)}`);
    return `${String(request)}: ${String(driver)}/${String(pool)}/${String(device)}${adminAccess === true ? ' (admin)' : ''}${amounts.length === 0 ? '' : ` {${amounts.join(', ')}}`}`;
  }).join(', ');
}

function amount(value: unknown): string {
  const quantity = Quantity.fromJson(value);
  return quantity instanceof Quantity ? String(Number(quantity.milliValue())) : String(value);
}
