import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { credentials } from '@grpc/grpc-js';
import type { ClientReadableStream } from '@grpc/grpc-js';

import { until } from './fake-kubelet.js';
import { DRAResourceHealthClient as V1, HealthStatus } from '../../../gen/dra-health/v1/health.js';
import type { NodeWatchResourcesResponse } from '../../../gen/dra-health/v1/health.js';
import { DRAResourceHealthClient as V1alpha1 } from '../../../gen/dra-health/v1alpha1/health.js';
import { FollowedValue } from '../../../src/node/followed-value.js';
import { GrpcEndpoint } from '../../../src/node/kubelet/grpc-endpoint.js';
import { HealthService } from '../../../src/node/kubelet/health-service.js';
import type { KubeletHealth } from '../../../src/node/kubelet/health-service.js';

let folder: string;
let endpoint: GrpcEndpoint | undefined;
let service: HealthService;
let health: FollowedValue<readonly KubeletHealth[]>;
const closing: (() => void)[] = [];

const GOOD: KubeletHealth = { pool: 'node-1', device: 'gpu-0', health: 'healthy', at: 1_700_000_000_500 };
const BAD: KubeletHealth = { pool: 'node-1', device: 'gpu-1', health: 'unhealthy', message: 'DRA350 fell off the bus', at: 1_700_000_000_000 };

async function serve(repeatEvery?: number): Promise<void> {
  service = new HealthService(health, repeatEvery);
  endpoint = await GrpcEndpoint.open(join(folder, 'dra.sock'), service.services);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'health-'));
  health = new FollowedValue<readonly KubeletHealth[]>([GOOD, BAD]);
});

afterEach(async () => {
  service.endAll();
  for (const close of closing.splice(0)) close();
  await endpoint?.close(1000);
  rmSync(folder, { recursive: true });
});

function watch(version: 'v1' | 'v1alpha1'): { readonly stream: ClientReadableStream<NodeWatchResourcesResponse>; readonly lists: NodeWatchResourcesResponse[]; isEnded: boolean } {
  const target = `unix:${join(folder, 'dra.sock')}`;
  const client = version === 'v1' ? new V1(target, credentials.createInsecure()) : new V1alpha1(target, credentials.createInsecure());
  const stream = client.nodeWatchResources({});
  const seen = { stream, lists: [] as NodeWatchResourcesResponse[], isEnded: false };
  stream.on('data', (list: NodeWatchResourcesResponse) => seen.lists.push(list));
  stream.on('error', () => undefined);
  stream.on('end', () => { seen.isEnded = true; });
  closing.push(() => {
    stream.cancel();
    client.close();
  });
  return seen;
}

test.each(['v1', 'v1alpha1'] as const)('%s: kubelet gets the whole list at once and at each change', async (version) => {
  await serve();
  const seen = watch(version);
  await until('the first list', () => seen.lists.length === 1);

  health.set([{ ...GOOD, health: 'unknown' }, BAD]);
  await until('the second list', () => seen.lists.length === 2);

  expect(seen.lists[0]?.devices).toEqual([
    { device: { poolName: 'node-1', deviceName: 'gpu-0' }, health: HealthStatus.HEALTHY, lastUpdatedTime: 1_700_000_000n, healthCheckTimeoutSeconds: 30n, message: '' },
    {
      device: { poolName: 'node-1', deviceName: 'gpu-1' },
      health: HealthStatus.UNHEALTHY,
      lastUpdatedTime: 1_700_000_000n,
      healthCheckTimeoutSeconds: 30n,
      message: 'DRA350 fell off the bus',
    },
  ]);
  expect(seen.lists[1]?.devices.map((device) => device.health)).toEqual([HealthStatus.UNKNOWN, HealthStatus.UNHEALTHY]);
});

test('without any change the list comes again, so that kubelet does not take silence for unknown', async () => {
  await serve(20);
  const seen = watch('v1');

  await until('four lists', () => seen.lists.length >= 4);

  expect(seen.lists[3]).toEqual(seen.lists[0]);
});

test('no devices is an empty list, not silence', async () => {
  health.set([]);
  await serve();
  const seen = watch('v1');

  await until('the first list', () => seen.lists.length === 1);

  expect(seen.lists[0]?.devices).toEqual([]);
});

test('streams end in order when the service ends, and nobody is told any more', async () => {
  await serve(5);
  const seen = [watch('v1'), watch('v1alpha1')];
  await until('both streams', () => seen.every(({ lists }) => lists.length > 0));

  service.endAll();
  await until('both ends', () => seen.every(({ isEnded }) => isEnded));
  const before = seen.map(({ lists }) => lists.length);
  health.set([]);
  await new Promise((resolve) => { setTimeout(resolve, 30); });

  expect(seen.map(({ lists }) => lists.length)).toEqual(before);
});

test('a kubelet that leaves is forgotten', async () => {
  await serve(5);
  const seen = watch('v1');
  await until('the stream', () => seen.lists.length > 0);

  seen.stream.cancel();
  // Would wait for ever if the stream were still counted.
  await endpoint?.close(2 ** 30);
  endpoint = undefined;
  health.set([]);

  expect(seen.lists.at(-1)?.devices).toHaveLength(2);
});

test('a kubelet that does not read gets the newest list when it does, and not each between', async () => {
  const many = (round: number): readonly KubeletHealth[] =>
    Array.from({ length: 256 }, (_, index) => ({ ...GOOD, device: `gpu-${index}`, message: `round ${round} ${'x'.repeat(900)}` }));
  health.set(many(0));
  await serve();
  const seen = watch('v1');
  await until('the first list', () => seen.lists.length === 1);

  seen.stream.pause();
  for (let round = 1; round <= 100; round++) {
    health.set(many(round));
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  seen.stream.resume();
  await until('the last list', () => seen.lists.at(-1)?.devices[0]?.message.startsWith('round 100 ') === true);

  expect(seen.lists.length).toBeLessThan(50);
  expect(seen.lists.at(-1)?.devices).toHaveLength(256);
});
