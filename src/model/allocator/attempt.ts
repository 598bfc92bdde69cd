import type { Quantity } from '../quantity';
import type { AllocatedState, PoolUse } from './allocated';
import { capacityNeed, missingCapacity } from './capacity';
import type { CapacityNeed, CapacityRules } from './capacity';
import type { Claim, DeviceClass, Selector } from './claim';
import { CompatibilityGroups } from './compatibility-groups';
import type { Constraint } from './constraint';
import { Counters } from './counters';
import type { AllocatorFeatures } from './features';
import { matchesNode } from './node';
import type { AllocationNode } from './node';
import type { Pool } from './pools';
import type { RequestData } from './request-data';
import type { CompiledExpression, SelectorEvaluator } from './selector-evaluator';
import type { Slice, SliceDevice } from './slice';
import type { Trace } from './trace';
import type { Variant } from './variant';

/** What an attempt needs to know; nothing of it changes. */
export interface Setting {
  readonly features: AllocatorFeatures;
  readonly variant: Variant;
  readonly node: AllocationNode;
  readonly claims: readonly Claim[];
  readonly classes: ReadonlyMap<string, DeviceClass>;
  readonly allocated: AllocatedState;
  readonly evaluator: SelectorEvaluator;
  readonly compiled: Map<string, CompiledExpression>;
  readonly maxSteps: number;
  readonly trace: Trace | undefined;
}

/** A device given to a request, with what is needed to take it back. */
export interface Chosen {
  readonly position: number;
  readonly data: RequestData;
  /** The share taken of a device that can be shared. */
  readonly share: CapacityNeed | undefined;
  readonly marked: boolean;
  readonly hadShares: boolean;
  readonly counters: Counters | undefined;
  readonly restoreGroups: (() => void) | undefined;
}

/** Requests of a claim with their alternatives; a plain request is its own only alternative. */
export interface RequestSlot {
  readonly alternatives: readonly RequestData[];
  readonly isList: boolean;
  selected: number;
}

export const NO = 0;
export const YES = 1;
/** Left because a claim would get too many devices. */
export const TOO_LARGE = 2;
/** Ended by {@link Attempt.fatal}. */
export const FATAL = 3;
export type Answer = typeof NO | typeof YES | typeof TOO_LARGE | typeof FATAL;

/** The state of one attempt to allocate all claims on one node. */
export class Attempt {
  public readonly devices: readonly SliceDevice[];
  public readonly slots: RequestSlot[][] = [];
  public readonly constraints: Constraint[][] = [];
  public readonly chosen: Chosen[][];
  /** Why the attempt ended early. */
  public fatal: string | undefined;
  public outOfSteps = false;
  public steps = 0;
  /** Place of the first device behind an invalid pool that ends the search. */
  public readonly invalidAt: number;
  public readonly invalidText: string = '';

  /** Shares taken by this attempt, by device. */
  public readonly shares: (Map<string, Quantity> | undefined)[];
  public readonly usedByClaim: Uint8Array;
  public readonly usedCount: Uint16Array;
  public readonly consumable: boolean;

  private readonly dedicated: Uint8Array;
  private readonly poolOf: readonly Pool[];
  private readonly counters = new Map<string, Counters>();
  private readonly groups = new Map<string, CompatibilityGroups>();
  private readonly capacityRules: CapacityRules;
  private readonly bindingConditions: boolean;

