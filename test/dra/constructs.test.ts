import { App, Chart, Lazy, Testing } from 'cdk8s';
import {
  AllocationMode, CapacityRequest, DeviceAttributeValue, DeviceClass, DeviceConfig, DeviceConstraint, DeviceRequest, DeviceSelector, DeviceTaintRule,
  DeviceToleration, DriverProfile, KubernetesTarget, ResourceClaim, ResourceClaimTemplate, ResourceSlice, SliceNodes, TaintEffect,
} from '../../src';

const gpu = DriverProfile.exampleGpu();
const large = DeviceClass.fromDeviceClassName('gpu-large');

function chart(version = '1.34', options = {}): Chart {
  const app = new App();
  KubernetesTarget.of(version, options).applyTo(app);
  return new Chart(app, 'chart', { namespace: 'team' });
}

function spec(scope: Chart): any {
  return Testing.synth(scope)[0].spec;
}

test('a class with a driver tests the driver first, so that devices of others never meet the rest', () => {
  const scope = chart();

  new DeviceClass(scope, 'large', { driver: gpu, selectors: [DeviceSelector.cel('device.capacity["gpu.example.com"].?memory.hasValue()')] });

  expect(spec(scope).selectors.map((selector: any) => selector.cel.expression)).toEqual([
    'device.driver == "gpu.example.com"',
    'device.capacity["gpu.example.com"].?memory.hasValue()',
  ]);
});

test('a construct is named by its id, or by its metadata', () => {
  const scope = chart();

  expect(new DeviceClass(scope, 'by-id').deviceClassName).toBe('by-id');
  expect(new DeviceClass(scope, 'other', { metadata: { name: 'by-metadata' } }).deviceClassName).toBe('by-metadata');
});

test('defaults of a request are written out, so that a GitOps engine sees no difference', () => {
  const scope = chart();

  new ResourceClaim(scope, 'claim', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });

  expect(spec(scope)).toEqual({ devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu-large', allocationMode: 'ExactCount', count: 1 } }] } });
});

test('mode All has no count', () => {
  const scope = chart();

  new ResourceClaim(scope, 'claim', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large, allocationMode: AllocationMode.ALL })] });

  expect(spec(scope).devices.requests[0].exactly).toEqual({ deviceClassName: 'gpu-large', allocationMode: 'All' });
});

test('quantities are written as the API server stores them', () => {
  const scope = chart('1.36');

  new ResourceClaim(scope, 'claim', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large, capacity: [CapacityRequest.of('milli', '1000'), gpu.memory.amount('0.5Gi')] })] });

  expect(spec(scope).devices.requests[0].exactly.capacity.requests).toEqual({ memory: '512Mi', milli: '1k' });
});

test('a template carries labels and annotations for its claims', () => {
  const scope = chart();

  new ResourceClaimTemplate(scope, 'template', {
    requests: [DeviceRequest.firstAvailable('gpu', [{ name: 'big', deviceClass: large }, { name: 'two', deviceClass: large, count: 2 }])],
    claimLabels: { team: 'vision' },
    claimAnnotations: { note: 'x' },
  });

  expect(spec(scope)).toEqual({
    metadata: { labels: { team: 'vision' }, annotations: { note: 'x' } },
    spec: {
      devices: {
        requests: [{
          name: 'gpu',
          firstAvailable: [
            { name: 'big', deviceClassName: 'gpu-large', allocationMode: 'ExactCount', count: 1 },
            { name: 'two', deviceClassName: 'gpu-large', allocationMode: 'ExactCount', count: 2 },
          ],
        }],
      },
    },
  });
});

test('a taint rule has the version that the target serves', () => {
  const versions = ['1.35', '1.36', '1.37'].map(version => {
    const scope = chart(version, version === '1.37' ? {} : { featureGates: { DRADeviceTaints: true, DRADeviceTaintRules: true } });
    new DeviceTaintRule(scope, 'rule', { driver: gpu, taint: { key: 'example.com/x', effect: TaintEffect.NO_SCHEDULE } });
    return Testing.synth(scope)[0].apiVersion;
  });

  expect(versions).toEqual(['resource.k8s.io/v1alpha3', 'resource.k8s.io/v1beta2', 'resource.k8s.io/v1']);
});

// C-085: the versions that the cluster serves, and no mix of them.
test.each(['1.34', '1.35', '1.36', '1.37'])('in %s every kind but the taint rule is v1', version => {
  const scope = chart(version);
  new DeviceClass(scope, 'class');
  new ResourceClaim(scope, 'claim', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });
  new ResourceClaimTemplate(scope, 'template', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });
  new ResourceSlice(scope, 'slice', { driver: gpu, pool: { name: 'p' }, nodes: SliceNodes.everyNode() });

  expect([...new Set(Testing.synth(scope).map(object => object.apiVersion))]).toEqual(['resource.k8s.io/v1']);
});

