import { attributeTextProblem, qualifiedNameProblem } from 'cdk8s-dra/model';

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
    const problem = qualifiedNameProblem(name) ?? attributeTextProblem(value);
    if (problem === undefined) this.found[name] = value;
    else this.leftOut(name, Object.values(value)[0], problem.rule);
  }

  private leftOut(name: string, value: unknown, rule: string): void {
    const shown = JSON.stringify(value).slice(0, MAX_SHOWN);
    this.report({ code: 'DRA345', subject: this.device, message: `The attribute ${name} of ${this.device} is left out: it ${rule}, got ${shown}.` });
  }
}

function semanticVersion(text: string): string | undefined {
  const [, major, minor, patch, rest] = /^v?(\d{1,10})(?:\.(\d{1,10}))?(?:\.(\d{1,10}))?([-+][0-9A-Za-z.+-]+)?$/.exec(text) ?? [];
  if (major === undefined) return undefined;
  return [major, minor ?? '0', patch ?? '0'].map((part) => part.replace(/^0+(?=\d)/, '')).join('.') + (rest ?? '');
}

const MAX_SHOWN = 100;
