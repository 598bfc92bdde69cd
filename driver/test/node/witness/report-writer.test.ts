import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KubeClient } from '../../../src/kube/kube-client.js';
import type { NodeReportStatus } from '../../../src/node/witness/node-report.js';
import { registeredDrivers } from '../../../src/node/witness/registered-drivers.js';
import { ReportWriter } from '../../../src/node/witness/report-writer.js';
import { FakeApiServer, status } from '../../kube/fake-api-server.js';

const PATH = '/apis/cdk8s-dra.dev/v1alpha1/devicenodereports/gpu.node-1';

let server: FakeApiServer;
let client: KubeClient;
let seen: Partial<NodeReportStatus>;
let writer: ReportWriter;
const outcomes: string[] = [];

beforeEach(async () => {
  server = await FakeApiServer.start();
  client = KubeClient.of(server.connection);
  seen = { owner: 'dra', heldTotal: 0 };
  outcomes.length = 0;
  writer = new ReportWriter({
    client,
    node: { name: 'node-1', uid: 'node-uid' },
    family: 'gpu',
    observe: async () => ({ ...seen }) as NodeReportStatus,
    observer: { wrote: (outcome) => outcomes.push(outcome) },
    date: () => new Date('2026-05-05T05:05:05.999Z'),
    heartbeatEvery: 100,
    settle: 10,
  });
});

afterEach(async () => {
  await writer.stop();
  await client.close();
  await server.stop();
});

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round++) {
    if (round === 500) throw new Error(`not in time: ${JSON.stringify([...server.objects])}`);
    await new Promise((resolve) => { setTimeout(resolve, 10); });
  }
}

function patches(): readonly unknown[] {
  return server.seen.filter(({ method, path }) => method === 'PATCH' && path.startsWith(PATH)).map(({ body }) => (body as { readonly status: unknown }).status);
}

test('a report is made when there is none, owned by the node and named after family and node', async () => {
  writer.start();
  await until(() => outcomes.length > 0);

  expect(server.objects.get(PATH)).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Node', name: 'node-1', uid: 'node-uid' }] },
    spec: { nodeName: 'node-1', family: 'gpu' },
    status: { owner: 'dra', heldTotal: 0, heartbeat: '2026-05-05T05:05:05Z' },
  });
});

test('a heartbeat carries only the time, and a change the whole', async () => {
  writer.start();
  await until(() => outcomes.length >= 3);
  expect(patches().at(-1)).toEqual({ heartbeat: '2026-05-05T05:05:05Z' });

  seen = { owner: 'handover', heldTotal: 1 };
  writer.changed();
  await until(() => patches().some((patch) => (patch as { readonly owner?: string }).owner === 'handover'));
});

test('a report that somebody deleted comes back whole', async () => {
  writer.start();
  await until(() => outcomes.length >= 2);
  server.objects.delete(PATH);

  await until(() => (server.objects.get(PATH) as { readonly status?: { readonly owner?: string } } | undefined)?.status?.owner === 'dra');
});

test('after a failure the whole report is written, since nobody knows what the server has', async () => {
  writer.start();
  await until(() => outcomes.length >= 2);
  let left = 1;
  server.script(({ method }) => (method === 'PATCH' && left-- > 0 ? status(503, 'ServiceUnavailable', 'not now') : undefined));
  await until(() => outcomes.includes('failure'));
  const before = patches().length;
  await until(() => patches().length > before);

  expect(patches()[before]).toMatchObject({ owner: 'dra' });
});

test('registered drivers are the sockets in the registry of kubelet, whatever pod they belong to', async () => {
  const root = await mkdtemp(join(tmpdir(), 'w-'));
  const folder = join(root, 'plugins_registry');
  await import('node:fs/promises').then(({ mkdir }) => mkdir(folder));
  const names = ['gpu.nvidia.com-reg.sock', 'nic-driver.example.com-0a1b2c3d-1111-2222-3333-0123456789ab-reg.sock', 'sim.cdk8s-dra.dev-AbCdEfGh_-1-reg.sock', 'other.sock'];
  const servers = await Promise.all(names.map(async (name) => {
    const one = createServer();
    await new Promise<void>((resolve) => { one.listen(join(folder, name), resolve); });
    return one;
  }));
  await writeFile(join(folder, 'file.example.com-reg.sock'), '');

  expect(await registeredDrivers(root)).toEqual(['gpu.nvidia.com', 'nic-driver.example.com', 'sim.cdk8s-dra.dev']);

  for (const one of servers) one.close();
  await rm(root, { recursive: true });
});
