import { API_GROUP, API_VERSION, gateAt, GATE_NAMES, VIEW_KINDS } from 'cdk8s-dra/model';
import type { Collection, Target, ViewKind } from 'cdk8s-dra/model';

import { readClusterFacts, UnknownClusterError } from '../../conformance/cluster-facts.js';
import type { ClusterFacts } from '../../conformance/cluster-facts.js';
import { ApiError, isApiError, UnreachableError } from '../../kube/api-error.js';
import { KubeClient } from '../../kube/kube-client.js';
import { KubeconfigError } from '../../kube/kubeconfig-error.js';
import type { KubeObject } from '../../kube/object.js';
import type { Resource } from '../../kube/resource.js';
import { clusterConnection } from '../cluster-connection.js';
import type { ClusterOptions } from '../cluster-connection.js';
import { UsageError } from '../command.js';
import { withoutSecrets } from './without-secrets.js';

export interface ClusterObjects {
  /** Sorted by kind, namespace and name. */
  readonly objects: readonly KubeObject[];
  readonly collection: Collection;
  /** What may not be read, for people. */
  readonly refused: readonly string[];
  /** Namespace of the context. */
  readonly namespace: string;
}

/** Reads all objects of the kinds that a view holds; kinds that may not be read are named, not missed in silence. */
export async function readCluster(options: ClusterOptions): Promise<ClusterObjects> {
  return withCluster(options, async (client) => {
    const facts = await readClusterFacts(client);
    return readKinds(client, facts, Object.keys(VIEW_KINDS) as ViewKind[]);
  });
}

/** Works with a cluster; what a person can mend, from the kubeconfig to a refusal, becomes a plain sentence. */
export async function withCluster<T>(options: ClusterOptions, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const client = KubeClient.of(clusterConnection(options));
  try {
    return await work(client);
  } catch (error) {
    const isPlain = error instanceof UnreachableError || error instanceof UnknownClusterError || error instanceof KubeconfigError;
    if (isPlain) throw new UsageError(error.message);
    if (isApiError(error)) throw new UsageError(`the server refused what is needed: ${error.message}`);
    throw error;
  } finally {
    await client.close();
  }
}

/** Reads all objects of some kinds, several kinds at once. */
export async function readKinds(client: KubeClient, facts: ClusterFacts, wanted: readonly ViewKind[]): Promise<ClusterObjects> {
  const answers = await Promise.all(wanted.map(async (kind): Promise<readonly KubeObject[] | ApiError> => {
    try {
      return await listed(client, kind, facts.target);
    } catch (error) {
      if (!isApiError(error) || error.status !== 403) throw error;
      return error;
    }
  }));
  const read = answers.flatMap((answer, index) => (answer instanceof ApiError ? [] : [{ kind: wanted[index] as ViewKind, items: answer }]));
  const featureGates = gatesText(facts);
  return {
    objects: read.flatMap(({ items }) => items).map(withoutSecrets).sort(byIdentity),
    collection: {
      // Under an emulated version that is the one that counts; its patch releases are not what runs.
      serverVersion: facts.minor === facts.programMinor ? facts.version : `v${facts.minor}`,
      kinds: read.map(({ kind }) => kind),
      ...featureGates === undefined ? {} : { featureGates },
    },
    refused: wanted.filter((kind) => !read.some((one) => one.kind === kind)).map((kind) => `${kind}: this user may not list them`),
    namespace: client.connection.namespace,
  };
}

async function listed(client: KubeClient, kind: ViewKind, target: Target): Promise<readonly KubeObject[]> {
  const resource = resourceOf(kind, target);
  if (resource === undefined) return [];
  try {
    // Of the many events of a cluster those of pods are of use.
    const { items } = await client.list(resource, kind === 'Event' ? { fieldSelector: 'involvedObject.kind=Pod' } : {});
    return items;
  } catch (error) {
    // A version that is not served has no objects.
    if (isApiError(error) && error.status === 404) return [];
    throw error;
  }
}

function resourceOf(kind: ViewKind, target: Target): Resource | undefined {
  const group = VIEW_KINDS[kind];
  let version = group === API_GROUP ? API_VERSION : 'v1';
  if (kind === 'DeviceTaintRule') {
    try {
      version = target.apiVersionOf(kind).split('/')[1] ?? version;
    } catch {
      return undefined;
    }
  }
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1).toLowerCase()}ies` : kind.endsWith('ss') ? `${kind.toLowerCase()}es` : `${kind.toLowerCase()}s`;
  return { group, version, plural, kind, namespaced: false };
}

/** Gates of the model that differ from their defaults. */
function gatesText({ gates, minor }: ClusterFacts): string | undefined {
  if (gates === undefined) return undefined;
  return GATE_NAMES.flatMap((name) => {
    const value = gates.get(name);
    const state = gateAt(name, minor);
    return value === undefined || state === undefined || value === state.default ? [] : [`${name}=${value}`];
  }).join(',');
}

function byIdentity(a: KubeObject, b: KubeObject): number {
  const left = [a.kind, a.metadata?.namespace, a.metadata?.name].join('\n');
  const right = [b.kind, b.metadata?.namespace, b.metadata?.name].join('\n');
  return left < right ? -1 : left > right ? 1 : 0;
}
