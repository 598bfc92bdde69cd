import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './recorded-io.js';
import { FakeApiServer, ok, status } from '../kube/fake-api-server.js';

const EXAMPLE = new URL('../../../examples/collected/pending.yaml', import.meta.url).pathname;

interface Answer {
  readonly pod: string;
  readonly kubernetes: string;
  readonly cause: string;
  readonly because: string;
  readonly objects: readonly object[];
  readonly help: readonly { readonly text: string; readonly kind: string }[];
  readonly others: readonly { readonly cause: string }[];
  readonly unknown: readonly string[];
}

function cluster(...pods: readonly string[]): string {
  const items = pods.map((pod) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: pod.split('/')[0], name: pod.split('/')[1] }, spec: {}, status: { phase: 'Pending' } }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

describe('offline', () => {
  test('the example is answered in the order of cause, with the numbers and what was tried', async () => {
    const { code, out, err } = await run(['explain', 'pod/trainer-0', '--from', EXAMPLE]);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    expect(lines[0]).toBe('pod vision/trainer-0: The devices are held by other claims (DRA256 devices-in-use, Kubernetes 1.36)');
    expect(out).toContain('9 nodes (gpu-01, gpu-02, gpu-03, gpu-04 and 5 more) have fewer than 8 free (best: gpu-07 with 6; the other 2 are held by claim search/ranker-7f9c-');
    expect(out).toContain('Each of these alone lets it fit (tried on these objects):\n  - end pod search/ranker-7f9c and end pod speech/asr-batch-x2k8d (gpu-07 then fits)\n  - ask for at most 6 devices');
    expect(out).not.toContain('Not known');
  });

  test.each([
    [['pod/trainer-0/logs', '--from', EXAMPLE], "cannot explain 'pod/trainer-0/logs': name a pod"],
    [['--from', EXAMPLE, 'pod/trainer-0'], 'no pod is named before --from, which takes every path after it: write kubectl-dra explain pod/trainer-0 -n vision --from cluster.yaml'],
    [['trainer-0', '--from', EXAMPLE, 'vision'], 'no such file or folder: vision. Name the pod before --from'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, out, err } = await run(['explain', ...args]);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('the page shows what is printed', async () => {
    const page = readFileSync(new URL('../../../docs/explain.md', import.meta.url), 'utf8');

    expect(page).toContain((await run(['explain', 'pod/trainer-0', '--from', EXAMPLE])).out);
  });

  test('JSON has the fields of the contract, and nothing is unknown of a collected cluster', async () => {
    const { out } = await run(['explain', 'trainer-0', '-n', 'vision', '--from', EXAMPLE, '-o', 'json']);

    const answer = JSON.parse(out) as Answer;
    expect(Object.keys(answer)).toEqual(['pod', 'kubernetes', 'cause', 'because', 'objects', 'help', 'others', 'knownBugs', 'unknown']);
    expect(answer).toMatchObject({ pod: 'vision/trainer-0', kubernetes: '1.36', cause: 'DRA256', unknown: [] });
    expect(answer.objects).toContainEqual({ kind: 'ResourceClaim', namespace: 'vision', name: 'trainer-0-gpus-9xk2w', role: 'claim' });
    expect(answer.others.map(({ cause }) => cause)).toEqual(['DRA250', 'DRA242', 'DRA240', 'DRA242']);
  });

  test('of one node it says what excludes the pod, device by device', async () => {
    const { code, out } = await run(['explain', 'pod/trainer-0', '--node', 'gpu-07', '--from', EXAMPLE]);

    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'pod vision/trainer-0 on node gpu-07: it does not take the pod (Kubernetes 1.36)',
      '  Request gpus of claim trainer-0-gpus-9xk2w (template trainer) wants 8 devices of class gpu-large: 8 here, 6 to be had',
      '    free: gpu-2, gpu-3, gpu-4, gpu-5, gpu-6, gpu-7',
      '    in use: gpu-0 (held by claim search/ranker-7f9c-gpus-4b9a4 (pod ranker-7f9c))',
      '    in use: gpu-1 (held by claim speech/asr-batch-x2k8d-gpus-088a5 (pod asr-batch-x2k8d))',
      '',
    ]);
    const page = readFileSync(new URL('../../../docs/explain.md', import.meta.url), 'utf8');
    expect(page).toContain(out);
  });

  test('as JSON a node has its devices in full', async () => {
    const { out } = await run(['explain', 'trainer-0', '-n', 'vision', '--node', 'gpu-13', '--from', EXAMPLE, '-o', 'json']);

    const answer = JSON.parse(out) as object;
    expect(Object.keys(answer)).toEqual(['pod', 'kubernetes', 'node', 'fits', 'objections', 'requests', 'conflicts', 'others', 'knownBugs', 'unknown']);
    expect(answer).toMatchObject({ node: 'gpu-13', fits: false, objections: [{ rule: 'taint' }], requests: [{ request: 'gpus', wanted: 8, free: 8 }] });
  });

  test('a cluster comes from standard input too, and its version is not guessed in silence', async () => {
    const { code, out } = await run(['explain', 'po/p', '--from', '-', '-o', 'json'], { stdin: cluster('ml/p') });

    expect(code).toBe(0);
    expect((JSON.parse(out) as Answer).unknown).toContain('version of the cluster: 1.34 is taken; pass --kubernetes');
  });

  test('text of objects cannot steer the terminal', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'ml', name: 'p' }, spec: { schedulingGates: [{ name: '\u001b[2J' }], resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] } };
    const { out } = await run(['explain', 'p', '--from', '-'], { stdin: JSON.stringify(pod) });

    expect(out).not.toContain('\u001b');
  });

  test('a pod may be named as kubectl takes it, by two words', async () => {
    const { code, out } = await run(['explain', 'pod', 'p', '--from', '-'], { stdin: cluster('ml/p') });

    expect(code).toBe(0);
    expect(out).toMatch(/^pod ml\/p: /);
  });

  test.each<[string, readonly string[], string, string]>([
    ['another kind', ['explain', 'job/x', '--from', '-'], cluster('ml/p'), 'name a pod'],
    ['a pod of two namespaces', ['explain', 'p', '--from', '-'], cluster('ml/p', 'vision/p'), 'namespaces ml, vision have a pod p each: choose one with -n'],
    ['a pod of another namespace', ['explain', 'p', '-n', 'x', '--from', '-'], cluster('ml/p'), 'namespace x has no pod p, but ml has'],
    ['an unknown pod', ['explain', 'q', '--from', '-'], cluster('ml/p'), 'there is no pod q; Pending there: ml/p'],
    ['an unknown node', ['explain', 'p', '--node', 'n', '--from', '-'], cluster('ml/p'), 'there is no node n: no nodes are known'],
    ['a missing file', ['explain', 'p', '--from', 'nowhere.yaml'], '', 'nowhere.yaml'],
    ['an empty input', ['explain', 'p', '--from', '-'], '', 'no objects in -. Name files with Kubernetes objects'],
    ['a pod that may stand in what is broken', ['explain', 'q', '--from', '-'], 'apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml}\n---\nkind: [\n', 'It may stand in what cannot be read, -:6:1: Invalid YAML'],
    ['two pods', ['explain', 'p', 'q', '--from', '-'], cluster('ml/p'), 'cannot explain \'p/q\': name a pod'],
    ['broken input', ['explain', 'p', '--from', '-'], '{"a": ', 'cannot read -'],
    ['an unknown version', ['explain', 'p', '--from', '-', '--kubernetes', '1.20'], cluster('ml/p'), '1.34 or later'],
    ['no pod', ['explain'], '', 'no pod is named: write kubectl-dra explain pod/trainer-0 -n vision'],
  ])('%s is refused with the way out and exit code 2', async (_, args, stdin, message) => {
    const { code, out, err } = await run(args, { stdin });

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('live', () => {
  let server: FakeApiServer;
  let folder: string;
  let kubeconfig: string;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    folder = mkdtempSync(join(tmpdir(), 'kubectl-dra-'));
    kubeconfig = join(folder, 'config');
    const { server: address } = server.connection;
    writeFileSync(kubeconfig, JSON.stringify({
      'apiVersion': 'v1',
      'kind': 'Config',
      'current-context': 'c',
      'contexts': [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'ml' } }],
      'clusters': [{ name: 'c', cluster: { server: address } }],
      'users': [{ name: 'u', user: { token: 't' } }],
    }));
    server.script(({ path }) => (path === '/metrics' ? ok('kubernetes_feature_enabled{name="DRAConsumableCapacity",stage="BETA"} 0\nkubernetes_feature_enabled{name="DRAAdminAccess",stage="GA"} 1\n') : undefined));
    server.put('/api/v1/nodes/n0', { metadata: { name: 'n0', managedFields: [{}] }, spec: { unschedulable: true }, status: { allocatable: { cpu: '8', pods: '10' } } });
    server.put('/api/v1/namespaces/ml/pods/p', {
      metadata: { name: 'p', namespace: 'ml', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'PASSWORD' } },
      spec: { containers: [{ name: 'main', image: 'i', env: [{ name: 'X', value: 'PASSWORD' }], args: ['PASSWORD'] }] },
      status: { phase: 'Pending' },
    });
    server.put('/api/v1/namespaces/ml/secrets/s', { metadata: { name: 's', namespace: 'ml' }, data: { x: 'PASSWORD' } });
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  test('a pod is explained from what the cluster says now, in the namespace of the context', async () => {
    const { code, out, err } = await run(['explain', 'p', '--kubeconfig', kubeconfig, '-o', 'json']);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ pod: 'ml/p', kubernetes: '1.36', cause: 'DRA202', others: [{ cause: 'DRA243' }], unknown: [] });
    expect(server.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('what may not be read is named, and nothing else is lost', async () => {
    server.script(({ path }) => (path.endsWith('/resourcequotas') ? status(403, 'Forbidden', 'no') : undefined));
    const { code, out } = await run(['explain', 'p', '--kubeconfig', kubeconfig, '-o', 'json']);

    expect(code).toBe(0);
    expect((JSON.parse(out) as Answer).unknown).toEqual(['ResourceQuota: this user may not list them']);
  });

  test('a collected file holds the same answer, the version and the gates, and no secret', async () => {
    const file = join(folder, 'cluster.json');
    const collected = await run(['collect', file, '--kubeconfig', kubeconfig]);
    const text = readFileSync(file, 'utf8');

    expect(collected).toEqual({ code: 0, out: '', err: expect.stringContaining('2 objects of 18 kinds, server v1.36.3, written to') as string });
    expect(text).not.toMatch(/PASSWORD|managedFields/);
    expect(server.seen.some(({ path }) => path.includes('secrets') || path.includes('configmaps'))).toBe(false);
    expect((JSON.parse(text) as { metadata: unknown }).metadata).toEqual({
      annotations: {
        'cdk8s-dra.dev/collected-kinds': expect.stringMatching(/^DeviceAccess,.*ValidatingAdmissionPolicyBinding$/) as string,
        'cdk8s-dra.dev/feature-gates': 'DRAConsumableCapacity=false',
        'cdk8s-dra.dev/server-version': 'v1.36.3',
      },
    });
    const [offline, live] = [await run(['explain', 'p', '--from', file]), await run(['explain', 'p', '--kubeconfig', kubeconfig])];
    expect(offline.out).toBe(live.out);
  });

  test('a file that cannot be written whole is not touched, and nothing is left beside it', async () => {
    const file = join(folder, 'cluster.json');
    writeFileSync(file, 'before');
    mkdirSync(`${file}.part`);
    const { code, err } = await run(['collect', file, '--kubeconfig', kubeconfig]);

    expect(code).toBe(2);
    expect(err).toContain(`cannot write ${file}`);
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  test.each([
    ['none/cluster.json', 'its folder does not exist. Make it, or name another file.'],
    ['.', 'it is a folder. Name a file in it.'],
  ])('a file that cannot be written, %s, comes with the way out', async (name, message) => {
    const file = join(folder, name);

    expect(await run(['collect', file, '--kubeconfig', kubeconfig])).toEqual({ code: 2, out: '', err: `error: cannot write ${file}: ${message}\n` });
  });

  test('collect says what it may not read and ends with 1', async () => {
    server.script(({ path }) => (path.endsWith('/nodes') ? status(403, 'Forbidden', 'no') : undefined));
    const { code, out, err } = await run(['collect', '--kubeconfig', kubeconfig]);

    expect(code).toBe(1);
    expect(err).toContain('left out: Node: this user may not list them');
    expect(out).not.toContain('Node,');
  });

  test('no cluster is no stack trace', async () => {
    const { code, err } = await run(['explain', 'p', '--kubeconfig', join(folder, 'none')]);

    expect(code).toBe(2);
    expect(err).toMatch(/^error: cannot read kubeconfig/);
  });
});
