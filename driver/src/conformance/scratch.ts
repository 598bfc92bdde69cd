import { isApiError } from '../kube/api-error.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { KubeObject } from '../kube/object.js';
import {
  apiVersionOf, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, DEVICE_CLASSES, NAMESPACES, NODES, PODS, RESOURCE_CLAIMS, RESOURCE_SLICES, TAINT_RULES,
  VALIDATING_ADMISSION_POLICIES, VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '../kube/resource.js';
import type { Resource } from '../kube/resource.js';

/** On every object of a run; its value is the run. */
export const RUN_LABEL = 'cdk8s-dra.dev/conformance';
/** Every object without a namespace begins with this. */
export const NAME_PREFIX = 'dra-conformance-';

/** Kinds without a namespace that contracts may create, in the order of their deletion: a policy before what it could refuse, users before roles. */
export const CLUSTER_KINDS: readonly Resource[] = [
  VALIDATING_ADMISSION_POLICY_BINDINGS, VALIDATING_ADMISSION_POLICIES, ...TAINT_RULES,
  RESOURCE_SLICES, DEVICE_CLASSES, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, NODES,
];

/** What a run owns, and how it goes away again. */
export class Scratch {
  public readonly namespace: string;
  private readonly labels: Readonly<Record<string, string>>;

  public constructor(private readonly client: KubeClient, public readonly run: string) {
    this.namespace = `${NAME_PREFIX}${run}`;
    this.labels = { [RUN_LABEL]: run, 'app.kubernetes.io/managed-by': 'kubectl-dra' };
  }

  /** A name for an object without a namespace. */
  public name(suffix: string): string {
    return `${NAME_PREFIX}${this.run}-${suffix}`;
  }

  /** The object with kind, label, and the scratch namespace where its kind has one. */
  public owned(resource: Resource, object: KubeObject): KubeObject {
    const { namespace: _, ...metadata } = object.metadata ?? {};
    return {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      ...object,
      metadata: { ...metadata, ...(resource.namespaced ? { namespace: this.namespace } : {}), labels: { ...metadata.labels, ...this.labels } },
    };
  }

  public async open(): Promise<KubeObject> {
    return this.client.create(NAMESPACES, this.owned(NAMESPACES, { metadata: { name: this.namespace } }));
  }

  /** Deletes all objects of this run. */
  public async close(): Promise<readonly string[]> {
    return removeRun(this.client, this.run);
  }
}

/** Objects of a run that ended without cleaning up, or still goes on. */
export interface Leftover {
  readonly run: string;
  readonly objects: readonly { readonly resource: Resource; readonly object: KubeObject }[];
  /** Time of the server when the first was made. */
  readonly since: string;
}

/** Everything that other runs left, by run. Kinds that may not be listed are left out. */
export async function findLeftovers(client: KubeClient, except?: string): Promise<readonly Leftover[]> {
  const runs = new Map<string, { resource: Resource; object: KubeObject }[]>();
  for (const resource of [...CLUSTER_KINDS, NAMESPACES]) {
    for (const object of await listOwned(client, resource, RUN_LABEL)) {
      const run = object.metadata?.labels?.[RUN_LABEL] ?? '';
      if (run !== except) runs.set(run, [...runs.get(run) ?? [], { resource, object }]);
    }
  }
  return [...runs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([run, objects]) => ({
    run,
    objects,
    since: objects.map(({ object }) => object.metadata?.creationTimestamp ?? '').sort()[0] ?? '',
  }));
}

/** Deletes what a run made; the names of objects that stayed, with the reason. */
export async function removeRun(client: KubeClient, run: string): Promise<readonly string[]> {
  const stayed: string[] = [];
  const selector = `${RUN_LABEL}=${run}`;
  for (const resource of [...CLUSTER_KINDS, NAMESPACES]) {
    for (const object of await listOwned(client, resource, selector)) {
      const { name = '', uid } = object.metadata ?? {};
      try {
        if (resource === NAMESPACES) await releaseClaims(client, name);
        await client.delete(resource, { name }, { uid, propagationPolicy: 'Background' });
      } catch (error) {
        if (!isApiError(error)) throw error;
        if (error.status !== 404) stayed.push(`${resource.kind} ${name}: ${error.message}`);
      }
    }
  }
  return stayed;
}

/** Label and name prefix both: a label can be copied onto a foreign object, with a template or by hand. */
async function listOwned(client: KubeClient, resource: Resource, labelSelector: string): Promise<readonly KubeObject[]> {
  try {
    const { items } = await client.list(resource, { labelSelector });
    return items.filter(({ metadata }) => metadata?.name?.startsWith(NAME_PREFIX) === true);
  } catch (error) {
    if (isApiError(error) && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/** Allocations that were written by hand hold their claims, and the namespace, until the claim controller looks; it may be down. */
async function releaseClaims(client: KubeClient, namespace: string): Promise<void> {
  for (const pod of await listIn(client, PODS, namespace)) {
    await ignoreMissing(client.delete(PODS, { name: pod.metadata?.name ?? '', namespace }, { gracePeriodSeconds: 0 }));
  }
  for (const claim of await listIn(client, RESOURCE_CLAIMS, namespace)) await releaseClaim(client, claim);
}

async function releaseClaim(client: KubeClient, { metadata, status }: KubeObject): Promise<void> {
  const name = { name: metadata?.name ?? '', namespace: metadata?.namespace };
  if (status !== undefined && Object.keys(status as object).length > 0) {
    await ignoreMissing(client.patch(RESOURCE_CLAIMS, name, { merge: { status: null } }, { subresource: 'status' }));
  }
  if ((metadata?.finalizers ?? []).length > 0) {
    await ignoreMissing(client.patch(RESOURCE_CLAIMS, name, { merge: { metadata: { finalizers: null } } }));
  }
}

/** Deletes single objects of a contract, the last first, so that the next contract finds the place empty; what stays goes at the end of the run. */
export async function tidy(client: KubeClient, made: readonly { readonly resource: Resource; readonly object: KubeObject }[]): Promise<void> {
  for (const { resource, object } of [...made].reverse()) {
    const { name = '', namespace, uid } = object.metadata ?? {};
    await ignoreMissing(client.delete(resource, { name, namespace }, { uid, gracePeriodSeconds: 0, propagationPolicy: 'Background' }));
    if (resource !== RESOURCE_CLAIMS) continue;
    const left = await client.find(resource, { name, namespace });
    if (left !== undefined && left.metadata?.uid === uid) await releaseClaim(client, left);
  }
}

async function listIn(client: KubeClient, resource: Resource, namespace: string): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(resource, { namespace })).items;
  } catch (error) {
    if (isApiError(error)) return [];
    throw error;
  }
}

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    // Refusals show up again as a namespace that stays.
    if (!isApiError(error)) throw error;
  }
}
