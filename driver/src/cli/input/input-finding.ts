import type { Severity } from 'cdk8s-dra/model';

/** A mistake of the input itself, where there is no object yet to speak of. */
export interface InputFinding {
  readonly code: InputCode;
  readonly severity: Severity;
  /** As the user named it, `-` for standard input. */
  readonly file: string;
  readonly document?: number;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly help: string;
}

/** `cluster.yaml:5:2`, as far as the place is known. */
export function placeText({ file, line, column }: InputFinding): string {
  return [file, ...line === undefined ? [] : [line, ...column === undefined ? [] : [column]]].join(':');
}

/** Codes of the catalogue that the reader gives. */
export const INPUT_CODES = {
  /** No bytes to check: no permission, no regular file, too large. */
  unreadable: 'DRA100',
  /** Text that is no YAML or JSON, or holds more nesting or alias expansion than a manifest needs. */
  syntax: 'DRA101',
  /** A key twice in one mapping. */
  duplicateKey: 'DRA102',
} as const;

export type InputCode = typeof INPUT_CODES[keyof typeof INPUT_CODES];
