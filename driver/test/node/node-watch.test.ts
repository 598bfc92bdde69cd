import { FakeApiServer, status } from '../kube/fake-api-server.js';
import { until } from './kubelet/fake-kubelet.js';
import { KubeClient } from '../../src/kube/kube-client.js';
import type { AgentMode } from '../../src/node/device-state.js';
import { NodeWatch } from '../../src/node/node-watch.js';

let server: FakeApiServer;
let client: KubeClient;
let watch: NodeWatch;
let modes: AgentMode[];
let troubles: unknown[];

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = KubeClient.of(server.connection);
  modes = [];
  troubles = [];
});

afterEach(async () => {
  await watch.stop();
  await client.close();
  await server.stop();
});

function begin(patience?: number): void {
  watch = new NodeWatch({ client, nodeName: 'node-1', family: 'gpu', trouble: (error) => troubles.push(error), ...(patience === undefined ? {} : { patience }) });
  watch.mode.follow((mode) => modes.push(mode));
  watch.start();
}

function putNode(owner: string | undefined, publish?: string, uid = 'uid-1'): void {
  server.put('/api/v1/nodes/node-1', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'node-1',
      uid,
      labels: owner === undefined ? {} : { 'cdk8s-dra.dev/gpu-owner': owner },
      annotations: publish === undefined ? {} : { 'cdk8s-dra.dev/gpu-publish': publish },
    },
  });
}

test('the mode follows label and annotation, and before the first word it is frozen', async () => {
  putNode('dra');
  begin();
  expect(watch.mode.current).toBe('frozen');
  expect(watch.owner).toBe('unknown');

  await until('active', () => watch.mode.current === 'active');
  expect(watch.node.current).toEqual({ name: 'node-1', uid: 'uid-1' });
  expect(watch.owner).toBe('dra');
  putNode('dra', 'frozen');
  await until('frozen', () => watch.mode.current === 'frozen');
  putNode('handover');
  await until('observe', () => watch.mode.current === 'observe');
  expect(watch.owner).toBe('handover');
  putNode(undefined);
  await until('the plugin\'s', () => watch.owner === 'device-plugin');
  putNode('dra', 'on');
  await until('active again', () => watch.mode.current === 'active');

  expect(modes).toEqual(['active', 'frozen', 'observe', 'active']);
});

test('only the own Node is asked for, so that a right to that one is enough', async () => {
  putNode('dra');
  begin();
  await until('a watch', () => server.seen.some(({ query }) => query.watch === 'true'));

  for (const { path, query } of server.seen) {
    expect(path).toBe('/api/v1/nodes');
    expect(query.fieldSelector).toBe('metadata.name=node-1');
  }
});

test('a server that refuses or is away leaves the mode frozen and is asked again', async () => {
  putNode('dra');
  let refusals = 0;
  server.script(({ path }) => (path === '/api/v1/nodes' && refusals++ < 2 ? status(403, 'Forbidden', 'nodes is forbidden') : undefined));
  begin();

  await until('active', () => watch.mode.current === 'active');

  expect(troubles).toHaveLength(2);
  expect(modes).toEqual(['active']);
});

test('a watch that breaks keeps the mode; a silence that lasts freezes it; the next word lifts it', async () => {
  putNode('dra');
  begin(300);
  await until('active', () => watch.mode.current === 'active');

  let isAway = false;
  server.script(({ path }) => (isAway && path === '/api/v1/nodes' ? status(503, 'ServiceUnavailable', 'away') : undefined));
  const watches = () => server.seen.filter(({ query }) => query.watch === 'true').length;
  await until('a watch', () => watches() === 1);
  server.endWatches();
  await until('another watch', () => watches() === 2);
  expect(watch.mode.current).toBe('active');
  isAway = true;
  server.endWatches();
  await until('frozen', () => watch.mode.current === 'frozen');
  expect(watch.owner).toBe('unknown');
  isAway = false;
  await until('active again', () => watch.mode.current === 'active');

  expect(modes).toEqual(['active', 'frozen', 'active']);
});

test('a Node that is gone is frozen; one that comes back under the name is another one', async () => {
  putNode('dra');
  begin();
  await until('active', () => watch.mode.current === 'active');
  const uids: (string | undefined)[] = [];
  watch.node.follow((node) => uids.push(node?.uid));

  await client.delete({ group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }, { name: 'node-1' });
  await until('frozen', () => watch.mode.current === 'frozen');
  putNode('dra', undefined, 'uid-2');
  await until('active again', () => watch.mode.current === 'active');

  expect(uids).toEqual(['uid-2']);
});
