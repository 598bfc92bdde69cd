import { load } from 'js-yaml';

import { deviceClass, migration, pod } from './pools.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { run } from '../recorded-io.js';

function job(name: string, resources: Readonly<Record<string, string>>, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  return {
    apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace: 'vision', name }, spec: { template: { spec: { containers: [{ name: 'train', resources: { limits: resources } }], ...spec } } },
  };
}

interface Path {
  readonly workload: string;
  readonly way: string;
  readonly asks: readonly string[];
  readonly because: readonly string[];
  readonly preemption?: string;
  readonly notes: readonly string[];
  readonly template?: KubeObject;
  readonly podChange?: object;
}

async function paths(objects: readonly KubeObject[], kubernetes = '1.36'): Promise<readonly Path[]> {
  const { out } = await run(['workloads', '-', '--kubernetes', kubernetes, '-o', 'json'], { stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) });
  return (JSON.parse(out) as { readonly workloads: readonly Path[] }).workloads;
}

const GPUS = { 'nvidia.com/gpu': '8' };

// C-032
test.each([
  ['rides the bridge from 1.36', '1.36', [migration('a100')], GPUS, 'bridge', 'Class a100-gpu serves nvidia.com/gpu once a100 is in Expand.'],
  ['rides it now', '1.37', [migration('a100', { phase: 'AllWorkloads' })], GPUS, 'bridge', 'Class a100-gpu serves nvidia.com/gpu now.'],
  ['needs a template before', '1.35', [migration('a100')], GPUS, 'template', 'No class serves nvidia.com/gpu: Kubernetes 1.35 does not serve'],
  ['needs one for a partition', '1.36', [migration('a100', { legacy: { resources: [{ name: 'nvidia.com/mig-1g.10gb', partition: '1g.10gb' }] } })], { 'nvidia.com/mig-1g.10gb': '1' }, 'template', 'is the partition 1g.10gb'],
  ['needs one where pools differ in class', '1.36', [migration('a100'), migration('h100')], GPUS, 'template', 'its pools have different first classes (a100-gpu, h100-gpu)'],
  ['is blocked with shared devices', '1.36', [migration('a100', { legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 4 }] } })], GPUS, 'blocked', 'A unit of nvidia.com/gpu is a share of a device (4 units each'],
  ['is blocked without a plan', '1.36', [migration('a100')], { 'fpga.example.com/card': '1' }, 'blocked', 'No DeviceMigration takes fpga.example.com/card over'],
  ['without any plan takes the vendor\'s class', '1.36', [], GPUS, 'bridge', 'Class gpu.nvidia.com, which'],
  ['without any plan takes the class that carries the name', '1.36', [deviceClass('mine', { extendedResourceName: 'nvidia.com/gpu' })], GPUS, 'bridge', 'Class mine carries nvidia.com/gpu.'],
  ['without any plan and bridge needs a template', '1.34', [], GPUS, 'template', 'class gpu.nvidia.com offers the devices'],
])('a workload %s', async (_, kubernetes, plan, asks, way, because) => {
  const [path] = await paths([...plan, job('train', asks)], kubernetes);

  expect(path).toMatchObject({ workload: 'Job vision/train', way });
  expect(path?.because[0]).toContain(because);
});

test('an init container gets the devices of what begins after it, as the plugin counts them, and only what is missing beside', async () => {
  const gpus = (count: string) => ({ resources: { limits: { 'nvidia.com/gpu': count } } });
  const spec = { initContainers: [{ name: 'warm', ...gpus('1') }, { name: 'check', ...gpus('10') }], containers: [{ name: 'a', ...gpus('8') }, { name: 'b', ...gpus('1') }] };

  const [path] = await paths([migration('a100'), job('train', {}, spec)], '1.34');

  expect(path?.asks).toEqual(['10 nvidia.com/gpu']);
  const counts = (path?.template?.spec as { spec: { devices: { requests: { name: string; exactly: { count: number } }[] } } }).spec.devices.requests;
  expect(counts.map(({ name, exactly }) => `${name} ${exactly.count}`)).toEqual(['check 1', 'a 8', 'b 1']);
  const { containers } = (path?.podChange as { add: { containers: { name: string; resources: { claims: { request: string }[] } }[] } }).add;
  expect(containers.map(({ name, resources }) => `${name}: ${resources.claims.map(({ request }) => request).join()}`))
    .toEqual(['warm: a', 'check: check,a,b', 'a: a', 'b: b']);
});

