import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart, Cron, Duration, Testing } from 'cdk8s';
import {
  DeviceClass, DeviceMigration, type DeviceMigrationProps, DriverProfile, Gate, KubernetesTarget, LegacyPath, MigrationGoal, MigrationPhase,
  NodeCount, NodeSelection, PlatformApp,
} from '../../src';
import { PHASES } from '../../src/model/phases';

const gpu = DriverProfile.nvidiaGpu();
const large = DeviceClass.fromDeviceClassName('gpu-large');
const pool = {
  driver: gpu,
  deviceClasses: [large],
  nodes: NodeSelection.labels({ 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }),
  legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
  phase: MigrationPhase.CANARY,
  canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
} satisfies DeviceMigrationProps;

/** The object of a migration as it is rendered. */
function objectOf(props: Partial<DeviceMigrationProps> = {}, id = 'a100'): any {
  const chart = new Chart(new PlatformApp(), 'chart', { namespace: 'team' });
  new DeviceMigration(chart, id, { ...pool, ...props });
  return chart.toJson()[0];
}

test('writes out whatever decides about the move', () => {
  expect(objectOf()).toEqual({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceMigration',
    metadata: {
      name: 'a100',
      labels: { 'app.kubernetes.io/managed-by': 'cdk8s-dra', 'app.kubernetes.io/component': 'migration' },
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    },
    spec: {
      family: 'gpu',
      driver: 'gpu.nvidia.com',
      nodes: { matchLabels: { 'node.kubernetes.io/instance-type': 'p4d.24xlarge' } },
      deviceClassNames: ['gpu-large'],
      legacy: { plugin: 'NVIDIA/k8s-device-plugin', resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 1 }] },
      phase: 'Canary',
      canary: { nodes: 2, namespaces: ['sandbox'] },
      expand: { steps: ['10%', '25%', '50%', '75%', '100%'], legacyFloor: 0 },
      handover: { strategy: 'WaitForIdle', onDeadline: 'Hold', parallelism: 1, maxNodesWaiting: 1 },
      onGateFailure: 'Hold',
      optimizeFor: 'Continuity',
    },
  });
});

test('what the pool is moved for decides what is not set', () => {
  const { spec } = objectOf({ optimizeFor: MigrationGoal.THROUGHPUT, handover: { parallelism: NodeCount.absolute(3) } });
  expect(spec.expand.steps).toEqual(['25%', '50%', '100%']);
  expect(spec.handover).toEqual({ strategy: 'WaitForIdle', deadline: '24h', onDeadline: 'Evict', parallelism: 3, maxNodesWaiting: '20%' });
});

test.each<[string, Gate, object]>([
  ['allocation', Gate.allocationSuccess({ atLeast: 0.99, minimumSample: 200 }), { name: 'allocation-success', type: 'AllocationSuccess', atLeast: '0.99', minimumSample: 200 }],
  ['preparation', Gate.prepareSuccess({ atLeast: 1 }), { name: 'prepare-success', type: 'PrepareSuccess', atLeast: '1', minimumSample: 20 }],
  ['capacity', Gate.capacityConverged({ holdsFor: Duration.minutes(90) }), { name: 'capacity-converged', type: 'CapacityConverged', duration: '1h30m' }],
  ['latency', Gate.startLatency({ atMost: 1.5 }), { name: 'start-latency', type: 'StartLatency', atMost: '1.5', tolerance: '2s', minimumSample: 20 }],
  ['owners', Gate.noDoubleOwner(), { name: 'no-double-owner', type: 'NoDoubleOwner' }],
  ['reports', Gate.nodesReporting(), { name: 'nodes-reporting', type: 'NodesReporting', atLeast: '1' }],
  ['people', Gate.manual({ name: 'change-board' }), { name: 'change-board', type: 'Manual' }],
])('gate: %s', (_, gate, expected) => {
  expect(objectOf({ gates: [gate] }).spec.gates).toEqual([expected]);
});

test('windows are in UTC unless a zone is named', () => {
  const start = Cron.schedule({ minute: '0', hour: '22' });
  expect(objectOf({ windows: [{ start, duration: Duration.hours(4) }] }).spec.windows).toEqual([{ start: '0 22 * * *', duration: '4h', timeZone: 'UTC' }]);
});

