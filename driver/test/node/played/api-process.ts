/**
 * For the bench: the played API server as a process of its own, so that its work is not in the times of whoever calls the driver.
 *
 * Claims need not be made: `/claim-<n>` is a claim of device n of the fleet. What is asked comes by messages.
 */
import { PLAYED_DRIVER, PLAYED_NODE } from './played-node.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { FakeApiServer, ok } from '../../kube/fake-api-server.js';

const server = await FakeApiServer.start();
server.put('/api/v1/nodes/node-1', PLAYED_NODE);
server.script(({ path }) => {
  const [, name, number] = /\/namespaces\/bench\/resourceclaims\/(claim-(\d+)(?:-\d+)?)$/.exec(path) ?? [];
  return name === undefined ? undefined : ok(claim(name, `gpu-${number}`));
});

/** The name of a claim is also how its UID ends. */
function claim(name: string, device: string): object {
  const results = [{ request: 'gpu', driver: PLAYED_DRIVER, pool: 'node-1', device }];
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'bench', uid: `uid-${name}`, resourceVersion: '1' },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'sim', allocationMode: 'ExactCount', count: 1 } }] } },
    status: { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name, uid: `uid-pod-${name}` }] },
  };
}

type Slice = KubeObject & { readonly spec: { readonly devices?: readonly unknown[] } };
const slicePaths = (): string[] => [...server.objects.keys()].filter((path) => path.includes('/resourceslices/'));

const ANSWERS: { readonly [question: string]: (argument?: string) => unknown } = {
  url: () => server.connection.server,
  /** Devices of each slice. */
  slices: () => slicePaths().map((path) => (server.objects.get(path) as Slice).spec.devices?.length ?? 0),
  /** Removes a slice, or all, as somebody else would, and returns how many. */
  removeSlices: async (most = 'all') => {
    const paths = slicePaths().slice(0, most === 'all' ? undefined : Number(most));
    for (const path of paths) await fetch(`${server.connection.server}${path}`, { method: 'DELETE' });
    return paths.length;
  },
  /** Writes to slices since the last time it was asked; a dry run is none. */
  sliceWrites: () => {
    const writes = server.seen.filter(({ method, path, query }) => method !== 'GET' && path.includes('/resourceslices') && query.dryRun === undefined);
    server.seen.length = 0;
    return writes.length;
  },
};

// Nobody asks what was seen long ago.
setInterval(() => { if (server.seen.length > 20_000) server.seen.length = 0; }, 1000).unref();
process.on('message', async ({ id, question, argument }: { readonly id: number; readonly question: string; readonly argument?: string }) => {
  process.send!({ id, answer: await ANSWERS[question]!(argument) });
});
process.on('disconnect', () => process.exit());
