import { setTimeout } from 'node:timers/promises';

import type { Component, GateName, Minor, Target } from 'cdk8s-dra/model';

import type { ClusterFacts } from './cluster-facts.js';
import { NAME_PREFIX } from './scratch.js';
import type { Scratch } from './scratch.js';
import { ApiError, isApiError } from '../kube/api-error.js';
import type { KubeClient } from '../kube/kube-client.js';
import type { KubeObject, ObjectName } from '../kube/object.js';
import type { Resource } from '../kube/resource.js';

/** Ends a contract that says nothing about this cluster. */
export class NotApplicable extends Error {}

/** Ends a contract that could not be tried here. */
export class NotTried extends Error {}

/** What a contract works with: a client whose requests are kept as evidence, a place for objects, and judgement. */
export class Trial {
  /** What was not as it must be; empty at the end, the contract is kept. */
  public readonly faults: string[] = [];
  /** Facts worth reading although nothing is wrong. */
  public readonly notes: string[] = [];
  /** Everything that was stored, in order. */
  public readonly made: { readonly resource: Resource; readonly object: KubeObject }[] = [];

  public constructor(
    public readonly client: KubeClient,
    public readonly facts: ClusterFacts,
    private readonly scratch: Scratch,
    /** Where namespaced objects are tried: the scratch namespace, or an existing one when nothing may be created. */
    public readonly namespace: string,
    private readonly contractId: string,
    private readonly signal: AbortSignal,
  ) {}

  public get target(): Target {
    return this.facts.target;
  }

  public get minor(): Minor {
    return this.facts.minor;
  }

  /** A name that no other contract uses; for objects without a namespace with the prefix of the run. */
  public name(resource: Resource, suffix = ''): string {
    const own = suffix === '' ? this.contractId : `${this.contractId}-${suffix}`;
    return resource.namespaced ? own : this.scratch.name(own);
  }

  /** The object as this run would write it. */
  public manifest(resource: Resource, object: KubeObject): KubeObject {
    const owned = this.scratch.owned(resource, { ...object, metadata: { name: this.name(resource), ...object.metadata } });
    return resource.namespaced ? { ...owned, metadata: { ...owned.metadata, namespace: this.namespace } } : owned;
  }

  /** Stores the object; it is deleted when the contract ends. */
  public async create(resource: Resource, object: KubeObject): Promise<KubeObject> {
    const stored = await this.onceThereAreAccounts(() => this.client.create(resource, this.manifest(resource, object)));
    this.made.push({ resource, object: stored });
    return stored;
  }

  /** What the server would store. */
  public async tryCreate(resource: Resource, object: KubeObject): Promise<KubeObject> {
    return this.onceThereAreAccounts(() => this.client.create(resource, this.manifest(resource, object), { dryRun: true }));
  }

  /** A new namespace has its service account a moment later, and pods are refused until then. */
  private async onceThereAreAccounts(create: () => Promise<KubeObject>): Promise<KubeObject> {
    for (const end = performance.now() + ACCOUNTS_WITHIN; ;) {
      try {
        return await create();
      } catch (error) {
        const isEarly = isApiError(error) && error.status === 403 && error.message.includes('error looking up service account');
        if (!isEarly || performance.now() > end) throw error;
        await this.pause(100);
      }
    }
  }

  /** Deletes at once, where the deletion is what is tried; otherwise the end of the contract does it. */
  public async remove(resource: Resource, object: KubeObject): Promise<void> {
    const { name = '', namespace, uid } = object.metadata ?? {};
    try {
      await this.client.delete(resource, { name, namespace }, { uid, gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isApiError(error) || error.status !== 404) throw error;
    }
  }

  public nameOf(object: KubeObject): ObjectName {
    return { name: object.metadata?.name ?? '', namespace: object.metadata?.namespace };
  }

  public expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.faults.push(otherwise);
  }