test('selections of one label with two values stay two conditions', () => {
  const nodes = NodeSelection.allOf(NodeSelection.labels({ a: '1', b: '2' }), NodeSelection.labels({ a: '2' }), NodeSelection.labelExists('c'));
  expect(objectOf({ nodes }).spec.nodes).toEqual({
    matchLabels: { a: '1', b: '2' },
    matchExpressions: [{ key: 'c', operator: 'Exists' }, { key: 'a', operator: 'In', values: ['2'] }],
  });
});

test('a part of a device has no number of units unless it is given', () => {
  const legacy = LegacyPath.extendedResources([{ name: 'nvidia.com/mig-1g.5gb', partition: '1g.5gb' }, { name: 'nvidia.com/gpu' }]);
  expect(objectOf({ legacy }).spec.legacy.resources).toEqual([{ name: 'nvidia.com/gpu', unitsPerDevice: 1 }, { name: 'nvidia.com/mig-1g.5gb', partition: '1g.5gb' }]);
});

test.each<[string, Partial<DeviceMigrationProps>, string]>([
  ['a phase of canaries without one', { canary: undefined }, 'canary must be set from phase Canary on'],
  ['no class', { deviceClasses: [] }, "'deviceClassNames' must have at least 1 entry, got 0."],
  ['a class twice', { deviceClasses: [large, large] }, 'Two entries of the list are "gpu-large".'],
  ['no label', { nodes: NodeSelection.labels({}) }, 'must select by at least one label: an empty selector means every node'],
  ['a broken number of nodes', { canary: { nodes: NodeCount.absolute(1.5), namespaces: ['a'] } }, "'nodes' must be a whole number or a share such as \"10%\", got 1.5."],
  ['a share above all', { canary: { nodes: NodeCount.percent(101), namespaces: ['a'] } }, "'nodes' must be a number from 0 or a share from 0% to 100%, got \"101%\"."],
  ['no namespace', { canary: { nodes: NodeCount.absolute(1), namespaces: [] } }, "'namespaces' must have at least 1 entry, got 0."],
  ['a namespace that is none', { canary: { nodes: NodeCount.absolute(1), namespaces: ['Sand Box'] } }, "'namespaces[0]' must match"],
  ['a native resource', { legacy: LegacyPath.extendedResource('gpu') }, "'name' must match"],
  ['a resource of another vendor', { legacy: LegacyPath.extendedResource('amd.com/gpu') },
    'Migration a100 leaves amd.com/gpu for the driver gpu.nvidia.com: the resource stands for devices of amd.com, the driver serves those of nvidia.com. '
    + 'Name what the device plugin of these nodes advertises, such as nvidia.com/gpu; for amd.com/gpu the driver is gpu.amd.com. (DRA424)'],
  ['a ratio above one', { gates: [Gate.allocationSuccess({ atLeast: 99 })] }, "'atLeast' must match"],
  ['two gates of one name', { gates: [Gate.manual(), Gate.manual()] }, 'Two entries of the list are "manual". Remove one, or give each its own.'],
  ['a name that is no label value', { metadata: { name: `a${'b'.repeat(63)}` } }, 'the name must have at most 63 characters: it is the value of a node label'],
])('%s is refused by the constructor, with its path', (_, props, message) => {
  expect(() => objectOf(props)).toThrow(message);
  expect(() => objectOf(props)).toThrow(/^\[chart\/a100\] DeviceMigration "\S+" is refused:\n/);
});

test('a class of a migration does not bring its own extended resource name', () => { // C-142
  const chart = new Chart(new PlatformApp({ kubernetes: KubernetesTarget.of('1.36') }), 'chart');
  const named = new DeviceClass(chart, 'gpu-large', { driver: gpu, extendedResourceName: 'nvidia.com/gpu' });
  expect(() => new DeviceMigration(chart, 'a100', { ...pool, deviceClasses: [named] })).toThrow(
    '[chart/a100] Class "gpu-large" must not set \'extendedResourceName\' when a migration lists it, got "nvidia.com/gpu": the migration opens and closes that way by '
    + "phase, and takes it away first when the pool is held. Remove it from the class, and name the resource here: legacy: LegacyPath.extendedResource('nvidia.com/gpu').");
});

