import { Allocator, featuresOf } from '../allocator';
import type { AllocateResult, AllocatorFeatures, AttemptOptions, Quirks } from '../allocator';
import { questionOf } from './claim-question';
import type { DeviceInventory, DevicePool } from './device-inventory';
import type { NodeKinds } from './node-kinds';
import type { JsonObject } from '../manifests/manifest-set';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { textAt } from '../view/json-field';
import type { ViewObject } from '../view/view-object';

/** A question to the allocator that differs from the state of the cluster. */
export interface Change {
  /** Claims that would be gone. */
  readonly without?: ReadonlySet<ViewObject>;
  /** Pools that would look otherwise. */
  readonly slices?: (pool: DevicePool) => readonly JsonObject[];
  /** Ways of the allocator that would be otherwise. */
  readonly quirks?: Quirks;
  /** Whether amounts could be smaller than a unit. */
  readonly hasFractions?: boolean;
}

/** Asks the allocator about one node at a time, with the devices of that node only, and counts how often. */
export class Trials {
  private readonly features: AllocatorFeatures;
  private readonly classes: readonly JsonObject[];
  private left: number;
  /** Devices that may still be looked at. */
  private workForAnswers = MOST_WORK_FOR_ANSWERS;
  private workForTrials = MOST_WORK_FOR_TRIALS;
  /** By node, or for all nodes that see the same devices: the devices as they are, read once. */
  private readonly allocators = new Map<string, Allocator>();

  public constructor(
    private readonly inventory: DeviceInventory,
    private readonly kinds: NodeKinds,
    view: ClusterView,
    private readonly target: Target,
    private readonly quirks: Quirks = {},
    budget = MOST_TRIALS,
  ) {
    this.features = featuresOf(target);
    this.classes = view.all('DeviceClass').map(one => one.value);
    this.left = budget;
  }

  /** Whether changes were left untried for lack of work allowed. */
  public get exhausted(): boolean {
    return this.left <= 0;
  }

  /** The answer of the scheduler for a node as things are, with reasons. */
  public answer(node: ViewObject, claims: readonly JsonObject[]): AllocateResult {
    const size = this.stepSize(node);
    const answer = this.ask(node, claims, {}, { reasons: true, maxSteps: stepsFor(this.workForAnswers, size, MOST_STEPS_OF_AN_ANSWER) });
    this.workForAnswers -= answer.steps * size;
    return answer;
  }

  /** Whether the claims would fit on a node after a change; false when too much was asked already. */
  public fits(node: ViewObject, claims: readonly JsonObject[], change: Change = {}): boolean {
    if (this.left <= 0) return false;
    // Devices that look otherwise have to be read anew.
    const isNew = !isEmpty(change);
    const size = this.stepSize(node);
    this.left -= 1 + Math.floor(size / (isNew ? 64 : 512));
    const { allocated, steps } = this.ask(node, claims, change, { reasons: false, maxSteps: stepsFor(this.workForTrials, size, MOST_STEPS) });
    this.workForTrials -= steps * size;
    return allocated;
  }

  /** Devices that a step of the search may look at. */
  private stepSize(node: ViewObject): number {
    return Math.max(1, this.inventory.sizeFor(node.name));
  }

  /** Of these nodes, those on which claims would fit: one of each kind is asked about, of the first kinds. */
  public fitting(nodes: readonly ViewObject[], claims: readonly JsonObject[]): readonly ViewObject[] {
    const question = questionOf(claims);
    const alike = new Map<unknown, ViewObject[]>();
    for (const node of nodes) {
      // A node without a kind is one of its own.
      const kind = this.kinds.kindOf(node, question) ?? node;
      const known = alike.get(kind);
      if (known) known.push(node);
      else alike.set(kind, [node]);
    }
    return [...alike.values()].slice(0, MOST_KINDS).filter(([first]) => this.fits(first, claims)).flat();
  }

  /** Whether the allocator finds a pool invalid: asked for a device that does not exist, it then speaks of the pool. */
  public isInvalid(node: ViewObject, pool: DevicePool): boolean {
    const exactly = { deviceClassName: textAt(this.classes[0], 'metadata', 'name'), selectors: [{ cel: { expression: 'false' } }] };
    const claim = { metadata: { name: 'none' }, spec: { devices: { requests: [{ name: 'none', exactly }] } } };
    const { error = '' } = this.ask(node, [claim], { slices: one => (one === pool ? one.slices : []) }, { reasons: false, maxSteps: MOST_STEPS });
    return error === 'invalid resource pools were encountered' || error.startsWith(`pool ${pool.name} is invalid`);
  }

  private ask(
    node: ViewObject, claims: readonly JsonObject[], change: Change, options: Required<Pick<AttemptOptions, 'reasons' | 'maxSteps'>>,
  ): AllocateResult {
    try {
      return this.allocatorFor(node, change, !options.reasons).allocate(node.value, claims, options);
    } catch (error) {
      return { allocated: false, error: error instanceof Error ? error.message : String(error), nodeError: false, steps: 0 };
    }
  }

  private allocatorFor(node: ViewObject, change: Change, isTrial: boolean): Allocator {
    const pools = this.inventory.poolsOf(node.name);
    if (!isEmpty(change)) return this.read(pools, change);
    // Nodes without pools of their own are asked about with the same devices.
    const isShared = this.inventory.ownPoolsOf(node.name).length === 0;
    const key = isShared ? '' : node.name;
    let allocator = this.allocators.get(key);
    if (allocator !== undefined) return allocator;
    allocator = this.read(pools, change);
    // Most nodes are asked about once; keeping what was read for a thousand of them costs more than it saves.
    if (isShared || isTrial) this.allocators.set(key, allocator);
    return allocator;
  }

  private read(pools: readonly DevicePool[], { without, slices = asPublished, quirks, hasFractions }: Change): Allocator {
    const devices = {
      slices: pools.flatMap(slices),
      classes: this.classes,
      allocated: pools.flatMap(pool => this.inventory.usesIn(pool).filter(({ claim }) => !without?.has(claim)).map(({ entry }) => entry)),
    };
    return new Allocator(devices, {
      minor: this.target.minor,
      features: hasFractions ? { ...this.features, fractionalCapacityRange: true } : this.features,
      evaluator: this.inventory.evaluator,
      quirks: { ...this.quirks, ...(hasFractions ? { strictCapacity: true } : {}), ...quirks },
    });
  }
}

/** Steps for which there is work left; always enough to give a claim its devices where nothing stands in the way. */
function stepsFor(work: number, size: number, most: number): number {
  return Math.max(FEWEST_STEPS, Math.min(most, Math.floor(work / size)));
}

function isEmpty({ without, slices, quirks, hasFractions }: Change): boolean {
  return without === undefined && slices === undefined && quirks === undefined && hasFractions !== true;
}

function asPublished({ slices }: DevicePool): readonly JsonObject[] {
  return slices;
}

/** Enough for every change on dozens of nodes; with typical devices a tenth of a second. */
const MOST_TRIALS = 1500;
/** Kinds of nodes on which one change is tried. */
const MOST_KINDS = 12;
/** A search that takes longer has many devices that are all alike, and one more change would take as long again. */
const MOST_STEPS = 20_000;
/** Of one answer: as many as the scheduler takes within its filter timeout. */
const MOST_STEPS_OF_AN_ANSWER = 2_000_000;
const FEWEST_STEPS = 200;
/** Steps times devices, of all answers and of all trials: seconds, when it comes to that. */
const MOST_WORK_FOR_ANSWERS = 30_000_000;
const MOST_WORK_FOR_TRIALS = 10_000_000;
