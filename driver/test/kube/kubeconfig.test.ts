import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inClusterConnection } from '../../src/kube/in-cluster.js';
import { kubeconfigConnection } from '../../src/kube/kubeconfig.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const CLUSTER = { name: 'c', cluster: { server: 'https://example.com:6443/' } };
const CONTEXT = { name: 'x', context: { cluster: 'c', user: 'u', namespace: 'team' } };

function config(user: object, cluster: object = {}): object {
  return {
    'current-context': 'x', 'contexts': [CONTEXT], 'clusters': [{ name: 'c', cluster: { ...CLUSTER.cluster, ...cluster } }], 'users': [{ name: 'u', user }],
  };
}

test('a token, the server without its last slash, and the namespace are taken from the context', async () => {
  const connection = kubeconfigConnection({ file: file('a', config({ token: 't' })), environment: {} });

  expect(connection).toMatchObject({ server: 'https://example.com:6443', namespace: 'team', insecure: false });
  expect(await connection.credentials.current()).toMatchObject({ token: 't' });
});

test('certificates are read from data, or from files beside the kubeconfig', async () => {
  file('ca.pem', 'CA');
  file('key.pem', 'KEY');
  const user = { 'client-certificate-data': Buffer.from('CERT').toString('base64'), 'client-key': 'key.pem' };
  const connection = kubeconfigConnection({ file: file('a', config(user, { 'certificate-authority': 'ca.pem', 'tls-server-name': 'kube' })), environment: {} });

  expect(connection).toMatchObject({ ca: 'CA', tlsServerName: 'kube' });
  expect(await connection.credentials.current()).toMatchObject({ cert: 'CERT', key: 'KEY' });
});

test('an empty path is refused, and does not stand for the usual file', () => {
  const environment = { KUBECONFIG: file('a', config({ token: 't' })) };

  expect(() => kubeconfigConnection({ file: '', environment })).toThrow('the kubeconfig has an empty path: is a variable unset? Name a file, or leave the option out for the usual one.');
});

test('of several files the first that has an entry counts, and missing ones are no mistake', () => {
  const first = file('first', { contexts: [CONTEXT], users: [{ name: 'u', user: { token: 'first' } }] });
  const second = file('second', { ...config({ token: 'second' }), 'current-context': 'x' });

  const connection = kubeconfigConnection({ environment: { KUBECONFIG: `${join(folder, 'none')}:${first}:${second}` } });

  expect(connection).toMatchObject({ server: 'https://example.com:6443', origin: `context 'x' of ${first}` });
});

test('a user that acts as another is known by both', () => {
  const { impersonate } = kubeconfigConnection({ file: file('a', config({ 'token': 't', 'as': 'jane', 'as-groups': ['dev'], 'as-user-extra': { scope: ['a'] } })), environment: {} });

  expect(impersonate).toEqual({ user: 'jane', groups: ['dev'], extra: { scope: ['a'] } });
});

test('a token file is read for each request', async () => {
  file('token', 'one\n');
  const { credentials } = kubeconfigConnection({ file: file('a', config({ tokenFile: 'token' })), environment: {} });

  expect(await credentials.current()).toMatchObject({ token: 'one' });
  file('token', 'two');
  expect(await credentials.current()).toMatchObject({ token: 'two' });
});

function plugin(script: string, fields: object = {}): object {
  chmodSync(file('login', `#!/bin/sh\n${script}\n`), 0o755);
  return { exec: { command: './login', apiVersion: 'client.authentication.k8s.io/v1', ...fields } };
}

test('an exec plugin gives the credential once, until it is refused', async () => {
  const script = `echo run >> ${join(folder, 'runs')}; printf '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s-%s"}}' "$1" "$EXTRA"`;
  const user = plugin(script, { args: ['a'], env: [{ name: 'EXTRA', value: 'b' }] });
  const { credentials } = kubeconfigConnection({ file: file('a', config(user)), environment: { PATH: process.env.PATH } });

  expect(await credentials.current()).toEqual({ token: 'a-b', cert: undefined, key: undefined });
  await credentials.current();
  credentials.refused();
  await credentials.current();
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\nrun\n');
});

