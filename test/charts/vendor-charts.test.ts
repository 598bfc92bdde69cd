import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import facts from './facts.json';
import {
  AgentDevices, DaemonSeparation, DeviceClass, DeviceMigration, DriverProfile, LegacyPath, MigrationPhase, NodeAgent, NodeCount, NodeSelection,
  type DeviceDriver,
} from '../../src';
import { NVIDIA_DEVICE_PLUGIN } from '../../src/model/drivers/nvidia-legacy';
import type { Manifest } from '../../src/model/manifests/manifest';
import { handoverTaint, ownerLabel } from '../../src/model/node-contract';
import { runRules } from '../../src/model/rules';
import { separatedPod } from '../../src/model/separation';
import { Target } from '../../src/model/target';

const ROOT = join(__dirname, '..', '..');
const RENDERED = join(ROOT, 'build', 'charts');
const install = (id: string) => NVIDIA_DEVICE_PLUGIN.installs!.find(one => one.id === id)!;

// facts.json was read from the charts by `npm run charts`; the profile must say the same.
describe('the profile of the device plugin', () => {
  const [chart] = facts['nvidia-device-plugin'].daemonSets;
  const [operand] = facts['gpu-operator'].daemonSets;
  const named = (name: string) => NVIDIA_DEVICE_PLUGIN.daemonSets.find(one => one.name === name);

  test('finds the DaemonSet of the chart by its name and labels', () => {
    expect(chart.name).toBe('nvdp-nvidia-device-plugin');
    expect(chart.podLabels).toMatchObject(named('<release>-nvidia-device-plugin')!.podLabels);
    expect(chart.nodeSelector).toEqual({});
  });

  test('finds the DaemonSet of the operator by its name, labels and switch', () => {
    const { podLabels, nodeSelector } = named(operand.name)!;
    const { key, on } = install('gpu-operator').nodeSwitch!;

    expect(operand.podLabels).toEqual(podLabels);
    expect(operand.nodeSelector).toEqual(nodeSelector);
    expect(operand.nodeSelector).toEqual({ [key]: on });
    expect(operand.nodeAffinity).toEqual([]);
  });

  test('repeats the nodes of the chart, whose value ours replaces', () => {
    expect(chart.nodeAffinity).toEqual(install('chart').nodes.map(({ key, values }) => ({ matchExpressions: [{ key, operator: 'In', values }] })));
  });

  test('repeats the tolerations, whose values ours replace', () => {
    expect(chart.tolerations).toEqual(install('chart').defaultTolerations);
    expect(facts['gpu-operator'].clusterPolicy['daemonsets.tolerations']).toEqual(install('gpu-operator').defaultTolerations);
  });
});

const isRendered = existsSync(join(RENDERED, 'gpu-operator.separated.yaml'));
if (!isRendered) process.stdout.write('Charts of vendors are skipped: nothing is rendered in build/charts. Render them: npm run charts\n');

