import type { DeviceReference } from './device-references';
import { checkMemory } from './memory-check';
import { canonicalMap } from './selector-finding';
import type { SelectorContext, SelectorFinding } from './selector-finding';
import type { Token, TokenKind } from './token';
import { Quantity } from '../quantity';
import { versionProblem } from '../semver';

/** Literals that do not fit what they are compared with or passed to. */
export function checkLiterals(context: SelectorContext): SelectorFinding[] {
  return [
    ...context.references.flatMap((reference) => checkComparison(context, reference)),
    ...checkMemory(context),
    ...context.tokens.flatMap((_, index) => [...checkUnit(context, index), ...checkArgument(context.tokens, index)]),
  ];
}

interface Comparison {
  /** As if the reference stood on the left. */
  readonly operator: TokenKind;
  /** The literal on the other side, if it is one. */
  readonly literal?: Token;
  readonly negative: boolean;
  readonly start: number;
  readonly end: number;
}

function checkComparison({ expression, tokens, options }: SelectorContext, reference: DeviceReference): SelectorFinding[] {
  const { id, map, domain } = reference;
  if (id === undefined || reference.access === 'in') return [];
  const comparison = comparisonAt(tokens, reference);
  if (comparison === undefined) return [];
  const { operator, literal, negative, start, end } = comparison;
  if (map === 'capacity') {
    const isOrder = operator !== '==' && operator !== '!=';
    if (!isOrder && literal === undefined) return [];
    const given = literal && expression.slice(literal.start, literal.end);
    const written = typeof literal?.value === 'string' ? literal.value : `${negative ? '-' : ''}${given}`;
    const bound = literal === undefined ? '10Gi' : written;
    const other = literal === undefined ? operator : `a ${literal.kind === 'string' ? 'string' : 'number'}`;
    return [{
      id: 'cel-capacity-comparison',
      severity: 'error',
      start,
      end,
      rule: `must not compare a capacity with ${other}: it is a quantity`,
      help: `Write ${canonicalMap(reference)}.${id.text}.compareTo(quantity("${bound}")) ${operator} 0.`,
    }];
  }
  if (reference.access === 'optional' && literal !== undefined) {
    const written = expression.slice(reference.start, reference.end);
    return [{
      id: 'cel-optional-comparison',
      severity: 'error',
      start,
      end,
      rule: 'must take the value out of an optional before it is compared',
      help: `Write ${written}.orValue(${typeof literal.value === 'string' ? '""' : '0'}) ${operator} ${negative ? '-' : ''}`
        + `${expression.slice(literal.start, literal.end)}.`,
    }];
  }
  if (literal?.kind !== 'string' || typeof literal.value !== 'string' || !looksLikeVersion(literal.value)) return [];
  const type = options.knownAttributes?.attributes
    ?.find((known) => known.id === id.text && (known.domain ?? options.driverName) === domain.text)?.type;
  if (type !== undefined && type !== 'version') return [];
  return [{
    id: 'cel-version-comparison',
    severity: type === 'version' ? 'error' : 'warning',
    start,
    end,
    rule: type === 'version'
      ? 'must compare a version with a version, not with a string'
      : 'should not compare a version with a string: a version attribute fails at run time, a string attribute orders 10 before 9',
    help: `If the driver publishes it as a version, write ${canonicalMap(reference)}.${id.text}`
      + `.compareTo(semver("${fullVersion(literal.value)}")) ${operator} 0.`,
  }];
}

/** The comparison that has the reference, and nothing more, as one side. */
function comparisonAt(tokens: readonly Token[], { firstToken, nextToken, start, end }: DeviceReference): Comparison | undefined {
  const next = tokens[nextToken]?.kind;
  if (next !== undefined && MIRRORED.has(next)) {
    const negative = tokens[nextToken + 1]?.kind === '-';
    const at = nextToken + (negative ? 2 : 1);
    const literal = LITERALS.has(tokens[at]?.kind) && !CONTINUED.has(tokens[at + 1]?.kind) ? tokens[at] : undefined;
    return { operator: next, literal, negative, start, end: literal?.end ?? tokens[nextToken].end };
  }
  const before = tokens[firstToken - 1]?.kind;
  const operator = MIRRORED.get(before);
  if (operator === undefined || CONTINUED.has(next)) return undefined;
  const sign = tokens[firstToken - 3]?.kind;
  const negative = sign === '-' && !ENDS_OPERAND.has(tokens[firstToken - 4]?.kind);
  const whole = negative || sign === undefined || !ARITHMETIC.has(sign);
  const literal = LITERALS.has(tokens[firstToken - 2]?.kind) && whole ? tokens[firstToken - 2] : undefined;
  const first = literal === undefined ? firstToken - 1 : firstToken - (negative ? 3 : 2);
  return { operator, literal, negative, start: tokens[first].start, end };
}