test('the template has a request for each container, and check finds nothing wrong with it', async () => {
  const both = job('train', {}, { containers: [{ name: 'a', resources: { limits: GPUS } }, { name: 'b', resources: { limits: { 'nvidia.com/gpu': '1' } } }, { name: 'c' }] });

  const [path] = await paths([migration('a100'), both], '1.34');

  expect(path?.template).toMatchObject({
    kind: 'ResourceClaimTemplate',
    metadata: { namespace: 'vision', name: 'train-devices' },
    spec: {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { deviceClassName: 'a100-gpu', allocationMode: 'ExactCount', count: 8 } },
            { name: 'b', exactly: { deviceClassName: 'a100-gpu', allocationMode: 'ExactCount', count: 1 } },
          ],
        },
      },
    },
  });
  expect(path?.podChange).toEqual({
    add: {
      resourceClaims: [{ name: 'devices', resourceClaimTemplateName: 'train-devices' }],
      containers: [
        { name: 'a', resources: { claims: [{ name: 'devices', request: 'a' }] } },
        { name: 'b', resources: { claims: [{ name: 'devices', request: 'b' }] } },
      ],
    },
    remove: ['containers[0].resources: nvidia.com/gpu', 'containers[1].resources: nvidia.com/gpu'],
  });
  const checked = await run(['check', '-', '-o', 'json'], { stdin: JSON.stringify(path?.template) });
  const codes = (JSON.parse(checked.out) as { readonly findings: readonly { readonly name: string; readonly severity: string }[] }).findings;
  expect(codes.filter(({ severity, name }) => severity === 'error' && name !== 'class-not-found')).toEqual([]);
});

test('custom kinds with several pod templates get a template each', async () => {
  const worker = (name: string) => ({ template: { spec: { containers: [{ name, resources: { limits: GPUS } }] } } });
  const ray = { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { namespace: 'ml', name: 'ray' }, spec: { headGroupSpec: worker('head'), workerGroupSpecs: [worker('worker')] } };

  const found = await paths([migration('a100'), ray], '1.34');

  expect(found.map(({ template }) => template?.metadata?.name)).toEqual(['ray-devices', 'ray-devices-2']);
});

test('relies on preemption, chooses nodes by labels of the vendor, is a DaemonSet: each is told', async () => {
  const [path] = await paths([migration('a100'), {
    ...job('train', GPUS, { priorityClassName: 'production', nodeSelector: { 'nvidia.com/gpu.product': 'A100' } }), apiVersion: 'apps/v1', kind: 'DaemonSet',
  }]);

  expect(path?.preemption).toContain('It has priority class production: the scheduler preempts nobody to free devices of claims');
  expect(path?.notes).toEqual([expect.stringContaining('nvidia.com/gpu.product') as string, expect.stringContaining('A DaemonSet takes a device on every node') as string]);
  const [never] = await paths([migration('a100'), job('train', GPUS, { priorityClassName: 'production', preemptionPolicy: 'Never' })]);
  expect(never).not.toHaveProperty('preemption');
});

test('GPUs that nobody is asked for are blocked', async () => {
  const spy = job('spy', {}, { containers: [{ name: 'spy', env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] }] });

  expect(await paths([migration('a100'), spy])).toEqual([expect.objectContaining({
    way: 'blocked', because: [expect.stringContaining('Container spy takes GPUs by NVIDIA_VISIBLE_DEVICES=all without asking anybody') as string],
  })]);
});

test('pods of a controller are told once, and not at all beside it; what asks for nothing is left out', async () => {
  const pods = ['train-0', 'train-1'].flatMap((name) => pod('vision', name, { owner: { kind: 'Job', name: 'train' }, units: 8, on: 'n' }));

  expect((await paths([migration('a100'), ...pods, job('cpu', {})])).map(({ workload }) => workload)).toEqual(['Job vision/train']);
  expect((await paths([migration('a100'), ...pods, job('train', GPUS)])).map(({ workload }) => workload)).toEqual(['Job vision/train']);
});

test('the text starts with the answer, and what it prints is YAML', async () => {
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [migration('a100'), job('train', GPUS), job('card', { 'x.example.com/card': '1' })] });

  const { code, out } = await run(['workloads', '-', '--kubernetes', '1.35'], { stdin });

  expect(code).toBe(1);
  expect(out.split('\n')[0]).toBe('2 workloads: 0 ride the bridge as they are, 1 needs a template, 1 blocked (Kubernetes 1.35).');
  const yaml = out.slice(out.indexOf('      apiVersion'), out.indexOf('    and in its pod template'));
  expect(load(yaml.replace(/^ {6}/gm, ''))).toMatchObject({ kind: 'ResourceClaimTemplate' });
});

test('nothing given is refused with the way to a live cluster', async () => {
  const { code, err } = await run(['workloads']);

  expect(code).toBe(2);
  expect(err).toContain('kubectl get deploy,sts,ds,job,cronjob -A -o yaml | kubectl-dra workloads -');
});

test('where part of the files cannot be read, that none is blocked is not known: exit code 1', async () => {
  const { code, out } = await run(['workloads', '-'], { stdin: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\nkind: [\n' });

  expect(code).toBe(1);
  expect(out).toContain('  - part of -:6:1: Invalid YAML');
});
