import { equal } from '../evaluate/equality';
import { CelError, CelObject, NO_SUCH_OVERLOAD } from '../evaluate/value';
import type { Value } from '../evaluate/value';

/** A message that stays one: almost all become plain values as soon as they are made. */
export class CelMessage extends CelObject {
  /**
   * @param fields those that are set
   * @param unset what reading a field that is not set gives, by all names
   */
  public constructor(
    public readonly typeName: string, public readonly fields: ReadonlyMap<string, Value>, private readonly unset: ReadonlyMap<string, Value>,
  ) {
    super();
  }

  /** A field, set or not; an error if the message has none of that name. */
  public get(name: Value): Value {
    if (typeof name !== 'string') return NO_SUCH_OVERLOAD;
    return this.fields.get(name) ?? this.unset.get(name) ?? (this.unset.has(name) ? null : noSuchField(name));
  }

  /** A field that is set; undefined if it is not. */
  public find(name: Value): Value | undefined {
    if (typeof name !== 'string') return NO_SUCH_OVERLOAD;
    return this.unset.has(name) ? this.fields.get(name) : noSuchField(name);
  }

  public equals(other: Value): Value {
    return other instanceof CelMessage && other.typeName === this.typeName && other.fields.size === this.fields.size
      && [...this.fields].every(([name, value]) => equal(value, other.get(name)) === true);
  }

  public toText(): string {
    return `${this.typeName}{${[...this.fields].map(([name, value]) => `${name}: ${String(value)}`).join(', ')}}`;
  }
}

function noSuchField(name: string): CelError {
  return new CelError(`no such field '${name}'`);
}
