import { readFlag, readList, readObject, readOptionalQuantity, readQuantity, readText, readWhole } from './decoding';
import type { Quantity } from './quantity';

/** An attribute as published; the allocator looks at every value that is set. */
export interface Attribute {
  readonly int?: number | bigint | null;
  readonly bool?: boolean | null;
  readonly string?: string | null;
  readonly version?: string | null;
  readonly ints?: readonly (number | bigint)[] | null;
  readonly bools?: readonly boolean[] | null;
  readonly strings?: readonly string[] | null;
  readonly versions?: readonly string[] | null;
}

export interface CapacityRange {
  readonly min?: Quantity;
  readonly max?: Quantity;
  readonly step?: Quantity;
}

export interface CapacityPolicy {
  readonly default?: Quantity;
  /** Undefined when the manifest has none; an empty list is not the same. */
  readonly validValues?: readonly Quantity[];
  readonly validRange?: CapacityRange;
}

export interface Capacity {
  readonly name: string;
  readonly value: Quantity;
  readonly policy?: CapacityPolicy;
}

/** Attributes by name, as the API's decoder reads them; throws for values of a wrong type, with their place. */
export function readAttributes(value: unknown, path: string): Readonly<Record<string, Attribute>> {
  let attributes = readObject(value, path);
  for (const name in attributes) {
    const attribute = readAttribute(attributes[name], `${path}.${name}`);
    if (attribute !== attributes[name]) attributes = { ...attributes, [name]: attribute };
  }
  return attributes as Readonly<Record<string, Attribute>>;
}

/** The attribute itself unless it holds a null that stands for another value. */
function readAttribute(value: unknown, path: string): object {
  let attribute = readObject(value, path);
  for (const field in attribute) {
    const content = attribute[field];
    if (content === null) continue;
    switch (field) {
      case 'string':
      case 'version':
        if (typeof content !== 'string') readText(content, `${path}.${field}`);
        break;
      case 'bool':
        readFlag(content, `${path}.bool`);
        break;
      case 'int':
        if (!Number.isSafeInteger(content)) readWhole(content, `${path}.int`);
        break;
      case 'strings':
      case 'versions':
      case 'bools':
      case 'ints': {
        const list = readItems(content, field, `${path}.${field}`);
        if (list !== content) attribute = { ...attribute, [field]: list };
      }
    }
  }
  return attribute;
}

const ITEMS = {
  strings: { read: readText, zero: '' },
  versions: { read: readText, zero: '' },
  bools: { read: readFlag, zero: false },
  ints: { read: readWhole, zero: 0 },
} as const;

function readItems(value: unknown, field: keyof typeof ITEMS, path: string): readonly unknown[] {
  const list = readList(value, path);
  const { read, zero } = ITEMS[field];
  for (let i = 0; i < list.length; i++) read(list[i], `${path}[${i}]`);
  return list.includes(null) ? list.map((item) => item ?? zero) : list;
}

/** Capacities sorted by name, as the API's decoder reads them; an amount that is absent or null is 0. */
export function readCapacities(value: unknown, path: string): readonly Capacity[] {
  const capacity = readObject(value, path);
  return Object.keys(capacity).sort().map((name) => readCapacity(name, capacity[name], `${path}.${name}`));
}

function readCapacity(name: string, value: unknown, path: string): Capacity {
  const capacity = readObject(value, path);
  const amount = readQuantity(capacity.value, `${path}.value`);
  if (capacity.requestPolicy === undefined || capacity.requestPolicy === null) return { name, value: amount };
  const at = `${path}.requestPolicy`;
  const policy = readObject(capacity.requestPolicy, at);
  const range = policy.validRange === undefined || policy.validRange === null ? undefined : readObject(policy.validRange, `${at}.validRange`);
  return {
    name,
    value: amount,
    policy: {
      default: readOptionalQuantity(policy.default, `${at}.default`),
      validValues: policy.validValues === undefined || policy.validValues === null
        ? undefined
        : readList(policy.validValues, `${at}.validValues`).map((one, i) => readQuantity(one, `${at}.validValues[${i}]`)),
      validRange: range && {
        min: readOptionalQuantity(range.min, `${at}.validRange.min`),
        max: readOptionalQuantity(range.max, `${at}.validRange.max`),
        step: readOptionalQuantity(range.step, `${at}.validRange.step`),
      },
    },
  };
}
