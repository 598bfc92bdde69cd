import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { parse, parseAllDocuments } from 'yaml';
import {
  DeviceClass, DeviceMigration, type DeviceMigrationProps, DriverProfile, KubernetesTarget, KueueQuota, type KueueQuotaProps, LegacyPath,
  MigrationPhase, NodeCount, NodeSelection, PlatformApp,
} from '../../src';

const driver = DriverProfile.custom({ driverName: 'gpu.example.com', family: 'gpu' });

function pool(chart: Chart, name: string, props: Partial<DeviceMigrationProps> = {}): DeviceMigration {
  return new DeviceMigration(chart, name, {
    driver,
    deviceClasses: [DeviceClass.fromDeviceClassName(`${name}-large`)],
    nodes: NodeSelection.labels({ pool: name }),
    legacy: LegacyPath.extendedResource('example.com/gpu'),
    phase: MigrationPhase.CANARY,
    canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
    ...props,
  });
}

type Given = (a100: DeviceMigration, h100: DeviceMigration) => KueueQuotaProps;

function objectsOf(given: Given, props: { readonly [name in 'a100' | 'h100']?: Partial<DeviceMigrationProps> } = {}): any[] {
  const chart = Testing.chart();
  const [a100, h100] = (['a100', 'h100'] as const).map(name => pool(chart, name, props[name]));
  new KueueQuota(chart, 'gpus', given(a100, h100));
  return Testing.synth(chart).filter(({ apiVersion }: any) => apiVersion.startsWith('kueue'));
}

test('flavors of both ways and queues with both of them', () => {
  const objects = objectsOf((a100, h100) => ({
    pools: [{ pool: a100, nodes: 10, devicesPerNode: 8 }, { pool: h100, nodes: 2, devicesPerNode: 4 }],
    queues: [{
      name: 'vision',
      shares: [{ pool: a100, devices: 80 }, { pool: h100, devices: 4 }],
      resources: [{ flavor: 'any-node', quota: { memory: '1Ti', cpu: '200' } }],
      namespaceLabels: { team: 'vision' },
      cohort: 'research',
      spec: { queueingStrategy: 'StrictFIFO' },
    }, { name: 'ledger', shares: [{ pool: h100, devices: 4 }] }],
  }));

  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ResourceFlavor a100-dra', 'ResourceFlavor a100-plugin', 'ResourceFlavor h100-dra', 'ResourceFlavor h100-plugin', 'ClusterQueue vision', 'ClusterQueue ledger',
  ]);
  expect(objects[4].spec).toEqual({
    queueingStrategy: 'StrictFIFO',
    cohortName: 'research',
    namespaceSelector: { matchLabels: { team: 'vision' } },
    resourceGroups: [
      {
        coveredResources: ['cpu', 'memory'],
        flavors: [{ name: 'any-node', resources: [{ name: 'cpu', nominalQuota: '200' }, { name: 'memory', nominalQuota: '1Ti' }] }],
      },
      {
        coveredResources: ['example.com/gpu'],
        flavors: [
          { name: 'a100-plugin', resources: [{ name: 'example.com/gpu', nominalQuota: 64 }] },
          { name: 'h100-plugin', resources: [{ name: 'example.com/gpu', nominalQuota: 0 }] },
        ],
      },
      { coveredResources: ['a100-devices'], flavors: [{ name: 'a100-dra', resources: [{ name: 'a100-devices', nominalQuota: 16 }] }] },
      { coveredResources: ['h100-devices'], flavors: [{ name: 'h100-dra', resources: [{ name: 'h100-devices', nominalQuota: 4 }] }] },
    ],
  });
  expect(objects[5].spec.namespaceSelector).toEqual({});
});

