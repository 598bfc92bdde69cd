import { DeviceSelector } from './device-selector';
import { celString } from '../model/cel/literal';
import { attributeIdProblem, driverNameProblem } from '../model/names';
import { nearest } from '../model/near-miss';
import { describeProblem, show } from '../model/problem';
import { isVersion } from '../model/semver';

/**
 * An attribute that devices publish, e.g. `gpu.nvidia.com/productName`.
 *
 * Its methods return selectors that are false, never an error, for a device without the attribute.
 */
export abstract class DeviceAttribute {
  /** Name with its domain, as constraints need it: `gpu.nvidia.com/productName`. */
  public readonly qualifiedName: string;

  /**
   * @param domain DNS subdomain that owns the attribute, usually the driver's name
   * @param id C identifier of at most 32 characters
   */
  protected constructor(public readonly domain: string, public readonly id: string, private readonly missing?: string) {
    const domainProblem = driverNameProblem(domain);
    if (domainProblem) throw new Error(describeProblem('domain', domain, domainProblem));
    const idProblem = attributeIdProblem(id);
    if (idProblem) throw new Error(describeProblem('id', id, idProblem));
    this.qualifiedName = `${domain}/${id}`;
  }

  /** True for devices that publish this attribute, whatever its value. */
  public exists(): DeviceSelector {
    return DeviceSelector._leaf(`has(${this._reference()})`);
  }

  /** @internal */
  public _reference(): string {
    if (this.missing !== undefined) throw new Error(this.missing);
    return `device.attributes[${celString(this.domain)}].${this.id}`;
  }

  /** @internal */
  protected _when(condition: string): DeviceSelector {
    return DeviceSelector._leaf(`has(${this._reference()}) && ${condition}`);
  }
}

/** An attribute whose value is text of at most 64 bytes. */
export class StringAttribute extends DeviceAttribute {
  /** An attribute by domain and id. */
  public static of(domain: string, id: string): StringAttribute {
    return new StringAttribute(domain, id);
  }

  /** @internal */
  public static _known(domain: string, id: string, values?: readonly string[], missing?: string): StringAttribute {
    return new StringAttribute(domain, id, values, missing);
  }

  private constructor(domain: string, id: string, private readonly values?: readonly string[], missing?: string) {
    super(domain, id, missing);
  }

  /** True for devices whose value is one of the given ones. */
  public oneOf(...values: string[]): DeviceSelector {
    if (values.length === 0) throw new Error(`'oneOf' on ${this.qualifiedName} must name at least one value, got none. Use exists() to accept any.`);
    values.forEach(value => this.refuseUnknown(value));
    return this._when(values.length === 1
      ? `${this._reference()} == ${celString(values[0])}`
      : `${this._reference()} in [${values.map(celString).join(', ')}]`);
  }

  /** True for devices whose value begins with the text. */
  public startsWith(prefix: string): DeviceSelector {
    return this._when(`${this._reference()}.startsWith(${celString(prefix)})`);
  }

  /** True for devices whose value contains a match of the RE2 pattern. */
  public matches(pattern: string): DeviceSelector {
    return this._when(`${this._reference()}.matches(${celString(pattern)})`);
  }

  /** Where the driver's source closes the set of values, any other would match no device, silently. */
  private refuseUnknown(value: string): void {
    if (this.values === undefined || this.values.includes(value)) return;
    const near = nearest(value, this.values);
    throw new Error(`${this.qualifiedName} must be compared with a value that the driver publishes, got "${value}". `
      + (near === undefined ? `It publishes ${this.values.map(each => `"${each}"`).join(', ')}. ` : `Did you mean "${near}"? `)
      + `For a value of a newer driver: StringAttribute.of('${this.domain}', '${this.id}').`);
  }
}

/** An attribute whose value is a whole number of 64 bits. */
export class IntAttribute extends DeviceAttribute {
  /** An attribute by domain and id. */
  public static of(domain: string, id: string): IntAttribute {
    return new IntAttribute(domain, id);
  }

  /** @internal */
  public static _known(domain: string, id: string, missing?: string): IntAttribute {
    return new IntAttribute(domain, id, missing);
  }

  /** True for devices whose value is one of the given ones. */
  public oneOf(...values: number[]): DeviceSelector {
    if (values.length === 0) throw new Error(`'oneOf' on ${this.qualifiedName} must name at least one value, got none. Use exists() to accept any.`);
    return this._when(values.length === 1
      ? `${this._reference()} == ${celInt(this, values[0])}`
      : `${this._reference()} in [${values.map(value => celInt(this, value)).join(', ')}]`);
  }

  /** True for devices whose value is the given one or greater. */
  public atLeast(value: number): DeviceSelector {
    return this._when(`${this._reference()} >= ${celInt(this, value)}`);
  }

  /** True for devices whose value is the given one or less. */
  public atMost(value: number): DeviceSelector {
    return this._when(`${this._reference()} <= ${celInt(this, value)}`);
  }
}

/** An attribute whose value is true or false. */
export class BoolAttribute extends DeviceAttribute {
  /** An attribute by domain and id. */
  public static of(domain: string, id: string): BoolAttribute {
    return new BoolAttribute(domain, id);
  }

  /** @internal */
  public static _known(domain: string, id: string, missing?: string): BoolAttribute {
    return new BoolAttribute(domain, id, missing);
  }

  /** True for devices whose value is true. */
  public isTrue(): DeviceSelector {
    return this._when(`${this._reference()} == true`);
  }

  /** True for devices whose value is false; devices without the attribute are left out. */
  public isFalse(): DeviceSelector {
    return this._when(`${this._reference()} == false`);
  }
}

/** An attribute whose value is a strict semantic version, such as `12.8.0`. */
export class VersionAttribute extends DeviceAttribute {
  /** An attribute by domain and id. */
  public static of(domain: string, id: string): VersionAttribute {
    return new VersionAttribute(domain, id);
  }

  /** @internal */
  public static _known(domain: string, id: string, missing?: string): VersionAttribute {
    return new VersionAttribute(domain, id, missing);
  }

  /** True for devices whose version is the given one or newer; build metadata does not count. */
  public atLeast(version: string): DeviceSelector {
    return this._compare(version, '>= 0');
  }

  /** True for devices whose version is older than the given one. */
  public olderThan(version: string): DeviceSelector {
    return this._compare(version, '< 0');
  }

  /** @internal */
  private _compare(version: string, outcome: string): DeviceSelector {
    if (!isVersion(version)) {
      throw new Error(`The version compared with ${this.qualifiedName} must be a strict semantic version, got ${show(version)}. `
        + 'Write three numbers without a leading v, e.g. 12.8.0.');
    }
    return this._when(`${this._reference()}.compareTo(semver(${celString(version)})) ${outcome}`);
  }
}

/** JavaScript holds whole numbers exactly up to 2^53 only; beyond that the literal would silently be another number. */
function celInt(attribute: DeviceAttribute, value: number): string {
  if (!Number.isSafeInteger(value)) {
    throw new Error(`The number compared with ${attribute.qualifiedName} must be a whole number within ±(2^53 - 1), got ${show(value)}. `
      + 'Write larger numbers with DeviceSelector.cel().');
  }
  return String(value);
}