test('an exec plugin is told the cluster when it asks', async () => {
  const script = 'printf \'{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}\' "$(echo "$KUBERNETES_EXEC_INFO" | base64 | tr -d \'\\n\')"';
  const user = plugin(script, { provideClusterInfo: true });
  const { credentials } = kubeconfigConnection({ file: file('a', config(user)), environment: { PATH: process.env.PATH } });

  const info = JSON.parse(Buffer.from((await credentials.current()).token ?? '', 'base64').toString('utf8')) as { spec: { cluster: { server: string } } };
  expect(info.spec.cluster.server).toBe('https://example.com:6443/');
});

test('a credential that ends soon is asked for again', async () => {
  const script = `echo run >> ${join(folder, 'runs')}; echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t","expirationTimestamp":"2020-01-01T00:00:00Z"}}'`;
  const { credentials } = kubeconfigConnection({ file: file('a', config(plugin(script))), environment: { PATH: process.env.PATH } });
  await credentials.current();
  await credentials.current();

  const { readFileSync } = await import('node:fs');
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\nrun\n');
});

test.each([
  ['exit 3', 'failed with code 3'],
  ['echo denied >&2; exit 1', 'failed with code 1: denied'],
  ['echo hello', 'printed no JSON'],
  ['echo null', 'answered in undefined'],
  ['echo \'{"apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t"}}\'', 'answered in client.authentication.k8s.io/v1beta1'],
  ['echo \'{"apiVersion":"client.authentication.k8s.io/v1","status":{}}\'', 'gave neither a token nor a certificate'],
])('a plugin that does "%s" is named with what it did', async (script, message) => {
  const { credentials } = kubeconfigConnection({ file: file('a', config(plugin(script))), environment: { PATH: process.env.PATH } });

  await expect(credentials.current()).rejects.toThrow(message);
});

test('a plugin that is not installed is named with its hint', async () => {
  const user = { exec: { command: 'no-such-plugin-anywhere', apiVersion: 'client.authentication.k8s.io/v1', installHint: 'Install it from example.com.' } };
  const { credentials } = kubeconfigConnection({ file: file('a', config(user)), environment: { PATH: process.env.PATH } });

  await expect(credentials.current()).rejects.toThrow('the credential plugin no-such-plugin-anywhere is not installed. Install it from example.com.');
});

test.each([
  ['[', 'is no YAML'],
  ['just text', 'holds no settings'],
  [{ contexts: [CONTEXT] }, 'no current context in'],
  [{ kind: 'DeviceClass' }, 'It names no context at all: is it a kubeconfig?'],
  [{ 'current-context': 'y', 'contexts': [CONTEXT] }, 'Choose one: --context x'],
  [{ 'current-context': 'x', 'contexts': [CONTEXT] }, 'names cluster \'c\', which is not in'],
  [{ 'current-context': 'x', 'contexts': [CONTEXT], 'clusters': [CLUSTER] }, 'names user \'u\', which is not in'],
  [config({ token: 't' }, { server: 'example.com' }), 'has no server address'],
  [config({ 'client-key-data': 'a' }), 'has a client key without a certificate'],
  [config({ 'client-certificate': 'none.pem' }), 'cannot read client-certificate of \'u\''],
  [config({ 'auth-provider': { name: 'oidc' } }), 'auth provider \'oidc\', which is not supported. Use an exec plugin'],
  [config({ exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } }), 'Use client.authentication.k8s.io/v1 or v1beta1'],
])('a kubeconfig like %j is refused with the way out', (content, message) => {
  expect(() => kubeconfigConnection({ file: file('a', content), environment: {} })).toThrow(message);
});

test('a file that was named must be there', () => {
  expect(() => kubeconfigConnection({ file: join(folder, 'none'), environment: {} })).toThrow('no such file');
  expect(() => kubeconfigConnection({ file: folder, environment: {} })).toThrow('it is a folder');
  expect(() => kubeconfigConnection({ environment: { HOME: folder } })).toThrow('Name one with --kubeconfig');
});

test('in a pod the mounted token, authority and namespace are used', async () => {
  file('token', 't');
  file('ca.crt', 'CA');
  file('namespace', 'team\n');
  const connection = inClusterConnection({ KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }, folder);

  expect(connection).toMatchObject({ server: 'https://[fd00::1]:6443', namespace: 'team', ca: 'CA' });
  expect(await connection?.credentials.current()).toEqual({ token: 't' });
  expect(inClusterConnection({}, folder)).toBeUndefined();
});
