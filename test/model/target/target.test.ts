import { Target } from '../../../src/model/target';
import type { TargetGates } from '../../../src/model/target';

describe('a target is refused', () => {
  test.each<[string, string, TargetGates, string]>([
    ['for a version too old', '1.33', {}, "'version' must be Kubernetes 1.34 or later, got \"1.33\"."],
    ['for a misspelt gate', '1.36', { featureGates: { DRADeviceTaint: true } }, 'got "DRADeviceTaint". Did you mean DRADeviceTaints?'],
    ['for a gate in the wrong case', '1.36', { featureGates: { draadminaccess: true } }, 'Did you mean DRAAdminAccess?'],
    ['for a foreign gate', '1.36', { featureGates: { SidecarContainers: true } }, 'Leave other gates out; known are DRAAdminAccess,'],
    ['for a name every object has', '1.36', { featureGates: { constructor: true } }, 'must name a feature gate'],
    ['for a gate of a later minor', '1.34', { featureGates: { DRADeviceTaintRules: true } },
      "'featureGates' must be known to Kubernetes 1.34, got \"DRADeviceTaintRules\". DRADeviceTaintRules exists from 1.35 on"],
    ['for a locked gate', '1.36', { featureGates: { DRAAdminAccess: false } },
      "'featureGates.DRAAdminAccess' must be true, got false. Kubernetes 1.36 locks DRAAdminAccess: leave it out."],
    ['for a gate without one that it needs', '1.36', { featureGates: { DRAWorkloadResourceClaims: true } },
      "'featureGates.DRAWorkloadResourceClaims' must not be on while GenericWorkload, which it needs, is off in kube-apiserver"],
    ['for a default gate without one that it needs', '1.37', { featureGates: { DRADeviceTaints: false } },
      'DRADeviceTaintRules is on by default in 1.37: switch it off as well, or leave DRADeviceTaints on.'],
    ['for a need that is off in one component', '1.36', { componentFeatureGates: { kubelet: { ResourceHealthStatus: false } } },
      "'componentFeatureGates.kubelet.ResourceHealthStatusMessage' must not be on while ResourceHealthStatus"],
    ['for a misspelt component', '1.36', { componentFeatureGates: { kublet: { DRADeviceTaints: true } } as TargetGates['componentFeatureGates'] },
      'got "kublet". Did you mean kubelet?'],
    ['for a foreign component', '1.36', { componentFeatureGates: { etcd: {} } as TargetGates['componentFeatureGates'] },
      'Name one of kube-apiserver, kube-scheduler, kube-controller-manager and kubelet.'],
    ['for a value that is text', '1.36', { featureGates: { DRADeviceTaints: 'true' as unknown as boolean } },
      "'featureGates.DRADeviceTaints' must be true or false, got \"true\"."],
  ])('%s', (_, version, gates, message) => {
    expect(() => Target.of(version, gates)).toThrow(message);
  });

  test.each(['DRADeviceTaints', 'DRADeviceTaints=1', '=true', 'a:b:C=true', 'kubelet:=true', 'DRADeviceTaints=true;X=true'])('for gates written %s', gates => {
    expect(() => Target.parse('1.36', gates)).toThrow('must have the form Name=true or component:Name=false');
  });

  test('for a gate named twice', () => {
    expect(() => Target.parse('1.36', 'DRADeviceTaints=true,DRADeviceTaints=false')).toThrow('must name a gate once');
  });
});

test('a locked gate may be named with the value that it has', () => {
  expect(Target.parse('1.36', 'DRAAdminAccess=true').enabled('DRAAdminAccess')).toBe(true);
});

test('1.34 starts without DRA, and nothing that needs it is on', () => {
  const target = Target.parse('1.34', 'DynamicResourceAllocation=false');
  expect(target.enabled('DRAPrioritizedList')).toBe(false);
  expect(target.fieldSupport('PodSpec', 'resourceClaims').supported).toBe(false);
  expect(() => Target.parse('1.34', 'DynamicResourceAllocation=false,DRADeviceTaints=true')).toThrow('DynamicResourceAllocation, which it needs');
});

