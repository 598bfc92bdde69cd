/** One step into an object: a field name or a list index. */
export type FieldPath = readonly (string | number)[];

/** Where a value stands in a file, both counted from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Where a manifest came from: a file, standard input, or a construct. */
export interface ManifestSource {
  /** What a person looks up: a file name as given, `-`, or a construct path. */
  readonly name: string;
  /** Which document of the file, counted from 0; absent for constructs. */
  readonly document?: number;
  /** Position of the value at `path`, or of its nearest existing parent; absent for constructs. */
  locate?(path: FieldPath): SourcePosition | undefined;
}

/** One Kubernetes object as written, never changed by a rule. */
export interface Manifest {
  readonly value: { readonly [field: string]: unknown };
  readonly source: ManifestSource;
  /** Where the object sits in its document when a List holds it, e.g. `['items', 3]`. */
  readonly base?: FieldPath;
  /** Fields that the author vouches for, though no schema here knows them: newer than this library. */
  readonly vouchedFor?: readonly FieldPath[];
}

/** `spec.devices.requests[0].exactly.count`, the form Kubernetes uses in its own messages. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
