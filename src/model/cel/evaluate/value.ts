import type { CelMap } from './map';
import type { Quantity } from '../../quantity';
import type { Version } from '../../semver';
import type { Type } from '../types/type';

/**
 * A value at run time.
 *
 * Plain JavaScript where that is exact: null, boolean, bigint for int, number for double, string, Uint8Array for bytes,
 * array for list. An error is a value like any other.
 */
export type Value =
  | null | boolean | bigint | number | string | Uint8Array | CelList | CelMap | CelUint | CelError | CelOptional | CelType
  | CelDuration | CelTimestamp | CelObject;

export type CelList = readonly Value[];

/** A list that a comprehension is filling; adding to it changes it, as in cel-go. */
export class GrowingList extends Array<Value> {
  public static get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/** What `+` makes of two lists; cel-go compares it in another way than lists from elsewhere. */
export class JoinedList extends Array<Value> {
  public static get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

export class CelUint {
  public constructor(public readonly value: bigint) {}
}

/** Why an expression has no value. */
export class CelError {
  public constructor(public readonly message: string) {}
}

export class CelOptional {
  public static readonly NONE = new CelOptional(undefined);

  public constructor(public readonly value: Value | undefined) {}
}

/** A type as a value, such as the result of `type(1)`. */
export class CelType {
  public constructor(public readonly type: Type) {}
}

/** A span of time in nanoseconds that fit int64. */
export class CelDuration {
  public constructor(public readonly nanoseconds: bigint) {}
}

/** A moment in nanoseconds since 1970, and the zone it was written in. */
export class CelTimestamp {
  public constructor(public readonly nanoseconds: bigint, public readonly offsetMinutes: number = 0) {}
}

/** Base of the values of Kubernetes' own types. */
export abstract class CelObject {
  /** Name of the type at run time. */
  public abstract readonly typeName: string;

  /** Name of the Go type if Go cannot use its values as keys of a map, and panics when it meets one there. */
  public readonly unhashable: string | undefined = undefined;

  /** Size for costs. */
  public get size(): number {
    return 1;
  }

  /** Equality with a value that may be of any type. */
  public abstract equals(other: Value): Value;

  /** What messages show. */
  public abstract toText(): string;
}

/** Values of a type that `==` refuses to compare with other types at run time. */
export const NO_SUCH_OVERLOAD = new CelError('no such overload');

export class CelQuantity extends CelObject {
  public readonly typeName = 'kubernetes.Quantity';

  /** `computed` are results of `add` and `sub`, which upstream cannot find on the right side of `==`. */
  public constructor(public readonly quantity: Quantity, public readonly computed = false) {
    super();
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelQuantity) || other.computed) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return this.quantity.equals(other.quantity);
  }

  public toText(): string {
    return this.quantity.toString();
  }
}

export class CelSemver extends CelObject {
  public readonly typeName = 'kubernetes.Semver';
  public override readonly unhashable = 'cel.Semver';

  public constructor(public readonly version: Version, private readonly compare: (a: Version, b: Version) => number) {
    super();
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelSemver)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return this.compare(this.version, other.version) === 0;
  }

  public compareTo(other: CelSemver): number {
    return this.compare(this.version, other.version);
  }

  public toText(): string {
    const { major, minor, patch, prerelease, build } = this.version;
    const suffix = (sign: string, parts: readonly (bigint | string)[]) => (parts.length === 0 ? '' : sign + parts.join('.'));
    return `${major}.${minor}.${patch}${suffix('-', prerelease)}${suffix('+', build)}`;
  }
}

export function isError(value: Value): value is CelError {
  return value instanceof CelError;
}

export function isList(value: Value): value is CelList {
  return Array.isArray(value);
}

/** The value itself if it is an error, else the error for a function that does not take it. */
export function noSuchOverload(value: Value): CelError {
  return value instanceof CelError ? value : NO_SUCH_OVERLOAD;
}
