import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { UnreachableError } from '../../src/kube/api-error.js';
import { fixedCredential } from '../../src/kube/connection.js';
import type { Connection } from '../../src/kube/connection.js';
import { Transport } from '../../src/kube/transport.js';

const opened: (() => Promise<void>)[] = [];
const GET = { method: 'GET', path: '/x' } as const;
const folder = mkdtempSync(join(tmpdir(), 'transport-'));

/** An authority, a server and a client in the folder; false without an openssl of version 3. */
function madeCertificates(): boolean {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=ca');
    for (const [name, more] of [['server', ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:api.example.com']], ['client', []]] as const) {
      openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-days', '2', '-subj', `/CN=${name}`, ...more, '-CA', 'ca.crt', '-CAkey', 'ca.key');
    }
    return true;
  } catch (error) {
    process.stderr.write(`skipped: tests of TLS need openssl 3 (${(error as Error).message.split('\n', 1)[0] ?? ''})\n`);
    return false;
  }
}

const withTls = madeCertificates() ? describe : describe.skip;

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const pem = (name: string) => readFileSync(join(folder, name), 'utf8');

async function listening<S extends Server | TcpServer>(server: S): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  opened.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => { server.close(resolve); });
  });
  return (server.address() as AddressInfo).port;
}

function transport(connection: Partial<Connection> & { readonly server: string }): Transport {
  const made = new Transport({ origin: 'the test', namespace: 'default', credentials: fixedCredential({}), ...connection });
  opened.push(async () => made.close());
  return made;
}

async function plain(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(answer))}`;
}

const answerJson: RequestListener = (request, response) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate?.();
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url, peer: peer?.subject?.CN }));
};

async function secure(): Promise<string> {
  return `https://127.0.0.1:${await listening(createTlsServer({ key: pem('server.key'), cert: pem('server.crt'), ca: pem('ca.crt'), requestCert: true, rejectUnauthorized: false }, answerJson))}`;
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(() => { throw new Error('it did not fail'); }, (error: Error) => error);
}

withTls('TLS', () => {
  test('a server of the authority of the kubeconfig is trusted, and is shown the certificate of the user', async () => {
    const server = await secure();

    expect((await transport({ server, ca: pem('ca.crt') }).send(GET)).body).toEqual({ path: '/x' });
    const credentials = fixedCredential({ cert: pem('client.crt'), key: pem('client.key') });
    expect((await transport({ server, ca: pem('ca.crt'), credentials }).send(GET)).body).toEqual({ path: '/x', peer: 'client' });
    expect((await transport({ server, insecure: true }).send(GET)).body).toEqual({ path: '/x' });
    expect((await transport({ server, ca: pem('ca.crt'), tlsServerName: 'api.example.com' }).send(GET)).body).toEqual({ path: '/x' });
  });

  test.each([
    ['of an authority that nobody knows', (): Partial<Connection> => ({})],
    ['of another name', (): Partial<Connection> => ({ ca: pem('ca.crt'), tlsServerName: 'other.example.com' })],
  ])('a server %s is refused', async (_, more) => {
    const error = await failureOf(transport({ server: await secure(), ...more() }).send(GET));

    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toMatch(/its certificate is not trusted\. Put the right certificate-authority into the kubeconfig\./);
  });

  test('what listens there may not speak it', async () => {
    const server = (await plain(answerJson)).replace('http:', 'https:');

    expect((await failureOf(transport({ server }).send(GET))).message).toMatch(/does not speak TLS/);
  });

  test('another certificate of the user is shown from the next request on', async () => {
    const server = await secure();
    let current = {};
    const credentials = { current: async () => current, refused: () => undefined };
    const sent = transport({ server, ca: pem('ca.crt'), credentials });

    expect((await sent.send(GET)).body).toEqual({ path: '/x' });
    current = { cert: pem('client.crt'), key: pem('client.key') };
    expect((await sent.send(GET)).body).toEqual({ path: '/x', peer: 'client' });
  });
});

