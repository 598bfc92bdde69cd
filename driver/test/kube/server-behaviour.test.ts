/**
 * What the fake shares with a real API server: the same facts of both.
 *
 * The real one is tried when DRA_TEST_KUBECONFIG names its kubeconfig; it gets a namespace that is deleted at the end.
 */
import { FakeApiServer } from './fake-api-server.js';
import type { Connection } from '../../src/kube/connection.js';
import { KubeClient } from '../../src/kube/kube-client.js';
import { kubeconfigConnection } from '../../src/kube/kubeconfig.js';
import type { KubeObject } from '../../src/kube/object.js';
import { NAMESPACES, RESOURCE_CLAIMS } from '../../src/kube/resource.js';

interface TestedServer {
  readonly connection: Connection;
  stop(): Promise<void>;
}

const REAL = process.env.DRA_TEST_KUBECONFIG;
const SERVERS: readonly (readonly [string, () => Promise<TestedServer>])[] = [
  ['the fake', () => FakeApiServer.start()],
  ...(REAL === undefined ? [] : [['a real server', async () => ({
    connection: kubeconfigConnection({ file: REAL, environment: {} }), stop: () => Promise.resolve(),
  })] as const]),
];

describe.each(SERVERS)('on %s', (_, start) => {
  const namespace = `behaviour-${process.pid}`;
  let server: TestedServer;
  let client: KubeClient;

  beforeAll(async () => {
    server = await start();
    client = KubeClient.of(server.connection);
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  });

  afterAll(async () => {
    await client.delete(NAMESPACES, { name: namespace });
    await client.close();
    await server.stop();
  });

  function claim(name: string, metadata: object = {}): KubeObject {
    return {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name, namespace, ...metadata },
      spec: { devices: { requests: [{ name: 'device', exactly: { deviceClassName: 'none' } }] } },
    };
  }

  test('a name is taken once', async () => {
    await client.create(RESOURCE_CLAIMS, claim('twice'));

    await expect(client.create(RESOURCE_CLAIMS, claim('twice'))).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });
  });

  test('an object that is not there is 404', async () => {
    await expect(client.get(RESOURCE_CLAIMS, { name: 'none', namespace })).rejects.toMatchObject({ status: 404, reason: 'NotFound' });
    await expect(client.delete(RESOURCE_CLAIMS, { name: 'none', namespace })).rejects.toMatchObject({ status: 404 });
  });

  test('an update from an old copy is a conflict', async () => {
    const old = await client.create(RESOURCE_CLAIMS, claim('old'));
    await client.patch(RESOURCE_CLAIMS, { name: 'old', namespace }, { merge: { metadata: { labels: { a: 'b' } } } });

    await expect(client.update(RESOURCE_CLAIMS, old)).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  });

  test('a deletion with another uid is a conflict', async () => {
    await client.create(RESOURCE_CLAIMS, claim('uid'));

    await expect(client.delete(RESOURCE_CLAIMS, { name: 'uid', namespace }, { uid: 'another' })).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  });

  test('a dry run answers and stores nothing', async () => {
    expect(await client.create(RESOURCE_CLAIMS, claim('dry'), { dryRun: true })).toMatchObject({ metadata: { name: 'dry', uid: expect.any(String) } });
    expect(await client.find(RESOURCE_CLAIMS, { name: 'dry', namespace })).toBeUndefined();
  });

  test('a finalizer holds a deleted object, and it goes with the last one', async () => {
    const name = { name: 'held', namespace };
    await client.create(RESOURCE_CLAIMS, claim('held', { finalizers: ['example.com/hold'] }));
    await client.delete(RESOURCE_CLAIMS, name);

    expect((await client.get(RESOURCE_CLAIMS, name)).metadata?.deletionTimestamp).toEqual(expect.any(String));
    await client.patch(RESOURCE_CLAIMS, name, { merge: { metadata: { finalizers: null } } });
    expect(await client.find(RESOURCE_CLAIMS, name)).toBeUndefined();
  });

  test('status and spec are written each under its own path', async () => {
    const made = await client.create(RESOURCE_CLAIMS, claim('status'));
    const allocation = { devices: { results: [{ request: 'device', driver: 'd.example.com', pool: 'p', device: 'x' }] } };

    const byStatus = await client.update(RESOURCE_CLAIMS, { ...made, status: { allocation } }, { subresource: 'status' });
    expect(byStatus.status).toEqual({ allocation });
    const byObject = await client.update(RESOURCE_CLAIMS, { ...byStatus, status: {} });
    expect(byObject.status).toEqual({ allocation });
  });

  test('a merge patch with null removes a field', async () => {
    await client.create(RESOURCE_CLAIMS, claim('patched', { labels: { a: '1', b: '2' } }));

    const answer = await client.patch(RESOURCE_CLAIMS, { name: 'patched', namespace }, { merge: { metadata: { labels: { a: null } } } });
    expect(answer.metadata?.labels).toEqual({ b: '2' });
  });

  test('lists take labels and come in pages', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) await client.create(RESOURCE_CLAIMS, claim(name, { labels: { page: 'yes' } }));

    const { items } = await client.list(RESOURCE_CLAIMS, { namespace, labelSelector: 'page=yes', limit: 2 });
    expect(items.map(({ kind, metadata }) => `${kind} ${metadata?.name}`)).toEqual(['ResourceClaim page-a', 'ResourceClaim page-b', 'ResourceClaim page-c']);
    expect((await client.list(RESOURCE_CLAIMS, { namespace, labelSelector: 'page' })).items).toHaveLength(3);
  });

  test('a watch goes on where a list ended', async () => {
    const { resourceVersion } = await client.list(RESOURCE_CLAIMS, { namespace });
    const name = { name: 'watched', namespace };
    await client.create(RESOURCE_CLAIMS, claim('watched'));
    await client.patch(RESOURCE_CLAIMS, name, { merge: { metadata: { labels: { a: 'b' } } } });
    await client.delete(RESOURCE_CLAIMS, name);
    const seen: string[] = [];

    for await (const { type, object } of client.watch(RESOURCE_CLAIMS, { namespace, resourceVersion })) {
      seen.push(`${type} ${object.metadata?.name}`);
      if (type === 'DELETED') break;
    }

    expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
  });
});
