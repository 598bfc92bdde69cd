import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import { apiError, isApiError, UnreachableError } from './api-error.js';
import { impersonationHeaders } from './connection.js';
import type { Connection, Credential, Impersonation } from './connection.js';
import { parseExactJson } from './exact-json.js';
import { exchange, textOf } from './exchange.js';
import { socketsOf } from './sockets.js';

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
  private sockets: Promise<Agent> | undefined;

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
    const body = await this.body(answer, request);
    if (statusOf(answer) >= 400) throw apiError(statusOf(answer), body, answer.headers['retry-after']);
    return { status: statusOf(answer), body, warnings: warningsOf(answer.headers.warning) };
  }

  /** The body of a successful answer, piece by piece. */
  public async stream(request: ApiRequest): Promise<AsyncIterable<Buffer>> {
    const answer = await this.open(request);
    if (statusOf(answer) < 400) return answer;
    throw apiError(statusOf(answer), await this.body(answer, request), answer.headers['retry-after']);
  }

  public async close(): Promise<void> {
    const { sockets } = this;
    this.sockets = undefined;
    (await sockets?.catch(() => undefined))?.destroy();
  }

  private async open(request: ApiRequest, isSecondTry = false): Promise<IncomingMessage> {
    const { server, credentials, ca, insecure, tlsServerName, impersonate } = this.connection;
    const credential = await credentials.current();
    const answer = await this.reading(async () => exchange({
      url: new URL(`${server.replace(/\/$/, '')}${request.path}${queryText(request.query)}`),
      method: request.method,
      headers: {
        'accept': request.accept ?? 'application/json',
        'user-agent': 'kubectl-dra',
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        ...authorization(credential),
        ...grouped(impersonationHeaders(request.impersonate ?? impersonate)),
      },
      body: request.body,
      sockets: await (this.sockets ??= socketsOf(this.connection)),
      tls: {
        ...(ca === undefined ? {} : { ca }),
        ...(credential.cert === undefined ? {} : { cert: credential.cert, key: credential.key }),
        ...(insecure === true ? { rejectUnauthorized: false } : {}),
        ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
      },
      timeout: request.timeout ?? DEFAULT_TIMEOUT,
      signal: request.signal,
    }), request);
    if (statusOf(answer) !== 401 || isSecondTry) return answer;
    // A token may have been replaced or withdrawn since the last request.
    answer.resume();
    credentials.refused();
    return this.open(request, true);
  }

  private async body(answer: IncomingMessage, request: ApiRequest): Promise<unknown> {
    return parsed(await this.reading(async () => textOf(answer, request.timeout ?? DEFAULT_TIMEOUT), request), answer.headers['content-type']);
  }

  private async reading<T>(work: () => Promise<T>, { signal }: ApiRequest): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw new UnreachableError(unreachableText(this.connection, error), { cause: error });
    }
  }
}

/** An API server answers within its own limit of a minute. */
const DEFAULT_TIMEOUT = 70_000;
const MAX_ATTEMPTS = 5;
/** Seconds. */
const MAX_PAUSE = 10;

function queryText(query: ApiRequest['query'] = {}): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function authorization({ token, basic }: Credential): OutgoingHttpHeaders {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (basic !== undefined) return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
  return {};
}

/** A group is a header of its own, and all have the same name. */
function grouped(headers: readonly (readonly [string, string])[]): OutgoingHttpHeaders {
  return Object.fromEntries(headers.map(([name]) => [name, headers.filter(([other]) => other === name).map(([, value]) => value)]));
}

/** Node tells the status of an answer from a server always. */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  return statusCode;
}

function parsed(text: string, contentType = ''): unknown {
  if (!contentType.includes('json')) return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

/** `299 - "text"`, several in one header. */
function warningsOf(value = ''): readonly string[] {
  return [...value.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1'));
}

function unreachableText({ server, origin }: Connection, error: unknown): string {
  // Not by class: errors of another realm, as test runners have them, are of another class of the same name.
  const { code = '', message = String(error) } = Object(error) as { readonly code?: string; readonly message?: string };
  const advice = ADVICE.find(({ codes }) => codes.test(`${code} ${message}`))?.text ?? `${message}. Check the address and the network.`;
  return `no answer from ${server} (${origin}): ${advice}`;
}

const ADVICE: readonly { readonly codes: RegExp; readonly text: string }[] = [
  { codes: /ECONNREFUSED/, text: 'nothing listens there. Is the cluster running, and is it the right context?' },
  { codes: /ENOTFOUND|EAI_AGAIN/, text: 'the host name is unknown. Check the address, the DNS and the VPN.' },
  { codes: /ECONNRESET|EPIPE/, text: 'the connection was cut. Try again; if it stays, look at the API server.' },
  { codes: /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, text: 'the host does not answer. Check the network, the VPN and the firewall.' },
  { codes: /NO_ANSWER/, text: 'it accepted the request and then said nothing. Look at the load of the API server.' },
  { codes: /WRONG_VERSION_NUMBER|EPROTO/, text: 'what listens there does not speak TLS. Look at the port, at http or https, and at proxies in between.' },
  { codes: /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_|ERR_TLS/, text: 'its certificate is not trusted. Put the right certificate-authority into the kubeconfig.' },
];
