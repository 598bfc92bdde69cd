import { gateAt, isGateName } from '../target/gate-state';
import type { GateName } from '../target/gates';
import type { Target } from '../target/target';
import type { Minor } from '../target/versions';

/** The optional parts of allocation, as `structured.Features` has them. */
export interface AllocatorFeatures {
  readonly adminAccess: boolean;
  readonly compatibilityGroups: boolean;
  readonly consumableCapacity: boolean;
  readonly derivedAttributes: boolean;
  readonly deviceBinding: boolean;
  readonly deviceStatus: boolean;
  readonly deviceTaints: boolean;
  readonly fractionalCapacityRange: boolean;
  readonly listTypeAttributes: boolean;
  readonly optionalNodeOperations: boolean;
  readonly partitionableDevices: boolean;
  readonly prioritizedList: boolean;
}

/** Which of upstream's three allocators decides. */
export type Implementation = 'stable' | 'incubating' | 'experimental';

/** The features that the scheduler of a cluster has on. */
export function featuresOf(target: Target): AllocatorFeatures {
  return fromGates(target.minor, gate => target.isOn(gate, 'kube-scheduler'));
}

/**
 * The features of a minor with some gates set, whatever a real component would say to locked gates and missing dependencies.
 *
 * Throws for a name that no known minor has as a gate.
 */
export function featuresWith(minor: Minor, gates: Readonly<Record<string, boolean>>): AllocatorFeatures {
  for (const name of Object.keys(gates)) {
    if (!isGateName(name)) throw new Error(`'features' must name feature gates of Kubernetes, got ${JSON.stringify(name)}. Check the spelling.`);
  }
  return fromGates(minor, gate => {
    const state = gateAt(gate, minor);
    return state !== undefined && (Object.hasOwn(gates, gate) ? gates[gate] : state.default);
  });
}

/** The first implementation, in the order stable, incubating, experimental, that supports all the features that are on. */
export function implementationFor(minor: Minor, features: AllocatorFeatures): Implementation {
  const { adminAccess, prioritizedList, partitionableDevices, deviceTaints, consumableCapacity, listTypeAttributes } = features;
  const common = adminAccess || prioritizedList || partitionableDevices || deviceTaints;
  if (minor === '1.34') {
    // The two gates were one feature each, and device status is on by default: a default 1.34 uses the experimental allocator.
    return consumableCapacity || features.deviceBinding || features.deviceStatus ? 'experimental' : common ? 'incubating' : 'stable';
  }
  const binding = features.deviceBinding && features.deviceStatus;
  if (minor === '1.35') return consumableCapacity || binding ? 'experimental' : common ? 'incubating' : 'stable';
  const newest = features.derivedAttributes || features.optionalNodeOperations || features.compatibilityGroups;
  if (listTypeAttributes || (minor === '1.37' && newest)) return 'experimental';
  return consumableCapacity || binding || (minor === '1.37' && features.fractionalCapacityRange) ? 'incubating' : 'stable';
}

function fromGates(minor: Minor, isOn: (gate: GateName) => boolean): AllocatorFeatures {
  return {
    adminAccess: isOn('DRAAdminAccess'),
    compatibilityGroups: isOn('DRADeviceCompatibilityGroups'),
    consumableCapacity: isOn('DRAConsumableCapacity'),
    derivedAttributes: isOn('DRADerivedAttributes'),
    deviceBinding: isOn('DRADeviceBindingConditions'),
    deviceStatus: isOn('DRAResourceClaimDeviceStatus'),
    deviceTaints: isOn('DRADeviceTaints'),
    fractionalCapacityRange: isOn('DRAFractionalCapacityRange'),
    // The scheduler of 1.36 (read at v1.36.3) tells only CEL of this gate, so its constraints know no lists.
    listTypeAttributes: minor !== '1.36' && isOn('DRAListTypeAttributes'),
    optionalNodeOperations: isOn('DRAOptionalNodeOperations'),
    partitionableDevices: isOn('DRAPartitionableDevices'),
    prioritizedList: isOn('DRAPrioritizedList'),
  };
}