(isRendered ? describe : describe.skip)('charts as helm renders them', () => {
  const family = 'gpu';
  const required = { key: ownerLabel(family), operator: 'NotIn', values: ['handover', 'dra'] };
  const handover = { key: handoverTaint(family), operator: 'Exists' };
  const objectsOf = (file: string): any[] => parseAllDocuments(readFileSync(join(RENDERED, file), 'utf8')).map(document => document.toJS()).filter(object => object?.kind);
  const podsOf = (objects: any[]): any[] => objects.filter(({ kind }) => kind === 'DaemonSet').map(({ spec }) => spec.template.spec);
  const termsOf = (pod: any): any[] => pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;

  test.each([
    ['nvidia-device-plugin.yaml'], ['nvidia-device-plugin.separated.yaml'], ['gpu-operator.yaml'], ['gpu-operator.separated.yaml'],
  ])('check has nothing to say about %s in any version', file => {
    for (const kubernetes of ['1.34', '1.35', '1.36', '1.37']) {
      const { status, stdout } = command('check', '-o', 'json', '--fail-on', 'info', '--kubernetes', kubernetes, join(RENDERED, file));
      expect(JSON.parse(stdout)).toMatchObject({ objects: objectsOf(file).length, findings: [] });
      expect(status).toBe(0);
    }
  });

  test.each([
    ['nvidia-device-plugin.yaml', [
      'DaemonSet nvidia/nvdp-nvidia-device-plugin', 'DaemonSet nvidia/nvdp-nvidia-device-plugin-mps-control-daemon',
    ]],
    ['gpu-operator.yaml', []],
    ['gpu-operator.operands.yaml', [
      'DaemonSet FILLED BY THE OPERATOR/nvidia-device-plugin-daemonset', 'DaemonSet FILLED BY THE OPERATOR/nvidia-device-plugin-mps-control-daemon',
    ]],
  ])('workloads takes the daemons of %s for what they are, and blocks nobody', (file, daemons) => {
    const { status, stdout } = command('workloads', '-o', 'json', '--kubernetes', '1.36', join(RENDERED, file));

    expect(JSON.parse(stdout)).toMatchObject({ workloads: [], daemons: daemons.map((daemon, index) => ({ daemon, project: 'NVIDIA/k8s-device-plugin', part: ['device plugin', 'helper'][index] })) });
    expect(status).toBe(0);
  });

  test('workloads still sees a workload beside them', () => {
    const job = join(RENDERED, 'job.json');
    const container = { name: 'train', image: 'train', resources: { limits: { 'nvidia.com/gpu': 8 } } };
    writeFileSync(job, JSON.stringify({
      apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'train', namespace: 'vision' }, spec: { template: { spec: { containers: [container] } } },
    }));
    const { stdout } = command('workloads', '-o', 'json', '--kubernetes', '1.36', join(RENDERED, 'nvidia-device-plugin.yaml'), job);

    expect(JSON.parse(stdout).workloads.map(({ workload, asks }: any) => [workload, asks])).toEqual([['Job vision/train', ['8 nvidia.com/gpu']]]);
  });

  test('the values put affinity and toleration into each DaemonSet of the device plugin\'s chart', () => {
    const pods = podsOf(objectsOf('nvidia-device-plugin.separated.yaml'));

    expect(pods).toHaveLength(2);
    for (const pod of pods) {
      expect(termsOf(pod)).toHaveLength(3);
      for (const term of termsOf(pod)) expect(term.matchExpressions).toContainEqual(required);
      expect(pod.tolerations).toContainEqual(handover);
    }
  });

  test('applyTo makes of the chart what its values make', () => {
    const chart = new Chart(new App(), 'chart');
    const include = new Include(chart, 'plugin', { url: join(RENDERED, 'nvidia-device-plugin.yaml') });
    for (const object of include.apiObjects.filter(({ kind }) => kind === 'DaemonSet')) DaemonSeparation.plugin(DriverProfile.nvidiaGpu()).applyTo(object);

    expect(chart.toJson()).toEqual(objectsOf('nvidia-device-plugin.separated.yaml'));
  });

  test('the values change nothing else of a chart', () => {
    for (const name of ['nvidia-device-plugin', 'gpu-operator']) {
      const without = (file: string) => JSON.parse(JSON.stringify(objectsOf(file), (key, value) => (key === 'affinity' || key === 'tolerations' ? undefined : value)));
      expect(without(`${name}.separated.yaml`)).toEqual(without(`${name}.yaml`));
    }
  });

  test('the operator is told the toleration in its ClusterPolicy', () => {
    const policyOf = (file: string) => objectsOf(file).find(({ kind }) => kind === 'ClusterPolicy').spec.daemonsets.tolerations;

    expect(policyOf('gpu-operator.yaml')).not.toContainEqual(handover);
    expect(policyOf('gpu-operator.separated.yaml')).toEqual([...policyOf('gpu-operator.yaml'), handover]);
  });

  // Proof 2, with NVIDIA's own driver, which is installed elsewhere, and with our agent beside it.
  describe.each<[string, DeviceDriver, boolean]>([
    ['the vendor\'s driver', DriverProfile.nvidiaGpu(), false], ['the node agent', DriverProfile.agentGpu(), true],
  ])('beside %s', (_, driver, withAgent) => {
    const twoOwners = (objects: any[]) => {
      const findings = runRules([...platform(driver, withAgent), ...objects].map((value): Manifest => ({ value, source: { name: 'x' } })), Target.of('1.36'));
      return findings.filter(({ code }) => code === 'DRA412').map(({ message }) => message);
    };

    test('the device plugin\'s chart as it comes could give a device two owners', () => {
      expect(twoOwners(objectsOf('nvidia-device-plugin.yaml'))).toEqual([
        expect.stringContaining('DaemonSet nvidia/nvdp-nvidia-device-plugin and '),
      ]);
    });

    test('with our values it cannot', () => {
      expect(twoOwners(objectsOf('nvidia-device-plugin.separated.yaml'))).toEqual([]);
    });

    test('the operator\'s DaemonSet cannot either, as its node label follows the owner', () => {
      expect(twoOwners(objectsOf('gpu-operator.operands.yaml'))).toEqual([]);
    });

    test('the operator\'s DaemonSet without its label could', () => {
      const objects = objectsOf('gpu-operator.operands.yaml');
      for (const pod of podsOf(objects)) delete pod.nodeSelector;

      expect(twoOwners(objects)).toEqual([expect.stringContaining('/nvidia-device-plugin-daemonset and ')]);
      for (const object of objects) object.spec.template.spec = separatedPod(object.spec.template.spec, 'plugin', family);
      expect(twoOwners(objects)).toEqual([]);
    });
  });
});

/** A pool on the way, and with it the agent that takes it over. */
function platform(driver: DeviceDriver, withAgent: boolean): any[] {
  const chart = new Chart(new App(), 'platform', { namespace: 'agents' });
  const deviceClass = new DeviceClass(chart, 'gpu-large', { driver });
  new DeviceMigration(chart, 'a100', {
    driver,
    deviceClasses: [deviceClass],
    nodes: NodeSelection.labels({ 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }),
    legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
    phase: MigrationPhase.CANARY,
    canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
  });
  if (withAgent) new NodeAgent(chart, 'gpu-agent', { driver, image: 'agent:1', devices: AgentDevices.gpu() });
  return chart.toJson().map(object => (object instanceof ApiObject ? object.toJson() : object));
}

function command(...args: string[]): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'driver', 'bin', 'kubectl-dra.js'), ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (stdout === '') throw new Error(stderr);
  return { status, stdout };
}
