import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServerOptions {
  readonly address: string;
  readonly port: number;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** Undefined: all is well; else what is not, so that only a restart may help. */
  readonly unhealthy: () => string | undefined;
  /** Undefined: the agent can be counted on. */
  readonly unready: () => string | undefined;
  /** What the agent knows, as JSON; names of devices and claims and no parameters of anybody. */
  readonly dump: () => Promise<unknown>;
  /** Milliseconds that a connection may lie still; longer than kubelet may take to say who uses what. */
  readonly patience?: number;
  /** Milliseconds after which an answer must have been read to its end. */
  readonly longestAnswer?: number;
}

/** `/metrics` for Prometheus, `/healthz` and `/readyz` for kubelet's probes, `/debug/dump` for people. */
export class HttpServer {
  public static async listen(options: HttpServerOptions): Promise<HttpServer> {
    const server = createServer({
      requestTimeout: 10_000, headersTimeout: 5000, connectionsCheckingInterval: 1000, keepAliveTimeout: 5000, maxHeaderSize: 8192,
    });
    server.maxConnections = 64;
    // Who says nothing, or does not read, must not keep kubelet's probes out.
    server.timeout = options.patience ?? PATIENCE;
    const http = new HttpServer(server, options);
    server.on('request', (request, response) => void http.answer(request, response));
    await new Promise<void>((resolve, reject) => {
      // Stays: a failed accept later, for want of file descriptors, must not end the process.
      server.on('error', (error: NodeJS.ErrnoException) => {
        const place = `${options.address}:${options.port}`;
        reject(new Error(`Nothing can listen on ${place} (${error.code ?? error.message}). Choose another http.address or http.port.`, { cause: error }));
      });
      server.listen(options.port, options.address, resolve);
    });
    return http;
  }

  private constructor(private readonly server: Server, private readonly options: HttpServerOptions) {}

  /** Chosen by the system where the configuration says 0. */
  public get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  public async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => { this.server.close(() => resolve()); });
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    // Who reads a little now and then never lies still, and would have one of the few connections for hours.
    const end = setTimeout(() => request.socket.destroy(), this.options.longestAnswer ?? LONGEST_ANSWER).unref();
    response.once('close', () => { clearTimeout(end); });
    try {
      const { status, type, body } = await this.answerTo(request);
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'x-content-type-options': 'nosniff' });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }

  private async answerTo({ method, url = '/', socket }: IncomingMessage): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'only GET');
    switch (url.split('?', 1)[0]) {
      case '/metrics':
        return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await this.options.metrics() };
      case '/healthz':
        return probe(this.options.unhealthy());
      case '/readyz':
        return probe(this.options.unready());
      case '/debug/dump':
        // It names claims of all tenants: for those only who may run a program in the pod or forward its port.
        if (!isLoopback(socket.remoteAddress)) return text(403, 'only from within the pod: kubectl port-forward, then ask 127.0.0.1');
        return { status: 200, type: 'application/json', body: `${JSON.stringify(await this.options.dump(), null, 2)}\n` };
      default:
        return text(404, 'there are /metrics, /healthz, /readyz and /debug/dump');
    }
  }
}

const PATIENCE = 15_000;

/** Prometheus gives up after 10 s by default; a dump through kubectl port-forward may take longer. */
const LONGEST_ANSWER = 60_000;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function probe(reason: string | undefined): Answer {
  return reason === undefined ? text(200, 'ok') : text(503, reason);
}

function text(status: number, words: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${words}\n` };
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '');
}
