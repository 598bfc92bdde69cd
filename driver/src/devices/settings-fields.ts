import { capacityQuantityProblem, dnsLabelProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import { attributeProblem } from './device-attributes.js';
import { rule } from './strict-decode.js';

/** Forms that several backends' settings share. */

export const text = z.string().check(z.minLength(1), z.maxLength(4096));

export const wholeNumber = z.int().check(z.minimum(0), z.maximum(1_000_000));

/** A quantity, as a text or as a number. */
export const quantity = z.pipe(z.union([z.string(), z.number()]), z.transform((value) => String(value).trim())).check(rule(capacityQuantityProblem));

export const dnsLabel = z.string().check(rule(dnsLabelProblem));

/** A path of the host. */
export const absolutePath = z.string().check(rule((path) => (/^\/(?!.*(?:\/|^)\.\.(?:\/|$)).+$/.test(path) && !path.includes('\0') ? undefined : {
  rule: 'must be an absolute path without \'..\'', help: 'Write it as it is on the host, from / on.',
})));

/** PCI vendor and device, as `lspci -nn` shows them. */
export const pciIds = z.string().check(rule((ids) => (/^[0-9a-f]{4}:[0-9a-f]{4}$/.test(ids) ? undefined : {
  rule: 'must be vendor and device in four lower-case hexadecimal digits each', help: 'Take them from lspci -nn, for example 10de:2330.',
})));

/** A name in which `*` stands for any characters. */
export const pattern = z.string().check(z.minLength(1), z.maxLength(253));

export const attributeValue = z.union([
  z.strictObject({ string: z.string() }),
  z.strictObject({ int: z.int() }),
  z.strictObject({ bool: z.boolean() }),
  z.strictObject({ version: z.string() }),
]).check(rule((value) => {
  const problem = attributeProblem(value);
  return problem && { ...problem, help: 'Shorten or correct the value.' };
}));

/** Whether a name fits a pattern. */
export function fits(name: string, wanted: string): boolean {
  const [first = '', ...rest] = wanted.split('*');
  if (rest.length === 0) return name === wanted;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

export function fitsAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((wanted) => fits(name, wanted));
}
