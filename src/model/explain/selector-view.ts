import type { SelectorDevice } from '../allocator';
import { deviceReferences, lex } from '../cel';
import type { DeviceReference } from '../cel';
import { Quantity } from '../quantity';
import { isVersion } from '../semver';
import { field } from '../view/json-field';

/**
 * What a selector sees of a device, as one text: two devices with the same text get the same answer.
 *
 * Undefined for a device with values that the selector would refuse to read: its error names the value.
 */
export type SelectorView = (device: SelectorDevice) => string | undefined;

/** The view of a selector; undefined when it may look at more than names that stand in its text. */
export function selectorView(expression: string): SelectorView | undefined {
  const names = namesIn(expression);
  if (names === undefined) return undefined;
  return device => {
    if (!((device as Partial<JudgedDevice>).isReadable ?? isReadable(device))) return undefined;
    let text = `${device.allowMultipleAllocations} ${device.driver.length}:${device.driver}`;
    for (const { map, domain, id, qualified } of names) {
      const values = device[map];
      const isOwn = domain === device.driver && !id.includes('/') && Object.hasOwn(values, id);
      const name = isOwn ? id : qualified;
      text += Object.hasOwn(values, name) ? ` ${map === 'capacity' ? sized('', amountText(values[name]) ?? '') : attributeText(values[name])}` : ' -';
    }
    return text;
  };
}

interface Name {
  readonly map: DeviceReference['map'];
  readonly domain: string;
  readonly id: string;
  /** As another driver's device would publish it. */
  readonly qualified: string;
}

function namesIn(expression: string): readonly Name[] | undefined {
  const { tokens, errors } = lex(expression);
  if (errors.length > 0) return undefined;
  const references = deviceReferences(tokens);
  const names: Name[] = [];
  let uses = 0;
  for (const { map, domain, id } of references) {
    if (id === undefined || domain.text.includes('/')) return undefined;
    uses += 1;
    names.push({ map, domain: domain.text, id: id.text, qualified: `${domain.text}/${id.text}` });
  }
  // Every other `device` must be one of the two plain fields; a variable of that name or a computed name is not.
  for (const [i, { kind, value }] of tokens.entries()) {
    if (kind !== 'identifier' || value !== 'device' || tokens[i - 1]?.kind === '.') continue;
    const step = tokens[i + 1]?.kind === '.' ? tokens[i + 2]?.value : undefined;
    if (step !== 'driver' && step !== 'allowMultipleAllocations') uses -= 1;
  }
  return uses === 0 ? names : undefined;
}

/** What a selector says of a device. */
export type Judgement = boolean | { readonly error: string };

/** A device that keeps what is known of it. */
export interface JudgedDevice extends SelectorDevice {
  readonly isReadable: boolean;
  /** By the number of the selector. */
  readonly answers: (Judgement | undefined)[];
}

/** Whether every attribute and amount of a device can be read, as all selectors ask first. */
export function isReadable({ attributes, capacity }: Pick<SelectorDevice, 'attributes' | 'capacity'>): boolean {
  return hasReadableAttributes(attributes) && hasReadableAmounts(capacity);
}

/** One value each, of the type that its field says. */
function hasReadableAttributes(attributes: SelectorDevice['attributes']): boolean {
  for (const name in attributes) {
    const attribute = attributes[name];
    if (typeof attribute !== 'object' || attribute === null) return false;
    let values = 0;
    for (const type in attribute) {
      values += 1;
      if (!isValueOf(type, (attribute as Readonly<Record<string, unknown>>)[type])) return false;
    }
    if (values !== 1) return false;
  }
  return true;
}

function isValueOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'string': return typeof value === 'string';
    case 'bool': return typeof value === 'boolean';
    case 'int': return Number.isSafeInteger(value);
    case 'version': return typeof value === 'string' && isKnownVersion(value);
    default: return false;
  }
}

function hasReadableAmounts(capacity: SelectorDevice['capacity']): boolean {
  for (const name in capacity) if (amountText(capacity[name]) === undefined) return false;
  return true;
}

function attributeText(attribute: unknown): string {
  for (const type in attribute as object) return sized(type, String((attribute as Readonly<Record<string, unknown>>)[type]));
  return '';
}

function sized(type: string, value: string): string {
  return `${type}${value.length}:${value}`;
}

/** The amount as written; undefined for what is no quantity. */
function amountText(capacity: unknown): string | undefined {
  const value = field(capacity, 'value');
  if (typeof value !== 'string') return value instanceof Quantity ? value.toString() : undefined;
  return remembered(AMOUNTS, value, isAmount) ? value : undefined;
}

function isAmount(text: string): boolean {
  return Quantity.fromJson(text) instanceof Quantity;
}

function isKnownVersion(text: string): boolean {
  return remembered(VERSIONS, text, isVersion);
}

/** Devices of one model repeat their texts. */
function remembered(known: Map<string, boolean>, text: string, judge: (text: string) => boolean): boolean {
  let judgement = known.get(text);
  if (judgement === undefined) {
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, judgement = judge(text));
  }
  return judgement;
}

const AMOUNTS = new Map<string, boolean>();
const VERSIONS = new Map<string, boolean>();
const MOST_TEXTS = 2000;
