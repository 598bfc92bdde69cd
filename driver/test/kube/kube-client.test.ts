import type { FakeApiServer } from './fake-api-server.js';
import { ok, status } from './fake-api-server.js';
import { serverPerTest } from './server-per-test.js';
import { ApiError, UnreachableError } from '../../src/kube/api-error.js';
import { serviceAccountUser } from '../../src/kube/connection.js';
import type { Credential } from '../../src/kube/connection.js';
import { KubeClient } from '../../src/kube/kube-client.js';
import { DEVICE_CLASSES, NAMESPACES, RESOURCE_CLAIMS } from '../../src/kube/resource.js';

const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/team/resourceclaims';

let server: FakeApiServer;
let client: KubeClient;

serverPerTest((fake, connected) => { [server, client] = [fake, connected]; });

function claim(name: string, fields: object = {}) {
  return { metadata: { name, namespace: 'team', ...fields }, spec: {} };
}

test('a list is read page by page, and its items get their kind back', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) server.put(`${CLAIMS}/${name}`, claim(name));

  const { items, resourceVersion } = await client.list(RESOURCE_CLAIMS, { namespace: 'team', limit: 2 });

  expect(items.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `ResourceClaim ${name}`));
  expect(server.seen.map(({ query }) => query.continue)).toEqual([undefined, '2', '4']);
  expect(Number(resourceVersion)).toBeGreaterThan(0);
});

test('integers beyond 2^53 arrive and leave with all their digits', async () => {
  const made = await client.create(DEVICE_CLASSES, { metadata: { name: 'x' }, spec: { serial: 9007199254740993n } });

  expect(made.spec).toEqual({ serial: 9007199254740993n });
  expect(await client.get(DEVICE_CLASSES, { name: 'x' })).toMatchObject({ spec: { serial: 9007199254740993n } });
});

test('a dry run is asked for, and stores nothing', async () => {
  await client.create(RESOURCE_CLAIMS, claim('a'), { dryRun: true, fieldValidation: 'Strict', fieldManager: 'me' });

  expect(server.seen[0]?.query).toEqual({ dryRun: 'All', fieldValidation: 'Strict', fieldManager: 'me' });
  expect(await client.find(RESOURCE_CLAIMS, { name: 'a', namespace: 'team' })).toBeUndefined();
});

test.each([
  ['merge', { merge: { spec: { a: 2 } } }, 'application/merge-patch+json', {}],
  ['json', { json: [{ op: 'replace', path: '/spec/a', value: 2 }] }, 'application/json-patch+json', {}],
  ['apply', { apply: { spec: { a: 2 } }, fieldManager: 'me', force: true }, 'application/apply-patch+yaml', { fieldManager: 'me', force: 'true' }],
] as const)('a %s patch says what it is', async (_, patch, contentType, query) => {
  server.put(`${CLAIMS}/a`, { ...claim('a'), spec: { a: 1 } });

  const answer = await client.patch(RESOURCE_CLAIMS, { name: 'a', namespace: 'team' }, patch);

  expect(answer.spec).toEqual({ a: 2 });
  expect(server.seen[0]).toMatchObject({ method: 'PATCH', query, headers: { 'content-type': contentType } });
});

test('a subresource is written under its own path', async () => {
  const stored = server.put(`${CLAIMS}/a`, claim('a'));

  await client.update(RESOURCE_CLAIMS, { ...stored, status: { reservedFor: [] } }, { subresource: 'status' });

  expect(server.seen[0]).toMatchObject({ method: 'PUT', path: `${CLAIMS}/a/status` });
});

test('an update from an old copy is a conflict', async () => {
  const stored = server.put(`${CLAIMS}/a`, claim('a'));
  await client.update(RESOURCE_CLAIMS, stored);

  await expect(client.update(RESOURCE_CLAIMS, stored)).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
});

