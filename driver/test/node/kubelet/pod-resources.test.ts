import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { status } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';

import { PodResourcesListerService } from '../../../gen/podresources/v1/podresources.js';
import type { ListPodResourcesResponse, PodResources } from '../../../gen/podresources/v1/podresources.js';
import { GrpcEndpoint } from '../../../src/node/kubelet/grpc-endpoint.js';
import { PodResourcesReader } from '../../../src/node/kubelet/pod-resources.js';

const POD: PodResources = {
  name: 'trainer-0',
  namespace: 'ml',
  containers: [{
    name: 'main',
    devices: [{ resourceName: 'nvidia.com/gpu', deviceIds: ['GPU-1', 'GPU-2'] }],
    dynamicResources: [{
      claimName: 'trainer-0-gpus',
      claimNamespace: 'ml',
      claimResources: [{ cdiDevices: [{ name: 'gpu.example.com/claim=u1' }], driverName: 'gpu.example.com', poolName: 'node-1', deviceName: 'gpu-0', shareId: undefined }],
    }],
  }],
};

let root: string;
let pods: readonly PodResources[];
let calls: number;
let failure: { readonly code: number; readonly message: string } | undefined;
let endpoint: GrpcEndpoint | undefined;
let reader: PodResourcesReader | undefined;
let now: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'k'));
  mkdirSync(join(root, 'pod-resources'));
  pods = [POD];
  calls = 0;
  failure = undefined;
  now = 0;
});

afterEach(async () => {
  reader?.close();
  await endpoint?.close(1000);
  endpoint = undefined;
  rmSync(root, { recursive: true });
});

async function serve(): Promise<void> {
  endpoint = await GrpcEndpoint.open(join(root, 'pod-resources', 'kubelet.sock'), [{
    definition: PodResourcesListerService,
    implementation: {
      list: (_: ServerUnaryCall<object, ListPodResourcesResponse>, done: sendUnaryData<ListPodResourcesResponse>) => {
        calls++;
        if (failure === undefined) done(null, { podResources: [...pods] });
        else done(failure);
      },
      getAllocatableResources: (_: unknown, done: sendUnaryData<unknown>) => done(null, { devices: POD.containers[0]?.devices }),
    },
  }]);
}

function reading(freshFor = 1000): PodResourcesReader {
  reader = new PodResourcesReader({ kubeletRoot: root, freshFor, now: () => now });
  return reader;
}

test('pods come with their claims and with the devices of plugins', async () => {
  await serve();

  expect(await reading().listPods()).toEqual([POD]);
  expect(await reading().listAllocatable()).toEqual([{ resourceName: 'nvidia.com/gpu', deviceIds: ['GPU-1', 'GPU-2'] }]);
});

test('a node full of pods, beyond the usual limit of 4 MiB, is read', async () => {
  // Few and long names: it is the size that counts, and a busy machine reads them within the deadline too.
  pods = Array.from({ length: 250 }, (_, index) => ({ ...POD, name: `${'x'.repeat(20_000)}-${index}` }));
  await serve();

  expect(await reading().listPods()).toHaveLength(250);
});

test('an answer beyond all measure is an error, and no more', async () => {
  pods = [{ ...POD, name: 'x'.repeat(17 * 1024 * 1024) }];
  await serve();

  await expect(reading().listPods()).rejects.toThrow('larger than max');
});

test('who asks at once or soon after shares an answer, who asks later gets a new one', async () => {
  await serve();
  const one = reading(1000);

  await Promise.all([one.listPods(), one.listPods(), one.listPods()]);
  now = 999;
  await one.listPods();
  expect(calls).toBe(1);

  now = 1000;
  pods = [];
  expect(await one.listPods()).toEqual([]);
  expect(calls).toBe(2);
});

test('a failure is told with the words of kubelet and not kept', async () => {
  failure = { code: status.RESOURCE_EXHAUSTED, message: 'rejected by rate limit' };
  await serve();
  const one = reading();

  await expect(one.listPods()).rejects.toThrow('kubelet\'s pod-resources service: 8 RESOURCE_EXHAUSTED: rejected by rate limit');
  failure = undefined;
  expect(await one.listPods()).toEqual([POD]);
});

test('without the socket the error says so at once, and a kubelet that comes is read', async () => {
  const one = reading(0);

  await expect(one.listPods()).rejects.toThrow(`kubelet's pod-resources socket is not there (${join(root, 'pod-resources', 'kubelet.sock')}). Mount it, or look whether kubelet runs.`);
  await serve();
  expect(await one.listPods()).toEqual([POD]);
});

test('a kubelet that restarts is read again', async () => {
  await serve();
  const one = reading(0);
  await one.listPods();
  await endpoint?.close(0);
  await expect(one.listPods()).rejects.toThrow();
  await serve();

  await expect(readAgain(one)).resolves.toEqual([POD]);
});

async function readAgain(one: PodResourcesReader): Promise<readonly PodResources[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await one.listPods();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
  }
}

test('a root too deep for a socket is refused at once', () => {
  expect(() => new PodResourcesReader({ kubeletRoot: `/${'deep/'.repeat(30)}` })).toThrow('at most 107 bytes');
});

test('once it is closed it asks no more, as a connection would keep the process alive', async () => {
  reader = new PodResourcesReader({ kubeletRoot: root });
  reader.close();

  await expect(reader.listPods()).rejects.toThrow('the agent ends');
  await expect(reader.listAllocatable()).rejects.toThrow('the agent ends');
});
