import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { DeviceClass, type DeviceClassProps } from '../dra/device-class';
import { DriverInstallation } from '../drivers/driver-installation';
import type { DriverInstallationProps } from '../drivers/driver-installation-props';

/** Properties of a DevicePlatform. */
export interface DevicePlatformProps {
  /**
   * Namespace of the drivers.
   * @default 'dra-drivers'
   */
  readonly driverNamespace?: string;
}

/**
 * The usual folders of a platform, in apply order, so that a repository need not invent them.
 *
 * `20-classes.yaml` holds the classes, `25-drivers/` a file for each driver, `50-teams/` a file for each team: adding one changes
 * its own file only. Nothing else looks for this construct; every part works without it.
 */
export class DevicePlatform extends Construct {
  private readonly driverNamespace: string;

  public constructor(scope: Construct, id: string, props: DevicePlatformProps = {}) {
    super(scope, id);
    this.driverNamespace = props.driverNamespace ?? 'dra-drivers';
  }

  /** Adds a class to `20-classes.yaml`. */
  public addClass(id: string, props: DeviceClassProps): DeviceClass {
    return new DeviceClass(this.folder('20-classes'), id, props);
  }

  /** Adds a driver, in `25-drivers/<id>.yaml`. */
  public addDriver(id: string, props: DriverInstallationProps): DriverInstallation {
    const chart = new Chart(this.folder('25-drivers'), id, { namespace: this.driverNamespace });
    return new DriverInstallation(chart, id, props);
  }

  /**
   * The chart of a team, `50-teams/<team>.yaml`, for its templates and workloads.
   *
   * @param team also the namespace of its objects
   */
  public teamChart(team: string): Chart {
    const teams = this.folder('50-teams');
    return teams.node.tryFindChild(team) as Chart | undefined ?? new Chart(teams, team, { namespace: team });
  }

  private folder(name: string): Chart {
    return this.node.tryFindChild(name) as Chart | undefined ?? new Chart(this, name);
  }
}
