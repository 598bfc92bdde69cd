import type { FakeApiServer } from './fake-api-server.js';
import { serverPerTest } from './server-per-test.js';
import type { KubeClient } from '../../src/kube/kube-client.js';
import { RESOURCE_CLAIMS } from '../../src/kube/resource.js';

const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/team/resourceclaims';

let server: FakeApiServer;
let client: KubeClient;

serverPerTest((fake, connected) => { [server, client] = [fake, connected]; });

test('a watch begins after the list, shows changes and bookmarks, and ends when the server ends it', async () => {
  server.put(`${CLAIMS}/old`, { metadata: { name: 'old' } });
  const { resourceVersion } = await client.list(RESOURCE_CLAIMS);
  server.put(`${CLAIMS}/new`, { metadata: { name: 'new' } });
  const events: string[] = [];

  for await (const { type, object } of client.watch(RESOURCE_CLAIMS, { resourceVersion })) {
    events.push(`${type} ${object.metadata?.name ?? ''}`);
    if (events.length === 1) server.bookmark();
    if (type === 'BOOKMARK') server.endWatches();
  }

  expect(events).toEqual(['ADDED new', 'BOOKMARK ']);
  expect(server.seen.at(-1)?.query).toMatchObject({ watch: 'true', allowWatchBookmarks: 'true', resourceVersion });
});

test('a resource version that is gone is thrown as expired', async () => {
  server.compacted = 1000;
  const events = client.watch(RESOURCE_CLAIMS, { resourceVersion: '5' });

  await expect(events.next()).rejects.toMatchObject({ status: 410, reason: 'Expired', message: 'too old resource version: 5' });
});

test('a watch whose other side has gone silent is given up', async () => {
  server.isFrozen = true;
  const events = client.watch(RESOURCE_CLAIMS, { silence: 60 });
  setTimeout(() => server.put(`${CLAIMS}/unseen`, { metadata: { name: 'unseen' } }), 10);

  await expect(events.next()).rejects.toThrow('the watch was silent for 0.06 s; its connection is taken for dead');
});

test('a reader that stops ends the connection', async () => {
  server.put(`${CLAIMS}/a`, { metadata: { name: 'a' } });
  for await (const event of client.watch(RESOURCE_CLAIMS, { resourceVersion: '1' })) {
    expect(event.type).toBe('ADDED');
    break;
  }

  await client.close();
});

test('an object of many megabytes that arrives in pieces is one event', async () => {
  const text = 'ü'.repeat(1024 * 1024);
  server.put(`${CLAIMS}/a`, { metadata: { name: 'a' }, text });

  const { value } = await client.watch(RESOURCE_CLAIMS, { resourceVersion: '1' }).next();

  expect((value as { object: { text: string } }).object.text).toBe(text);
});
