import { contract, QUIET } from './sample-contract.js';
import type { Contract } from '../../src/conformance/contract.js';
import { deviceClass } from '../../src/conformance/manifests.js';
import { planRun } from '../../src/conformance/plan.js';
import type { RunSettings } from '../../src/conformance/plan.js';
import { runPlan } from '../../src/conformance/run.js';
import type { ConformanceReport } from '../../src/conformance/run.js';
import { findLeftovers, removeRun, RUN_LABEL } from '../../src/conformance/scratch.js';
import type { KubeClient } from '../../src/kube/kube-client.js';
import { DEVICE_CLASSES, RESOURCE_CLAIMS } from '../../src/kube/resource.js';
import type { FakeApiServer } from '../kube/fake-api-server.js';
import { ok, status } from '../kube/fake-api-server.js';
import { serverPerTest } from '../kube/server-per-test.js';

const ALL: RunSettings = { readOnly: false, lab: false, only: [] };

let server: FakeApiServer;
let client: KubeClient;

serverPerTest((fake, connected) => { [server, client] = [fake, connected]; });

async function run(
  contracts: readonly Contract[], settings: Partial<RunSettings> = {}, signal = new AbortController().signal,
): Promise<ConformanceReport> {
  return runPlan(client, await planRun(client, contracts, { ...ALL, ...settings }, 'r1'), QUIET, signal);
}

test('a contract without a fault is kept, and nothing stays behind', async () => {
  const { results, stayed } = await run([contract({
    run: async (trial) => {
      await trial.create(DEVICE_CLASSES, deviceClass());
      await trial.create(RESOURCE_CLAIMS, { spec: {}, status: { allocation: {} }, metadata: { finalizers: ['resource.kubernetes.io/delete-protection'] } });
    },
  })]);

  expect(results.map(({ verdict }) => verdict)).toEqual(['kept']);
  expect(stayed).toEqual([]);
  expect([...server.objects.keys()]).toEqual([]);
});

test('everything that is created carries the label of the run, and the prefix where it has no namespace', async () => {
  await run([contract({
    run: async (trial) => {
      await trial.create(DEVICE_CLASSES, deviceClass());
      await trial.create(RESOURCE_CLAIMS, { spec: {} });
    },
  })]);

  const created = server.seen.filter(({ method, path }) => method === 'POST' && !path.includes('accessreviews')).map(({ path, body }) => ({ path, metadata: (body as { metadata: object }).metadata }));
  expect(created).toEqual([
    { path: '/api/v1/namespaces', metadata: { name: 'dra-conformance-r1', labels: expect.objectContaining({ [RUN_LABEL]: 'r1' }) } },
    { path: '/apis/resource.k8s.io/v1/deviceclasses', metadata: { name: 'dra-conformance-r1-sample', labels: expect.objectContaining({ [RUN_LABEL]: 'r1' }) } },
    {
      path: '/apis/resource.k8s.io/v1/namespaces/dra-conformance-r1/resourceclaims',
      metadata: { name: 'sample', namespace: 'dra-conformance-r1', labels: expect.objectContaining({ [RUN_LABEL]: 'r1' }) },
    },
  ]);
});

