import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { live } from './live.js';
import type { Live } from './live.js';
import { deviceClass, hold, migration, node, pod, putAll, slice, template } from './pools.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { ok, status } from '../../kube/fake-api-server.js';

let cluster: Live;

beforeEach(async () => {
  cluster = await live();
  cluster.server.script(({ path }) => (path.endsWith('/selfsubjectreviews') ? ok({ status: { userInfo: { username: 'jane' } } }) : undefined));
});
afterEach(async () => cluster.stop());

const HOLDS = '/apis/cdk8s-dra.dev/v1alpha1/deviceholds';

function policy(name: string): readonly KubeObject[] {
  const metadata = { name };
  return [
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata, spec: {} },
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: { policyName: name, validationActions: ['Deny'] } },
  ];
}

const POLICIES = [...policy('cdk8s-dra-hold'), ...policy('cdk8s-dra-hold-fence')];

function platform(...more: readonly KubeObject[]): void {
  putAll(cluster.server, [
    ...POLICIES, migration('a100'), deviceClass('a100-gpu'), template('vision', 'trainer', 'a100-gpu'), template('vision', 'cpu', 'cpu-class'),
    node('gpu-0', 'a100', 'dra'), node('gpu-1', 'a100', undefined, { allocatable: 8 }), slice('gpu-0'),
    ...pod('vision', 'train-0', { on: 'gpu-0', devices: 2, owner: { kind: 'Job', name: 'train' } }),
    ...pod('vision', 'train-1', { on: 'gpu-0', devices: 2, first: 2, owner: { kind: 'Job', name: 'train' } }),
    ...pod('old', 'notebook', { on: 'gpu-1', units: 3 }),
    ...more,
  ]);
}

function holdOf(name: string): KubeObject | undefined {
  return cluster.server.objects.get(`${HOLDS}/${name}`);
}

