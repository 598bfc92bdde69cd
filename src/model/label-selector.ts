import type { LabelSelector } from './api/device-migration';

/** One condition on a label, as in label selectors and node affinities; all of a list must hold. */
export interface LabelCondition {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

/** Labels of a node. */
export type Labels = Readonly<Record<string, string>>;

/** The conditions of a label selector; an empty selector has none and takes every node. */
export function conditionsOf(selector: LabelSelector): readonly LabelCondition[] {
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]): LabelCondition => ({ key, operator: 'In', values: [value] })),
    ...selector.matchExpressions ?? [],
  ];
}

/** Whether labels meet every condition, as `labels.Requirement.Matches` does: `NotIn` also holds where the label is missing. */
export function meets(labels: Labels, conditions: readonly LabelCondition[]): boolean {
  return conditions.every(condition => holds(condition, Object.hasOwn(labels, condition.key) ? labels[condition.key] : undefined));
}

/** Labels that meet every condition, with no label that is not needed; undefined where none do. Exact: the conditions of a key are looked at together. */
export function labelsMeeting(conditions: readonly LabelCondition[]): Labels | undefined {
  const byKey = new Map<string, LabelCondition[]>();
  for (const condition of conditions) {
    const same = byKey.get(condition.key);
    if (same === undefined) byKey.set(condition.key, [condition]);
    else same.push(condition);
  }
  const labels: [string, string][] = [];
  for (const [key, ofKey] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (ofKey.every(condition => holds(condition, undefined))) continue;
    const value = candidates(ofKey).find(candidate => ofKey.every(condition => holds(condition, candidate)));
    if (value === undefined) return undefined;
    labels.push([key, value]);
  }
  return Object.fromEntries(labels);
}

/** Labels of a node that meets the first conditions and not all of the second; undefined where the second take every node of the first. */
export function labelsMissing(conditions: readonly LabelCondition[], others: readonly LabelCondition[]): Labels | undefined {
  for (const other of others) {
    const labels = labelsMeeting([...conditions, opposite(other)]);
    if (labels !== undefined) return labels;
  }
  return undefined;
}

/** Values that conditions leave to each label; tells most pairs of conditions apart by one label, without looking for labels that meet both. */
export class AllowedValues {
  private readonly values = new Map<string, ReadonlySet<string>>();

  public constructor(conditions: readonly LabelCondition[]) {
    for (const { key, operator, values = [] } of conditions) if (operator === 'In') this.values.set(key, new Set(values));
  }

  /** Whether some label has no value that both take; false says nothing. */
  public excludes(other: AllowedValues): boolean {
    for (const [key, values] of this.values) {
      const others = other.values.get(key);
      if (others !== undefined && isDisjoint(values, others)) return true;
    }
    return false;
  }
}

function isDisjoint(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const value of some) if (others.has(value)) return false;
  return true;
}

/** As a person writes it: `key=value`, sorted; `no labels` where there are none. */
export function describeLabels(labels: Labels): string {
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? 'no labels' : entries.map(([key, value]) => `${key}=${value}`).join(', ');
}

function holds({ operator, values = [] }: LabelCondition, value: string | undefined): boolean {
  switch (operator) {
    case 'In': return value !== undefined && values.includes(value);
    case 'NotIn': return value === undefined || !values.includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
    case 'Gt':
    case 'Lt': {
      const [number, bound] = [wholeNumber(value), wholeNumber(values[0])];
      return number !== undefined && bound !== undefined && (operator === 'Gt' ? number > bound : number < bound);
    }
  }
}

/**
 * Values of one label of which one meets the conditions if any value does.
 *
 * In names them all. Bounds need a number next to one of them, or 0, since no label starts with a minus; `06` is another value than `6`
 * and as large. Anything else needs any word that NotIn does not take away.
 */
function candidates(conditions: readonly LabelCondition[]): readonly string[] {
  const named = conditions.find(({ operator }) => operator === 'In');
  if (named !== undefined) return named.values ?? [];
  const taken = new Set(conditions.flatMap(({ operator, values = [] }) => (operator === 'NotIn' ? values : [])));
  const bounds = conditions.flatMap(({ operator, values = [] }) => (operator === 'Gt' || operator === 'Lt' ? wholeNumber(values[0]) ?? [] : []));
  if (bounds.length === 0) return ['any', ...[...taken].map((_, index) => `other-${index + 1}`)].filter(value => !taken.has(value)).slice(0, 1);
  const numbers = [0n, ...bounds.flatMap(bound => [bound + 1n, bound - 1n])].filter(number => number >= 0n);
  return numbers.flatMap(number => [...Array(taken.size + 1).keys()].map(zeros => '0'.repeat(zeros) + String(number)));
}

/** A condition that holds where another does not; for the operators of label selectors. */
function opposite({ key, operator, values }: LabelCondition): LabelCondition {
  switch (operator) {
    case 'In': return { key, operator: 'NotIn', values };
    case 'NotIn': return { key, operator: 'In', values };
    case 'Exists': return { key, operator: 'DoesNotExist' };
    case 'DoesNotExist': return { key, operator: 'Exists' };
    default: throw new Error(`'operator' must be one of label selectors, got '${operator}'. Gt and Lt exist in node affinities only.`);
  }
}

/** As `strconv.ParseInt(value, 10, 64)`; undefined for what it refuses. */
function wholeNumber(value: string | undefined): bigint | undefined {
  if (value === undefined || !/^[-+]?[0-9]+$/.test(value)) return undefined;
  const number = BigInt(value.replace(/^\+/, ''));
  return number >= -(2n ** 63n) && number < 2n ** 63n ? number : undefined;
}
