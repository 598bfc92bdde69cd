import { MINORS, RESOURCE_KINDS, servedVersions, Target } from '../../../src/model/target';

test.each([
  ['DeviceClass', ['v1', 'v1', 'v1', 'v1']],
  ['DeviceTaintRule', ['v1alpha3', 'v1alpha3', 'v1beta2', 'v1']],
  ['ResourceClaim', ['v1', 'v1', 'v1', 'v1']],
  ['ResourceClaimTemplate', ['v1', 'v1', 'v1', 'v1']],
  ['ResourceSlice', ['v1', 'v1', 'v1', 'v1']],
])('%s is written as %p', (kind, versions) => {
  expect(MINORS.map(minor => Target.of(minor).apiVersionOf(kind))).toEqual(versions.map(version => `resource.k8s.io/${version}`));
});

test('only v1 is served without being asked for', () => {
  const others = RESOURCE_KINDS.flatMap(kind => MINORS.flatMap(minor => servedVersions(kind, minor).onByDefault)).filter(one => one !== 'v1');
  expect(others).toEqual([]);
  expect(servedVersions('DeviceTaintRule', '1.36').onByDefault).toEqual([]);
  expect(servedVersions('ResourceSlice', '1.34').onByDefault).toEqual(['v1']);
});

test('a pool status request can be written from 1.36 on', () => {
  expect(Target.of('1.36').apiVersionOf('ResourcePoolStatusRequest')).toBe('resource.k8s.io/v1alpha3');
  expect(() => Target.of('1.35').apiVersionOf('ResourcePoolStatusRequest')).toThrow(
    "'kind' must be served by Kubernetes 1.35, got \"ResourcePoolStatusRequest\". Target 1.36 or later.");
});

test.each(['Pod', '', 'constructor'])('%p is refused as a kind of resource.k8s.io', kind => {
  expect(() => Target.of('1.36').apiVersionOf(kind)).toThrow(/'kind' must be a kind of resource\.k8s\.io.*ResourceSlice\./);
});
