import { createHash } from 'node:crypto';

import { KINDS, RESOURCE_KINDS, servedVersions } from 'cdk8s-dra/model';
import type { ResourceKind, ResourceVersion } from 'cdk8s-dra/model';

import { isApiError } from '../../kube/api-error.js';
import type { Contract } from '../contract.js';
import type { Trial } from '../trial.js';

interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly storageVersionHash?: string;
}

/** Served, in all minors, without anybody switching it on. */
const STABLE: readonly ResourceKind[] = ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'];

export const API_VERSION_CONTRACTS: readonly Contract[] = [
  {
    id: 'api-v1-served',
    area: 'API',
    title: 'resource.k8s.io/v1 is served and preferred, with every kind that needs no switch',
    why: 'All manifests of this project are written in it.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => {
      const { body } = await trial.client.raw({ method: 'GET', path: '/apis/resource.k8s.io' });
      const { preferredVersion } = body as { readonly preferredVersion?: { readonly version?: string } };
      trial.equal('the preferred version', preferredVersion?.version, 'v1');
      const resources = await discover(trial, 'v1') ?? [];
      const expected = RESOURCE_KINDS.filter((kind) => servedVersions(kind, trial.minor).onByDefault.includes('v1'));
      for (const kind of expected) trial.expect(resources.some((one) => one.kind === kind), `${kind} is not served in v1`);
      for (const { name, kind, namespaced } of resources.filter((one) => !one.name.includes('/'))) {
        const known = KINDS[`resource.k8s.io/v1/${kind}`];
        trial.equal(`the plural of ${kind}`, name, known?.plural);
        trial.equal(`whether ${kind} has a namespace`, namespaced, known?.namespaced);
      }
    },
  },
  {
    id: 'api-versions-known',
    area: 'API',
    title: 'no version of a kind is served that this project does not know',
    why: 'Admission policies list the versions they guard; one left out is a way around them.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => {
      const { body } = await trial.client.raw({ method: 'GET', path: '/apis/resource.k8s.io' });
      const { versions = [] } = body as { readonly versions?: readonly { readonly version: string }[] };
      for (const { version } of versions) {
        for (const { kind } of (await discover(trial, version) ?? []).filter(({ name }) => !name.includes('/'))) {
          const known = RESOURCE_KINDS.find((one) => one === kind);
          const served: readonly string[] = known === undefined ? [] : servedVersions(known, trial.facts.programMinor).served;
          trial.expect(served.includes(version), `${kind} is served in ${version}, which is not known`);
        }
        trial.note(`serves ${version}`);
      }
    },
  },
  {
    id: 'api-storage-version',
    area: 'API',
    title: 'objects are stored in a version that the next minor can read',
    why: 'An object stored in a version that is gone after an upgrade cannot be read any more.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => {
      for (const { kind, storageVersionHash } of (await discover(trial, 'v1') ?? []).filter(({ name }) => !name.includes('/'))) {
        const versions: readonly ResourceVersion[] = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'];
        const stored = versions.find((version) => storageHash(version, kind) === storageVersionHash);
        trial.expect(stored !== undefined && stored !== 'v1alpha3', `${kind} is stored in ${stored ?? 'an unknown version'}`);
        trial.note(`${kind} is stored in ${stored ?? 'an unknown version'}`);
      }
    },
  },
  {
    id: 'api-verbs',
    area: 'API',
    title: 'every kind can be listed, watched, applied and deleted one by one and together; claims have a status subresource',
    why: 'Controllers, kubelet (deletecollection of slices) and GitOps engines use all of these.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => {
      const resources = await discover(trial, 'v1') ?? [];
      for (const kind of STABLE) {
        const verbs = resources.find((one) => one.kind === kind && !one.name.includes('/'))?.verbs ?? [];
        const missing = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'].filter((verb) => !verbs.includes(verb));
        trial.expect(missing.length === 0, `${kind} cannot be used with ${missing.join(', ')}`);
      }
      trial.expect(resources.some(({ name }) => name === 'resourceclaims/status'), 'claims have no status subresource');
    },
  },
];

async function discover(trial: Trial, version: string): Promise<readonly DiscoveredResource[] | undefined> {
  try {
    const { body } = await trial.client.raw({ method: 'GET', path: `/apis/resource.k8s.io/${version}` });
    return (body as { readonly resources?: readonly DiscoveredResource[] }).resources ?? [];
  } catch (error) {
    if (!isApiError(error)) throw error;
    trial.faults.push(`resource.k8s.io/${version} cannot be read: ${error.message}`);
    return undefined;
  }
}

/** As discovery computes it: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go. */
function storageHash(version: string, kind: string): string {
  return createHash('sha256').update(`resource.k8s.io/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
