import { setTimeout } from 'node:timers/promises';

import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';

import { apiError, ApiError, isApiError, UnreachableError } from './api-error.js';
import { impersonationHeaders } from './connection.js';
import type { Connection, Credential, Impersonation } from './connection.js';
import { parseExactJson } from './exact-json.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON text. */
  readonly body?: string | undefined;
  readonly contentType?: string;
  readonly accept?: string;
  readonly impersonate?: Impersonation | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until headers must be there and between two pieces of the body; 0 waits for ever. */
  readonly timeout?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  /** What the server warns of, as kubectl prints it. */
  readonly warnings: readonly string[];
}

/** Sends requests of one connection over kept-alive sockets; `close` ends them. */
export class Transport {
  private dispatcher: { readonly credential: Credential; readonly agent: Dispatcher } | undefined;

  public constructor(public readonly connection: Connection) {}

  /** The parsed answer; throws ApiError for one that is no success and UnreachableError for none. */
  public async send(request: ApiRequest): Promise<ApiAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.sendOnce(request);
      } catch (error) {
        // A request that was turned away for load was not begun.
        if (!isApiError(error) || error.status !== 429 || attempt === MAX_ATTEMPTS) throw error;
        const seconds = Math.min(error.retryAfterSeconds ?? 1, MAX_PAUSE);
        await setTimeout(seconds * 1000, undefined, request.signal === undefined ? {} : { signal: request.signal });
      }
    }
  }

  private async sendOnce(request: ApiRequest): Promise<ApiAnswer> {
    const answer = await this.open(request);
    const text = await this.reading(answer.body.text(), request);
    const body = parsed(text, answer.headers['content-type']);
    if (answer.statusCode >= 400) throw apiError(answer.statusCode, body, header(answer.headers['retry-after']));
    return { status: answer.statusCode, body, warnings: warningsOf(answer.headers.warning) };
  }

  /** The body of a successful answer, piece by piece. */
  public async stream(request: ApiRequest): Promise<AsyncIterable<Buffer>> {
    const answer = await this.open(request);
    if (answer.statusCode < 400) return answer.body;
    const text = await this.reading(answer.body.text(), request);
    throw apiError(answer.statusCode, parsed(text, answer.headers['content-type']), header(answer.headers['retry-after']));
  }

  public async close(): Promise<void> {
    const { dispatcher } = this;
    this.dispatcher = undefined;
    await dispatcher?.agent.destroy();
  }

  private async open(request: ApiRequest, isSecondTry = false): Promise<Dispatcher.ResponseData> {
    const credential = await this.connection.credentials.current();
    const { origin, pathname } = new URL(this.connection.server);
    const timeout = request.timeout ?? DEFAULT_TIMEOUT;
    const headers = [
      'accept', request.accept ?? 'application/json',
      'user-agent', 'kubectl-dra',
      ...(request.body === undefined ? [] : ['content-type', request.contentType ?? 'application/json']),
      ...authorization(credential),
      // A list of pairs, as one group is one header of the same name.
      ...impersonationHeaders(request.impersonate ?? this.connection.impersonate).flat(),
    ];
    const answer = await this.reading(this.agent(credential).request({
      origin,
      path: `${pathname.replace(/\/$/, '')}${request.path}${queryText(request.query)}`,
      method: request.method,
      headers,
      body: request.body ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    }), request);
    if (answer.statusCode !== 401 || isSecondTry) return answer;
    // A token may have been replaced or withdrawn since the last request.
    await answer.body.dump();
    this.connection.credentials.refused();
    return this.open(request, true);
  }

  /** A certificate belongs to a socket, so another credential needs other sockets. */
  private agent(credential: Credential): Dispatcher {
    const before = this.dispatcher;
    if (before !== undefined && before.credential.cert === credential.cert && before.credential.key === credential.key) return before.agent;
    const { ca, insecure, tlsServerName, proxyUrl } = this.connection;
    const tls = {
      ...(ca === undefined ? {} : { ca }),
      ...(credential.cert === undefined ? {} : { cert: credential.cert, key: credential.key }),
      ...(insecure === true ? { rejectUnauthorized: false } : {}),
      ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    };
    const agent = proxyUrl === undefined
      ? new Agent({ connect: { ...tls, timeout: CONNECT_TIMEOUT } })
      : new ProxyAgent({ uri: proxyUrl, requestTls: { ...tls, timeout: CONNECT_TIMEOUT } });
    void before?.agent.close();
    this.dispatcher = { credential, agent };
    return agent;
  }

  private async reading<T>(work: Promise<T>, { signal }: ApiRequest): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted === true) throw error;
      throw new UnreachableError(unreachableText(this.connection, error), { cause: error });
    }
  }
}

/** An API server answers within its own limit of a minute. */
const DEFAULT_TIMEOUT = 70_000;
const CONNECT_TIMEOUT = 10_000;
const MAX_ATTEMPTS = 5;
/** Seconds. */
const MAX_PAUSE = 10;

function queryText(query: ApiRequest['query'] = {}): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function authorization({ token, basic }: Credential): readonly string[] {
  if (token !== undefined) return ['authorization', `Bearer ${token}`];
  if (basic !== undefined) return ['authorization', `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`];
  return [];
}

function parsed(text: string, contentType: string | readonly string[] | undefined): unknown {
  if (!String(contentType ?? '').includes('json')) return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

function header(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** `299 - "text"`, several in one header or in several. */
function warningsOf(value: string | readonly string[] | undefined): readonly string[] {
  const all = typeof value === 'string' ? [value] : value ?? [];
  return all.flatMap((one) => [...one.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1')));
}

function unreachableText({ server, origin }: Connection, error: unknown): string {
  const { code = '', message } = (error instanceof Error ? error : new Error(String(error))) as Error & { readonly code?: string };
  const advice = ADVICE.find(({ codes }) => codes.test(`${code} ${message}`))?.text ?? `${message}. Check the address and the network.`;
  return `no answer from ${server} (${origin}): ${advice}`;
}

const ADVICE: readonly { readonly codes: RegExp; readonly text: string }[] = [
  { codes: /ECONNREFUSED/, text: 'nothing listens there. Is the cluster running, and is it the right context?' },
  { codes: /ENOTFOUND|EAI_AGAIN/, text: 'the host name is unknown. Check the address, the DNS and the VPN.' },
  { codes: /ECONNRESET|UND_ERR_SOCKET|EPIPE/, text: 'the connection was cut. Try again; if it stays, look at the API server.' },
  { codes: /UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, text: 'the host does not answer. Check the network, the VPN and the firewall.' },
  { codes: /UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT/, text: 'it accepted the request and then said nothing. Look at the load of the API server.' },
  { codes: /WRONG_VERSION_NUMBER|EPROTO/, text: 'what listens there does not speak TLS. Look at the port, at http or https, and at proxies in between.' },
  { codes: /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_|ERR_TLS/, text: 'its certificate is not trusted. Put the right certificate-authority into the kubeconfig.' },
];