test.each<[string, Contract['run'], string, string]>([
  ['a fault', async (trial) => trial.expect(false, 'the sky is green'), 'broken', 'the sky is green'],
  ['an error', async () => { throw new TypeError('oops'); }, 'broken', 'stopped early: oops'],
  ['nothing to say', async (trial) => trial.notApplicable('off here'), 'not-applicable', 'off here'],
  ['a missing prerequisite', async (trial) => trial.notTried('no metrics'), 'not-tried', 'no metrics'],
  ['a refusal that was to be a success', async (trial) => { await trial.accepts('it', trial.client.create(DEVICE_CLASSES, { metadata: { name: 'refused' } })); }, 'broken', 'it was refused: no'],
  ['a success that was to be a refusal', async (trial) => { await trial.refuses('it', trial.tryCreate(DEVICE_CLASSES, {})); }, 'broken', 'it was accepted'],
  ['other words', async (trial) => { await trial.refuses('it', trial.client.create(DEVICE_CLASSES, { metadata: { name: 'refused' } }), 'never'); }, 'broken', 'it was refused without the words "never": no'],
  ['a policy of the owner', async (trial) => { await trial.accepts('it', trial.client.create(DEVICE_CLASSES, { metadata: { name: 'guarded' } })); }, 'not-tried', 'the cluster refuses it by a rule of its own: admission webhook "x" denied the request'],
  ['too much time', async (trial) => { await trial.pause(10_000); }, 'broken', 'not done in 0.05 s'],
])('%s gives its verdict with the reason', async (_, work, verdict, reason) => {
  server.script(({ body }) => {
    const name = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;
    if (name === 'guarded') return status(403, 'Forbidden', 'admission webhook "x" denied the request');
    return name === 'refused' ? status(422, 'Invalid', 'no') : undefined;
  });

  const { results } = await run([contract({ run: work, limit: 50 })]);

  expect(results[0]).toMatchObject({ verdict, because: [reason] });
});

test('requests and answers of a contract are kept as evidence, polls once', async () => {
  server.put('/apis/resource.k8s.io/v1/deviceclasses/a', { metadata: { name: 'a' } });
  let asked = 0;
  const { results } = await run([contract({
    run: async (trial) => {
      await trial.eventually('three', async () => (await trial.client.get(DEVICE_CLASSES, { name: 'a' }), ++asked === 3 ? true : undefined));
      await trial.refuses('it', trial.client.get(DEVICE_CLASSES, { name: 'none' }));
    },
  })]);

  expect(results[0]?.evidence).toMatchObject([
    { request: 'GET /apis/resource.k8s.io/v1/deviceclasses/a', status: 200, times: 3 },
    { request: 'GET /apis/resource.k8s.io/v1/deviceclasses/none', status: 404, answer: expect.stringContaining('NotFound') },
  ]);
});