  public constructor(public readonly setting: Setting, public readonly pools: readonly Pool[]) {
    const { variant, features, claims, allocated } = setting;
    const devices: SliceDevice[] = [];
    const poolOf: Pool[] = [];
    let invalidAt = -1;
    for (const pool of pools) {
      if (pool.invalid !== undefined && variant.naivePools && invalidAt < 0) {
        invalidAt = devices.length;
        this.invalidText = `pool ${pool.name} is invalid: ${pool.invalid}`;
      }
      if (pool.invalid !== undefined || (pool.incomplete && !variant.naivePools)) continue;
      for (const slice of pool.slices) {
        for (const device of slice.devices) {
          devices.push(device);
          poolOf.push(pool);
        }
      }
    }
    this.devices = devices;
    this.poolOf = poolOf;
    this.invalidAt = invalidAt;
    this.consumable = variant.full && features.consumableCapacity;
    this.bindingConditions = variant.full && features.deviceBinding && features.deviceStatus;
    this.capacityRules = { strict: variant.strictCapacity, fractional: variant.strictCapacity && features.fractionalCapacityRange };
    this.chosen = claims.map(() => []);
    this.shares = [];
    this.usedByClaim = new Uint8Array(devices.length * claims.length);
    this.usedCount = new Uint16Array(devices.length);
    this.dedicated = new Uint8Array(devices.length);
    if (allocated.size === 0) return;
    for (let i = 0; i < devices.length; i++) {
      if (allocated.get(poolOf[i].key)?.dedicated.has(devices[i].name)) this.dedicated[i] = 1;
    }
  }

  public stop(text: string): typeof FATAL {
    this.fatal = text;
    return FATAL;
  }

  /** `driver/pool/device`, as messages name it. */
  public deviceId(position: number): string {
    const { driver, name } = this.poolOf[position];
    return `${driver}/${name}/${this.devices[position].name}`;
  }

  public poolAt(position: number): Pool {
    return this.poolOf[position];
  }

  public use(position: number): PoolUse | undefined {
    return this.setting.allocated.get(this.poolOf[position].key);
  }

  public inUse(position: number): boolean {
    return this.dedicated[position] === 1 || this.usedCount[position] > 0;
  }

  public isDedicated(position: number): boolean {
    return this.dedicated[position] === 1;
  }

  public usedBy(claim: number, position: number): boolean {
    return this.usedByClaim[claim * this.devices.length + position] === 1;
  }

  public mark(claim: number, position: number, used: boolean): void {
    const at = claim * this.devices.length + position;
    if ((this.usedByClaim[at] === 1) === used) return;
    this.usedByClaim[at] = used ? 1 : 0;
    this.usedCount[position] += used ? 1 : -1;
  }

  /** Whether class and request select a device, and it is for the node. */
  public selectable(claim: number, data: RequestData, matches: Uint8Array, position: number): typeof NO | typeof YES | typeof FATAL {
    const device = this.devices[position];
    if (!this.bindingConditions && device.bindingConditions && device.bindingConditions.length > 0) {
      this.setting.trace?.exclude(claim, data, position, 'gate', 'has binding conditions, and the feature is off');
      return NO;
    }
    if (matches[position] !== 0) return matches[position] === 2 ? YES : NO;
    let answer = this.select(claim, data, data.deviceClass.selectors, position, true);
    if (answer === YES) answer = this.select(claim, data, data.request.selectors, position, false);
    if (answer === YES && device.slice.perDeviceNodeSelection === true) {
      const match = matchesNode(device, this.setting.node);
      if (typeof match === 'string') return this.stop(match);
      if (!match) this.setting.trace?.exclude(claim, data, position, 'node', 'is for other nodes');
      answer = match ? YES : NO;
    }
    if (answer !== FATAL) matches[position] = answer === YES ? 2 : 1;
    return answer;
  }

  /** Whether a device has enough left; errors name what was done at the time. */
  public fits(claim: number, data: RequestData, position: number, doing: string): typeof NO | typeof YES | typeof FATAL {
    const need = this.need(data, position);
    if (need.panic !== undefined) return this.stop(need.panic);
    if (need.error !== undefined) {
      const { reference } = this.setting.claims[claim];
      return this.stop(`claim ${reference}, request ${data.request.name}: ${doing} for device ${this.deviceId(position)}: ${need.error}`);
    }
    const { trace } = this.setting;
    if (need.undefinedCapacity || need.againstPolicy) {
      trace?.exclude(claim, data, position, 'capacity', need.undefinedCapacity ? 'lacks a requested capacity' : 'its policy has no such amount');
      return NO;
    }
    const device = this.devices[position];
    const missing = missingCapacity(device, need, this.use(position)?.consumed.get(device.name), this.shares[position]);
    if (!missing) return YES;
    trace?.exclude(claim, data, position, 'capacity', `too little ${missing.name} of ${missing.value.toString()} is left`);
    return NO;
  }

