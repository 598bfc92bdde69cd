import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Chart } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import {
  DeviceClass, DeviceMigration, DeviceRequest, DriverProfile, KubernetesTarget, LegacyPath, MigrationPhase, NodeCount, NodeSelection, PlatformApp,
  ResourceClaimTemplate,
} from '../../src';
import { runRules } from '../../src/model/rules';
import { Target } from '../../src/model/target';

interface Options {
  readonly phase?: MigrationPhase;
  readonly version?: string;
  readonly pools?: readonly string[];
  readonly taints?: boolean;
}

/** The plan of a platform with pools of one class, by path. */
function planOf(options: Options = {}, folder = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist')): ReadonlyMap<string, string> {
  const { phase = MigrationPhase.CANARY, version = '1.36', pools = ['a100'], taints } = options;
  const app = new PlatformApp({ outdir: folder, kubernetes: KubernetesTarget.of(version) });
  const gpu = DriverProfile.nvidiaGpu({ driverVersion: '0.4' });
  const large = new DeviceClass(new Chart(app, '20-classes'), 'gpu-large', { driver: gpu });
  const charts = new Chart(app, '30-pools');
  for (const pool of pools) {
    new DeviceMigration(new Chart(charts, pool), pool, {
      driver: gpu,
      deviceClasses: [large],
      nodes: NodeSelection.labels({ pool }),
      legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
      phase,
      canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
      taintsBeforeCanary: taints,
    });
  }
  const team = new Chart(app, '50-team', { namespace: 'vision' });
  new ResourceClaimTemplate(team, 'trainer', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });
  app.synth();
  return filesOf(`${folder}.plan`);
}

function filesOf(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile() && !entry.name.startsWith('.'))
    .map(entry => join(entry.parentPath, entry.name)).sort().map(file => [relative(folder, file), readFileSync(file, 'utf8')]));
}

const objectsIn = (text: string): any[] => parseAllDocuments(text).map(document => document.toJS());
const PATHS = [
  'README.md', 'a100/README.md', 'a100/hold-allocation.yaml', 'a100/hold.yaml', 'a100/phases/0-Legacy.yaml', 'a100/phases/1-Observe.yaml', 'a100/phases/3-Expand.yaml',
  'a100/phases/4-AllWorkloads.yaml', 'a100/phases/5-PluginRemoved.yaml', 'a100/rollback.md', 'a100/separation/driver-chart.yaml', 'a100/separation/plugin-chart.yaml',
  'a100/separation/plugin-gpu-operator.yaml', 'gitops/argocd-cm.yaml', 'gitops/flux-kustomization.yaml',
];

test('a pool has a file for every phase but its own, holds, the way back and values for charts', () => {
  expect([...planOf().keys()]).toEqual(PATHS);
});

test('the same program writes the same bytes', () => {
  expect(planOf()).toEqual(planOf());
});

test('a platform without pools has no plan, and one that lost its last pool has an empty one', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist');
  planOf({ pools: [] }, folder);
  expect(existsSync(`${folder}.plan`)).toBe(false);
  planOf({}, folder);
  writeFileSync(join(`${folder}.plan`, 'notes.txt'), 'mine');
  planOf({ pools: [] }, folder);
  expect([...filesOf(`${folder}.plan`).keys()]).toEqual(['notes.txt']);
});

test('a plan is not left behind when a pool goes', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist');
  planOf({ pools: ['a100', 'h100'] }, folder);
  expect([...planOf({}, folder).keys()]).toEqual(PATHS);
  rmSync(folder, { recursive: true });
});

test('a promotion only moves the preview of the phase', () => {
  const [before, after] = [planOf(), planOf({ phase: MigrationPhase.EXPAND })];
  const specOf = (plan: ReadonlyMap<string, string>, path: string) => objectsIn(plan.get(path)!)[0];
  expect([...after.keys()].filter(path => !before.has(path))).toEqual(['a100/phases/2-Canary.yaml']);
  expect(specOf(after, 'a100/phases/5-PluginRemoved.yaml')).toEqual(specOf(before, 'a100/phases/5-PluginRemoved.yaml'));
  expect(after.get('a100/hold.yaml')).not.toBe(before.get('a100/hold.yaml'));
});

test.each([
  ['0-Legacy', { classes: { 'gpu-large': 'Closed' }, templates: { vision: 'gpu-large: trainer\n' } }],
  ['3-Expand', { classes: { 'gpu-large': 'Tenants' }, templates: { vision: 'gpu-large: trainer\n' } }],
  ['5-PluginRemoved', { classes: { 'gpu-large': 'Open' } }],
])('the doors in %s', (phase, expected) => {
  const [migration, routing] = objectsIn(planOf().get(`a100/phases/${phase}.yaml`)!);
  expect(migration.spec.phase).toBe(phase.slice(2));
  const doors = Object.fromEntries(Object.entries<any>(routing.spec.classes).map(([name, { door }]) => [name, door]));
  expect({ ...routing.spec, classes: doors }).toEqual(expected);
});

test('the part of a routing is refused where somebody applies it', () => {
  const [, routing] = objectsIn(planOf().get('a100/phases/3-Expand.yaml')!);
  const told = runRules([{ value: routing, source: { name: 'x' } }], Target.of('1.36')).map(({ code, message }) => `${code} ${message}`);
  expect(told).toContain("DRA125 DeviceRouting 'part-of-default' is refused: must be named default: the policies read no other.");
});

