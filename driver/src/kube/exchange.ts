import { request as httpRequest } from 'node:http';
import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import { checkServerIdentity } from 'node:tls';

export interface ExchangeOptions {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  readonly sockets: Agent;
  readonly tls: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;
  /** Milliseconds until the headers of the answer must be there; 0 waits for ever. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** One request until the headers of its answer are there. The body must be read or destroyed, or its socket stays taken. */
export async function exchange(options: ExchangeOptions): Promise<IncomingMessage> {
  for (;;) {
    const answer = await tryOnce(options);
    if (answer !== 'stale socket') return answer;
  }
}

async function tryOnce({ url, method, headers, body, sockets, tls, timeout, signal }: ExchangeOptions): Promise<IncomingMessage | 'stale socket'> {
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      // Node says it by itself for methods alone that have a body as a rule, and DELETE has one here.
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      agent: sockets,
      ...tls,
      // Through a proxy Node knows the name of an address no more.
      checkServerIdentity: (_, certificate) => checkServerIdentity(tls.servername ?? url.hostname.replace(/^\[|\]$/g, ''), certificate),
      ...(signal === undefined ? {} : { signal }),
    });
    const connecting = limit(CONNECT_TIMEOUT, () => outgoing.destroy(new SilenceError('ETIMEDOUT', `no connection within ${CONNECT_TIMEOUT / 1000} s`)));
    const answering = limit(timeout, () => outgoing.destroy(new SilenceError('NO_ANSWER', `no answer within ${timeout / 1000} s`)));
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    outgoing.once('close', () => {
      clearTimeout(connecting);
      clearTimeout(answering);
    });
    outgoing.once('response', (answer) => {
      clearTimeout(answering);
      resolve(answer);
    });
    // Also for what comes after the answer, which whoever reads the body is told.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The other side closed a kept socket just before it was used. A write may have been carried out all the same.
      if (outgoing.reusedSocket && method === 'GET' && STALE.has(error.code ?? '') && signal?.aborted !== true) resolve('stale socket');
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** The body of an answer. Ends with an error when no piece of it comes for `timeout` milliseconds; 0 waits for ever. */
export async function textOf(answer: IncomingMessage, timeout: number): Promise<string> {
  const pieces: Buffer[] = [];
  const silence = limit(timeout, () => answer.destroy(new SilenceError('NO_ANSWER', `nothing more of the answer within ${timeout / 1000} s`)));
  try {
    for await (const piece of answer) {
      silence?.refresh();
      pieces.push(piece as Buffer);
    }
  } finally {
    clearTimeout(silence);
  }
  return Buffer.concat(pieces).toString('utf8');
}

class SilenceError extends Error {
  public constructor(public readonly code: string, message: string) {
    super(message);
  }
}

function limit(milliseconds: number, over: () => void): NodeJS.Timeout | undefined {
  return milliseconds === 0 ? undefined : setTimeout(over, milliseconds);
}

const CONNECT_TIMEOUT = 10_000;
const STALE = new Set(['ECONNRESET', 'EPIPE']);
