import type { RE2JS } from 're2js';
import { withDistinctGroups } from './group-names';
import { member } from './overload';
import type { Library } from './overload';
import { CelError, CelOptional, CelType, noSuchOverload } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { INT, listType, STRING } from '../types/type';

const STRINGS = listType(STRING);

/** Functions with regular expressions beyond `matches` (`k8s.io/apiserver/pkg/cel/library/regex.go`). */
export const REGEX: Library = {
  overloads: [
    member('find', 'string_find_string', [STRING, STRING], STRING, (text: string, pattern: string) => withRegex(pattern, (regex) => find(regex, text))),
    member('findAll', 'string_find_all_string', [STRING, STRING], STRINGS,
      (text: string, pattern: string) => withRegex(pattern, (regex) => findAll(regex, text, -1n))),
    member('findAll', 'string_find_all_string_int', [STRING, STRING, INT], STRINGS,
      (text: string, pattern: string, limit: bigint) => withRegex(pattern, (regex) => findAll(regex, text, limit))),
  ],
};

/** For a function whose pattern is argument 1: the function with the pattern compiled once, or why the pattern is none. */
export function withConstantPattern(functionName: string, pattern: string): ((...args: Value[]) => Value) | CelError | undefined {
  const run = CONSTANT_PATTERN.get(functionName);
  if (run === undefined) return undefined;
  const regex = compileRegex(pattern);
  if (typeof regex === 'string') return new CelError(regex);
  return (value, _pattern, limit = -1n) => {
    // For Go, a type is its name here, and an optional its value.
    const text = value instanceof CelType ? value.type.name : value;
    if (typeof text !== 'string') return noSuchOverload(text);
    const most = limit instanceof CelOptional ? limit.value : limit;
    return typeof most === 'bigint' ? run(regex, text, most) : noSuchOverload(limit);
  };
}

const CONSTANT_PATTERN: ReadonlyMap<string, (regex: RE2JS, text: string, limit: bigint) => Value> = new Map([
  ['matches', (regex, text) => regex.test(text)],
  ['find', find],
  ['findAll', findAll],
] as const satisfies readonly (readonly [string, (regex: RE2JS, text: string, limit: bigint) => Value])[]);

/** `matches` with a pattern that is known at run time only. */
export function matches(text: Value, pattern: Value): Value {
  if (typeof pattern !== 'string') return noSuchOverload(pattern);
  if (typeof text !== 'string') return noSuchOverload(text);
  const regex = compileRegex(pattern);
  return typeof regex === 'string' ? new CelError(regex) : regex.test(text);
}

/** The regular expression, or Go's words about what is wrong with it. */
export function compileRegex(pattern: string): RE2JS | string {
  const cached = compiled.get(pattern);
  if (cached !== undefined) return cached;
  let result: RE2JS | string;
  try {
    result = compileAsGo(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Go names the part that is wrong, although here there is none.
    result = message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message;
  }
  if (compiled.size >= MAX_CACHED) compiled.clear();
  compiled.set(pattern, result);
  return result;
}

/** Go lets groups share a name, as nothing here asks for groups by name; the engine does not. */
function compileAsGo(pattern: string): RE2JS {
  try {
    return engine().compile(pattern);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('duplicate capture group name')) throw error;
    const distinct = withDistinctGroups(pattern);
    try {
      return engine().compile(distinct);
    } catch (other) {
      throw new Error(other instanceof Error ? other.message.replace(distinct, () => pattern) : String(other));
    }
  }
}

const compiled = new Map<string, RE2JS | string>();
const MAX_CACHED = 100;

let loaded: typeof RE2JS | undefined;

/** The engine is large and most selectors have no pattern, so it is loaded with the first one. */
function engine(): typeof RE2JS {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- A static import would load it always.
  loaded ??= (require('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}

function withRegex(pattern: string, run: (regex: RE2JS) => Value): Value {
  const regex = compileRegex(pattern);
  return typeof regex === 'string' ? new CelError(`Illegal regex: ${regex}`) : run(regex);
}

function find(regex: RE2JS, text: string): Value {
  const matcher = regex.matcher(text);
  return matcher.find() ? matcher.group() ?? '' : '';
}

function findAll(regex: RE2JS, text: string, limit: bigint): Value {
  const found: Value[] = [];
  const matcher = regex.matcher(text);
  let previousEnd = -1;
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    // As in Go, nothing right behind a match is no match.
    if (matcher.end() > matcher.start() || matcher.start() !== previousEnd) found.push(matcher.group() ?? '');
    previousEnd = matcher.end();
  }
  return found;
}
