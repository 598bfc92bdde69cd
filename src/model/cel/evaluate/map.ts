import { Cancellation } from './state';
import { CelObject, CelUint } from './value';
import type { Value } from './value';

/** What every map can do. Keys of different numeric types that are the same number find the same entry. */
export abstract class CelMap {
  public abstract readonly size: number;

  /** What indexing finds. */
  public abstract find(key: Value): Value | undefined;

  /** What `in` and `.get` of libraries find. */
  public findOwn(key: Value): Value | undefined {
    return this.find(key);
  }

  public abstract keys(): readonly Value[];

  /** One of the keys, of a map that has any. */
  public firstKey(): Value {
    return this.keys()[0];
  }
}

type EntryKey = string | boolean | bigint | number | object | null;

/** A map made by an expression. */
export class LiteralMap extends CelMap {
  private readonly values = new Map<EntryKey, Value>();
  private readonly originals = new Map<EntryKey, Value>();
  private uints: Map<bigint, Value> | undefined;

  /** `growing` maps are being filled by a comprehension; inserting changes them. */
  public constructor(public growing = false) {
    super();
  }

  public get size(): number {
    return this.values.size + (this.uints?.size ?? 0);
  }

  public set(key: Value, value: Value): void {
    requireHashable(key);
    if (key instanceof CelUint) {
      this.uints ??= new Map();
      this.uints.set(key.value, value);
      return;
    }
    this.originals.set(key as EntryKey, key);
    this.values.set(key as EntryKey, value);
  }

  public delete(key: Value): void {
    if (key instanceof CelUint) {this.uints?.delete(key.value);} else {
      this.originals.delete(key as EntryKey);
      this.values.delete(key as EntryKey);
    }
  }

  public find(key: Value): Value | undefined {
    if (this.size === 0) return undefined;
    requireHashable(key);
    if (key instanceof CelUint) return firstFound(this.uints?.get(key.value), key.value <= MAX_INT ? this.values.get(key.value) : undefined);
    const direct = this.values.get(key as EntryKey);
    if (direct !== undefined) return direct;
    if (typeof key === 'bigint') return this.uints?.get(key);
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    const integer = BigInt(key);
    return firstFound(integer >= MIN_INT && integer <= MAX_INT ? this.values.get(integer) : undefined, this.uints?.get(integer));
  }

  public override firstKey(): Value {
    const first = this.originals.values().next();
    return first.done === true ? super.firstKey() : first.value;
  }

  public keys(): readonly Value[] {
    const keys = [...this.originals.values()];
    if (this.uints !== undefined) for (const value of this.uints.keys()) keys.push(new CelUint(value));
    return keys;
  }
}

function firstFound(first: Value | undefined, second: Value | undefined): Value | undefined {
  return first === undefined ? second : first;
}

/** Go panics when it looks for such a key, which ends the evaluation whatever is around it. */
export function requireHashable(key: Value): void {
  const goType = key instanceof Uint8Array ? 'types.Bytes' : key instanceof CelObject ? key.unhashable : undefined;
  if (goType !== undefined) throw new Cancellation(`internal error: runtime error: hash of unhashable type ${goType}`);
}

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