test.each([
  ['', 'Kubernetes 1.36'],
  [' DRADeviceTaintRules=true , kubelet:DRAExtendedResource=false,', 'Kubernetes 1.36 with DRADeviceTaintRules=true,kubelet:DRAExtendedResource=false'],
  ['DRAListTypeAttributes=true,kubelet:DRAListTypeAttributes=false',
    'Kubernetes 1.36 with kube-apiserver:DRAListTypeAttributes=true,kube-scheduler:DRAListTypeAttributes=true,kube-controller-manager:DRAListTypeAttributes=true'],
])('gates %p make %s', (gates, text) => {
  const target = Target.parse('v1.36.3', gates);
  expect(String(target)).toBe(text);
  expect(String(Target.parse(target.minor, text.split(' with ')[1]))).toBe(text);
});

test('a gate is on in a component, or in all that read it', () => {
  const target = Target.parse('1.36', 'kubelet:DRAExtendedResource=false');
  expect(target.enabled('DRAExtendedResource', 'kube-apiserver')).toBe(true);
  expect(target.enabled('DRAExtendedResource', 'kubelet')).toBe(false);
  expect(target.enabled('DRAExtendedResource')).toBe(false);
  expect(target.enabled('NoSuchGate')).toBe(false);
});

test('a component that does not read a gate may have it off', () => {
  expect(Target.parse('1.36', 'kubelet:DRAPartitionableDevices=false').fieldSupport('Device', 'consumesCounters')).toEqual({ supported: true });
});

describe('an unsupported field says the way out', () => {
  test.each([
    ['a gate off by default', '1.34', '', 'DeviceSubRequest', 'tolerations', {
      supported: false,
      gate: 'DRADeviceTaints',
      since: '1.34',
      defaultOnFrom: '1.36',
      offAt: ['kube-apiserver', 'kube-scheduler', 'kube-controller-manager'],
      help: 'Needs feature gate DRADeviceTaints, off by default in 1.34: target 1.36 or later, or switch it on in kube-apiserver, kube-scheduler and '
        + "kube-controller-manager (--feature-gates=DRADeviceTaints=true) and in the target's featureGates.",
    }],
    ['a gate never on by default', '1.37', '', 'PodGroupSpec', 'resourceClaims', {
      supported: false,
      gate: 'DRAWorkloadResourceClaims',
      since: '1.36',
      offAt: ['kube-apiserver', 'kube-scheduler', 'kube-controller-manager', 'kubelet'],
      help: 'Needs feature gates DRAWorkloadResourceClaims and GenericWorkload, off by default in 1.37: switch them on in kube-apiserver, kube-scheduler, '
        + 'kube-controller-manager and kubelet (--feature-gates=DRAWorkloadResourceClaims=true,GenericWorkload=true) and in the target\'s featureGates.',
    }],
    ['a gate switched off', '1.36', 'DRAPartitionableDevices=false', 'Device', 'consumesCounters', {
      supported: false,
      gate: 'DRAPartitionableDevices',
      since: '1.34',
      defaultOnFrom: '1.36',
      offAt: ['kube-apiserver', 'kube-scheduler'],
      help: 'Needs feature gate DRAPartitionableDevices, off in this target: switch it on in kube-apiserver and kube-scheduler '
        + "(--feature-gates=DRAPartitionableDevices=true) and in the target's featureGates.",
    }],
    ['a gate on at the API server and off at the kubelet', '1.35', 'DRAExtendedResource=true,kubelet:DRAExtendedResource=false',
      'DeviceClassSpec', 'extendedResourceName', {
        supported: false,
        gate: 'DRAExtendedResource',
        since: '1.34',
        defaultOnFrom: '1.36',
        offAt: ['kubelet'],
        help: 'Needs feature gate DRAExtendedResource in kube-apiserver, kube-scheduler and kubelet, or the field is stored and not acted on: '
          + "switch it on in kubelet (--feature-gates=DRAExtendedResource=true) too, and in the target's componentFeatureGates.",
      }],
    ['a gate off at the API server alone', '1.37', 'kube-apiserver:DRAConsumableCapacity=false', 'ExactDeviceRequest', 'capacity', {
      supported: false,
      gate: 'DRAConsumableCapacity',
      since: '1.34',
      defaultOnFrom: '1.36',
      offAt: ['kube-apiserver'],
      help: 'Needs feature gate DRAConsumableCapacity in kube-apiserver and kube-scheduler, or the API server drops the field: '
        + "switch it on in kube-apiserver (--feature-gates=DRAConsumableCapacity=true) too, and in the target's componentFeatureGates.",
    }],
    ['a field of a later minor', '1.36', '', 'ExactDeviceRequest', 'derivedAttributes', {
      supported: false,
      gate: 'DRADerivedAttributes',
      since: '1.37',
      offAt: [],
      help: 'Kubernetes 1.36 does not have it: target 1.37 with feature gate DRADerivedAttributes on in kube-apiserver and kube-scheduler '
        + "(--feature-gates=DRADerivedAttributes=true) and in the target's featureGates.",
    }],
    ['a field of a later minor, on by default there', '1.35', '', 'ResourceHealth', 'message', {
      supported: false,
      gate: 'ResourceHealthStatusMessage',
      since: '1.36',
      defaultOnFrom: '1.36',
      offAt: [],
      help: 'Kubernetes 1.35 does not have it: target 1.36 or later.',
    }],
    ['a field that is gone', '1.37', 'DRANodeAllocatableResources=true', 'Device', 'nodeAllocatableResourceMappings', {
      supported: false,
      since: '1.36',
      offAt: [],
      help: 'Kubernetes 1.36 is the last minor that has it: remove it, or target 1.36 or earlier.',
    }],
  ])('%s', (_, version, gates, definition, field, expected) => {
    expect(Target.parse(version, gates).fieldSupport(definition, field)).toEqual(expected);
  });
});

