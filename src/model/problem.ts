/** Why a value is refused, in two sentences a person can act on. */
export interface Problem {
  /** The rule that the value breaks, starting in lower case, e.g. `must be greater than 0`. */
  readonly rule: string;
  /** The way out, a full sentence. */
  readonly help: string;
}

/** One line for an error message: what was given, the rule, the way out. */
export function describeProblem(field: string, given: unknown, problem: Problem): string {
  return `'${field}' ${problem.rule}, got ${show(given)}. ${problem.help}`;
}

/** A value as a reader recognizes it: strings in quotes, long values cut; also where it is no JSON, since readers yield big integers. */
export function show(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(printable(value, 0));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}

/** Long enough for the longest legal object name (253), short enough to keep a finding on a few lines. */
const MAX_SHOWN = 300;
/** Deeper than any manifest; a value that contains itself ends here. */
const MAX_DEPTH = 20;

function printable(value: unknown, depth: number): unknown {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol' || depth > MAX_DEPTH) return null;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(item => printable(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, printable(inner, depth + 1)]));
  }
  return value;
}