test.each<[string, Given, Parameters<typeof objectsOf>[1], string]>([
  ['no pool', () => ({ pools: [], queues: [] }), {}, "'pools' must name a migration, got none"],
  ['a selector that no flavor knows', a100 => ({ pools: [{ pool: a100, nodes: 1, devicesPerNode: 1 }], queues: [] }), { a100: { nodes: NodeSelection.labelExists('gpu') } },
    'What Kueue counts must select nodes by matchLabels alone, since a flavor of Kueue knows nothing else; migration a100 has [{"key":"gpu","operator":"Exists"}]. Give'],
  ['a class of two pools', (a100, h100) => ({ pools: [{ pool: a100, nodes: 1, devicesPerNode: 1 }, { pool: h100, nodes: 1, devicesPerNode: 1 }], queues: [] }),
    { h100: { deviceClasses: [DeviceClass.fromDeviceClassName('a100-large')] } }, 'class a100-large is in a100, h100'],
  ['more than a pool has', a100 => ({ pools: [{ pool: a100, nodes: 2, devicesPerNode: 4 }], queues: [{ name: 'q', shares: [{ pool: a100, devices: 9 }] }] }), {},
    'The queues may hold 9 devices of pool a100, which has 8 (2 nodes with 4 each). Lower their shares'],
  ['half a device', a100 => ({ pools: [{ pool: a100, nodes: 2, devicesPerNode: 4 }], queues: [{ name: 'q', shares: [{ pool: a100, devices: 1.5 }] }] }), {},
    "'devices of a100 in queue q' must be a whole number from 0, got 1.5."],
  ['a negative number of nodes', a100 => ({ pools: [{ pool: a100, nodes: -1, devicesPerNode: 4 }], queues: [] }), {}, "'nodes of pool a100' must be a whole number from 0, got -1."],
  ['more nodes than the phase lets go', a100 => ({ pools: [{ pool: a100, nodes: 9, devicesPerNode: 4, draNodes: 3 }], queues: [] }), {},
    "draNodes of pool a100 must be at most 2, got 3: in Canary no more of its 9 nodes may be DRA's."],
  ['a pool whose size is not given', (a100, h100) => ({ pools: [{ pool: a100, nodes: 1, devicesPerNode: 4 }], queues: [{ name: 'q', shares: [{ pool: h100, devices: 1 }] }] }), {},
    'Queue q has a share of pool h100, whose number of devices is not given'],
  ['a queue twice', a100 => ({ pools: [{ pool: a100, nodes: 1, devicesPerNode: 4 }], queues: [{ name: 'q', shares: [] }, { name: 'q', shares: [] }] }), {}, 'ClusterQueue q is given twice'],
  ['a pool twice', a100 => ({ pools: [1, 2].map(nodes => ({ pool: a100, nodes, devicesPerNode: 4 })), queues: [] }), {}, 'Pool a100 is given twice'],
  ['a share twice', a100 => ({ pools: [{ pool: a100, nodes: 1, devicesPerNode: 4 }], queues: [{ name: 'q', shares: [1, 2].map(devices => ({ pool: a100, devices })) }] }), {},
    'Queue q has two shares of pool a100'],
])('%s is refused by the constructor, with its path', (_title, given, props, words) => {
  expect(() => objectsOf(given, props)).toThrow(words);
  expect(() => objectsOf(given, props)).toThrow(/^\[test\/gpus\] /);
});

/** A platform with one counted pool, written; gives its folder. */
function written(version: string, phase = MigrationPhase.CANARY, draNodes?: number): string {
  const outdir = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist');
  const app = new PlatformApp({ outdir, kubernetes: KubernetesTarget.of(version), ignoreFindings: ['DRA420'] });
  const a100 = pool(new Chart(app, '30-pools'), 'a100', { phase });
  const numbers = { pool: a100, nodes: 10, devicesPerNode: 8 };
  const quota = new KueueQuota(new Chart(app, '40-queues'), 'gpus', {
    pools: [draNodes === undefined ? numbers : { ...numbers, draNodes }], queues: [{ name: 'vision', shares: [{ pool: a100, devices: 80 }] }],
  });
  app.synth();
  expect(parse(readFileSync(join(`${outdir}.plan`, 'kueue', 'configuration.yaml'), 'utf8'))).toEqual(quota.configuration());
  return outdir;
}

const quotaIn = (file: string) => parseAllDocuments(readFileSync(file, 'utf8')).map(document => document.toJS()).filter(({ kind }) => kind === 'ClusterQueue')
  .map(({ spec }) => spec.resourceGroups.map((group: any) => group.flavors[0].resources[0].nominalQuota));

test('the plan folder has the quota of every other phase, and what Kueue itself must know', () => {
  const outdir = written('1.35');
  expect(quotaIn(join(outdir, '40-queues.yaml'))).toEqual([[64, 16]]);
  const phases = ['0-Legacy', '1-Observe', '3-Expand', '4-AllWorkloads', '5-PluginRemoved'];
  expect(phases.map(phase => quotaIn(join(`${outdir}.plan`, 'a100', 'phases', `${phase}.yaml`)))).toEqual([[[80, 0]], [[80, 0]], [[0, 80]], [[0, 80]], [[0, 80]]]);
  const readme = readFileSync(join(`${outdir}.plan`, 'a100', 'README.md'), 'utf8');
  expect(readme).toContain('| Expand, step 25% | 56 + 24 |\n');
  expect(readme).toContain('| **Canary** (now) | 64 + 16 |\n');
});

test('nodes that are DRA by now count in the phase of now only', () => {
  const outdir = written('1.35', MigrationPhase.EXPAND, 5);
  expect(quotaIn(join(outdir, '40-queues.yaml'))).toEqual([[40, 40]]);
  expect(quotaIn(join(`${outdir}.plan`, 'a100', 'phases', '2-Canary.yaml'))).toEqual([[64, 16]]);
});

test('where a class serves the old name all devices stand on the way of DRA', () => {
  expect(quotaIn(join(written('1.36', MigrationPhase.EXPAND, 5), '40-queues.yaml'))).toEqual([[0, 80]]);
});

test('a platform without Kueue has no file about it', () => {
  const outdir = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist');
  const app = new PlatformApp({ outdir, ignoreFindings: ['DRA420'] });
  pool(new Chart(app, '30-pools'), 'a100');
  app.synth();
  expect(existsSync(join(`${outdir}.plan`, 'kueue'))).toBe(false);
});
