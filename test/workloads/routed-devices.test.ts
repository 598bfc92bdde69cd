import { ApiObject, Chart } from 'cdk8s';
import * as kplus28 from 'cdk8s-plus-28';
import { extendedResourceProblems } from './extended-resource-problems';
import {
  DeviceClass, DeviceMigration, type DeviceMigrationProps, DeviceRequest, DriverProfile, KubernetesTarget, LegacyPath, MigrationPhase, NodeCount,
  NodeSelection, PlatformApp, ResourceClaimTemplate, RoutedDevices, type RoutedDevicesProps, RoutedFallback,
} from '../../src';

interface Options extends Partial<RoutedDevicesProps> {
  readonly version?: string;
  readonly phase?: MigrationPhase;
  readonly namespace?: string;
  readonly interruption?: string;
  readonly legacy?: LegacyPath;
  readonly make?: (scope: Chart) => ApiObject;
}

const job = (interruption?: string) => (scope: Chart) => new ApiObject(scope, 'job', {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'train', ...(interruption === undefined ? {} : { labels: { 'cdk8s-dra.dev/interruption': interruption } }) },
  spec: { template: { spec: { containers: [{ name: 'train', image: 'train:1', resources: { limits: { cpu: '4' } } }] } } },
});

/** The rendered pod of a workload with routed devices. */
function podOf(options: Options = {}): any {
  const { version = '1.34', phase = MigrationPhase.EXPAND, namespace = 'vision', interruption, legacy = LegacyPath.extendedResource('nvidia.com/gpu'), make, ...props } = options;
  const app = new PlatformApp({ kubernetes: KubernetesTarget.of(version) });
  const migration: DeviceMigrationProps = {
    driver: DriverProfile.nvidiaGpu(),
    deviceClasses: [DeviceClass.fromDeviceClassName('gpu-large')],
    nodes: NodeSelection.labels({ pool: 'a100' }),
    legacy,
    phase,
    canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
  };
  const pool = new DeviceMigration(new Chart(app, 'pools'), 'a100', migration);
  const workload = (make ?? job(interruption))(new Chart(app, 'team', { namespace }));
  RoutedDevices.of(workload).addDevices('gpus', {
    pools: [pool], count: 8, claim: ResourceClaimTemplate.fromResourceClaimTemplateName('eight-gpus'), fallback: RoutedFallback.EXTENDED_RESOURCE, ...props,
  });
  return workload.toJson().spec.template.spec;
}

const asksFor = (pod: any) => (pod.resourceClaims === undefined ? 'resource' : 'claim');

test('the resource is written in requests and limits, beside what is there', () => {
  const [container] = podOf({ phase: MigrationPhase.OBSERVE }).containers;
  expect(container.resources).toEqual({ limits: { 'cpu': '4', 'nvidia.com/gpu': '8' }, requests: { 'nvidia.com/gpu': '8' } });
  expect(extendedResourceProblems(podOf({ phase: MigrationPhase.OBSERVE }))).toEqual([]);
});

test('claims are used by the container, and no resource is asked for', () => {
  const pod = podOf({ phase: MigrationPhase.ALL_WORKLOADS });
  expect(pod.resourceClaims).toEqual([{ name: 'gpus', resourceClaimTemplateName: 'eight-gpus' }]);
  expect(pod.containers[0].resources).toEqual({ limits: { cpu: '4' }, claims: [{ name: 'gpus' }] });
});

test.each<[MigrationPhase, string, string | undefined, string]>([
  [MigrationPhase.LEGACY, 'sandbox', 'safe', 'resource'],
  [MigrationPhase.OBSERVE, 'sandbox', 'safe', 'resource'],
  [MigrationPhase.CANARY, 'sandbox', 'safe', 'claim'],
  [MigrationPhase.CANARY, 'sandbox', undefined, 'resource'],
  [MigrationPhase.CANARY, 'vision', 'safe', 'resource'],
  [MigrationPhase.EXPAND, 'vision', undefined, 'claim'],
  [MigrationPhase.EXPAND, 'vision', 'forbidden', 'resource'],
  [MigrationPhase.ALL_WORKLOADS, 'vision', 'forbidden', 'claim'],
  [MigrationPhase.PLUGIN_REMOVED, 'vision', undefined, 'claim'],
])('without a bridge, in %s a workload of %s that is %s asks for a %s', (phase, namespace, interruption, expected) => {
  expect(asksFor(podOf({ phase, namespace, interruption }))).toBe(expected);
});

test('with the bridge a workload is the same in every phase', () => {
  const pods = Object.values(MigrationPhase).map(phase => podOf({ version: '1.36', phase }));
  expect(pods.map(asksFor)).toEqual(pods.map(() => 'resource'));
  expect(new Set(pods.map(pod => JSON.stringify(pod))).size).toBe(1);
});

