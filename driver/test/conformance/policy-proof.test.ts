import { contract, QUIET } from './sample-contract.js';
import { planRun } from '../../src/conformance/plan.js';
import { POLICY_NEEDS, provePolicy } from '../../src/conformance/policy/policy-proof.js';
import type { PolicyCase } from '../../src/conformance/policy/policy-proof.js';
import { runPlan } from '../../src/conformance/run.js';
import { serviceAccountUser } from '../../src/kube/connection.js';
import type { KubeClient } from '../../src/kube/kube-client.js';
import { RESOURCE_SLICES } from '../../src/kube/resource.js';
import { status } from '../kube/fake-api-server.js';
import type { FakeApiServer } from '../kube/fake-api-server.js';
import { serverPerTest } from '../kube/server-per-test.js';

const DRIVER = serviceAccountUser('dra-conformance-r1', 'driver', 'node-1');

let server: FakeApiServer;
let client: KubeClient;

serverPerTest((fake, connected) => { [server, client] = [fake, connected]; });

function slice(name: string, refused?: readonly string[]): PolicyCase {
  return {
    what: `slice ${name}`, as: DRIVER, send: (as) => as.create(RESOURCE_SLICES, { metadata: { name } }, { dryRun: true }), ...(refused === undefined ? {} : { refused }),
  };
}

/** The policy refuses slices that are called `bad`, from its `after`th request on. */
async function prove(cases: readonly PolicyCase[], after = 0): Promise<readonly string[]> {
  let requests = 0;
  server.script(({ path, body, headers }) => {
    if (!path.endsWith('/resourceslices') || headers['impersonate-user'] !== DRIVER.user || ++requests <= after) return undefined;
    const { metadata } = body as { metadata: { name: string } };
    return metadata.name === 'bad' ? status(422, 'Invalid', 'denied request: not of this node') : undefined;
  });
  const proof = contract({
    needs: POLICY_NEEDS,
    limit: 60_000,
    run: async (trial) => provePolicy(trial, { account: 'driver', policy: { validations: [] }, clusterRules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], cases }),
  });
  const { results } = await runPlan(client, await planRun(client, [proof], { readOnly: false, lab: false, only: [] }, 'r1'), QUIET, new AbortController().signal);
  return results[0]?.because ?? [];
}

test('what must pass passes and what must fail fails with the promised words', async () => {
  expect(await prove([slice('good'), slice('bad', ['not of this node'])])).toEqual([]);
});

test('a policy that takes effect late is waited for', async () => {
  expect(await prove([slice('good'), slice('bad', ['not of this node'])], 4)).toEqual([]);
});

test('a request that passes and must not is a fault', async () => {
  expect(await prove([slice('good'), slice('bad', ['not of this node']), slice('ugly', ['not of this node'])])).toEqual(['slice ugly was accepted']);
});

test('a request that fails and must not is a fault', async () => {
  expect(await prove([slice('good'), slice('bad')])).toEqual(['slice bad was refused: denied request: not of this node']);
});

test('nothing of the proof stays', async () => {
  await prove([slice('good')]);

  expect([...server.objects.keys()]).toEqual([]);
  const kinds = server.seen.filter(({ method, path }) => method === 'DELETE' && !path.startsWith('/api/')).map(({ path }) => path.split('/').at(-2));
  expect(kinds).toEqual(['validatingadmissionpolicybindings', 'validatingadmissionpolicies', 'clusterrolebindings', 'clusterroles']);
});
