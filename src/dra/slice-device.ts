import { canonicalQuantity } from './canonical-quantity';
import type { DeviceTaint } from './device-taint';
import type { DeviceAttribute as AttributeJson, DeviceCapacity as CapacityJson } from '../../imports/types';

/** The value of a published attribute: exactly one type. */
export class DeviceAttributeValue {
  /** Text of at most 64 bytes. */
  public static text(value: string): DeviceAttributeValue {
    return new DeviceAttributeValue({ string: value });
  }

  /** A whole number; within ±(2^53 - 1) here, since JavaScript holds no larger ones exactly. */
  public static whole(value: number): DeviceAttributeValue {
    return new DeviceAttributeValue({ int: value });
  }

  /** True or false. */
  public static flag(value: boolean): DeviceAttributeValue {
    return new DeviceAttributeValue({ bool: value });
  }

  /** A strict semantic version without a leading v. */
  public static version(value: string): DeviceAttributeValue {
    return new DeviceAttributeValue({ version: value });
  }

  /** Several texts. Carried by feature gate DRAListTypeAttributes (alpha from 1.36). */
  public static texts(...values: string[]): DeviceAttributeValue {
    return new DeviceAttributeValue({ strings: values });
  }

  /** Several whole numbers. Carried by feature gate DRAListTypeAttributes (alpha from 1.36). */
  public static wholes(...values: number[]): DeviceAttributeValue {
    return new DeviceAttributeValue({ ints: values });
  }

  /** Several flags. Carried by feature gate DRAListTypeAttributes (alpha from 1.36). */
  public static flags(...values: boolean[]): DeviceAttributeValue {
    return new DeviceAttributeValue({ bools: values });
  }

  /** Several versions. Carried by feature gate DRAListTypeAttributes (alpha from 1.36). */
  public static versions(...values: string[]): DeviceAttributeValue {
    return new DeviceAttributeValue({ versions: values });
  }

  private constructor(private readonly json: AttributeJson) {}

  /** @internal */
  public _toJson(): AttributeJson {
    return this.json;
  }
}

/** Which amounts of a shared capacity a claim may take; an amount in between is rounded up. */
export class CapacityRequestPolicy {
  /**
   * One of a few amounts.
   *
   * @param defaultAmount taken when the claim names none; one of the values
   * @param values quantities in ascending order, at most 10
   */
  public static values(defaultAmount: string, ...values: string[]): CapacityRequestPolicy {
    return new CapacityRequestPolicy({ default: canonicalQuantity(defaultAmount), validValues: values.map(canonicalQuantity) });
  }

  /** Any amount of a range, optionally in steps from its start. */
  public static between(defaultAmount: string, amounts: CapacityRange): CapacityRequestPolicy {
    const { min, max, step } = amounts;
    return new CapacityRequestPolicy({
      default: canonicalQuantity(defaultAmount),
      validRange: {
        min: canonicalQuantity(min),
        ...(max === undefined ? {} : { max: canonicalQuantity(max) }),
        ...(step === undefined ? {} : { step: canonicalQuantity(step) }),
      },
    });
  }

  private constructor(private readonly json: CapacityJson['requestPolicy']) {}

  /** @internal */
  public _toJson(): CapacityJson['requestPolicy'] {
    return this.json;
  }
}

/** Amounts from a minimum on. */
export interface CapacityRange {
  /** Smallest amount, a quantity. */
  readonly min: string;
  /**
   * Largest amount, a quantity.
   * @default - the whole capacity
   */
  readonly max?: string;
  /**
   * Distance between two amounts, counted from `min`.
   * @default - every amount
   */
  readonly step?: string;
}

/** A published capacity. */
export interface DeviceCapacityValue {
  /** All there is, a quantity. */
  readonly value: string;
  /**
   * What a claim may take of it; only where the device allows several allocations.
   * @default - a claim without an amount takes all of it
   */
  readonly requestPolicy?: CapacityRequestPolicy;
}

/** What a partition takes from its card's counters. */
export interface CounterConsumption {
  /** Name of a counter set of the same pool. */
  readonly counterSet: string;
  /** Amount a counter, quantities by counter name, at most 32. */
  readonly counters: { readonly [name: string]: string };
  /**
   * Devices on one counter set can be in use together only if they share a group or have none; at most 2.
   * Carried by feature gate DRADeviceCompatibilityGroups (alpha in 1.37).
   * @default - none
   */
  readonly compatibilityGroups?: string[];
}

/** One device of a slice. */
export interface SliceDevice {
  /** A DNS label, unique in the pool. */
  readonly name: string;
  /**
   * Attributes by name; a name without a domain belongs to the driver. With the capacities at most 32.
   * @default - none
   */
  readonly attributes?: { readonly [name: string]: DeviceAttributeValue };
  /**
   * Capacities by name.
   * @default - none
   */
  readonly capacity?: { readonly [name: string]: DeviceCapacityValue };
  /**
   * Marks that keep claims away, at most 16 (4 in 1.34). Carried by feature gate DRADeviceTaints.
   * @default - none
   */
  readonly taints?: DeviceTaint[];
  /**
   * What it takes of shared counters, at most 2 sets. Carried by feature gate DRAPartitionableDevices.
   * @default - nothing
   */
  readonly consumesCounters?: CounterConsumption[];
  /**
   * Whether several claims may share the device. Carried by feature gate DRAConsumableCapacity.
   * @default false
   */
  readonly allowMultipleAllocations?: boolean;
  /**
   * Whether an allocation ties the claim to the chosen node. Carried by feature gate DRADeviceBindingConditions.
   * @default false
   */
  readonly bindsToNode?: boolean;
  /**
   * Conditions that must become true before a pod is bound, at most 4; needs `bindingFailureConditions` too.
   * @default - none
   */
  readonly bindingConditions?: string[];
  /**
   * Conditions that undo the allocation, at most 4; needs `bindingConditions` too.
   * @default - none
   */
  readonly bindingFailureConditions?: string[];
  /**
   * Node that reaches the device; only where the slice says `SliceNodes.perDevice()`.
   * @default - none
   */
  readonly nodeName?: string;
  /**
   * Labels of the nodes that reach the device; only where the slice says `SliceNodes.perDevice()`.
   * @default - none
   */
  readonly nodeLabels?: { readonly [key: string]: string };
  /**
   * Whether all nodes reach the device; only where the slice says `SliceNodes.perDevice()`.
   * @default false
   */
  readonly allNodes?: boolean;
}