test('a read-only run stores nothing and says what it left out', async () => {
  const { results, plan } = await run([
    contract(),
    contract({ id: 'dry', effect: 'tries', run: async (trial) => { await trial.tryCreate(RESOURCE_CLAIMS, { spec: {} }); } }),
  ], { readOnly: true });

  expect(results.map(({ verdict }) => verdict)).toEqual(['not-tried', 'kept']);
  expect(plan.namespace).toBe('default');
  const writes = server.seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('selfsubjectaccessreviews'));
  expect(writes.map(({ path, query }) => ({ path, query }))).toEqual([{ path: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', query: { dryRun: 'All' } }]);
});

test('a contract for another minor, for a laboratory, or without permission is not run', async () => {
  server.script(({ path, body }) => {
    if (!path.endsWith('/selfsubjectaccessreviews')) return undefined;
    const { resourceAttributes } = (body as { spec: { resourceAttributes: { resource: string } } }).spec;
    return ok({ status: { allowed: resourceAttributes.resource !== 'deviceclasses' } });
  });

  const { results, plan } = await run([
    contract({ id: 'later', since: '1.37' }), contract({ id: 'earlier', until: '1.35' }), contract({ id: 'lab', mode: 'lab' }), contract({ id: 'denied' }),
  ]);

  expect(results.map(({ verdict, because }) => [verdict, because[0]])).toEqual([
    ['not-applicable', 'holds from Kubernetes 1.37 on'],
    ['not-applicable', 'holds up to Kubernetes 1.35'],
    ['not-tried', 'needs a cluster of its own: it makes nodes and devices that pods of others could get (--lab)'],
    ['not-tried', 'this user may not create deviceclasses.resource.k8s.io'],
  ]);
  expect(plan.needs.filter(({ isGranted }) => !isGranted).map(({ need }) => need.resource)).toEqual(['deviceclasses']);
  expect(server.seen.filter(({ path }) => path === '/api/v1/namespaces' ).map(({ method }) => method)).not.toContain('POST');
});

test('a run that is interrupted cleans up, and names what it did not try', async () => {
  const controller = new AbortController();
  const { results, endedEarly, stayed } = await run([
    contract({ run: async (trial) => { await trial.create(DEVICE_CLASSES, deviceClass()); controller.abort(); await trial.pause(10_000); } }),
    contract({ id: 'second' }),
  ], {}, controller.signal);

  expect({ endedEarly, stayed }).toEqual({ endedEarly: 'interrupted', stayed: [] });
  expect(results.map(({ verdict, because }) => [verdict, because[0]])).toEqual([['not-tried', 'interrupted'], ['not-tried', 'interrupted']]);
  expect([...server.objects.keys()]).toEqual([]);
});

test('a cluster that goes away ends the run, and what may have stayed is named', async () => {
  const { results, endedEarly, stayed } = await run([
    contract({ run: async (trial) => { await server.stop(); await trial.create(DEVICE_CLASSES, deviceClass()); } }),
    contract({ id: 'second' }),
  ]);

  expect(results.map(({ verdict }) => verdict)).toEqual(['not-tried', 'not-tried']);
  expect(endedEarly).toContain('the cluster cannot be reached: no answer from');
  expect(stayed).toEqual([expect.stringContaining('everything of run r1: no answer from')]);
});

describe('what an earlier run left', () => {
  function leave(runId: string, created: string): void {
    const metadata = { labels: { [RUN_LABEL]: runId }, creationTimestamp: created };
    server.put(`/api/v1/namespaces/dra-conformance-${runId}`, { metadata: { ...metadata, name: `dra-conformance-${runId}` } });
    server.put(`/apis/resource.k8s.io/v1/deviceclasses/dra-conformance-${runId}-x`, { metadata: { ...metadata, name: `dra-conformance-${runId}-x` } });
  }

  test('is removed when no run lasts that long, and left alone while the run may still go on', async () => {
    leave('dead', '2025-12-31T23:00:00Z');
    leave('young', '2025-12-31T23:50:00Z');

    const { removed } = await run([contract()]);

    expect(removed).toEqual(['DeviceClass dra-conformance-dead-x', 'Namespace dra-conformance-dead']);
    expect([...server.objects.keys()]).toEqual(['/api/v1/namespaces/dra-conformance-young', '/apis/resource.k8s.io/v1/deviceclasses/dra-conformance-young-x']);
  });

  test('is found by label and name both: a foreign object with a copied label is not touched', async () => {
    server.put('/apis/resource.k8s.io/v1/deviceclasses/foreign', { metadata: { name: 'foreign', labels: { [RUN_LABEL]: 'dead' } } });
    leave('dead', '2025-01-01T00:00:00Z');

    expect((await findLeftovers(client)).map(({ run: id, objects }) => [id, objects.length])).toEqual([['dead', 2]]);
    expect(await removeRun(client, 'dead')).toEqual([]);
    expect([...server.objects.keys()]).toEqual(['/apis/resource.k8s.io/v1/deviceclasses/foreign']);
  });

  test('is deleted by uid: an object that was made anew under the name stays', async () => {
    leave('dead', '2025-01-01T00:00:00Z');
    server.script(({ method, path }) => {
      if (method === 'DELETE' && path.endsWith('-x')) server.put(path, { metadata: { name: path.split('/').at(-1) ?? '', uid: 'another' } });
      return undefined;
    });

    expect(await removeRun(client, 'dead')).toEqual(['DeviceClass dra-conformance-dead-x: the UID in the precondition does not match']);
    expect([...server.objects.keys()]).toEqual(['/apis/resource.k8s.io/v1/deviceclasses/dra-conformance-dead-x']);
  });
});
