import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { rememberRawField } from './raw-field-paths';

/**
 * Fields that are newer than this library, put into an object as they are.
 *
 * A field that the library knows and the target lacks stays refused; `kubectl-dra check` on the files reports the raw ones as
 * unknown (DRA112), which its settings can accept.
 */
export class RawFields {
  /**
   * The raw fields of a construct's object.
   *
   * @param construct a construct of this library, or any ApiObject
   */
  public static of(construct: IConstruct): RawFields {
    return new RawFields(ApiObject.of(construct));
  }

  private constructor(private readonly object: ApiObject) {}

  /**
   * Adds a field.
   *
   * @param pointer JSON pointer of the field, e.g. `/spec/newField`
   * @param value any JSON value
   */
  public add(pointer: string, value: any): void {
    if (!pointer.startsWith('/')) {
      throw new Error(`[${this.object.node.path}] 'pointer' must be a JSON pointer, got "${pointer}". Start it with '/', e.g. /spec/newField.`);
    }
    this.object.addJsonPatch(JsonPatch.add(pointer, value));
    rememberRawField(this.object, pointer);
  }
}