test('status written by drivers does not wait for the scheduler', () => {
  const target = Target.parse('1.36', 'kube-scheduler:DRAResourceClaimDeviceStatus=false,kube-scheduler:DRADeviceBindingConditions=false,'
    + 'kube-scheduler:DRAResourceClaimGranularStatusAuthorization=false');
  expect(target.fieldSupport('ResourceClaimStatus', 'devices')).toEqual({ supported: true });
  expect(target.fieldSupport('Device', 'bindingConditions')).toMatchObject({ supported: false, offAt: ['kube-scheduler'] });
});

test('the taint effect None exists from 1.35 and works from 1.36', () => {
  expect(Target.parse('1.34', 'DRADeviceTaints=true').valueSupport('DeviceTaint', 'effect', 'None')).toMatchObject({ supported: false, since: '1.35' });
  expect(Target.parse('1.34', 'DRADeviceTaints=true').valueSupport('DeviceTaint', 'effect', 'NoExecute')).toEqual({ supported: true });
  expect(Target.parse('1.35', 'DRADeviceTaints=true').valueSupport('DeviceTaint', 'effect', 'None')).toEqual({ supported: true });
  expect(Target.of('1.35').valueSupport('DeviceTaint', 'effect', 'None').supported).toBe(false);
  expect(Target.of('1.36').valueSupport('DeviceTaint', 'effect', 'None')).toEqual({ supported: true });
});

test.each([
  ['1.34', 'DRADeviceTaints', 'v1alpha3'],
  ['1.35', 'DRADeviceTaintRules', 'v1alpha3'],
  ['1.36', 'DRADeviceTaintRules', 'v1beta2'],
])('taint rules in %s need %s and an API version that is off by default', (version, gate, apiVersion) => {
  expect(Target.of(version).kindSupport('DeviceTaintRule')).toMatchObject({
    supported: false,
    gate,
    defaultOnFrom: '1.37',
    help: expect.stringContaining(`--runtime-config=resource.k8s.io/${apiVersion}=true`),
  });
  const gates = { DRADeviceTaints: true, [gate]: true };
  expect(Target.of(version, { featureGates: gates }).kindSupport('DeviceTaintRule')).toEqual({ supported: true });
});

test('taint rules in 1.37 need nothing', () => {
  expect(Target.of('1.37').kindSupport('DeviceTaintRule')).toEqual({ supported: true });
});

test('the feature list has every gate with its state in this cluster', () => {
  const features = Target.parse('1.36', 'kubelet:DRAExtendedResource=false').featureList();
  expect(features.map(({ gate }) => gate)).toEqual([...features.map(({ gate }) => gate)].sort());
  expect(features.find(({ gate }) => gate === 'DRAExtendedResource')).toEqual({
    gate: 'DRAExtendedResource',
    title: 'Extended resources served by DRA drivers',
    stage: 'beta',
    default: true,
    locked: false,
    enabled: false,
    offAt: ['kubelet'],
    maturity: 'stable',
    since: '1.34',
    defaultOnFrom: '1.36',
    components: ['kube-apiserver', 'kube-scheduler', 'kubelet'],
  });
  expect(features.find(({ gate }) => gate === 'DRADerivedAttributes')).toMatchObject({
    stage: undefined, enabled: false, offAt: [], since: '1.37', defaultOnFrom: undefined, maturity: 'experimental',
  });
});
