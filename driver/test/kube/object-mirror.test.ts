import { setTimeout as sleep } from 'node:timers/promises';

import type { FakeApiServer } from './fake-api-server.js';
import { serverPerTest } from './server-per-test.js';
import type { KubeClient } from '../../src/kube/kube-client.js';
import { ObjectMirror } from '../../src/kube/object-mirror.js';
import { RESOURCE_CLAIMS } from '../../src/kube/resource.js';

let server: FakeApiServer;
let client: KubeClient;

serverPerTest((fake, connected) => { [server, client] = [fake, connected]; });

/** Requests within a time that is long for a server on the same machine. */
async function requestsOf(milliseconds: number): Promise<{ readonly lists: number; readonly watches: number; readonly troubles: number }> {
  let troubles = 0;
  const mirror = new ObjectMirror(client, RESOURCE_CLAIMS, {}, { changed: () => undefined, trouble: () => { troubles++; } });
  mirror.start();
  await sleep(milliseconds);
  await mirror.stop();
  const watches = server.seen.filter(({ query }) => query.watch === 'true').length;
  return { lists: server.seen.length - watches, watches, troubles };
}

test('a server that lists and refuses each watch is asked ever more rarely', async () => {
  server.script(({ query }) => (query.watch === 'true' ? { status: 403, body: { kind: 'Status', reason: 'Forbidden', message: 'watch is forbidden' } } : undefined));

  const { lists, watches, troubles } = await requestsOf(3000);

  expect(lists).toBeLessThan(8);
  // The end may come between a list and its watch, or between a watch and its trouble.
  expect([lists, lists - 1]).toContain(watches);
  expect([watches, watches - 1]).toContain(troubles);
});

test('a server that ends each watch at once is not asked all the time', async () => {
  server.script(({ query }) => (query.watch === 'true' ? { status: 200, body: '' } : undefined));

  const { watches } = await requestsOf(3000);

  expect(watches).toBeGreaterThan(1);
  expect(watches).toBeLessThan(8);
});

test('a watch that was silent holds no connection any more', async () => {
  server.isFrozen = true;
  await expect(client.watch(RESOURCE_CLAIMS, { silence: 60 }).next()).rejects.toThrow('the watch was silent');
  await sleep(300);

  expect(server.openWatches).toBe(0);
});
