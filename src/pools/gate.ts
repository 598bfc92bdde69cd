import { Duration } from 'cdk8s';
import { durationText } from './duration-text';
import type { GateSpec, GateType } from '../model/api';

/** What gates have in common. */
export interface GateOptions {
  /**
   * Name in the status and in messages, a DNS label.
   * @default - the kind of gate, e.g. `allocation-success`
   */
  readonly name?: string;
  /**
   * For how long it must hold without a break.
   * @default - once is enough
   */
  readonly holdsFor?: Duration;
}

/** A gate on a ratio. */
export interface RatioGateOptions extends GateOptions {
  /** The least ratio that opens it, from 0 to 1 with up to four digits. */
  readonly atLeast: number;
  /**
   * How many must have been tried; with fewer the answer is "not yet".
   * @default 20
   */
  readonly minimumSample?: number;
}

/** A gate on the time that pods take to start. */
export interface LatencyGateOptions extends GateOptions {
  /** The highest quotient of the medians, DRA by device plugin, e.g. `1.5`. */
  readonly atMost: number;
  /**
   * A difference of the medians that opens it whatever the quotient; at least 2 s, since API times have a grain of one second.
   * @default Duration.seconds(2)
   */
  readonly tolerance?: Duration;
  /**
   * How many pods must have started on each way; with fewer the answer is "not yet".
   * @default 20
   */
  readonly minimumSample?: number;
}

/** A gate on the share of nodes that report. */
export interface NodesReportingOptions extends GateOptions {
  /**
   * The least share of the pool's nodes with a fresh report, from 0 to 1.
   * @default 1
   */
  readonly atLeast?: number;
}

/** A condition for going on; without data it says "not yet", which is no failure. */
export class Gate {
  /** Claims for the pool's classes that were allocated, of those that were tried. */
  public static allocationSuccess(options: RatioGateOptions): Gate {
    return Gate.ratio('AllocationSuccess', 'allocation-success', options);
  }

  /** Claims that a node's driver prepared, of those that it was asked for. */
  public static prepareSuccess(options: RatioGateOptions): Gate {
    return Gate.ratio('PrepareSuccess', 'prepare-success', options);
  }

  /** Devices offered by DRA are those that the inventory of the nodes has, one by one. */
  public static capacityConverged(options: GateOptions = {}): Gate {
    return new Gate('CapacityConverged', 'capacity-converged', options);
  }

  /** Pods with claims start about as fast as pods with the plugin's resource. */
  public static startLatency(options: LatencyGateOptions): Gate {
    const { atMost, tolerance, minimumSample = DEFAULT_SAMPLE } = options;
    return new Gate('StartLatency', 'start-latency', options, {
      atMost: decimal(atMost), tolerance: durationText(tolerance ?? Duration.seconds(2)), minimumSample,
    });
  }

  /** No node of the pool advertises a device on both ways. */
  public static noDoubleOwner(options: GateOptions = {}): Gate {
    return new Gate('NoDoubleOwner', 'no-double-owner', options);
  }

  /** Witnesses of the nodes report, and their reports are fresh. */
  public static nodesReporting(options: NodesReportingOptions = {}): Gate {
    return new Gate('NodesReporting', 'nodes-reporting', options, { atLeast: decimal(options.atLeast ?? 1) });
  }

  /** A person opens it, with `kubectl-dra gates`. */
  public static manual(options: GateOptions = {}): Gate {
    return new Gate('Manual', 'manual', options);
  }

  private static ratio(type: GateType, name: string, options: RatioGateOptions): Gate {
    return new Gate(type, name, options, { atLeast: decimal(options.atLeast), minimumSample: options.minimumSample ?? DEFAULT_SAMPLE });
  }

  private constructor(
    private readonly type: GateType,
    private readonly defaultName: string,
    private readonly options: GateOptions,
    private readonly fields: Partial<GateSpec> = {},
  ) {}

  /** @internal */
  public _toJson(): GateSpec {
    const { name = this.defaultName, holdsFor } = this.options;
    return { name, type: this.type, ...this.fields, ...(holdsFor === undefined ? {} : { duration: durationText(holdsFor) }) };
  }
}

const DEFAULT_SAMPLE = 20;

/** Without an exponent, which the schema does not take. */
function decimal(ratio: number): string {
  const text = String(ratio);
  return text.includes('e') ? ratio.toFixed(4) : text;
}