/** `40Gi` without quotes: a number and a name that stick together. */
function checkUnit({ expression, tokens }: SelectorContext, index: number): SelectorFinding[] {
  const number = tokens[index];
  const unit = tokens[index + 1];
  const isNumber = number.kind === 'int' || number.kind === 'double';
  if (!isNumber || unit?.kind !== 'identifier' || unit.start !== number.end) return [];
  const written = expression.slice(number.start, unit.end);
  const isQuantity = Quantity.tryParse(written) instanceof Quantity;
  return [{
    id: 'cel-unit',
    severity: 'error',
    start: number.start,
    end: unit.end,
    rule: `must not have letters behind a number: ${written}`,
    help: isQuantity ? `Write quantity("${written}").` : 'Put it between quotes if it is a string.',
  }];
}

/** `quantity("…")` and `semver("…")` with a text that they fail on. */
function checkArgument(tokens: readonly Token[], index: number): SelectorFinding[] {
  const name = tokens[index];
  const argument = tokens[index + 2];
  const isCall = name.kind === 'identifier' && tokens[index - 1]?.kind !== '.' && tokens[index + 1]?.kind === '('
    && argument?.kind === 'string' && tokens[index + 3]?.kind === ')';
  if (!isCall || typeof argument.value !== 'string') return [];
  const { start, end } = argument;
  if (name.value === 'quantity') {
    const parsed = Quantity.tryParse(argument.value);
    return parsed instanceof Quantity ? [] : [{ id: 'cel-quantity', severity: 'error', start, end, ...parsed }];
  }
  const problem = name.value === 'semver' ? versionProblem(argument.value) : undefined;
  return problem === undefined ? [] : [{ id: 'cel-semver', severity: 'error', start, end, ...problem }];
}

/** Whether a person would read the text as a version: two or three numbers with dots, `v` in front or not. */
function looksLikeVersion(text: string): boolean {
  const numbers = text.slice(text.startsWith('v') ? 1 : 0).split('.');
  const isNumber = (part: string) => part.length > 0 && part.length < 10 && Array.from(part).every((char) => char >= '0' && char <= '9');
  return versionProblem(text) === undefined || (numbers.length >= 2 && numbers.length <= 3 && numbers.every(isNumber));
}

/** `v550.90` as `550.90.0`. */
function fullVersion(text: string): string {
  if (versionProblem(text) === undefined) return text;
  const numbers = text.slice(text.startsWith('v') ? 1 : 0).split('.').map((part) => String(Number(part)));
  return [...numbers, '0', '0'].slice(0, 3).join('.');
}

/** Each comparison, and the same with its sides swapped. */
const MIRRORED: ReadonlyMap<TokenKind | undefined, TokenKind> = new Map<TokenKind, TokenKind>([
  ['==', '=='], ['!=', '!='], ['<', '>'], ['<=', '>='], ['>', '<'], ['>=', '<='],
]);
const LITERALS: ReadonlySet<TokenKind | undefined> = new Set<TokenKind>(['int', 'uint', 'double', 'string']);
/** What continues an operand, so that the token before is not all of it. */
const CONTINUED: ReadonlySet<TokenKind | undefined> = new Set<TokenKind>(['.', '[', '(', '+', '-', '*', '/', '%']);
const ARITHMETIC: ReadonlySet<TokenKind | undefined> = new Set<TokenKind>(['+', '-', '*', '/', '%']);
/** What a minus is an operator behind, not a sign. */
const ENDS_OPERAND: ReadonlySet<TokenKind | undefined> = new Set<TokenKind>([
  'identifier', 'int', 'uint', 'double', 'string', 'bytes', ')', ']', '}', 'true', 'false', 'null',
]);
