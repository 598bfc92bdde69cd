import { ATTRIBUTE_FIELDS, attributeValueProblem } from '../attribute-value';
import { dnsLabelProblem, qualifiedNameProblem } from '../names';
import type { Problem } from '../problem';
import { Quantity } from '../quantity';
import { capacityQuantityProblem, requestPolicyProblem } from '../request-policy';
import { checked, flag, list, oneField, optional, record, text, textOrNumber, whole } from '../strict-reader';

/** Forms that several parts of the agent's configuration share. */

export const words = text({ min: 1, max: 4096 });

export const wholeNumber = whole({ min: 0, max: 1_000_000 });

/** A quantity, as a text or as a number. */
export const quantity = checked(textOrNumber(), capacityQuantityProblem);

export const quantities = record(quantity, dnsLabelProblem);

export const dnsLabel = checked(text(), dnsLabelProblem);

/** A path of the host. */
export const absolutePath = checked(text(), path => (/^\/(?!.*(?:\/|^)\.\.(?:\/|$)).+$/.test(path) && !path.includes('\0') ? undefined : {
  rule: 'must be an absolute path without \'..\'', help: 'Write it as it is on the host, from / on.',
}));

/** PCI vendor and device, as `lspci -nn` shows them. */
export const pciIds = checked(text(), ids => (/^[0-9a-f]{4}:[0-9a-f]{4}$/.test(ids) ? undefined : {
  rule: 'must be vendor and device in four lower-case hexadecimal digits each', help: 'Take them from lspci -nn, for example 10de:2330.',
}));

/** A name in which `*` stands for any characters. */
export const pattern = text({ min: 1, max: 253 });

export const maxShares = whole({ min: 1, max: 1000 });

/** The value of an attribute; lists are not among them, as they depend on the cluster's version. */
export const attributeValue = checked(
  oneField({ string: text(), int: whole(), bool: flag(), version: text() }),
  value => {
    const problem = attributeTextProblem(value);
    return problem && { ...problem, help: 'Shorten or correct the value.' };
  },
);

/** Attributes by name. */
export const attributes = record(attributeValue, qualifiedNameProblem);

/** Which devices come first, and which are kept back. */
export const ARRANGEMENT_FIELDS = {
  /** Names or identities, the most preferred first; what fits none follows in its natural order. */
  order: optional(list(pattern)),
  /** Names or identities that are never offered. */
  exclude: optional(list(pattern)),
  /** Number of devices that the node keeps for itself: the last ones in the order. */
  reserve: optional(wholeNumber),
};

/** Why a value is of no use as an attribute: beyond the API's own rules it is not empty and is text that a person can read. */
export function attributeTextProblem(value: { readonly [type in typeof ATTRIBUTE_FIELDS[number]]?: unknown }): { readonly rule: string } | undefined {
  const given = value.string ?? value.version;
  if (typeof given === 'string') {
    if (given.trim() === '') return { rule: 'must not be empty' };
    if (/\p{Cc}/u.test(given)) return { rule: 'must have no control characters' };
    if (/\p{Cs}/u.test(given)) return { rule: 'must be UTF-8' };
  }
  return attributeValueProblem(value, '1.34');
}

/** An amount of which claims may ask for part. */
export interface SharedAmountSettings {
  readonly default: string;
  readonly min: string;
  readonly max?: string | undefined;
  readonly step?: string | undefined;
}

/** Why the parts that claims may ask for are none; `total` is absent where only the hardware tells it. */
export function sharedAmountProblem({ default: byDefault, min, max, step }: SharedAmountSettings, total?: string): Problem | undefined {
  const given = [byDefault, min, max, step].filter(amount => amount !== undefined);
  const enough = () => given.map(amount => Quantity.parse(amount)).reduce((sum, amount) => sum.add(amount)).toString();
  const validRange = { min, ...(max === undefined ? {} : { max }), ...(step === undefined ? {} : { step }) };
  // The API server takes it, and no claim that asks for nothing would ever be served.
  if (total !== undefined && Quantity.parse(byDefault).compareTo(Quantity.parse(total)) > 0) {
    return { rule: `must have a default of at most the whole ${total}, but has ${byDefault}`, help: 'Choose less.' };
  }
  return requestPolicyProblem(total ?? enough(), { default: byDefault, validRange });
}
