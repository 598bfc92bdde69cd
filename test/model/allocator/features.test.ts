import { featuresOf, featuresWith, implementationFor } from '../../../src/model/allocator';
import { Target } from '../../../src/model/target';
import type { Minor } from '../../../src/model/target';

describe('the implementation is the first that supports all features', () => {
  const none = {
    DRAAdminAccess: false,
    DRAPrioritizedList: false,
    DRAPartitionableDevices: false,
    DRADeviceTaints: false,
    DRAConsumableCapacity: false,
    DRADeviceBindingConditions: false,
    DRAResourceClaimDeviceStatus: false,
  };
  test.each<[Minor, Record<string, boolean>, string]>([
    // DRAResourceClaimDeviceStatus alone is enough in 1.34, and on by default.
    ['1.34', {}, 'experimental'],
    ['1.34', { DRAResourceClaimDeviceStatus: false }, 'incubating'],
    ['1.34', none, 'stable'],
    ['1.34', { ...none, DRADeviceTaints: true }, 'incubating'],
    ['1.35', {}, 'incubating'],
    ['1.35', { DRADeviceBindingConditions: true }, 'experimental'],
    ['1.35', { DRAConsumableCapacity: true }, 'experimental'],
    ['1.35', none, 'stable'],
    ['1.36', {}, 'incubating'],
    ['1.36', { DRAConsumableCapacity: false }, 'incubating'],
    ['1.36', { DRAConsumableCapacity: false, DRADeviceBindingConditions: false }, 'stable'],
    ['1.36', { DRAListTypeAttributes: true }, 'incubating'],
    ['1.37', {}, 'incubating'],
    ['1.37', { ...none, DRAFractionalCapacityRange: true }, 'incubating'],
    ['1.37', { DRAListTypeAttributes: true }, 'experimental'],
    ['1.37', { DRADerivedAttributes: true }, 'experimental'],
    ['1.37', { DRADeviceCompatibilityGroups: true }, 'experimental'],
    ['1.37', { DRAOptionalNodeOperations: true }, 'experimental'],
    ['1.37', none, 'stable'],
  ])('in %s with %j it is %s', (minor, gates, implementation) => {
    expect(implementationFor(minor, featuresWith(minor, gates))).toBe(implementation);
  });
});

test('a target has the features of its scheduler', () => {
  const target = Target.of('1.35', { componentFeatureGates: { 'kube-scheduler': { DRAConsumableCapacity: true } } });

  expect(featuresOf(target)).toEqual(featuresWith('1.35', { DRAConsumableCapacity: true }));
});

test('a name that is no gate is refused', () => {
  expect(() => featuresWith('1.36', { DRAConsumable: true })).toThrow('\'features\' must name feature gates of Kubernetes, got "DRAConsumable"');
});

test('a gate that the minor does not know changes nothing', () => {
  expect(featuresWith('1.34', { DRADerivedAttributes: true })).toEqual(featuresWith('1.34', {}));
});
