import type { RequestData } from './request-data';

/** Why a device was not chosen. */
export interface Reason {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  /**
   * The first rule that excluded it: `in-use`, `class-selector N`, `request-selector N`, `node`, `counters`, `taint`, `capacity`,
   * `constraint N`, `gate`, or of its pool `pool-incomplete`, `pool-invalid`, `obsolete-generation`.
   */
  readonly rule: string;
  /** What is wrong, to be read after the device's name. */
  readonly detail: string;
  /** The claim and request that could not have it; absent where none could. */
  readonly claim?: string;
  readonly request?: string;
}

/** What one request found first about one device. */
export interface Exclusion {
  readonly claim: number;
  readonly data: RequestData;
  readonly position: number;
  readonly rule: string;
  readonly detail: string;
}

/** Keeps the first objection of each request against each device. */
export class Trace {
  private readonly found: Exclusion[] = [];
  /** By request and position. */
  private readonly seen: boolean[][] = [];

  public exclude(claim: number, data: RequestData, position: number, rule: string, detail: string): void {
    if (this.has(data, position)) return;
    (this.seen[data.key] ??= [])[position] = true;
    this.found.push({ claim, data, position, rule, detail });
  }

  public excludeInUse(claim: number, data: RequestData, position: number): void {
    this.exclude(claim, data, position, 'in-use', 'is in use, or taken by an earlier request');
  }

  /** Asked first where the search comes again and again, and the detail is a text to be made. */
  public has(data: RequestData, position: number): boolean {
    return this.seen[data.key]?.[position] === true;
  }

  public exclusions(): readonly Exclusion[] {
    return this.found;
  }
}