  public equal(what: string, given: unknown, expected: unknown): void {
    const [a, b] = [canonical(given), canonical(expected)];
    if (a !== b) this.faults.push(`${what} is ${a}, expected ${b}`);
  }

  /** The answer; a refusal is a fault. */
  public async accepts(what: string, work: Promise<KubeObject>): Promise<KubeObject | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.unlessEnvironment(error);
      this.faults.push(`${what} was refused: ${error.message}`);
      return undefined;
    }
  }

  /** A success, or a refusal with other words, is a fault; every one of `words` must be in the message. */
  public async refuses(what: string, work: Promise<KubeObject>, ...words: readonly string[]): Promise<ApiError | undefined> {
    let answer: KubeObject;
    try {
      answer = await work;
    } catch (error) {
      if (!isApiError(error)) throw error;
      const missing = words.filter((word) => !error.message.includes(word));
      if (missing.length > 0) {
        this.unlessEnvironment(error);
        this.faults.push(`${what} was refused without the words ${missing.map((word) => `"${word}"`).join(', ')}: ${error.message}`);
      }
      return error;
    }
    this.faults.push(`${what} was accepted`);
    // Something that was only to be refused must not stay.
    void answer;
    return undefined;
  }

  /** The answer; undefined for a refusal, which is no fault here. */
  public async attempt(work: Promise<KubeObject>): Promise<KubeObject | undefined> {
    try {
      return await work;
    } catch (error) {
      if (isApiError(error)) return undefined;
      throw error;
    }
  }

  /** Asks again until the answer is not undefined; a fault after `limit` milliseconds. */
  public async eventually<T>(what: string, probe: () => Promise<T | undefined>, limit = 20_000): Promise<T | undefined> {
    const end = performance.now() + limit;
    for (let pause = 50; ; pause = Math.min(pause * 1.5, 500)) {
      const found = await probe();
      if (found !== undefined) return found;
      if (performance.now() > end) {
        this.faults.push(`${what} did not happen in ${limit / 1000} s`);
        return undefined;
      }
      await this.pause(pause);
    }
  }

  public async pause(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.signal });
  }

  public note(text: string): void {
    this.notes.push(text);
  }

  /** Ends the contract where the cluster does not act on a field. */
  public requires(definition: string, field: string): void {
    const support = this.target.fieldSupport(definition, field);
    if (!support.supported) this.notApplicable(`${definition}.${field} is off here${support.gate === undefined ? '' : `: ${support.gate}`}`);
  }

  /** Ends the contract where a gate is off. */
  public requiresGate(gate: GateName, component: Component): void {
    if (!this.target.enabled(gate, component)) this.notApplicable(`gate ${gate} is off here`);
  }

  public notApplicable(because: string): never {
    throw new NotApplicable(because);
  }

  public notTried(because: string): never {
    throw new NotTried(because);
  }

  /** A policy, webhook or quota of the cluster's owner is no fault of Kubernetes. */
  private unlessEnvironment(error: ApiError): void {
    const isOurs = error.message.includes(`ValidatingAdmissionPolicy '${NAME_PREFIX}`) || error.message.includes(`exceeded quota: ${this.contractId}`);
    const because = isOurs ? undefined : environmentRefusal(error);
    if (because !== undefined) throw new NotTried(because);
  }
}

/** Why a refusal comes from the owner of the cluster and not from the API. */
export function environmentRefusal(error: ApiError): string | undefined {
  if (/^admission webhook .* denied|ValidatingAdmissionPolicy .* denied request|exceeded quota|violates PodSecurity/.test(error.message)) {
    return `the cluster refuses it by a rule of its own: ${error.message}`;
  }
  return error.status === 403 && / cannot \S+ resource |is attempting to grant RBAC permissions/.test(error.message) ? `not permitted: ${error.message}` : undefined;
}

/** Same text for same values, whatever the order of fields. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

/** Milliseconds; the controller of accounts is seldom later than a second. */
const ACCOUNTS_WITHIN = 10_000;
