import type { DeviceReference } from './device-references';
import type { Token } from './token';
import type { Problem } from '../problem';
import type { Minor } from '../target';

/** A mistake in a selector; `start` and `end` are UTF-16 offsets for `caret`. */
export interface SelectorFinding extends Problem {
  /** Which check, e.g. `cel-missing-attribute`. */
  readonly id: string;
  /** `error`: the API server refuses it or it can never match as meant; `warning`: legal, but rarely what is meant. */
  readonly severity: 'error' | 'warning';
  readonly start: number;
  readonly end: number;
}

/** An attribute or capacity that a driver is known to publish. */
export interface KnownName {
  /** Without its domain. */
  readonly id: string;
  /** Default: the driver's name. */
  readonly domain?: string;
  /** Default: not known. */
  readonly type?: 'string' | 'int' | 'bool' | 'version';
}

/** What is known about the names of one driver. */
export interface KnownAttributes {
  /** Domains of the driver besides its own name. */
  readonly domains?: readonly string[];
  /** All attributes; absent when they are not known. */
  readonly attributes?: readonly KnownName[];
  /** All capacities; absent when they are not known. */
  readonly capacity?: readonly KnownName[];
  /** Capacities that are memory, whose amounts count bytes; others may be so too. */
  readonly bytes?: readonly KnownName[];
  /** What needs no guard, also where not all names are known: every device has it, or every one of certain types. */
  readonly always?: { readonly attributes: readonly AlwaysThere[]; readonly capacity: readonly AlwaysThere[] };
}

/** A name that no device lacks. */
export interface AlwaysThere extends KnownName {
  /** Types of devices, as their attribute `type` tells, that have it. Default: all. */
  readonly devices?: readonly string[];
}

export interface SelectorOptions {
  /** The driver whose devices the selector is for; without it, names of domains are not judged. */
  readonly driverName?: string;
  /** Oldest Kubernetes release that the expression must work on. */
  readonly minor?: Minor;
  readonly knownAttributes?: KnownAttributes;
  /** The only type of devices, as their attribute `type` tells, for which the selector's reads matter. Default: any. */
  readonly deviceType?: string;
}

/** What every check looks at. */
export interface SelectorContext {
  readonly expression: string;
  readonly tokens: readonly Token[];
  readonly references: readonly DeviceReference[];
  /** Index of the partner of each bracket, by token index. */
  readonly partners: Int32Array;
  readonly options: SelectorOptions;
}

export type SelectorCheck = (context: SelectorContext) => readonly SelectorFinding[];

/** The map of the reference as one would write it, whatever alias it was reached through. */
export function canonicalMap(reference: DeviceReference): string {
  return `device.${reference.map}["${reference.domain.text}"]`;
}