test('classes of a migration are never pruned, others are as before', () => {
  const chart = new Chart(new PlatformApp(), 'chart');
  const [listed, other] = ['gpu-large', 'gpu-small'].map(name => new DeviceClass(chart, name, { driver: gpu }));
  new DeviceMigration(chart, 'a100', { ...pool, deviceClasses: [listed] });
  const annotations = Object.fromEntries(chart.toJson().map(({ metadata }) => [metadata.name, metadata.annotations]));
  expect(annotations['gpu-large']).toEqual({ 'argocd.argoproj.io/sync-options': 'Prune=false', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
  expect(annotations[other.deviceClassName]).toBeUndefined();
});

test('the phases are those of the model, in order', () => {
  expect(Object.values(MigrationPhase)).toEqual([...PHASES]);
});

describe('a promotion', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-dra-promotion-'));
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  /** Every file of a platform whose pool stands in a phase, by path. */
  function synthesized(phase: MigrationPhase): ReadonlyMap<string, string> {
    const folder = join(outdir, 'dist');
    const app = new PlatformApp({ outdir: folder });
    const classes = [new DeviceClass(new Chart(app, '20-classes'), 'gpu-large', { driver: gpu })];
    new DeviceMigration(new Chart(new Chart(app, '30-pools'), 'a100'), 'a100', { ...pool, phase, deviceClasses: classes });
    app.synth();
    return new Map(readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length + 1), readFileSync(join(parentPath, name), 'utf8')]));
  }

  test.each(Object.values(MigrationPhase).slice(2).map((phase, index) => [Object.values(MigrationPhase)[index + 1], phase]))(
    'from %s to %s changes one line of one file', (from, to) => {
      const [before, after] = [synthesized(from), synthesized(to)];
      expect([...after.keys()]).toEqual([...before.keys()]);
      const changed = [...after].filter(([file, text]) => text !== before.get(file));
      expect(changed.map(([file]) => file)).toEqual(['30-pools/a100.yaml']);
      const [old, now] = [before, after].map(files => files.get('30-pools/a100.yaml')!.split('\n'));
      expect(now.length).toBe(old.length);
      expect(now.flatMap((line, index) => (line === old[index] ? [] : [[old[index], line]]))).toEqual([[`  phase: ${from}`, `  phase: ${to}`]]);
    });
});

test('a taint on the devices of the driver ends when the first of its pools is in Canary; a target without such rules is refused', () => {
  const effects = (...phases: MigrationPhase[]) => {
    const chart = new Chart(new PlatformApp({ kubernetes: KubernetesTarget.of('1.37') }), 'chart');
    phases.forEach((phase, index) => new DeviceMigration(chart, `pool-${index}`, { ...pool, phase, taintsBeforeCanary: index === 0 }));
    return Testing.synth(chart).filter(({ kind }: any) => kind === 'DeviceTaintRule').map(({ metadata, spec }: any) => `${metadata.name} ${spec.deviceSelector.driver} ${spec.taint.effect}`);
  };
  expect(effects(MigrationPhase.OBSERVE, MigrationPhase.LEGACY)).toEqual(['pool-0-not-yet-dra gpu.nvidia.com NoSchedule']);
  expect(effects(MigrationPhase.OBSERVE, MigrationPhase.CANARY)).toEqual(['pool-0-not-yet-dra gpu.nvidia.com None']);
  expect(effects(MigrationPhase.CANARY)).toEqual(['pool-0-not-yet-dra gpu.nvidia.com None']);
  const old = new Chart(new PlatformApp({ kubernetes: KubernetesTarget.of('1.36') }), 'chart');
  expect(() => new DeviceMigration(old, 'a100', { ...pool, taintsBeforeCanary: true })).toThrow(/^\[chart\/a100\] 'taintsBeforeCanary' needs DeviceTaintRule, which Kubernetes 1.36/);
});
