// What the library's constructs emit, for a cluster's minor and gates. Bundled by emitted.mjs.
import { ApiObject, App, Chart } from 'cdk8s';
import {
  AgentDevices, ClaimRewriting, DeviceClass, DeviceMigration, DeviceNodeReportCrd, DevicePolicies, DriverInstallation, DriverProfile,
  KubernetesTarget, LegacyPath, MigrationCrds, MigrationPhase, NodeAgent, NodeCount, NodeSelection,
} from '../../../src';
import type { DevicePoliciesProps, DriverInstallationProps, NodeAgentProps, SimulatedDevicesProps } from '../../../src';
import { ZOO } from '../../zoo';

/** A named construct that can be built for a target. */
export interface Emitted {
  readonly name: string;
  build(scope: Chart): void;
}

/** Every specimen of the zoo. */
export const SPECIMENS: readonly Emitted[] = ZOO.map(({ construct, size, build }) => ({
  name: `${construct}-${size}`,
  build: scope => build(scope, 'specimen'),
}));

/** The installation of each driver with a profile, as its profile says. */
export const INSTALLATIONS: readonly Emitted[] = Object.getOwnPropertyNames(DriverProfile)
  .filter(name => !['length', 'name', 'prototype', 'custom'].includes(name))
  .sort()
  .map(name => ({
    name,
    build: scope => {
      const driver = (DriverProfile as unknown as Record<string, () => DriverInstallationProps['driver']>)[name]();
      void new DriverInstallation(scope, 'driver', { driver, image: 'registry.example.com/driver:1', writesClaimStatus: true });
    },
  }));

/** The objects of an installation of one's own driver. */
export function installationOf(driverName: string, props: Partial<DriverInstallationProps>): Emitted {
  return {
    name: driverName,
    build: scope => void new DriverInstallation(scope, 'driver', {
      driver: DriverProfile.custom({ driverName, family: 'gpu' }), image: 'registry.example.com/driver:1', ...props,
    }),
  };
}

/** The node agent with a simulated fleet; without one it is a witness of somebody else's devices. */
export function agentOf(driverName: string, family: string, fleet: SimulatedDevicesProps | undefined, props: Partial<NodeAgentProps>): Emitted {
  return {
    name: driverName,
    build: scope => {
      const devices = fleet === undefined ? {} : { devices: AgentDevices.simulated(fleet) };
      new NodeAgent(scope, `${family}-agent`, {
        driver: DriverProfile.custom({ driverName, family }), image: 'registry.example.com/agent:1', ...devices, ...props,
      });
    },
  };
}

/** The CRD that witnesses write. */
export const REPORT_CRD: Emitted = { name: 'reports', build: scope => void new DeviceNodeReportCrd(scope, 'reports') };

/** The CRDs of all our kinds. */
export const MIGRATION_CRDS: Emitted = { name: 'crds', build: scope => void new MigrationCrds(scope, 'crds') };

/** Admission policies with their bindings. */
export function policiesOf(props: DevicePoliciesProps): Emitted {
  return { name: 'policies', build: scope => void new DevicePolicies(scope, 'policies', props) };
}

/** The rewriting of a resource, half of a device a unit, to claims of a class by units, with the migration that it is about. */
export function claimRewritingOf({ driver, resource, deviceClass, claims }: {
  readonly driver: string;
  readonly resource: string;
  readonly deviceClass: string;
  readonly claims: { readonly [units: number]: string };
}): Emitted {
  return {
    name: 'rewriting',
    build: scope => {
      const pool = new DeviceMigration(scope, 'pool', {
        driver: DriverProfile.custom({ driverName: driver, family: 'gpu' }),
        deviceClasses: [DeviceClass.fromDeviceClassName(deviceClass)],
        nodes: NodeSelection.labels({ pool: 'rewriting' }),
        legacy: LegacyPath.extendedResources([{ name: resource, unitsPerDevice: 2 }]),
        phase: MigrationPhase.OBSERVE,
      });
      new ClaimRewriting(scope, 'rewriting', {
        pools: [pool],
        claims: Object.entries(claims).map(([units, claimTemplate]) => ({ units: Number(units), claimTemplate })),
      });
    },
  };
}

/** The migration of a pool whose driver's devices are tainted until its canary. */
export function taintedPoolOf(driver: string, deviceClass: string, phase: 'Observe' | 'Canary'): Emitted {
  return {
    name: 'tainted',
    build: scope => void new DeviceMigration(scope, 'tainted', {
      driver: DriverProfile.custom({ driverName: driver, family: 'gpu' }),
      deviceClasses: [DeviceClass.fromDeviceClassName(deviceClass)],
      nodes: NodeSelection.labels({ pool: 'tainted' }),
      phase: phase === 'Observe' ? MigrationPhase.OBSERVE : MigrationPhase.CANARY,
      canary: { nodes: NodeCount.absolute(1), namespaces: ['sandbox'] },
      taintsBeforeCanary: true,
    }),
  };
}

/** Manifests for a minor and gates, in a namespace; a text where the construct refuses that target. */
export function manifestsOf({ build }: Emitted, minor: string, featureGates: Record<string, boolean>, namespace: string): readonly object[] | string {
  const app = new App();
  try {
    KubernetesTarget.of(minor, { featureGates }).applyTo(app);
    build(new Chart(app, 'chart', { namespace }));
    return app.node.findAll().filter((construct): construct is ApiObject => construct instanceof ApiObject).map(object => object.toJson());
  } catch (error) {
    return (error as Error).message;
  }
}
