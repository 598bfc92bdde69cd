import type { Kind } from '../generate/question';

export type Answer = Readonly<Record<string, unknown>>;

/**
 * `same`; `text`: only the text differs with which both refuse an expression or a node selector; `different`; `unknown`: upstream itself gave
 * no answer to compare with (out of time or memory, a panic, or several answers that are not ours).
 */
export type Verdict = 'same' | 'text' | 'different' | 'unknown';

export interface Agreement {
  readonly verdict: Verdict;
  /** Fields of the answers that differ. */
  readonly fields: readonly string[];
}

const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  eval: ['match', 'runtimeError', 'compileError', 'cost', 'maxCost', 'tooComplex', 'tooLong', 'outputType'],
  allocate: ['allocated', 'results', 'error', 'nodeError'],
  admit: ['decisions'],
};

/** Upstream's order of Go maps decides some answers: any that it gave will do, and with another one nothing is proved. */
export function agreement(kind: Kind, upstream: Answer, ours: Answer): Agreement {
  const first = single(kind, upstream, ours);
  const alternatives = upstream.alternatives as readonly Answer[] | undefined;
  if (first.verdict !== 'different' || alternatives === undefined) return first;
  return alternatives.map((alternative) => single(kind, alternative, ours)).find(({ verdict }) => verdict !== 'different') ?? { verdict: 'unknown', fields: [] };
}

function single(kind: Kind, upstream: Answer, ours: Answer): Agreement {
  if (upstream.timeout === true || upstream.panic !== undefined || upstream.crash !== undefined) return { verdict: 'unknown', fields: [] };
  if (upstream.inputError !== undefined || ours.inputError !== undefined) {
    const isSame = (upstream.inputError !== undefined) === (ours.inputError !== undefined);
    return isSame ? { verdict: 'same', fields: [] } : { verdict: 'different', fields: ['inputError'] };
  }
  const fields = FIELDS[kind].filter((field) => !isEqual(upstream[field], ours[field]));
  if (fields.length === 0) return { verdict: 'same', fields };
  return { verdict: fields.every((field) => isOtherWording(field, upstream[field], ours[field])) ? 'text' : 'different', fields };
}

/** Both refuse it, in other words: an expression, or a node selector that no API server lets in. */
function isOtherWording(field: string, upstream: unknown, ours: unknown): boolean {
  if (typeof upstream !== 'string' || typeof ours !== 'string') return false;
  const [before, reason] = upstream.split(REFUSED_SELECTOR);
  return field === 'compileError' || (field === 'error' && reason !== undefined && ours.startsWith(`${before}${REFUSED_SELECTOR}`));
}

const REFUSED_SELECTOR = 'failed to parse node selector ';

/** Costs beyond 2^53 are the nearest double with us. */
function isEqual(upstream: unknown, ours: unknown): boolean {
  const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';
  return isNumber(upstream) && isNumber(ours) ? Number(upstream) === Number(ours) : canonical(upstream) === canonical(ours);
}

/** JSON with sorted names and without share IDs, which are random; whole numbers of any size are exact. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${name === 'shareID' ? share(entry) : canonical(entry)}`).join()}}`;
}

function share(entry: unknown): string {
  return typeof entry === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(entry) ? '"share"' : canonical(entry);
}
