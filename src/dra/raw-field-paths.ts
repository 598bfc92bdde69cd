import type { ApiObject } from 'cdk8s';
import type { FieldPath } from '../model/manifests/manifest';

/** Notes on the object, under a global symbol that two copies of this library share, that a field was added raw. */
export function rememberRawField(object: ApiObject, pointer: string): void {
  const holder = object as Holder;
  if (!holder[RAW_FIELDS]) Object.defineProperty(object, RAW_FIELDS, { value: [] });
  holder[RAW_FIELDS]?.push(pathOf(pointer));
}

/** The fields that were added raw to an object. */
export function rawFieldsOf(object: ApiObject): readonly FieldPath[] | undefined {
  return (object as Holder)[RAW_FIELDS];
}

const RAW_FIELDS = Symbol.for('cdk8s-dra.dev/raw-fields');

type Holder = ApiObject & { readonly [RAW_FIELDS]?: FieldPath[] };

function pathOf(pointer: string): FieldPath {
  return pointer.slice(1).split('/').map(step => (/^\d+$/.test(step) ? Number(step) : step.replace(/~1/g, '/').replace(/~0/g, '~')));
}