test('a slice of a network-attached pool names its nodes by label', () => {
  const scope = chart();

  new ResourceSlice(scope, 'rack-1', {
    driver: gpu,
    pool: { name: 'rack-1' },
    nodes: SliceNodes.labels({ zone: 'a', rack: '1' }),
    devices: [{ name: 'gpu-0', attributes: { model: DeviceAttributeValue.text('LATEST-GPU-MODEL') }, capacity: { memory: { value: '80Gi' } } }],
  });

  expect(spec(scope)).toEqual({
    driver: 'gpu.example.com',
    pool: { name: 'rack-1', generation: 1, resourceSliceCount: 1 },
    nodeSelector: {
      nodeSelectorTerms: [{
        matchExpressions: [
          { key: 'rack', operator: 'In', values: ['1'] },
          { key: 'zone', operator: 'In', values: ['a'] },
        ],
      }],
    },
    devices: [{ name: 'gpu-0', attributes: { model: { string: 'LATEST-GPU-MODEL' } }, capacity: { memory: { value: '80Gi' } } }],
  });
});

test('a value that is decided later is left to the synthesis', () => {
  const scope = chart();
  let count = 0;

  new ResourceClaim(scope, 'claim', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large, count: Lazy.any({ produce: () => count }) as unknown as number })] });
  count = 3;

  expect(spec(scope).devices.requests[0].exactly.count).toBe(3);
});

