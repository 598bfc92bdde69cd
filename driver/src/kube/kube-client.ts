import { isApiError } from './api-error.js';
import type { Connection, Impersonation } from './connection.js';
import { exactJson } from './exact-json.js';
import type { KubeObject, ObjectName } from './object.js';
import { apiVersionOf, collectionPath, objectPath } from './resource.js';
import type { Resource } from './resource.js';
import { Transport } from './transport.js';
import type { ApiAnswer, ApiRequest } from './transport.js';
import { watchEvents } from './watch.js';
import type { WatchEvent } from './watch.js';

/** What holds for a single request. */
export interface RequestOptions {
  /** The server decides and answers as if, and stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly subresource?: string | undefined;
  /** Strict: an unknown field is refused; Warn, as kubectl: it is named in a warning; Ignore: it vanishes. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  readonly fieldManager?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Objects a page. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ObjectList {
  readonly items: readonly KubeObject[];
  /** Where a watch goes on. */
  readonly resourceVersion: string;
}

export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** Milliseconds without any event, bookmarks included, after which the connection is taken for dead. */
  readonly silence?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface DeleteOptions extends RequestOptions {
  /** Nothing else than this object is deleted. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

export type Patch =
  | { readonly merge: unknown }
  | { readonly json: readonly unknown[] }
  /** Server-side apply; `force` takes fields from other managers. */
  | { readonly apply: KubeObject; readonly fieldManager: string; readonly force?: boolean };

/** Sends one request; what a client is made of, so that requests can be recorded. */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

/**
 * Requests to one API server, as raw JSON: no field is added, dropped or renamed, and integers beyond 2^53 arrive as bigint.
 *
 * Refusals are thrown as ApiError, no answer as UnreachableError.
 */
export class KubeClient {
  public static of(connection: Connection): KubeClient {
    const transport = new Transport(connection);
    return new KubeClient(transport, (request) => transport.send(request));
  }

  private constructor(private readonly transport: Transport, private readonly send: Send, private readonly user?: Impersonation) {}

  public get connection(): Connection {
    return this.transport.connection;
  }

  /** The same connection as another user. */
  public as(user: Impersonation): KubeClient {
    return new KubeClient(this.transport, this.send, user);
  }

  /** The same client with something around each request. */
  public around(wrap: (send: Send) => Send): KubeClient {
    return new KubeClient(this.transport, wrap(this.send), this.user);
  }

  /** Any path, such as `/version`. */
  public async raw(request: ApiRequest): Promise<ApiAnswer> {
    return this.send(this.user === undefined ? request : { ...request, impersonate: this.user });
  }

  public async get(resource: Resource, name: ObjectName, options: RequestOptions = {}): Promise<KubeObject> {
    return this.object({ method: 'GET', path: objectPath(resource, name, options.subresource), signal: options.signal });
  }

  /** Undefined when there is no such object. */
  public async find(resource: Resource, name: ObjectName, options: RequestOptions = {}): Promise<KubeObject | undefined> {
    try {
      return await this.get(resource, name, options);
    } catch (error) {
      if (isApiError(error) && error.status === 404) return undefined;
      throw error;
    }
  }

  /** All objects, page by page, of one moment; without a namespace, of all. */
  public async list(resource: Resource, options: ListOptions = {}): Promise<ObjectList> {
    const { namespace, labelSelector, fieldSelector, limit = PAGE, signal } = options;
    const items: KubeObject[] = [];
    let token: string | undefined;
    do {
      const { body } = await this.raw({
        method: 'GET', path: collectionPath(resource, namespace), query: { labelSelector, fieldSelector, limit, continue: token }, signal,
      });
      const list = body as ListBody;
      // Items of a list have neither, which makes them useless alone.
      for (const item of list.items ?? []) items.push({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...item });
      token = list.metadata?.continue === '' ? undefined : list.metadata?.continue;
      if (token === undefined) return { items, resourceVersion: list.metadata?.resourceVersion ?? '' };
    } while (true);
  }

  public async create(resource: Resource, object: KubeObject, options: RequestOptions = {}): Promise<KubeObject> {
    const path = options.subresource === undefined
      ? collectionPath(resource, object.metadata?.namespace)
      : objectPath(resource, nameOf(object), options.subresource);
    return this.object({ method: 'POST', path, query: writeQuery(options), body: exactJson(object), signal: options.signal });
  }

  /** Replaces the object; with its `resourceVersion` only if nobody else wrote since. */
  public async update(resource: Resource, object: KubeObject, options: RequestOptions = {}): Promise<KubeObject> {
    return this.object({
      method: 'PUT', path: objectPath(resource, nameOf(object), options.subresource), query: writeQuery(options), body: exactJson(object), signal: options.signal,
    });
  }

  public async patch(resource: Resource, name: ObjectName, patch: Patch, options: RequestOptions = {}): Promise<KubeObject> {
    const [contentType, body, query] = 'merge' in patch
      ? ['application/merge-patch+json', patch.merge, {}] as const
      : 'json' in patch
        ? ['application/json-patch+json', patch.json, {}] as const
        : ['application/apply-patch+yaml', patch.apply, { fieldManager: patch.fieldManager, force: patch.force }] as const;
    return this.object({
      method: 'PATCH',
      path: objectPath(resource, name, options.subresource),
      query: { ...writeQuery(options), ...query },
      contentType,
      body: exactJson(body),
      signal: options.signal,
    });
  }

  /** What the server answers: the object while finalizers hold it, else a Status. */
  public async delete(resource: Resource, name: ObjectName, options: DeleteOptions = {}): Promise<KubeObject> {
    const { uid, resourceVersion, gracePeriodSeconds, propagationPolicy } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
      gracePeriodSeconds,
      propagationPolicy,
      ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
    };
    return this.object({ method: 'DELETE', path: objectPath(resource, name), body: exactJson(body), signal: options.signal });
  }

  /**
   * Events from `resourceVersion` on, bookmarks among them; ends when the server ends the watch, after which a new one may go on
   * from the last resource version seen.
   */
  public async* watch(resource: Resource, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    const { namespace, labelSelector, fieldSelector, resourceVersion, silence = SILENCE, signal } = options;
    const stream = await this.transport.stream({
      method: 'GET',
      path: collectionPath(resource, namespace),
      query: { watch: true, allowWatchBookmarks: true, labelSelector, fieldSelector, resourceVersion, timeoutSeconds: WATCH_SECONDS },
      timeout: 0,
      signal,
      impersonate: this.user,
    });
    yield* watchEvents(stream, silence);
  }

  public async close(): Promise<void> {
    await this.transport.close();
  }

  private async object(request: ApiRequest): Promise<KubeObject> {
    return (await this.raw(request)).body as KubeObject;
  }
}

interface ListBody {
  readonly items?: readonly KubeObject[];
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
}

const PAGE = 500;
/** Bookmarks come about once a minute; two may be late. */
const SILENCE = 150_000;
const WATCH_SECONDS = 540;

function nameOf({ kind, metadata }: KubeObject): ObjectName {
  if (metadata?.name === undefined) throw new Error(`a ${kind ?? 'object'} without metadata.name cannot be addressed; name it`);
  return { name: metadata.name, namespace: metadata.namespace };
}

function writeQuery({ dryRun, fieldValidation, fieldManager }: RequestOptions): Record<string, string | undefined> {
  return { dryRun: dryRun === true ? 'All' : undefined, fieldValidation, fieldManager };
}
