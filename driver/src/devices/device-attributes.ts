import { attributeIdProblem, attributeValueProblem, qualifiedNameProblem } from 'cdk8s-dra/model';

import type { AttributeValue, ReportProblem } from './inventory.js';

/** Attributes of one device, each of which the API takes: what it would refuse is left out and reported. */
export class DeviceAttributes {
  private readonly found: { [name: string]: AttributeValue } = {};

  public constructor(private readonly device: string, private readonly report: ReportProblem) {}

  public string(name: string, value: string | undefined): void {
    if (value !== undefined) this.add(name, { string: value });
  }

  public int(name: string, value: number | undefined): void {
    if (value !== undefined) this.add(name, { int: value });
  }

  public bool(name: string, value: boolean | undefined): void {
    if (value !== undefined) this.add(name, { bool: value });
  }

  /** Numbers as vendors write them are made a semantic version: `535.104.05` is 535.104.5, `2` is 2.0.0. */
  public version(name: string, value: string | undefined): void {
    if (value === undefined) return;
    const version = semanticVersion(value);
    if (version !== undefined) return this.add(name, { version });
    this.leftOut(name, value, 'is no version');
  }

  public get values(): { readonly [name: string]: AttributeValue } {
    return this.found;
  }

  public add(name: string, value: AttributeValue): void {
    const problem = qualifiedNameProblem(name) ?? attributeProblem(value);
    if (problem === undefined) this.found[name] = value;
    else this.leftOut(name, Object.values(value)[0], problem.rule);
  }

  private leftOut(name: string, value: unknown, rule: string): void {
    const shown = JSON.stringify(value).slice(0, MAX_SHOWN);
    this.report({ code: 'DRA345', subject: this.device, message: `The attribute ${name} of ${this.device} is left out: it ${rule}, got ${shown}.` });
  }
}

/** An id made of a word that hardware or a file uses: `crypto-v2` is crypto_v2. Undefined where no C identifier of 32 characters comes of it. */
export function attributeId(word: string): string | undefined {
  const id = word.replace(/[^A-Za-z0-9_]/g, '_');
  return attributeIdProblem(id) === undefined ? id : undefined;
}

/** Why a value is of no use as an attribute: beyond the API's own rules it is not empty and is text that a person can read. */
export function attributeProblem(value: AttributeValue): { readonly rule: string } | undefined {
  const text = 'string' in value ? value.string : 'version' in value ? value.version : undefined;
  if (text !== undefined) {
    if (text.trim() === '') return { rule: 'must not be empty' };
    if (/\p{Cc}/u.test(text)) return { rule: 'must have no control characters' };
    if (/\p{Cs}/u.test(text)) return { rule: 'must be UTF-8' };
  }
  // Lists are not among our values, so any minor will do.
  return attributeValueProblem(value, '1.34');
}

function semanticVersion(text: string): string | undefined {
  const [, major, minor, patch, rest] = /^v?(\d{1,10})(?:\.(\d{1,10}))?(?:\.(\d{1,10}))?([-+][0-9A-Za-z.+-]+)?$/.exec(text) ?? [];
  if (major === undefined) return undefined;
  return [major, minor ?? '0', patch ?? '0'].map((part) => part.replace(/^0+(?=\d)/, '')).join('.') + (rest ?? '');
}

const MAX_SHOWN = 100;