describe('a constructor refuses', () => {
  const request = (props = {}) => DeviceRequest.exactly('gpu', { deviceClass: large, ...props });
  const claim = (props: object, version?: string) => () => new ResourceClaim(chart(version), 'claim', { requests: [request()], ...props });

  test.each<[string, () => unknown, RegExp]>([
    // C-073: values are checked where they are written.
    ['count 0', claim({ requests: [request({ count: 0 })] }), /requests\[0\]\.exactly\.count.*'count' is 0/],
    ['a negative count', claim({ requests: [request({ count: -1 })] }), /'count' must be .*got -1/],
    ['a count of 33', claim({ requests: [request({ count: 33 })] }), /32/],
    ['a fraction of a device', claim({ requests: [request({ count: 0.5 })] }), /count/],
    ['count with mode All', claim({ requests: [request({ allocationMode: AllocationMode.ALL, count: 2 })] }), /must not be set when allocationMode is All, got 2/],
    ['33 devices over two requests', claim({ requests: [request({ count: 20 }), DeviceRequest.exactly('b', { deviceClass: large, count: 13 })] }), /add up to 33 devices/],
    ['33 requests', claim({ requests: Array.from({ length: 33 }, (_, i) => DeviceRequest.exactly(`r${i}`, { deviceClass: large })) }), /32/],
    ['nine alternatives', claim({ requests: [DeviceRequest.firstAvailable('gpu', Array.from({ length: 9 }, (_, i) => ({ name: `a${i}`, deviceClass: large })))] }), /8/],
    ['two requests of one name', claim({ requests: [request(), request()] }), /Two requests are "gpu"/],
    ['a request name that is no label', claim({ requests: [DeviceRequest.exactly('my gpu', { deviceClass: large })] }), /requests\[0\]\.name.*DNS label/],
    ['a constraint on a request that is not there', claim({ constraints: [DeviceConstraint.matchAttribute(gpu.model, 'gpus')] }), /no request 'gpus'.*Did you mean 'gpu'/],
    ['a bad capacity', claim({ requests: [request({ capacity: [CapacityRequest.of('memory', '-1Gi')] })] }, '1.36'), /-1Gi/],
    ['a capacity that the target drops', claim({ requests: [request({ capacity: [CapacityRequest.of('memory', '1Gi')] })] }, '1.34'), /DRAConsumableCapacity/],
    ['a toleration that the target drops', claim({ requests: [request({ tolerations: [DeviceToleration.everything()] })] }, '1.35'), /DRADeviceTaints/],
    // C-077: refused before it reaches a node.
    ['parameters above 10 KiB', claim({ config: [DeviceConfig.opaque({ driver: gpu, parameters: { a: 'x'.repeat(10241) } })] }), /10/],
    ['a selector above 10 KiB', claim({ requests: [request({ selectors: [DeviceSelector.cel(`device.driver == "${'x'.repeat(10300)}"`)] })] }), /10240|10 KiB/],
    ['an unbalanced selector', claim({ requests: [request({ selectors: [DeviceSelector.cel('(device.driver == "x"')] })] }), /selectors\[0\]\.cel\.expression/],
    ['an empty selector', claim({ requests: [request({ selectors: [DeviceSelector.cel('')] })] }), /selectors\[0\]/],
    ['a name in upper case', () => new DeviceClass(chart(), 'GPU'), /metadata\.name.*subdomain/],
    ['a name of 254 characters', () => new DeviceClass(chart(), 'a'.repeat(254)), /253/],
    ['an extended resource name where the gate is off', () => new DeviceClass(chart('1.35'), 'gpu', { extendedResourceName: 'example.com/gpu' }), /DRAExtendedResource/],
    ['an extended resource name of Kubernetes', () => new DeviceClass(chart('1.36'), 'gpu', { extendedResourceName: 'cpu' }), /extendedResourceName/],
    ['requests in the config of a class', () => new DeviceClass(chart(), 'gpu', { config: [DeviceConfig.opaque({ driver: gpu, parameters: {}, requests: ['gpu'] })] }), /'requests' must be left out in the config of a class, got "gpu"/],
    ['a taint rule for everything', () => new DeviceTaintRule(chart('1.37'), 'all', { taint: { key: 'a/b', effect: TaintEffect.NO_EXECUTE } }), /must name a driver, pool or device, got none: it would taint every device/],
    ['a kind that the target does not serve', () => new DeviceTaintRule(chart('1.36'), 'rule', { driver: gpu, taint: { key: 'a/b', effect: TaintEffect.NO_EXECUTE } }), /DRADeviceTaintRules/],
    ['an attribute of 65 bytes', () => new ResourceSlice(chart(), 'slice', {
      driver: gpu, pool: { name: 'p' }, nodes: SliceNodes.everyNode(), devices: [{ name: 'a', attributes: { b: DeviceAttributeValue.text('x'.repeat(65)) } }],
    }), /64/],
    ['129 devices in a slice', () => new ResourceSlice(chart(), 'slice', {
      driver: gpu, pool: { name: 'p' }, nodes: SliceNodes.everyNode(), devices: Array.from({ length: 129 }, (_, i) => ({ name: `d${i}` })),
    }), /128/],
    ['a family that is no label', () => DriverProfile.custom({ driverName: 'a.b', family: 'GPU' }), /'family' must be a DNS label.*got "GPU"/],
    ['a family of 41 characters', () => DriverProfile.custom({ driverName: 'a.b', family: 'a'.repeat(41) }), /'family' must have at most 40 characters/],
    ['a driver name of 64 characters', () => DriverProfile.custom({ driverName: `${'a'.repeat(60)}.com`, family: 'gpu' }), /'driverName' must/],
    ['Kubernetes 1.33', () => KubernetesTarget.of('1.33'), /1\.34/],
    ['Kubernetes 1.38', () => KubernetesTarget.of('1.38'), /1\.37/],
    ['an unknown feature gate', () => KubernetesTarget.of('1.36', { featureGates: { DRADeviceTaint: true } }), /DRADeviceTaint.*DRADeviceTaints/],
    ['an unknown component', () => KubernetesTarget.of('1.36', { componentFeatureGates: { apiserver: { DRADeviceTaints: true } } }), /apiserver/],
  ])('%s', (_name, attempt, message) => {
    expect(attempt).toThrow(message);
  });

  test('with the construct path and every mistake at once', () => {
    const attempt = claim({ requests: [DeviceRequest.exactly('My GPU', { deviceClass: large, count: 33 })] });

    expect(attempt).toThrow(/^\[chart\/claim\] ResourceClaim "claim" is refused:\n {2}spec\.devices\.requests\[0\].*\n {2}spec\.devices\.requests\[0\]/);
  });

  // C-076: a gate that is on at the API server and off at the kubelet.
  test('a feature that one component has switched off', () => {
    const attempt = () => new DeviceClass(
      chart('1.36', { componentFeatureGates: { kubelet: { DRAExtendedResource: false } } }), 'gpu', { extendedResourceName: 'example.com/gpu' });

    expect(attempt).toThrow(/kubelet/);
  });

  test('nothing that is right: both sides of each border', () => {
    expect(claim({ requests: [request({ count: 32 })] })).not.toThrow();
    expect(claim({ requests: [request({ capacity: [CapacityRequest.of('memory', '1Gi')] })] }, '1.36')).not.toThrow();
    expect(() => new DeviceClass(chart(), 'a'.repeat(253))).not.toThrow();
    expect(() => new DeviceClass(chart('1.36'), 'gpu', { extendedResourceName: 'example.com/gpu' })).not.toThrow();
  });
});
