import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { fixedCredential } from '../../src/kube/connection.js';
import type { Connection } from '../../src/kube/connection.js';
import { exactJson, parseExactJson } from '../../src/kube/exact-json.js';
import type { KubeObject, ObjectMeta } from '../../src/kube/object.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Script = (request: SeenRequest) => Reply | undefined | Promise<Reply | undefined>;

/**
 * A small API server: objects of any kind under their paths, pages, watches with bookmarks, conflicts, finalizers, dry runs.
 *
 * It validates nothing; refusals are scripted.
 */
export class FakeApiServer {
  public static async start(): Promise<FakeApiServer> {
    const server = createServer();
    const fake = new FakeApiServer(server);
    server.on('request', (request, response) => void fake.handle(request, response));
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    fake.scripts.push(({ path }) => (path === '/version' ? ok({ major: '1', minor: '36', gitVersion: 'v1.36.3' }) : undefined));
    fake.scripts.push(({ path, body }) => (path.endsWith('/selfsubjectaccessreviews') ? ok({ ...(body as object), status: { allowed: true } }) : undefined));
    return fake;
  }

  public readonly seen: SeenRequest[] = [];
  public readonly objects = new Map<string, KubeObject>();
  /** Asked before anything else; the first answer counts. */
  public readonly scripts: Script[] = [];
  /** Watches say nothing any more, and their sockets stay open. */
  public isFrozen = false;
  /** Resource versions up to this one are forgotten. */
  public compacted = 0;
  private version = 100;
  private readonly applied = new Map<string, unknown>();
  private readonly history: { readonly version: number; readonly type: string; readonly key: string; readonly object: KubeObject }[] = [];
  private readonly watches = new Set<{ readonly prefix: string; readonly response: ServerResponse }>();

  private constructor(private readonly server: Server) {}