withTls('proxies', () => {
  async function httpProxy(seen: string[]): Promise<string> {
    const proxy = createServer();
    proxy.on('connect', (request, socket: Socket) => {
      seen.push(request.url ?? '');
      const [host = '', port] = (request.url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      target.on('error', () => socket.destroy());
    });
    return `http://127.0.0.1:${await listening(proxy)}`;
  }

  async function socksProxy(seen: string[]): Promise<string> {
    const proxy = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (wanted) => {
          const [host, port] = [[...wanted.subarray(4, 8)].join('.'), wanted.readUInt16BE(8)];
          seen.push(`${host}:${port}`);
          const target = connect(port, host, () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            target.pipe(socket).pipe(target);
          });
          target.on('error', () => socket.destroy());
        });
      });
    });
    return `socks5://127.0.0.1:${await listening(proxy)}`;
  }

  test.each([['an HTTP proxy', httpProxy], ['a SOCKS proxy', socksProxy]])('%s passes on what is said to the server, encrypted or not', async (_, proxy) => {
    const seen: string[] = [];
    const proxyUrl = await proxy(seen);
    const servers = [await plain(answerJson), await secure()];

    for (const server of servers) expect((await transport({ server, ca: pem('ca.crt'), proxyUrl }).send(GET)).body).toMatchObject({ path: '/x' });
    expect(seen).toEqual(servers.map((server) => new URL(server).host));
  });

  test.each(['proxy:3128', 'ftp://proxy', '//'])('%s is no proxy', async (proxyUrl) => {
    const error = await failureOf(transport({ server: 'http://127.0.0.1:1', proxyUrl }).send(GET));

    expect(error.message).toContain(`the proxy-url of the cluster is '${proxyUrl}'; write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT`);
  });
});

describe('a server that is silent', () => {
  test('after it took the request', async () => {
    const error = await failureOf(transport({ server: await plain(() => undefined) }).send({ ...GET, timeout: 50 }));

    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toMatch(/it accepted the request and then said nothing/);
  });

  test('in the middle of its answer', async () => {
    const server = await plain((_, response) => response.setHeader('content-type', 'application/json').write('{"a":'));

    expect((await failureOf(transport({ server }).send({ ...GET, timeout: 50 }))).message).toMatch(/it accepted the request and then said nothing/);
  });

  test('is not given up while its answer comes slowly', async () => {
    const server = await plain((_, response) => {
      const pieces = ['{', '"a"', ':', '1', '}'];
      const next = () => {
        const piece = pieces.shift();
        if (piece === undefined) return response.end();
        response.write(piece);
        return setTimeout(next, 60);
      };
      response.setHeader('content-type', 'application/json');
      next();
    });

    expect((await transport({ server }).send({ ...GET, timeout: 200 })).body).toEqual({ a: 1 });
  });
});

describe('a kept connection that the server closes when it is used again', () => {
  async function forgetful(): Promise<{ readonly server: string; readonly taken: string[] }> {
    const taken: string[] = [];
    const used = new Set<Socket>();
    const server = await plain((request, response) => {
      if (used.has(request.socket)) return request.socket.resetAndDestroy();
      used.add(request.socket);
      taken.push(request.method ?? '');
      return response.setHeader('content-type', 'application/json').end('{}');
    });
    return { server, taken };
  }

  test('a read is sent again', async () => {
    const { server, taken } = await forgetful();
    const sent = transport({ server });

    for (let count = 0; count < 3; count++) expect((await sent.send(GET)).status).toBe(200);
    expect(taken).toEqual(['GET', 'GET', 'GET']);
  });

  test('a write may have been carried out, and is not', async () => {
    const { server, taken } = await forgetful();
    const sent = transport({ server });
    await sent.send(GET);

    expect((await failureOf(sent.send({ method: 'POST', path: '/x', body: '{}' }))).message).toMatch(/the connection was cut/);
    expect(taken).toEqual(['GET']);
  });
});

test('who gives up in the middle of an answer is told why he did, and the connection is closed', async () => {
  let closed: () => void = () => undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const server = await plain((request, response) => {
    request.socket.on('close', () => closed());
    response.setHeader('content-type', 'application/json').write('{');
  });
  const giveUp = new AbortController();
  const answer = failureOf(transport({ server }).send({ ...GET, signal: giveUp.signal }));
  setTimeout(() => giveUp.abort('nobody waits'), 50);

  expect(await answer).toBe('nobody waits');
  await isClosed;
});

test('a body is sent with its length, whatever the method', async () => {
  const seen: unknown[] = [];
  const server = await plain((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece))).on('end', () => {
      seen.push([request.method, request.headers['content-length'], request.headers['transfer-encoding'], text]);
      response.end();
    });
  });
  const sent = transport({ server });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) await sent.send({ method, path: '/x', body: '{"a":"ä"}' });

  expect(seen).toEqual(['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, '10', undefined, '{"a":"ä"}']));
});

test('an answer that ends too early is an error', async () => {
  const server = await plain((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{}');
    setTimeout(() => request.socket.destroy(), 20);
  });

  expect((await failureOf(transport({ server }).send(GET))).message).toMatch(/the connection was cut/);
});