describe('hold', () => {
  test('makes one object with everything filled in, and says first that the pool is held and what is untouched', async () => {
    platform();

    const { code, out, err } = await cluster.run('hold', 'a100', '--reason', 'xid 79 on gpu-0', '--ticket', 'INC-1');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(holdOf('a100-1')?.spec).toEqual({
      migration: 'a100', level: 'Door', classes: ['a100-gpu'], templates: { vision: 'a100-gpu: trainer\n' }, reason: 'xid 79 on gpu-0', ticket: 'INC-1', by: 'jane',
    });
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^a100 is held: new work is refused, by DeviceHold a100-1 after \d+\.\d s\.$/);
    expect(lines[1]).toBe('Running work is untouched: 2 pods with 4 devices by claims, 1 pod with 3 units of the device plugin.');
    expect(out).toMatch(/ {2}- \d\d:\d\d:\d\d\.\d{3}Z {2}made DeviceHold a100-1: level Door; classes a100-gpu; 1 claim template\n/);
    expect(out).toContain('when it is over: kubectl-dra release a100');
    expect(out).toContain('  - New claim templates that ask for class a100-gpu are refused too, also those of a GitOps engine,');
  });

  test('more claim templates than a hold can name: nothing is held at level Door, and the way out is said', async () => {
    platform(...Array.from({ length: 4096 }, (_, index) => template('vision', `t${String(index).padStart(7, '0')}`, 'a100-gpu')));

    const { code, out, err } = await cluster.run('hold', 'a100', '--reason', 'x');

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('a100 is NOT held: The claim templates of namespace vision fill 36882 characters, a hold takes 32768 a namespace. Use --level Allocation,');
    expect(holdOf('a100-1')).toBeUndefined();
    expect((await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation')).code).toBe(0);
    expect(holdOf('a100-1')?.spec).toMatchObject({ classes: ['a100-gpu'], fence: [{ driver: 'gpu.nvidia.com' }] });
  });

  test('level Allocation fences the driver, and names the work that can no longer heal', async () => {
    platform();

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'double use', '--level', 'Allocation');

    expect(code).toBe(0);
    expect(holdOf('a100-1')?.spec).toMatchObject({ level: 'Allocation', fence: [{ driver: 'gpu.nvidia.com' }] });
    expect(out).toContain('Cannot replace a pod that they lose while this stands:\n  - Job vision/train (2 pods)\n');
  });

  test('beside another pool of the driver the fence names device pools, those of silent nodes too, and a shared class stays open', async () => {
    platform(migration('h100', { deviceClassNames: ['a100-gpu', 'h100-gpu'] }), node('h-0', 'h100', 'dra'), slice('h-0'));

    const { out } = await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');

    expect(holdOf('a100-1')?.spec).toMatchObject({ fence: [{ driver: 'gpu.nvidia.com', pools: ['gpu-0', 'gpu-1'] }] });
    expect(holdOf('a100-1')?.spec).not.toHaveProperty('classes');
    expect(out).toContain('Class a100-gpu is also offered by h100: its door stays open, and the fence keeps new work off a100 alone.');
    expect(out).toContain('Nodes that join a100 after this are not fenced');
  });

  test('the name of the device plugin is refused at level Door, and taken off the class before the fence at level Allocation', async () => {
    platform(migration('a100', { phase: 'Expand' }));
    await cluster.run('route', '--write');
    await cluster.run('hold', 'a100', '--reason', 'x');
    expect(holdOf('a100-1')?.spec).toMatchObject({ resources: ['nvidia.com/gpu'] });
    cluster.server.seen.length = 0;

    await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');

    expect(holdOf('a100-2')?.spec).not.toHaveProperty('resources');
    expect(cluster.server.seen.filter(({ method, path }) => method !== 'GET' && !path.includes('reviews')).map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`))
      // The first POST is a dry run: a hold that is refused must change nothing.
      .toEqual(['POST deviceholds', 'PATCH a100-gpu', 'POST deviceholds']);
  });

  test('a name that stays on the class is refused at the door instead, and that is said', async () => {
    platform(migration('a100', { phase: 'Expand' }), deviceClass('a100-gpu', { extendedResourceName: 'nvidia.com/gpu' }));
    cluster.server.script(({ method, path }) => (method === 'PATCH' && path.endsWith('/a100-gpu') ? status(403, 'Forbidden', 'jane cannot patch deviceclasses') : undefined));

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');

    expect(code).toBe(1);
    expect(holdOf('a100-1')?.spec).toMatchObject({ resources: ['nvidia.com/gpu'], fence: [{ driver: 'gpu.nvidia.com' }] });
    expect(out).toContain('NOT done:\n  - take nvidia.com/gpu off class a100-gpu: jane cannot patch deviceclasses. The hold refuses new work');
  });

  test('a hold that is refused leaves the names on their classes', async () => {
    platform(migration('a100', { phase: 'Expand' }), deviceClass('a100-gpu', { extendedResourceName: 'nvidia.com/gpu' }));
    cluster.server.script(({ method, path }) => (method === 'POST' && path.endsWith('/deviceholds') ? status(403, 'Forbidden', 'no') : undefined));

    const { code, err } = await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');

    expect(code).toBe(2);
    expect(err).toContain('a100 is NOT held');
    expect(cluster.server.seen.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  test('a server that fails after the hold is made: it is held, and that is said', async () => {
    platform();
    cluster.server.script(({ method, path }) => (method === 'GET' && path.endsWith('/pods') ? status(500, 'InternalError', 'etcd is slow') : undefined));

    const held = await cluster.run('hold', 'a100', '--reason', 'x');
    const back = await cluster.run('rollback', 'a100', '--reason', 'x');

    expect(held).toMatchObject({ code: 0, out: expect.stringMatching(/^a100 is held: [^]*What runs could not be read: etcd is slow/) as string });
    expect(back).toMatchObject({ code: 1, out: expect.stringMatching(/^The rollback of a100 has begun[^]*NOT done:\n {2}- save the evidence: etcd is slow/) as string });
    expect(holdOf('a100-2')).toBeDefined();
  });

  test('two people: the second is told of the first, of an expired hold that it still holds, and numbers go on', async () => {
    platform(hold('a100-1', 'a100', { expiresAt: '2026-01-01T04:00:00Z' }));

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'mine too', '--expires', '4h');

    expect(code).toBe(0);
    expect(holdOf('a100-2')?.spec).toMatchObject({ expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    expect(out).toMatch(/bob holds it too for \d+ d, by a100-1 at level Door: xid 79 on gpu-2\. It expired \d+ d ago and still holds, since admission has no clock\. Each must be released\./);
  });

  test('somebody who holds in the same second takes the next number', async () => {
    platform();
    let isFirst = true;
    cluster.server.script(({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/deviceholds') || !isFirst) return undefined;
      isFirst = false;
      return status(409, 'AlreadyExists', '"a100-1" already exists');
    });

    expect((await cluster.run('hold', 'a100', '--reason', 'x')).out).toContain('by DeviceHold a100-2');
  });

  test('without the policies it says that the pool is NOT held', async () => {
    putAll(cluster.server, [migration('a100'), deviceClass('a100-gpu')]);

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'x');

    expect(code).toBe(1);
    expect(out.split('\n')[0]).toBe('a100 is NOT held: DeviceHold a100-1 is there, but no policy reads it.');
    expect(out).toContain('Apply the folder 10-policies.');
  });

  test('an account that may only hold still holds; what it may not see is said', async () => {
    platform();
    const forbidden = /(nodes|resourceslices|resourceclaimtemplates|resourceclaims|pods|validatingadmissionpolic.*)$/;
    cluster.server.script(({ method, path }) => (method === 'GET' && forbidden.test(path) ? status(403, 'Forbidden', 'no') : undefined));

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');

    expect(code).toBe(0);
    expect(holdOf('a100-1')?.spec).toMatchObject({ fence: [{ driver: 'gpu.nvidia.com' }] });
    expect(out).toContain('Nodes or slices may not be read, so all of driver gpu.nvidia.com is fenced.');
    expect(out).toContain('Claim templates may not be read: only those that DeviceRouting names are held.');
    expect(out).toContain('Running work is untouched; how much that is, this account may not see.');
    expect(out).toContain('Whether the policies that read a hold are installed is not known');
  });

  test('our own agents are told to offer nothing new, and after the release to offer again', async () => {
    platform(migration('a100', { driver: 'gpu.cdk8s-dra.dev' }));
    await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');
    const annotations = () => cluster.server.objects.get('/api/v1/nodes/gpu-0')?.metadata?.annotations;
    expect(annotations()).toEqual({ 'cdk8s-dra.dev/gpu-publish': 'frozen', 'cdk8s-dra.dev/gpu-frozen-by': 'a100-1' });

    await cluster.run('release', 'a100');

    expect(annotations()).toEqual({});
  });

  test('--dry-run -o yaml prints the object for kubectl create and changes nothing', async () => {
    platform();

    const { code, out } = await cluster.run('hold', 'a100', '--reason', 'drill', '--dry-run', '-o', 'yaml');

    expect(code).toBe(0);
    expect(out).toContain('kind: DeviceHold\nmetadata:\n  name: a100-1\n');
    expect(holdOf('a100-1')).toBeUndefined();
  });

  test.each([
    [['a10', '--reason', 'x'], "no DeviceMigration is called 'a10': did you mean a100? There are a100."],
    [['a100', '--reason', 'x', '--expires', 'soon'], "--expires must be a duration such as 4h, 30m or 1h30m, got 'soon'"],
    [['a100', '--reason', 'x', '--name', 'mine'], 'a100 is NOT held: there is a DeviceHold mine already. Choose another --name'],
  ])('%j is refused, with the way out', async (args, message) => {
    platform(hold('mine', 'h100'));

    const { code, err } = await cluster.run('hold', ...args);

    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    [404, 'the server could not find the requested resource', 'Until then cordon the nodes of the pool by hand: kubectl cordon NODE'],
    [403, 'jane cannot create deviceholds', 'jane cannot create deviceholds. Ask for the role that may create deviceholds.'],
  ])('a server that answers %d: not held, and what to do', async (code, said, told) => {
    platform();
    cluster.server.script(({ method, path }) => (method === 'POST' && path.endsWith('/deviceholds') ? status(code, '', said) : undefined));

    const answer = await cluster.run('hold', 'a100', '--reason', 'x');

    expect(answer.code).toBe(2);
    expect(answer.err).toContain('error: a100 is NOT held: ');
    expect(answer.err).toContain(told);
  });
});

describe('release', () => {
  test('deletes every hold of the pool, touches the waiting pods and their class, and says what still holds', async () => {
    platform(hold('a100-1', 'a100'), hold('a100-2', 'a100'), hold('other', 'h100', { classes: ['a100-gpu'] }), ...pod('vision', 'waits', { devices: 1 }), ...pod('vision', 'elsewhere', {}));
    await cluster.run('route', '--write');

    const { code, out } = await cluster.run('release', 'a100');

    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^a100 is released after \d+\.\d s\.$/);
    expect([holdOf('a100-1'), holdOf('a100-2')]).toEqual([undefined, undefined]);
    expect(out).toContain('touched 1 waiting pod and 1 class: they are tried now');
    const touched = [...cluster.server.objects].filter(([, { metadata }]) => metadata?.annotations?.['cdk8s-dra.dev/released-at'] !== undefined).map(([key]) => key.split('/').at(-1));
    expect(touched.sort()).toEqual(['a100-gpu', 'waits']);
    expect(out).toContain('Hold other of pool h100 stops class a100-gpu too: xid 79 on gpu-2.');
    expect(out).toContain('The phase: Class a100-gpu is open for a canary only');
  });

  test('one of two: the pool is STILL HELD', async () => {
    platform(hold('a100-1', 'a100'), hold('a100-2', 'a100', { by: 'eve' }));

    const { code, out } = await cluster.run('release', 'a100', '--name', 'a100-1');

    expect(code).toBe(1);
    expect(out.split('\n')[0]).toBe('a100 is STILL HELD; released a100-1.');
    expect(out).toContain('eve holds it too');
  });

  test('puts the name back on the class once no fence is left', async () => {
    platform(migration('a100', { phase: 'Expand' }));
    await cluster.run('route', '--write');
    await cluster.run('hold', 'a100', '--reason', 'x', '--level', 'Allocation');
    const name = () => (cluster.server.objects.get('/apis/resource.k8s.io/v1/deviceclasses/a100-gpu')?.spec as { readonly extendedResourceName?: string }).extendedResourceName;
    expect(name()).toBeUndefined();

    const { out } = await cluster.run('release', 'a100');

    expect(out).toContain('put nvidia.com/gpu back on class a100-gpu');
    expect(name()).toBe('nvidia.com/gpu');
  });

  test('a hold of a pool that is gone can be released', async () => {
    putAll(cluster.server, [hold('a100-1', 'a100')]);

    const { code, out } = await cluster.run('release', 'a100');

    expect(code).toBe(0);
    expect(out).toContain('There is no DeviceMigration a100 any more; the hold was all that was left of it.');
  });

  test('what cannot be deleted is told, and a touch that fails does not matter much', async () => {
    platform(hold('a100-1', 'a100'), ...pod('vision', 'waits', { devices: 1 }));
    cluster.server.script(({ method, path }) => (method === 'PATCH' && path.endsWith('/pods/waits') ? status(403, 'Forbidden', 'no pods for you') : undefined));
    const touched = await cluster.run('release', 'a100');
    expect(touched.code).toBe(0);
    expect(touched.out).toContain('1 waiting pod was not touched (no pods for you): tried all the same');

    putAll(cluster.server, [hold('a100-9', 'a100')]);
    cluster.server.script(({ method }) => (method === 'DELETE' ? status(403, 'Forbidden', 'no deletes') : undefined));
    const { code, out } = await cluster.run('release', 'a100');
    expect(code).toBe(1);
    expect(out.split('\n')[0]).toBe('a100 is STILL HELD; nothing was released.');
  });

  test.each([
    [['a100'], 0, 'a100 is not held: nothing to release.'],
    [['h10'], 2, "there is no pool 'h10' and no hold of it; did you mean h100?"],
    [['x-1'], 2, "'x-1' is a hold, of pool h100: kubectl-dra release h100 --name x-1"],
    [['h100', '--name', 'y'], 2, "no hold of h100 is called 'y': there is x-1"],
  ])('%j', async (args, code, message) => {
    platform(hold('x-1', 'h100'));

    const answer = await cluster.run('release', ...args);

    expect(answer.code).toBe(code);
    expect(answer.out + answer.err).toContain(message);
  });
});

describe('rollback', () => {
  test('holds, saves the evidence, and lists what is left to do with each node, idle ones first; never done', async () => {
    platform(node('gpu-2', 'a100', 'dra'), slice('gpu-2'));

    const { code, out } = await cluster.run('rollback', 'a100', '--reason', 'prepare fails');

    expect(code).toBe(1);
    expect(out.split('\n').slice(0, 2)).toEqual([
      'The rollback of a100 has begun: nothing new starts on it.',
      '1 of 3 nodes belongs to the device plugin, 2 are to be given back. Running pods go on.',
    ]);
    expect(holdOf('a100-1')?.spec).toMatchObject({ level: 'Rollback', fence: [{ driver: 'gpu.nvidia.com' }] });
    expect(out.indexOf('gpu-2: nobody holds a device')).toBeLessThan(out.indexOf('gpu-0: held by vision/train-0, vision/train-1; wait for their end'));
    expect(out).toContain('3. kubectl label node gpu-2 cdk8s-dra.dev/gpu-owner=handover --overwrite');
    expect(out).not.toMatch(/rolled back|is done/i);
    const [file = ''] = readdirSync(cluster.folder).filter((name) => name.startsWith('rollback-a100-'));
    const evidence = JSON.parse(readFileSync(join(cluster.folder, file), 'utf8')) as { readonly items: readonly KubeObject[] };
    expect(evidence.items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['ResourceClaim', 'Pod', 'DeviceHold', 'DeviceMigration', 'Node']));
  });

  // C-031
  test('five pods of the bridge and three by claims: the node waits for all, the first start again as they are, the others must change', async () => {
    const bridged = Array.from({ length: 5 }, (_, index) => pod('web', `serve-${index}`, { on: 'gpu-0', devices: 1, first: 3 + index, owner: { kind: 'ReplicaSet', name: 'serve' } }));
    platform(...bridged.flat().map((object): KubeObject => (object.kind !== 'Pod' ? object : {
      ...object, spec: { ...object.spec as object, resourceClaims: undefined }, status: { phase: 'Running', extendedResourceClaimStatus: { resourceClaimName: `${object.metadata?.name ?? ''}-gpus` } },
    })), ...pod('vision', 'train-2', { on: 'gpu-0', devices: 1, first: 2, owner: { kind: 'Job', name: 'train' } }));

    const { code, out } = await cluster.run('rollback', 'a100', '--reason', 'x');

    expect(code).toBe(1);
    expect(out).toContain('gpu-0: held by vision/train-0, vision/train-1, vision/train-2, web/serve-0, web/serve-1 and 3 more; wait for their end');
    expect(out).toContain('submitted with the name of the device plugin:\n  - Job vision/train (3 pods, 5 devices)\n');
    expect(out).toContain('starts again as it is, on nodes of the device plugin:\n  - ReplicaSet web/serve (5 pods, 5 devices)\n');
    expect(out.indexOf('nobody')).toBe(-1);
  });

  test('evidence is never overwritten, and then nothing is done at all', async () => {
    platform();
    const file = cluster.file('before.json', '{}');

    const { code, err } = await cluster.run('rollback', 'a100', '--reason', 'x', '--evidence', file);

    expect(code).toBe(2);
    expect(err).toContain('exists, and evidence is not overwritten. Nothing was done');
    expect(holdOf('a100-1')).toBeUndefined();
  });

  test('a file that cannot be written does not keep the pool from being held', async () => {
    platform();

    const { code, out } = await cluster.run('rollback', 'a100', '--reason', 'x', '--evidence', join(cluster.folder, 'nowhere', 'e.json'));

    expect(code).toBe(1);
    expect(holdOf('a100-1')).toBeDefined();
    expect(out).toContain('NOT done:\n  - save the evidence: cannot write');
  });

  test('--dry-run changes nothing and writes no file', async () => {
    platform();

    await cluster.run('rollback', 'a100', '--reason', 'x', '--dry-run');

    expect(holdOf('a100-1')).toBeUndefined();
    expect(existsSync(join(cluster.folder, 'kubeconfig'))).toBe(true);
    expect(readdirSync(cluster.folder)).toEqual(['kubeconfig']);
  });
});
