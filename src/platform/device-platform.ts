import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { DeviceClass, type DeviceClassProps } from '../dra/device-class';
import { NodeAgent } from '../drivers/agent/node-agent';
import type { NodeAgentProps } from '../drivers/agent/node-agent-props';
import { DeviceNodeReportCrd } from '../drivers/agent/node-report-crd';
import { DriverInstallation } from '../drivers/driver-installation';
import type { DriverInstallationProps } from '../drivers/driver-installation-props';
import { DeviceMigration } from '../pools/device-migration';
import type { DeviceMigrationProps } from '../pools/device-migration-props';
import { DevicePolicies, type DevicePoliciesProps } from '../pools/device-policies';
import { MigrationCrds } from '../pools/migration-crds';

/** Properties of a DevicePlatform. */
export interface DevicePlatformProps {
  /**
   * Namespace of the drivers and node agents.
   * @default 'dra-drivers'
   */
  readonly driverNamespace?: string;
  /**
   * Admission policies that come with the first pool.
   * @default - all that need no tenants; the drivers' namespace is a system namespace
   */
  readonly policies?: DevicePoliciesProps;
}

/**
 * The usual folders of a platform, in apply order, so that a repository need not invent them.
 *
 * `00-crds.yaml` holds the CRDs, `10-policies.yaml` the admission policies, `20-classes.yaml` the classes, `25-drivers/` a file for each driver
 * and node agent, `30-pools/` one for each pool that moves, `50-teams/` one for each team: adding one changes its own file only. Nothing else
 * looks for this construct; every part works without it.
 */
export class DevicePlatform extends Construct {
  private readonly driverNamespace: string;
  private readonly policies: DevicePoliciesProps;

  public constructor(scope: Construct, id: string, props: DevicePlatformProps = {}) {
    super(scope, id);
    this.driverNamespace = props.driverNamespace ?? 'dra-drivers';
    this.policies = { systemNamespaces: [this.driverNamespace], ...props.policies };
  }

  /** Adds a class to `20-classes.yaml`. */
  public addClass(id: string, props: DeviceClassProps): DeviceClass {
    return new DeviceClass(this.folder('20-classes'), id, props);
  }

  /** Adds a driver, in `25-drivers/<id>.yaml`. */
  public addDriver(id: string, props: DriverInstallationProps): DriverInstallation {
    return new DriverInstallation(this.driverChart(id), id, props);
  }

  /** Adds a node agent, in `25-drivers/<id>.yaml`, and with the first witness the CRD of its reports, in `00-crds.yaml`. */
  public addNodeAgent(id: string, props: NodeAgentProps): NodeAgent {
    if (props.witness ?? true) this.addReportCrd();
    return new NodeAgent(this.driverChart(id), id, props);
  }

  /** Adds the migration of a pool, in `30-pools/<id>.yaml`, and with the first one the CRDs and policies, in `00-crds.yaml` and `10-policies.yaml`. */
  public addPool(id: string, props: DeviceMigrationProps): DeviceMigration {
    this.addMigrationCrds();
    const policies = this.folder('10-policies');
    if (policies.node.tryFindChild('device-policies') === undefined) new DevicePolicies(policies, 'device-policies', this.policies);
    return new DeviceMigration(new Chart(this.folder('30-pools'), id), id, props);
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

  private addMigrationCrds(): void {
    const crds = this.folder('00-crds');
    if (crds.node.tryFindChild(ALL_CRDS) !== undefined) return;
    new MigrationCrds(crds, ALL_CRDS, { nodeReports: crds.node.tryFindChild(REPORT_CRD) === undefined });
  }

  private addReportCrd(): void {
    const crds = this.folder('00-crds');
    if ([ALL_CRDS, REPORT_CRD].every(id => crds.node.tryFindChild(id) === undefined)) new DeviceNodeReportCrd(crds, REPORT_CRD);
  }

  private driverChart(id: string): Chart {
    return new Chart(this.folder('25-drivers'), id, { namespace: this.driverNamespace });
  }

  private folder(name: string): Chart {
    return this.node.tryFindChild(name) as Chart | undefined ?? new Chart(this, name);
  }
}

const ALL_CRDS = 'device-migrations';
const REPORT_CRD = 'device-node-reports';