test('a deletion with the uid of another object deletes nothing', async () => {
  server.put(`${CLAIMS}/a`, claim('a', { uid: 'new' }));

  await expect(client.delete(RESOURCE_CLAIMS, { name: 'a', namespace: 'team' }, { uid: 'old' })).rejects.toMatchObject({ reason: 'Conflict' });
  expect(server.objects.size).toBe(1);
});

test('a refusal carries status, reason, message and causes', async () => {
  const causes = [{ field: 'spec.count', reason: 'FieldValueInvalid', message: 'must be greater than zero' }];
  server.script(() => status(422, 'Invalid', 'claim "a" is invalid', { causes }));

  const error = await client.create(RESOURCE_CLAIMS, claim('a')).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 422, reason: 'Invalid', message: 'claim "a" is invalid', causes, isRetryable: false });
});

test('an answer of a proxy that is no JSON is an error with its text', async () => {
  server.script(() => ({ status: 502, body: '<html>bad gateway</html>' }));

  await expect(client.get(NAMESPACES, { name: 'a' })).rejects.toMatchObject({ status: 502, message: '<html>bad gateway</html>', isRetryable: true });
});

test('a request that is turned away for load is sent again', async () => {
  let turnedAway = 0;
  server.script(() => (turnedAway++ < 2 ? { ...status(429, 'TooManyRequests', 'slow down'), headers: { 'retry-after': '0' } } : undefined));
  server.put(`${CLAIMS}/a`, claim('a'));

  expect(await client.get(RESOURCE_CLAIMS, { name: 'a', namespace: 'team' })).toMatchObject({ metadata: { name: 'a' } });
  expect(server.seen).toHaveLength(3);
});

test('a server that is not there is named, with a way out', async () => {
  const { connection } = server;
  await server.stop();

  const error = await client.get(NAMESPACES, { name: 'a' }).catch((thrown: unknown) => thrown as Error);

  expect(error).toBeInstanceOf(UnreachableError);
  expect((error as Error).message).toBe(`no answer from ${connection.server} (the test): nothing listens there. Is the cluster running, and is it the right context?`);
});

test('a token that is refused is asked for once more', async () => {
  const tokens = ['old', 'new'];
  const connection = {
    ...server.connection,
    credentials: { current: (): Promise<Credential> => Promise.resolve({ token: tokens[0] }), refused: () => { tokens.shift(); } },
  };
  server.script(({ headers }) => (headers.authorization === 'Bearer new' ? ok({ kind: 'Namespace' }) : status(401, 'Unauthorized', 'Unauthorized')));
  const signed = KubeClient.of(connection);

  expect(await signed.get(NAMESPACES, { name: 'a' })).toEqual({ kind: 'Namespace' });
  await signed.close();
});

test('another user is impersonated with the node of a bound token', async () => {
  server.put(`${CLAIMS}/a`, claim('a'));

  await client.as({ ...serviceAccountUser('team', 'driver', 'node-1'), groups: ['a', 'b'] }).get(RESOURCE_CLAIMS, { name: 'a', namespace: 'team' });

  const { headers, rawHeaders = [] } = server.seen[0] ?? {};
  expect(headers?.['impersonate-user']).toBe('system:serviceaccount:team:driver');
  expect(headers?.['impersonate-extra-authentication.kubernetes.io%2fnode-name']).toBe('node-1');
  expect(rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === 'impersonate-group')).toEqual(['a', 'b']);
});

test('warnings of the server are kept', async () => {
  server.script(() => ({ ...ok({}), headers: { warning: '299 - "unknown field \\"spec.x\\"", 299 - "second"' } }));

  expect((await client.raw({ method: 'GET', path: '/x' })).warnings).toEqual(['unknown field "spec.x"', 'second']);
});

test('a request ends with its signal', async () => {
  server.script(() => new Promise(() => undefined));

  await expect(client.get(NAMESPACES, { name: 'a' }, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' });
});