test('also with the bridge a workload can take part in a canary', () => {
  const canary = { version: '1.36', phase: MigrationPhase.CANARY, namespace: 'sandbox', interruption: 'safe' };
  expect([podOf({ ...canary, claimsWhenOpen: true }), podOf(canary)].map(asksFor)).toEqual(['claim', 'resource']);
});

test('parts of a device cannot be served by a class, so that claims are used once they are open', () => {
  const legacy = LegacyPath.extendedResource('nvidia.com/mig-1g.5gb', { partition: '1g.5gb' });
  expect(asksFor(podOf({ version: '1.36', legacy, phase: MigrationPhase.EXPAND }))).toBe('claim');
});

test('who would rather wait asks by claim in every phase', () => {
  expect(Object.values(MigrationPhase).map(phase => asksFor(podOf({ phase, fallback: RoutedFallback.WAIT })))).toEqual(Object.values(MigrationPhase).map(() => 'claim'));
});

test('works on workloads of cdk8s-plus-28, which drops what it does not know', () => {
  const make = (scope: Chart) => ApiObject.of(new kplus28.Job(scope, 'job', { containers: [{ name: 'train', image: 'train:1' }] }));
  expect(asksFor(podOf({ make, phase: MigrationPhase.ALL_WORKLOADS }))).toBe('claim');
  expect(podOf({ make, phase: MigrationPhase.OBSERVE }).containers[0].resources.requests['nvidia.com/gpu']).toBe('8');
});

const two = (scope: Chart) => new ApiObject(scope, 'job', {
  apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'two' }, spec: { template: { spec: { containers: [{ name: 'a' }, { name: 'b' }] } } },
});

test('of several containers one gets the devices on either way', () => {
  expect(podOf({ make: two, container: 'b', phase: MigrationPhase.OBSERVE }).containers.map((each: any) => each.resources?.limits)).toEqual([undefined, { 'nvidia.com/gpu': '8' }]);
  expect(podOf({ make: two, container: 'b', phase: MigrationPhase.ALL_WORKLOADS }).containers.map((each: any) => each.resources?.claims)).toEqual([undefined, [{ name: 'gpus' }]]);
});

test.each<[string, Options, string]>([
  ['no pool', { pools: [] }, "'pools' must name a migration, got none. Use PodDevices for devices that do not move."],
  ['half a device', { count: 0.5 }, "'count' must be a whole number from 1, got 0.5."],
  ['another resource', { resource: 'amd.com/gpu' }, "'resource' must be one of the migrations' extended resources, got \"amd.com/gpu\"; they name nvidia.com/gpu."],
  ['one of two resources', { legacy: LegacyPath.extendedResources([{ name: 'example.com/a' }, { name: 'example.com/b' }]) }, 'got none; they name example.com/a, example.com/b.'],
  ['one of two containers', { make: two }, 'Devices \'gpus\' must say which container gets them, got none of "a", "b"'],
  ['a container that is not there', { container: 'trian' }, 'Devices \'gpus\' must be used by a container of the pod, got "trian". The pod has "train".'],
])('%s is refused', (_, options, message) => {
  expect(() => podOf(options)).toThrow(message);
  expect(() => podOf(options)).toThrow(/^\[team\/job\] /);
});

describe('the claim is looked at in every phase, also before it is used', () => {
  /** A claim template of the class in the namespace, for a workload of vision that still asks for the resource. */
  const routed = (className: string, namespace: string) => {
    const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.34') });
    const pool = new DeviceMigration(new Chart(app, 'pools'), 'a100', {
      driver: DriverProfile.nvidiaGpu(),
      deviceClasses: [DeviceClass.fromDeviceClassName('gpu-large')],
      nodes: NodeSelection.labels({ pool: 'a100' }),
      legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
      phase: MigrationPhase.OBSERVE,
    });
    const claim = new ResourceClaimTemplate(new Chart(app, 'claims', { namespace }), 'devices', {
      requests: [DeviceRequest.firstAvailable('d', [{ name: 'a', deviceClass: DeviceClass.fromDeviceClassName('other') }, { name: 'b', deviceClass: DeviceClass.fromDeviceClassName(className) }])],
    });
    RoutedDevices.of(job()(new Chart(app, 'team', { namespace: 'vision' }))).addDevices('gpus', { pools: [pool], count: 1, claim, fallback: RoutedFallback.EXTENDED_RESOURCE });
  };

  test('one alternative of the pool is enough', () => {
    expect(() => routed('gpu-large', 'vision')).not.toThrow();
  });

  test.each([
    ['nic-ib', 'vision', "'claim' must ask for a class of the pools, got nic-ib, other: a100 offers gpu-large. Else it gets other devices once"],
    ['gpu-large', 'speech', 'Claim \'gpus\' must live in the pods\' namespace "vision", got one in "speech"'],
  ])('class %s in namespace %s is refused', (className, namespace, message) => {
    expect(() => routed(className, namespace)).toThrow(`[team/job] ${message}`);
  });
});
