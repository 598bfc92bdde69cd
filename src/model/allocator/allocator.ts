import { readAllocated } from './allocated';
import type { AllocatedState } from './allocated';
import { Attempt, FATAL, NO } from './attempt';
import type { Answer } from './attempt';
import { celEvaluator } from './cel-evaluator';
import { readClaim, readClass } from './claim';
import type { Claim, DeviceClass } from './claim';
import { featuresWith, implementationFor } from './features';
import type { AllocatorFeatures, Implementation } from './features';
import { readList } from '../decoding';
import { readNode } from './node';
import { gatherPools } from './pools';
import { prepareClaims } from './prepare';
import { explain } from './reasons';
import type { Explanation } from './reasons';
import { allocationOf, scoreOf } from './result';
import type { AllocationResult } from './result';
import { search } from './search';
import type { CompiledExpression, SelectorEvaluator } from './selector-evaluator';
import { countedShareIds } from './share-id';
import { readSlice } from './slice';
import { SliceIndex } from './slice-index';
import { Trace } from './trace';
import { variantOf } from './variant';
import type { Quirks, Variant } from './variant';
import type { Minor } from '../target/versions';

/** The objects of a cluster, as JSON of the v1 API. */
export interface ClusterDevices {
  readonly slices: readonly unknown[];
  readonly classes: readonly unknown[];
  /** What is in use: entries `{driver, pool, device, shareID?, consumedCapacity?, adminAccess?}`, or ResourceClaims, in any mix. */
  readonly allocated?: readonly unknown[];
}

export interface AllocatorOptions {
  /** Default: 1.36. */
  readonly minor?: Minor;
  /** Default: those that the scheduler of the minor has on. */
  readonly features?: AllocatorFeatures;
  /** Default: the one that the minor picks for the features. */
  readonly implementation?: Implementation;
  /** Default: as the scheduler of the minor evaluates with these features. */
  readonly evaluator?: SelectorEvaluator;
  /** Ways that differ from the minor's: those of an older patch release, or none of its mistakes. */
  readonly quirks?: Quirks;
}

export interface AttemptOptions {
  /** Default: ids that count from 1, in the form of random UUIDs. */
  readonly nextShareId?: () => string;
  /** Steps of the search after which it gives up as after a timeout; default: ten million. */
  readonly maxSteps?: number;
  /** Whether to say for every device why it was not chosen; default: false. */
  readonly reasons?: boolean;
}

/** The answer for one node. */
export interface AllocateResult extends Explanation {
  readonly allocated: boolean;
  /** One for each claim. */
  readonly results?: readonly AllocationResult[];
  /** Upstream's text; absent when the claims simply do not fit. */
  readonly error?: string;
  /** Beside an error: whether only this node is out, or the whole attempt fails. */
  readonly nodeError?: boolean;
  /** The search gave up for lack of steps. */
  readonly outOfSteps?: boolean;
  /** The preference of the scheduler among nodes that fit. */
  readonly score?: number;
  /** Steps of the search. */
  readonly steps: number;
}

/** Claims read once, to be tried on many nodes. */
export class ClaimSet {
  public readonly claims: readonly Claim[];

  /** Throws for objects that are no v1 ResourceClaims. */
  public constructor(claims: readonly unknown[]) {
    this.claims = readList(claims, 'claims').map((claim, i) => readClaim(claim, `claims[${i}]`));
  }
}

/** Allocates devices as the scheduler of a Kubernetes minor does; made once for many nodes and claims. */
export class Allocator {
  public readonly implementation: Implementation;
  private readonly features: AllocatorFeatures;
  private readonly variant: Variant;
  private readonly index: SliceIndex;
  private readonly classes = new Map<string, DeviceClass>();
  private readonly allocated: AllocatedState;
  private readonly evaluator: SelectorEvaluator;
  private readonly compiled = new Map<string, CompiledExpression>();

  /** Throws for objects that are no JSON of the v1 API; what the API server would refuse beyond that is treated as upstream treats it. */
  public constructor(devices: ClusterDevices, options: AllocatorOptions = {}) {
    const minor = options.minor ?? '1.36';
    this.features = options.features ?? featuresWith(minor, {});
    this.implementation = options.implementation ?? implementationFor(minor, this.features);
    this.variant = { ...variantOf(minor, this.implementation), ...options.quirks };
    this.evaluator = options.evaluator ?? celEvaluator(minor, {
      DRAConsumableCapacity: this.features.consumableCapacity,
      DRAListTypeAttributes: this.features.listTypeAttributes,
    });
    this.index = new SliceIndex(readList(devices.slices, 'slices').map((slice, i) => readSlice(slice, i, `slices[${i}]`, this.variant)));
    for (const [i, one] of readList(devices.classes, 'classes').entries()) {
      const deviceClass = readClass(one, `classes[${i}]`);
      this.classes.set(deviceClass.name, deviceClass);
    }
    this.allocated = readAllocated(devices.allocated, this.features.consumableCapacity, 'allocated');
  }

  /** Allocates all claims on a node, or none; changes nothing. */
  public allocate(node: unknown, claims: readonly unknown[] | ClaimSet, options: AttemptOptions = {}): AllocateResult {
    const trace = options.reasons ? new Trace() : undefined;
    const setting = {
      features: this.features,
      variant: this.variant,
      node: readNode(node, 'node'),
      claims: (claims instanceof ClaimSet ? claims : new ClaimSet(claims)).claims,
      classes: this.classes,
      allocated: this.allocated,
      evaluator: this.evaluator,
      compiled: this.compiled,
      maxSteps: options.maxSteps ?? MAX_STEPS,
      trace,
    };
    const { pools, error } = gatherPools(this.index, setting.node, this.features, this.variant);
    if (error !== undefined) return { allocated: false, error: `gather pool information: ${error}`, nodeError: false, steps: 0 };
    const attempt = new Attempt(setting, pools);
    const answer = prepareClaims(attempt) ? searchAsDeepAsPossible(attempt) : FATAL;
    const because = trace ? explain(attempt, trace, this.index, answer) : {};
    if (answer === FATAL) {
      return {
        allocated: false,
        error: attempt.fatal ?? '',
        nodeError: false,
        ...(attempt.outOfSteps ? { outOfSteps: true } : {}),
        steps: attempt.steps,
        ...because,
      };
    }
    if (answer === NO) {
      const invalid = !this.variant.naivePools && pools.some(pool => pool.invalid !== undefined);
      return {
        allocated: false,
        ...(invalid ? { error: 'invalid resource pools were encountered', nodeError: true } : {}),
        steps: attempt.steps,
        ...because,
      };
    }
    const nextShareId = options.nextShareId ?? countedShareIds();
    const results: AllocationResult[] = [];
    for (let i = 0; i < setting.claims.length; i++) {
      const allocation = allocationOf(attempt, i, nextShareId);
      if (typeof allocation === 'string') return { allocated: false, error: allocation, nodeError: false, steps: attempt.steps, ...because };
      results.push(allocation);
    }
    return { allocated: true, results, score: scoreOf(attempt), steps: attempt.steps, ...because };
  }
}

/** Thousands of claims in one attempt are more than the stack holds. */
function searchAsDeepAsPossible(attempt: Attempt): Answer {
  try {
    return search(attempt);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return attempt.stop('the attempt has more claims and devices than can be searched at once');
  }
}

/** Far beyond what a scheduler does in the ten seconds of its filter timeout on most input, and seconds here. */
const MAX_STEPS = 10_000_000;
