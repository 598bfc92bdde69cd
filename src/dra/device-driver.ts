import { BoolAttribute, IntAttribute, StringAttribute, VersionAttribute } from './device-attribute';
import { DeviceCapacity } from './device-capacity';
import { driverNameProblem } from '../model/names';
import { familyProblem } from '../model/node-contract';
import { describeProblem } from '../model/problem';

/** What is known of a DRA driver: its name, its family and what its devices publish. */
export class DeviceDriver {
  /**
   * @param driverName name that the driver registers with kubelet and writes into slices, a DNS subdomain of at most 63 characters
   * @param family kind of device, a DNS label of at most 40 characters; one driver a family on a node
   */
  public constructor(public readonly driverName: string, public readonly family: string) {
    const badName = driverNameProblem(driverName);
    if (badName) throw new Error(describeProblem('driverName', driverName, badName));
    const badFamily = familyProblem(family);
    if (badFamily) throw new Error(describeProblem('family', family, badFamily));
  }

  /** A text attribute in the driver's own domain. */
  public stringAttribute(id: string): StringAttribute {
    return StringAttribute.of(this.driverName, id);
  }

  /** A whole-number attribute in the driver's own domain. */
  public intAttribute(id: string): IntAttribute {
    return IntAttribute.of(this.driverName, id);
  }

  /** A true-or-false attribute in the driver's own domain. */
  public boolAttribute(id: string): BoolAttribute {
    return BoolAttribute.of(this.driverName, id);
  }

  /** A version attribute in the driver's own domain. */
  public versionAttribute(id: string): VersionAttribute {
    return VersionAttribute.of(this.driverName, id);
  }

  /** A capacity in the driver's own domain, published without the domain as most drivers do. */
  public capacity(id: string): DeviceCapacity {
    return DeviceCapacity.of(this.driverName, id);
  }
}
