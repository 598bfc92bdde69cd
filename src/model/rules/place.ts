import type { FieldPath } from '../manifests/manifest';
import { asObject } from '../manifests/manifest-set';
import type { JsonObject, ManifestObject } from '../manifests/manifest-set';

/** A value inside an object together with its path; every step into missing or wrong data yields an undefined value. */
export class Place {
  public static root(object: ManifestObject): Place {
    return new Place(object, undefined, [], object.value);
  }

  private constructor(
    public readonly object: ManifestObject,
    private readonly parent: Place | undefined,
    private readonly steps: FieldPath,
    public readonly value: unknown,
  ) {}

  /** Put together when asked for: most places are only looked at. */
  public get path(): FieldPath {
    return this.parent === undefined ? this.steps : [...this.parent.path, ...this.steps];
  }

  public at(...steps: FieldPath): Place {
    let value = this.value;
    for (const step of steps) {
      if (typeof step === 'number') {
        value = Array.isArray(value) ? value[step] : undefined;
      } else {
        const fields = asObject(value);
        value = fields !== undefined && Object.hasOwn(fields, step) ? fields[step] : undefined;
      }
    }
    return new Place(this.object, this, steps, value);
  }

  /** The entries of a list; none when the value is no list. */
  public items(): Place[] {
    return Array.isArray(this.value) ? this.value.map((item, index) => new Place(this.object, this, [index], item)) : [];
  }

  /** The fields of an object in the order written; none when the value is no object. */
  public entries(): [string, Place][] {
    return Object.entries(this.fields ?? {}).map(([field, value]) => [field, new Place(this.object, this, [field], value)]);
  }

  public get fields(): JsonObject | undefined {
    return asObject(this.value);
  }

  public get text(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  /** Whether the API server sees a value here: null counts as absent. */
  public get isSet(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  public get field(): string {
    return fieldOf(this.path);
  }
}

/** The end of a path as messages name it: `count`, or `tolerations[0]` for a list entry. */
export function fieldOf(path: FieldPath): string {
  const last = path[path.length - 1] ?? '';
  return typeof last === 'number' && path.length > 1 ? `${fieldOf(path.slice(0, -1))}[${last}]` : String(last);
}