test('other pools of a class keep its door as it is', () => {
  const text = planOf({ phase: MigrationPhase.ALL_WORKLOADS, pools: ['a100', 'h100'] }).get('a100/phases/0-Legacy.yaml')!;
  expect(objectsIn(text)[1].spec.classes['gpu-large'].door).toBe('Open');
});

test('a hold is complete and valid, apart from why', () => {
  const plan = planOf();
  const [door, allocation] = ['hold.yaml', 'hold-allocation.yaml'].map(name => objectsIn(plan.get(`a100/${name}`)!)[0]);
  expect(door).toEqual({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceHold',
    metadata: { generateName: 'a100-' },
    spec: {
      migration: 'a100', level: 'Door', classes: ['gpu-large'], templates: { vision: 'gpu-large: trainer\n' }, reason: 'REPLACE: what happened, and who holds it',
    },
  });
  expect(allocation.spec).toEqual({ ...door.spec, level: 'Allocation', fence: [{ driver: 'gpu.nvidia.com' }] });
  for (const value of [door, allocation]) {
    expect(runRules([{ value, source: { name: 'hold.yaml' } }], Target.of('1.36')).filter(({ severity }) => severity === 'error')).toEqual([]);
  }
});

test('with the bridge open a hold closes its name too', () => {
  const plan = planOf({ phase: MigrationPhase.EXPAND });
  expect(objectsIn(plan.get('a100/hold.yaml')!)[0].spec.resources).toEqual(['nvidia.com/gpu']);
  expect(plan.get('a100/hold-allocation.yaml')).toContain('# Take nvidia.com/gpu off class gpu-large first');
  expect(plan.get('a100/rollback.md')).toContain('kubectl patch deviceclass gpu-large --type=json');
  expect(plan.get('a100/rollback.md')).not.toContain('no class carries a name');
});

test('the page of a pool tells what a phase really does with this driver and version', () => {
  const text = planOf().get('a100/README.md')!;
  expect(text).toContain('gpu devices by gpu.nvidia.com 0.4 on Kubernetes 1.36; the pool stands in **Canary**.');
  expect(text).toContain('| **Canary** (now) | Canary for sandbox (safe) | Open |');
  expect(text).toContain('| [Expand](phases/3-Expand.yaml) | Tenants (safe, costly) | Open, served by class gpu-large |');
  expect(text).toContain('Driver gpu.nvidia.com cannot observe');
  expect(text).toMatch(/\*\*Retire\*\* and \*\*decommission\*\* are no phases/);
  expect(planOf({ version: '1.34' }).get('a100/README.md')).toContain('| [AllWorkloads](phases/4-AllWorkloads.yaml) | Open | Closed |');
});

test('after a rollback by hand the scheduler is woken by a class, since it looks at no label of a pod', () => {
  const text = planOf().get('a100/rollback.md')!;

  expect(text).toContain('   kubectl annotate deviceclass gpu-large cdk8s-dra.dev/released-at="$(date -u +%FT%TZ)" --overwrite\n');
  expect(text).not.toContain('by a label');
});

test('the way back: bridge name, fence, nodes with a second look, release, in this order', () => {
  const text = planOf().get('a100/rollback.md')!;
  const places = ['Keep the evidence', 'Take the bridge name off', 'hold-allocation.yaml', 'kubectl taint node $NODE status-taint', 'gpu-owner=handover', 'Look at b again',
    'gpu-owner=device-plugin', 'nvidia.com/gpu.deploy.device-plugin=true', 'kubectl delete devicehold'].map(part => text.indexOf(part));
  expect(places.every(place => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('values for the charts are valid YAML with what cannot be said in them as comments', () => {
  const plan = planOf();
  expect(objectsIn(plan.get('a100/separation/driver-chart.yaml')!)[0].gpuResourcesEnabledOverride).toBe(true);
  expect(plan.get('a100/separation/plugin-gpu-operator.yaml')).toMatch(/^# .*GPU|^# Helm/);
  for (const [path, text] of plan) if (path.endsWith('.yaml')) expect([path, parseAllDocuments(text).flatMap(({ errors }) => errors)]).toEqual([path, []]);
});

test('a taint on the devices of a driver is there until a pool of it is in Canary', () => {
  const effects = (pools: readonly string[]) => [...planOf({ phase: MigrationPhase.OBSERVE, version: '1.37', pools, taints: true })].filter(([path]) => path.startsWith('a100/phases/'))
    .map(([, text]) => objectsIn(text).filter(({ kind }) => kind === 'DeviceTaintRule').map(({ apiVersion, metadata, spec }) => [apiVersion, metadata.name, spec.taint.effect].join(' ')).join());
  const rule = (effect: string) => `resource.k8s.io/v1 a100-not-yet-dra ${effect}`;
  expect(effects(['a100'])).toEqual([rule('NoSchedule'), ...['Canary', 'Expand', 'AllWorkloads', 'PluginRemoved'].map(() => rule('None'))]);
  expect([...planOf({ version: '1.37' }).values()].join()).not.toContain('DeviceTaintRule\n');
});