  public need(data: RequestData, position: number): CapacityNeed {
    return data.needs[position] ??= capacityNeed(data.request, this.devices[position], this.capacityRules);
  }

  /** The counters that a device takes from. */
  public countersFor(position: number): Counters {
    const { variant } = this.setting;
    const { slice } = this.devices[position];
    const pool = this.poolOf[position];
    const key = variant.countersPerSlice ? slice.name : variant.countersByPoolName ? pool.name : pool.key;
    let counters = this.counters.get(key);
    if (!counters) {
      const sets = variant.countersPerSlice ? new Map(slice.sharedCounters.map(set => [set.name, set])) : pool.counterSets;
      const slices = variant.countersPerSlice ? [slice] : [...pool.slices, ...pool.otherSlices];
      this.counters.set(key, counters = new Counters(sets.values(), this.allocatedDevices(pool, slices)));
    }
    return counters;
  }

  public groupsFor(position: number): CompatibilityGroups {
    const pool = this.poolOf[position];
    let groups = this.groups.get(pool.key);
    if (!groups) {
      groups = new CompatibilityGroups(this.allocatedDevices(pool, [...pool.slices, ...pool.otherSlices]));
      this.groups.set(pool.key, groups);
    }
    return groups;
  }

  private allocatedDevices(pool: Pool, slices: readonly Slice[]): SliceDevice[] {
    const use = this.setting.allocated.get(pool.key);
    if (!use) return [];
    const shares = this.setting.variant.sharesUseCounters;
    return slices.flatMap(slice => slice.devices.filter(({ name }) => use.dedicated.has(name) || (shares && use.shared.has(name))));
  }

  private select(
    claim: number, data: RequestData, selectors: readonly Selector[], position: number, ofClass: boolean,
  ): typeof NO | typeof YES | typeof FATAL {
    const { trace, variant } = this.setting;
    for (let i = 0; i < selectors.length; i++) {
      const expression = selectors[i];
      // Of a class, Go would dereference nil here.
      if (expression === undefined) return this.stop('panic: runtime error: invalid memory address or nil pointer dereference');
      const owner = ofClass ? `class ${data.deviceClass.name}` : `claim ${this.setting.claims[claim].reference}`;
      const compiled = this.compile(expression);
      const rule = `${ofClass ? 'class' : 'request'}-selector ${i}`;
      if ('compileError' in compiled) {
        trace?.exclude(claim, data, position, rule, compiled.compileError);
        return this.stop(`${owner}: selector #${i}: CEL compile error: ${compiled.compileError}`);
      }
      const result = compiled.matches(this.devices[position].view);
      if (result === true) continue;
      trace?.exclude(claim, data, position, rule, result === false ? `is not selected by ${expression}` : result.error);
      if (result === false) return NO;
      const place = variant.namesDevice ? ` on device ${this.deviceId(position)}` : '';
      const hint = variant.namesDevice && result.error.includes('no such key:') ? MISSING_KEY_HINT : '';
      return this.stop(`${owner}: selector #${i}${place}: CEL runtime error: ${result.error}${hint}`);
    }
    return YES;
  }

  private compile(expression: string): CompiledExpression {
    const { compiled, evaluator } = this.setting;
    let one = compiled.get(expression);
    if (!one) compiled.set(expression, one = evaluator.compile(expression));
    return one;
  }
}

/** Of `EnhanceRuntimeError` in k8s.io/dynamic-resource-allocation/cel v0.37.2. */
const MISSING_KEY_HINT = '. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields';
