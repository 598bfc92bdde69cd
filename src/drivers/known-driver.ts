import { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from '../dra/device-attribute';
import { DeviceCapacity } from '../dra/device-capacity';
import { DeviceDriver } from '../dra/device-driver';
import { inRange, profileById, type AttributeFact, type DriverProfileFacts, type VersionRange } from '../model/drivers';

/** Options of a driver profile. */
export interface DriverProfileOptions {
  /**
   * Version of the driver that runs in the cluster, as its project names it; attributes that it does not publish are then refused.
   * @default - the newest version that the profile was read from
   */
  readonly driverVersion?: string;
}

/** A driver whose facts this library carries. */
export abstract class KnownDriver extends DeviceDriver {
  /** Version that runs in the cluster; undefined stands for the newest known. */
  public readonly driverRelease?: string;
  private readonly facts: DriverProfileFacts;

  protected constructor(profileId: string, options: DriverProfileOptions) {
    const facts = factsOf(profileId);
    super(facts.driverName, facts.family);
    this.facts = facts;
    this.driverRelease = options.driverVersion;
  }

  /** What surprises in this version of the driver, a sentence each. */
  public quirks(): string[] {
    return this.facts.quirks.filter(quirk => this.published(quirk)).map(({ what, consequence }) => `${what} ${consequence}`);
  }

  /** @internal */
  protected _text(domain: string, id: string): StringAttribute {
    const fact = this.attribute(domain, id);
    return StringAttribute._known(domain, id, fact.values, this.missing(fact));
  }

  /** @internal */
  protected _whole(domain: string, id: string): IntAttribute {
    return IntAttribute._known(domain, id, this.missing(this.attribute(domain, id)));
  }

  /** @internal */
  protected _flag(domain: string, id: string): BoolAttribute {
    return BoolAttribute._known(domain, id, this.missing(this.attribute(domain, id)));
  }

  /** @internal */
  protected _version(domain: string, id: string): VersionAttribute {
    return VersionAttribute._known(domain, id, this.missing(this.attribute(domain, id)));
  }

  /** @internal */
  protected _amount(domain: string, id: string): DeviceCapacity {
    return this.facts.publishes.capacityNames === 'qualified' ? DeviceCapacity.qualified(domain, id) : DeviceCapacity.of(domain, id);
  }

  private attribute(domain: string, id: string): AttributeFact {
    const found = this.facts.attributes.find(fact =>
      fact.id === id && (fact.domain ?? this.driverName) === domain && fact.versions?.before === undefined);
    if (!found) throw new Error(`Profile ${this.facts.id} must know attribute ${domain}/${id}. Generate the profile classes again.`);
    return found;
  }

  /** Why this version has no such attribute; undefined when it has. */
  private missing(fact: AttributeFact): string | undefined {
    if (this.published(fact)) return undefined;
    return `${this.driverName} publishes '${fact.id}' from version ${fact.versions?.from}, got driverVersion ${this.driverRelease}. `
      + 'Upgrade the driver, or select by another attribute.';
  }

  private published({ versions }: { readonly versions?: VersionRange }): boolean {
    return inRange(versions, this.driverRelease, this.facts.versionAliases);
  }
}

function factsOf(profileId: string): DriverProfileFacts {
  const facts = profileById(profileId);
  if (!facts) throw new Error(`'profileId' must name a profile of src/model/drivers, got "${profileId}". Generate the profile classes again.`);
  return facts;
}
