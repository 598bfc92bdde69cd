import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { run } from './recorded-io.js';
import { RUN_LABEL } from '../../src/conformance/scratch.js';
import { FakeApiServer, ok, status } from '../kube/fake-api-server.js';

let server: FakeApiServer;
let folder: string;
let kubeconfig: string;

beforeEach(async () => {
  server = await FakeApiServer.start();
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  kubeconfig = join(folder, 'config');
  server.writeKubeconfig(kubeconfig);
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

function conformance(...args: readonly string[]) {
  return run(['conformance', '--kubeconfig', kubeconfig, ...args]);
}

test('a kept contract is exit code 0, and the plan was printed before', async () => {
  const { code, out, err } = await conformance('--only', 'claim-status-conflict');

  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('1 kept (Kubernetes v1.36.3, feature gates assumed to be the defaults).') });
  expect(err).toContain('Will try 1 of 1 contracts.');
  expect(err).toMatch(/Creates the namespace dra-conformance-[0-9a-f]{8} and in it/);
  expect(err).toContain('  resourceclaims.resource.k8s.io: create, delete, get, patch, update');
});

test('a broken contract is exit code 1, with evidence', async () => {
  const { code, out } = await conformance('--only', 'immutable-claim-spec');

  expect(code).toBe(1);
  expect(out).toContain('broken    immutable-claim-spec: the spec of a claim cannot be changed');
  expect(out).toContain('- another count was accepted');
  expect(out).toContain('PATCH /apis/resource.k8s.io/v1/namespaces/dra-conformance-');
});

test('nothing tried is no success', async () => {
  expect(await conformance('--only', 'immutable-claim-spec', '--read-only')).toMatchObject({ code: 2, out: expect.stringContaining('creates objects, and the run is read-only:') });
});

test('--plan sends reads and access reviews only', async () => {
  const { code, out } = await conformance('--plan');

  expect(code).toBe(0);
  expect(out).toContain('Permissions that this needs:');
  expect(server.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('selfsubjectaccessreviews'))).toEqual([]);
});

test.each([
  ['json', (out: string) => (JSON.parse(out) as { summary: unknown }).summary, { 'kept': 0, 'broken': 1, 'not-applicable': 0, 'not-tried': 0 }],
  ['junit', (out: string) => /<testsuite name="([^"]+)" tests="1" failures="1" errors="0" skipped="0"/.exec(out)?.[1], 'Immutability'],
  ['html', (out: string) => /<td class="broken">broken<\/td><td><code>([^<]+)/.exec(out)?.[1], 'immutable-claim-spec'],
])('-o %s holds the verdict', async (format, read, expected) => {
  expect(read((await conformance('--only', 'immutable-claim-spec', '-o', format)).out)).toEqual(expected);
});

test('text of the server cannot break the markup or the terminal', async () => {
  server.script(({ method }) => (method === 'PATCH' ? status(422, 'Invalid', '<script>]]>&\u001b[31m') : undefined));
  const args = ['--only', 'immutable-claim-spec'];

  expect((await conformance(...args, '-o', 'html')).out).not.toMatch(/<script>|\u001b/);
  expect((await conformance(...args, '-o', 'junit')).out).not.toMatch(/<script>|\u001b/);
  expect((await conformance(...args)).out).not.toContain('\u001b[31m');
});

test.each([
  [['--only', 'nonsense'], 'no contract or area is called nonsense'],
  [['--context', 'nowhere'], 'no context \'nowhere\''],
])('%j is refused with the way out', async (args, message) => {
  expect(await conformance(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
});

test('a cluster of an unknown version is named, and nothing is tried', async () => {
  server.script(({ path }) => (path === '/version' ? ok({ gitVersion: 'v1.31.2' }) : undefined));

  expect(await conformance()).toMatchObject({ code: 2, err: expect.stringContaining('Kubernetes \'v1.31.2\'') });
  expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('credentials that are refused are named', async () => {
  server.script(() => status(401, 'Unauthorized', 'Unauthorized'));

  expect(await conformance()).toMatchObject({ code: 2, err: 'error: the server does not accept these credentials: Unauthorized. Log in again, or choose another context.\n' });
});

test('--clean removes what earlier runs left', async () => {
  server.put('/api/v1/namespaces/dra-conformance-a', { metadata: { name: 'dra-conformance-a', labels: { [RUN_LABEL]: 'a' } } });

  expect(await conformance('--clean')).toMatchObject({ code: 0, out: 'run a: Namespace dra-conformance-a\n' });
  expect(await conformance('--clean')).toMatchObject({ code: 0, out: 'Nothing is left of earlier runs.\n' });
});

test('--list names every contract once', async () => {
  const { out } = await run(['conformance', '--list', '-o', 'json']);
  const ids = (JSON.parse(out) as readonly { id: string }[]).map(({ id }) => id);

  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the run, and the namespace is removed', async (signal) => {
  // This contract waits for something that the fake never does.
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../bin/dra.js'), 'conformance', '--kubeconfig', kubeconfig, '--only', 'claim-released-without-consumer']);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => { out += chunk.toString(); });
  const ended = new Promise<number | null>((done) => { child.on('close', done); });
  let isSent = false;
  server.script(({ method, path }) => {
    if (!isSent && method === 'GET' && path.includes('/resourceclaims/')) {
      isSent = true;
      child.kill(signal);
    }
    return undefined;
  });

  expect(await ended).toBe(2);
  expect(out).toContain('Ended early: interrupted');
  expect([...server.objects.keys()]).toEqual([]);
});
