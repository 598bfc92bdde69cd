import { GATES, GATE_NAMES, gateAt, gateClosure, gateComponents, gateSince, maturityOf, MINORS } from '../../../src/model/target';
import type { GateName, Maturity } from '../../../src/model/target';

/** One column a minor: a(lpha), b(eta) or g(a), capital when on by default, ! when locked, - when unknown. */
test.each<[GateName, string]>([
  ['DynamicResourceAllocation', 'G G! G! G!'],
  ['DRAAdminAccess', 'B B G! G!'],
  ['DRAPrioritizedList', 'B B G G!'],
  ['DRAResourceClaimDeviceStatus', 'B B B G!'],
  ['DRASchedulerFilterTimeout', 'B B B B'],
  ['DRAExtendedResource', 'a a B G!'],
  ['DRADeviceTaints', 'a a B G'],
  ['DRADeviceTaintRules', '- a b G'],
  ['DRAPartitionableDevices', 'a a B B'],
  ['DRAConsumableCapacity', 'a a B B'],
  ['DRADeviceBindingConditions', 'a a B B'],
  ['DRAResourceClaimGranularStatusAuthorization', '- - B B'],
  ['ResourceHealthStatus', 'a a B B'],
  ['ResourceHealthStatusMessage', '- - B B'],
  ['DRAListTypeAttributes', '- - a a'],
  ['DRANodeAllocatableResources', '- - a a'],
  ['DRAResourcePoolStatus', '- - a a'],
  ['DRAWorkloadResourceClaims', '- - a b'],
  ['GenericWorkload', '- a a b'],
  ['NodeDeclaredFeatures', '- a B G!'],
  ['DRAOptionalNodeOperations', '- - - a'],
  ['DRADerivedAttributes', '- - - a'],
  ['DRADeviceCompatibilityGroups', '- - - a'],
  ['DRAPartitionableDevicesType', '- - - a'],
  ['DRAFractionalCapacityRange', '- - - b'],
  ['KubeletPodResourcesDynamicResources', 'B B G! G!'],
  ['KubeletPodResourcesGet', 'B B G! G!'],
  ['SchedulerPreQueueingHints', '- - - a'],
])('%s goes through %s', (gate, course) => {
  const actual = MINORS.map(minor => {
    const state = gateAt(gate, minor);
    const letter = state?.stage[0] ?? '-';
    return (state?.default ? letter.toUpperCase() : letter) + (state?.locked ? '!' : '');
  });
  expect(actual.join(' ')).toBe(course);
});

test('no gate is on by default while one that it needs is off', () => {
  for (const minor of MINORS) {
    for (const gate of GATE_NAMES.filter(name => gateAt(name, minor)?.default)) {
      expect({ gate, off: gateClosure(gate).filter(name => !gateAt(name, minor)?.default) }).toEqual({ gate, off: [] });
    }
  }
});

test('a gate that a minor knows needs only gates which that minor knows', () => {
  for (const minor of MINORS) {
    for (const gate of GATE_NAMES.filter(name => gateAt(name, minor) !== undefined)) {
      expect({ gate, unknown: gateClosure(gate).filter(name => gateAt(name, minor) === undefined) }).toEqual({ gate, unknown: [] });
    }
  }
});

test('a gate needs what its gates need in turn', () => {
  expect(gateClosure('DRADeviceTaintRules')).toEqual(['DRADeviceTaintRules', 'DRADeviceTaints', 'DynamicResourceAllocation']);
});

test('the kubelet reads the gate of node resources from 1.37', () => {
  expect(gateComponents('DRANodeAllocatableResources', '1.36')).toEqual(['kube-apiserver', 'kube-scheduler']);
  expect(gateComponents('DRANodeAllocatableResources', '1.37')).toEqual(['kube-apiserver', 'kube-scheduler', 'kubelet']);
});

test.each<[GateName, Maturity]>([
  ['DRADeviceTaints', 'stable'],
  ['DRAConsumableCapacity', 'beta'],
  ['DRAListTypeAttributes', 'experimental'],
  ['DRAFractionalCapacityRange', 'experimental'],
  ['ResourceHealthStatus', 'driver-specific'],
])('%s is %s', (gate, maturity) => {
  expect(maturityOf(gate)).toBe(maturity);
});

test('every gate has a component, a title and a first minor', () => {
  for (const gate of GATE_NAMES) {
    expect(GATES[gate].components.length).toBeGreaterThan(0);
    expect(GATES[gate].title).toMatch(/^[A-Z][^.]+$/);
    expect(gateAt(gate, gateSince(gate))).toBeDefined();
  }
});
