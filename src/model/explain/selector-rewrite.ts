import type { KnownDevice } from './device-inventory';
import { deviceReferences, lex } from '../cel';
import type { DeviceReference, Token } from '../cel';
import { grouped, listed } from './wording';
import { Quantity } from '../quantity';
import { field, objectAt } from '../view/json-field';

/** A comparison of a selector between a value of a device and a value as written. */
export interface Comparison {
  /** The name as devices publish it, without the driver's own domain. */
  readonly name: string;
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=';
  /** The value as written. */
  readonly asked: string;
  /** What a device has there; undefined when it publishes no such name. */
  valueOf(device: KnownDevice): string | undefined;
  /** The selector with another value. */
  rewritten(value: string): string;
}

/** The comparisons of a selector that can be read off it; a selector can do much more than compare. */
export function comparisonsOf(expression: string): readonly Comparison[] {
  const { tokens } = lex(expression);
  return deviceReferences(tokens).flatMap(reference => comparisonAt(expression, tokens, reference) ?? []);
}

function comparisonAt(expression: string, tokens: readonly Token[], reference: DeviceReference): Comparison | undefined {
  const { id, domain, map, access } = reference;
  if (id === undefined || access === 'in' || access === 'has') return undefined;
  const found = plainComparison(tokens, reference.nextToken) ?? callComparison(tokens, reference.nextToken);
  if (found === undefined) return undefined;
  const { operator, literal } = found;
  return {
    name: id.text,
    operator,
    asked: String(literal.value ?? literal.kind),
    valueOf: device => valueOf(device, map, domain.text, id.text),
    rewritten: value => {
      const text = literal.kind === 'string' ? JSON.stringify(value) : value;
      return `${expression.slice(0, literal.start)}${text}${expression.slice(literal.end)}`;
    },
  };
}

interface Found {
  readonly operator: Comparison['operator'];
  readonly literal: Token;
}

/** `… == "a"`, `… >= 3`. */
function plainComparison(tokens: readonly Token[], at: number): Found | undefined {
  const operator = tokens[at];
  const literal = tokens[at + 1];
  return isOperator(operator) && isLiteral(literal) ? { operator: operator.kind, literal } : undefined;
}

/** `….compareTo(quantity("40Gi")) >= 0`, `….isGreaterThan(semver("1.2.3"))`. */
function callComparison(tokens: readonly Token[], at: number): Found | undefined {
  const [dot, method, open, make, inner, literal, close, end, operator, zero] = tokens.slice(at, at + 10);
  if (dot?.kind !== '.' || open?.kind !== '(' || inner?.kind !== '(' || literal?.kind !== 'string' || close?.kind !== ')' || end?.kind !== ')') return undefined;
  if (make?.value !== 'quantity' && make?.value !== 'semver') return undefined;
  if (method?.value === 'isGreaterThan') return { operator: '>', literal };
  if (method?.value === 'isLessThan') return { operator: '<', literal };
  return method?.value === 'compareTo' && isOperator(operator) && zero?.value === 0n ? { operator: operator.kind, literal } : undefined;
}

function isOperator(token: Token | undefined): token is Token & { readonly kind: Comparison['operator'] } {
  return token !== undefined && ['==', '!=', '<', '<=', '>', '>='].includes(token.kind);
}

function isLiteral(token: Token | undefined): token is Token {
  return token !== undefined && ['string', 'int', 'true', 'false'].includes(token.kind) && !(token.kind === 'string' && typeof token.value !== 'string');
}

function valueOf(device: KnownDevice, map: 'attributes' | 'capacity', domain: string, id: string): string | undefined {
  const values = objectAt(device.value, map);
  const found = field(values, `${domain}/${id}`) ?? (domain === device.view.driver ? field(values, id) : undefined);
  if (found === undefined) return undefined;
  if (map === 'capacity') return shownAmount(field(found, 'value'));
  const value = ['string', 'int', 'bool', 'version'].map(type => field(found, type)).find(one => one !== undefined);
  return value === undefined ? undefined : String(value);
}

/** What devices have where a selector looks; the selector itself where that cannot be read off it. */
export function selectorText(expression: string, devices: readonly KnownDevice[]): string {
  const parts = comparisonsOf(expression).flatMap(comparison => {
    const values = grouped(devices, device => comparison.valueOf(device) ?? 'missing');
    const counts = [...values].map(([value, group]) => `${value} on ${group.length}`);
    return counts.length === 0 ? [] : [`${comparison.name} is ${listed(counts, 'and', 8)}; ${comparison.operator} ${comparison.asked} is asked`];
  });
  return parts.length > 0 ? parts.join('; ') : expression;
}

/** The usual spelling of an amount; undefined for what is none. */
function shownAmount(value: unknown): string | undefined {
  if (!AMOUNTS.has(value)) {
    if (AMOUNTS.size >= MOST_AMOUNTS) AMOUNTS.clear();
    const quantity = Quantity.fromJson(value);
    AMOUNTS.set(value, quantity instanceof Quantity ? quantity.toString() : undefined);
  }
  return AMOUNTS.get(value);
}

/** Devices of one model repeat their amounts. */
const AMOUNTS = new Map<unknown, string | undefined>();
const MOST_AMOUNTS = 1000;

/** Values of devices in the order in which a comparison comes to them when it is loosened step by step. */
export function loosened(comparison: Comparison, values: readonly string[]): readonly string[] {
  const distinct = [...new Set(values)].sort(compareValues);
  switch (comparison.operator) {
    case '>=': case '>': return distinct.reverse();
    default: return distinct;
  }
}

function compareValues(a: string, b: string): number {
  const [left, right] = [Quantity.tryParse(a), Quantity.tryParse(b)];
  if (left instanceof Quantity && right instanceof Quantity) return left.compareTo(right);
  return a < b ? -1 : a > b ? 1 : 0;
}
