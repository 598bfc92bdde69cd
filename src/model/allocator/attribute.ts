import type { SliceDevice } from './slice';
import type { Attribute } from '../device-json';

/** An attribute by its full name; a device may publish it without the domain when that is the name of its driver. */
export function attributeOf(device: SliceDevice, fullName: string): Attribute | undefined {
  const { attributes } = device;
  if (Object.hasOwn(attributes, fullName)) return attributes[fullName] ?? EMPTY;
  const slash = fullName.indexOf('/');
  if (slash < 0 || fullName.slice(0, slash) !== device.slice.driver) return undefined;
  const id = fullName.slice(slash + 1);
  return Object.hasOwn(attributes, id) ? attributes[id] ?? EMPTY : undefined;
}

/** Whether two attributes have the same single value; the type is that of the second. */
export function sameValue(first: Attribute, second: Attribute): boolean {
  const field = SCALARS.find(one => isSet(second[one]));
  return field !== undefined && isSet(first[field]) && String(first[field]) === String(second[field]);
}

/** Whether an attribute has a single value of a known type. */
export function hasValue(attribute: Attribute): boolean {
  return SCALARS.some(field => isSet(attribute[field]));
}

/** The values of an attribute, a single one as a list of one; undefined when it has none. */
export interface ValueSet {
  readonly type: 'int' | 'bool' | 'string' | 'version';
  readonly values: readonly string[];
}

export function valueSet(attribute: Attribute): ValueSet | undefined {
  for (const type of LIST_ORDER) {
    const list = attribute[`${type}s`];
    if (list && list.length > 0) return { type, values: [...new Set(list.map(String))] };
  }
  for (const type of LIST_ORDER) {
    if (isSet(attribute[type])) return { type, values: [String(attribute[type])] };
  }
  return undefined;
}

/** The common values; undefined when there are none. */
export function intersection(a: ValueSet, b: ValueSet): ValueSet | undefined {
  if (a.type !== b.type) return undefined;
  const values = a.values.filter(value => b.values.includes(value));
  return values.length === 0 ? undefined : { type: a.type, values };
}

/** An attribute's value as people write it. */
export function showAttribute(attribute: Attribute): string {
  const set = valueSet(attribute);
  if (!set) return 'no value';
  const shown = set.values.map(value => (set.type === 'string' || set.type === 'version' ? JSON.stringify(value) : value));
  return shown.length === 1 ? shown[0] : `[${shown.join(', ')}]`;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const SCALARS = ['string', 'int', 'bool', 'version'] as const;
const LIST_ORDER = ['int', 'bool', 'string', 'version'] as const;
const EMPTY: Attribute = {};