  /** A kubeconfig for this server, whose user has no credentials. */
  public writeKubeconfig(file: string): void {
    writeFileSync(file, JSON.stringify({
      'current-context': 'c',
      'contexts': [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'clusters': [{ name: 'c', cluster: { server: this.connection.server } }],
      'users': [{ name: 'u', user: {} }],
    }));
  }

  public get connection(): Connection {
    return {
      server: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`, origin: 'the test', namespace: 'default', credentials: fixedCredential({}),
    };
  }

  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => { this.server.close(resolve); });
  }

  /** Answers before every other script. */
  public script(script: Script): void {
    this.scripts.unshift(script);
  }

  public put(path: string, object: KubeObject): KubeObject {
    const stored = { ...object, metadata: { uid: `uid-${++this.version}`, creationTimestamp: '2026-01-01T00:00:00Z', ...object.metadata, resourceVersion: String(this.version) } };
    this.record('ADDED', path, stored);
    return stored;
  }

  public get openWatches(): number {
    return this.watches.size;
  }

  /** A bookmark to every watch. */
  public bookmark(): void {
    for (const { response } of this.watches) response.write(`${exactJson({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.version) } } })}\n`);
  }

  public endWatches(): void {
    for (const { response } of this.watches) response.end();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: text === '' ? undefined : parseExactJson(text),
    };
    this.seen.push(seen);
    let reply: Reply | undefined;
    for (const script of this.scripts) reply ??= await script(seen);
    if (reply === undefined && seen.query.watch === 'true') return this.watch(seen, response);
    reply ??= this.answer(seen);
    response.writeHead(reply.status, { 'content-type': typeof reply.body === 'string' ? 'text/plain' : 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : exactJson(reply.body));
  }

  private answer({ method, path, query, headers, body }: SeenRequest): Reply {
    const { collection, name, subresource } = partsOf(path);
    if (name === undefined) return method === 'GET' ? this.list(path, query) : this.create(collection, body as KubeObject, query);
    const key = `${collection}/${name}`;
    const before = this.objects.get(key);
    if (before === undefined) return method === 'PATCH' && String(headers['content-type']).includes('apply') ? this.create(collection, body as KubeObject, query) : missing(key);
    switch (method) {
      case 'GET': return ok(before);
      case 'DELETE': return this.delete(key, before, body as { readonly preconditions?: { readonly uid?: string } } | undefined);
      case 'PATCH': return this.write(key, before, patched(this.withoutLeft(key, before, body, query), body), subresource, query);
      default: return this.write(key, before, body as KubeObject, subresource, query);
    }
  }

  private list(path: string, query: SeenRequest['query']): Reply {
    const wanted = (query.labelSelector ?? '').split(',').filter((one) => one !== '').map((one) => one.split('='));
    const all = [...this.objects].filter(([key]) => isWithin(key, path)).map(([, object]) => object)
      .filter(({ metadata }) => wanted.every(([label = '', value]) => (value === undefined ? metadata?.labels?.[label] !== undefined : metadata?.labels?.[label] === value)));
    const from = Number(query.continue ?? 0);
    const to = query.limit === undefined ? all.length : from + Number(query.limit);
    const next = to < all.length ? { continue: String(to) } : {};
    const items = all.slice(from, to).map(({ apiVersion: _, kind: __, ...item }) => item);
    return ok({ metadata: { resourceVersion: String(this.version), ...next }, items });
  }

  /** The object without the fields that a manager applied before and applies no more. */
  private withoutLeft(key: string, before: KubeObject, body: unknown, { fieldManager, dryRun }: SeenRequest['query']): KubeObject {
    if (fieldManager === undefined || Array.isArray(body)) return before;
    const last = this.applied.get(`${key} ${fieldManager}`);
    if (dryRun !== 'All') this.applied.set(`${key} ${fieldManager}`, body);
    return last === undefined ? before : left(before, last, body) as KubeObject;
  }

  private create(collection: string, object: KubeObject, query: SeenRequest['query']): Reply {
    const name = object.metadata?.name ?? `${object.metadata?.generateName ?? ''}x${this.version}`;
    const key = `${collection}/${name}`;
    if (this.objects.has(key)) return status(409, 'AlreadyExists', `"${name}" already exists`);
    const made = { ...object, metadata: { ...object.metadata, name, generation: 1 } };
    if (query.dryRun === 'All') return { status: 201, body: { ...made, metadata: { ...made.metadata, uid: 'dry' } } };
    return { status: 201, body: this.put(key, made) };
  }

  private write(key: string, before: KubeObject, given: KubeObject, subresource: string | undefined, query: SeenRequest['query']): Reply {
    const sent = given.metadata?.resourceVersion;
    if (sent !== undefined && sent !== before.metadata?.resourceVersion) return status(409, 'Conflict', 'the object has been modified; please apply your changes to the latest version');
    const object = subresource === 'status' ? { ...before, status: given.status } : { ...given, status: before.status };
    const { uid, creationTimestamp } = before.metadata ?? {};
    const deletionTimestamp = before.metadata?.deletionTimestamp ?? given.metadata?.deletionTimestamp;
    const kept = { uid, creationTimestamp, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
    const written = subresource === undefined ? { ...given.metadata, ...kept } : before.metadata;
    const metadata = { ...written, resourceVersion: String(this.version + 1) } as ObjectMeta;
    const next: KubeObject & { readonly metadata: ObjectMeta } = { ...object, metadata };
    if (query.dryRun === 'All') return ok(next);
    this.version++;
    if (next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0) this.record('DELETED', key, next);
    else this.record('MODIFIED', key, next);
    return ok(next);
  }

  private delete(key: string, before: KubeObject, options: { readonly preconditions?: { readonly uid?: string } } | undefined): Reply {
    const uid = options?.preconditions?.uid;
    if (uid !== undefined && uid !== before.metadata?.uid) return status(409, 'Conflict', 'the UID in the precondition does not match');
    if ((before.metadata?.finalizers ?? []).length > 0) {
      return this.write(key, before, { ...before, metadata: { ...before.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }, undefined, {});
    }
    this.version++;
    this.record('DELETED', key, before);
    if (key.startsWith('/api/v1/namespaces/')) for (const inner of [...this.objects.keys()]) if (inner.includes(`/namespaces/${before.metadata?.name ?? ''}/`)) this.objects.delete(inner);
    return ok({ kind: 'Status', status: 'Success' });
  }

  private record(type: string, key: string, object: KubeObject): void {
    if (type === 'DELETED') this.objects.delete(key);
    else this.objects.set(key, object);
    this.history.push({ version: this.version, type, key, object });
    if (this.isFrozen) return;
    for (const { prefix, response } of this.watches) if (isWithin(key, prefix)) response.write(`${exactJson({ type, object })}\n`);
  }

  private watch({ path, query }: SeenRequest, response: ServerResponse): void {
    const from = Number(query.resourceVersion ?? this.version);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (from < this.compacted) {
      response.end(`${exactJson({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: `too old resource version: ${from}` } })}\n`);
      return;
    }
    for (const { version, type, key, object } of this.history) if (version > from && isWithin(key, path)) response.write(`${exactJson({ type, object })}\n`);
    const entry = { prefix: path, response };
    this.watches.add(entry);
    response.on('close', () => this.watches.delete(entry));
  }
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function status(code: number, reason: string, message: string, details?: unknown): Reply {
  return { status: code, body: { kind: 'Status', status: 'Failure', code, reason, message, ...(details === undefined ? {} : { details }) } };
}

function missing(key: string): Reply {
  return status(404, 'NotFound', `${key} not found`);
}

/** `/apis/g/v/namespaces/n/plural/name/sub`; namespaces themselves are `/api/v1/namespaces/n`. */
function partsOf(path: string): { readonly collection: string; readonly name: string | undefined; readonly subresource: string | undefined } {
  const match = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+(?=\/[^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path);
  return { collection: `${match?.[1] ?? ''}${match?.[2] ?? ''}/${match?.[3] ?? ''}`, name: match?.[4], subresource: match?.[5] };
}

function isWithin(key: string, collection: string): boolean {
  if (key.startsWith(`${collection}/`) && !key.slice(collection.length + 1).includes('/')) return true;
  const [, root = '', plural = ''] = /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\/([^/]+)$/.exec(collection) ?? [];
  return root !== '' && key.startsWith(`${root}/namespaces/`) && key.split('/').at(-2) === plural;
}

function patched(before: KubeObject, body: unknown): KubeObject {
  if (!Array.isArray(body)) return merged(before, body) as KubeObject;
  const copy = structuredClone(before) as Record<string, unknown>;
  for (const { path, value } of body as readonly { readonly path: string; readonly value: unknown }[]) {
    const keys = path.split('/').slice(1);
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    parent[last] = value;
  }
  return copy;
}

function left(before: unknown, last: unknown, next: unknown): unknown {
  if (typeof before !== 'object' || before === null || typeof last !== 'object' || last === null || Array.isArray(before)) return before;
  const given = (typeof next === 'object' && next !== null ? next : {}) as Record<string, unknown>;
  const known = last as Record<string, unknown>;
  return Object.fromEntries(Object.entries(before).flatMap(([field, value]) => {
    if (!(field in known)) return [[field, value]];
    const isMap = typeof known[field] === 'object' && known[field] !== null && !Array.isArray(known[field]);
    return field in given || isMap ? [[field, left(value, known[field], given[field])]] : [];
  }));
}

function merged(before: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(before as object) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
