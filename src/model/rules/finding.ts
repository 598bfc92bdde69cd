import type { FieldPath, Manifest } from '../manifests/manifest';

/** `error`: the cluster refuses, drops or never serves it; `warning`: legal, but rarely what is meant; `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** One mistake in one object, as `check` and `PlatformApp` report it. */
export interface Finding {
  /** Code of the catalogue in `model/failures`, e.g. `DRA130`. */
  readonly code: string;
  readonly severity: Severity;
  /** The object it is about; absent when the input itself is at fault. */
  readonly manifest?: Manifest;
  /** Field inside the object. */
  readonly path: FieldPath;
  /** What was given and the rule, one or two sentences. */
  readonly message: string;
  /** The way out, a full sentence. */
  readonly help: string;
  /** Where the fault begins and ends inside a string value (UTF-16 offsets), e.g. in a CEL expression. */
  readonly span?: { readonly start: number; readonly end: number };
}
