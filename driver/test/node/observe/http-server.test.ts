import { once } from 'node:events';
import { request } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { HttpServer } from '../../../src/node/observe/http-server.js';

let server: HttpServer | undefined;
let reason: string | undefined;

async function serve(address = '0.0.0.0'): Promise<HttpServer> {
  server = await HttpServer.listen({
    address,
    port: 0,
    metrics: () => Promise.resolve('up 1\n'),
    unhealthy: () => reason,
    unready: () => (reason === undefined ? undefined : `not ready: ${reason}`),
    dump: () => Promise.resolve({ mode: 'active' }),
  });
  return server;
}

afterEach(async () => {
  await server?.close();
  server = undefined;
  reason = undefined;
});

function get(path: string, { method = 'GET', host = '127.0.0.1' } = {}): Promise<{ readonly status: number | undefined; readonly type: string | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host, port: server?.port, path, method, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => { body += text; }).on('end', () => {
        resolve({ status: response.statusCode, type: response.headers['content-type'], body });
      });
    });
    call.on('error', reject);
    call.end();
  });
}

test('metrics are Prometheus text', async () => {
  await serve();

  expect(await get('/metrics')).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: 'up 1\n' });
  expect(await get('/metrics?name=x')).toMatchObject({ status: 200 });
  expect(await get('/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
});

test('health is well or says what is not', async () => {
  await serve();
  expect(await get('/healthz')).toMatchObject({ status: 200, body: 'ok\n' });
  expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ok\n' });

  reason = 'kubelet has not registered the agent';

  expect(await get('/healthz')).toMatchObject({ status: 503, body: 'kubelet has not registered the agent\n' });
  expect(await get('/readyz')).toMatchObject({ status: 503, body: 'not ready: kubelet has not registered the agent\n' });
});

test('the dump is for those within the pod only', async () => {
  await serve();
  expect(await get('/debug/dump')).toMatchObject({ status: 200, type: 'application/json', body: '{\n  "mode": "active"\n}\n' });

  const outer = Object.values(networkInterfaces()).flat().find((each) => each?.internal === false && each.family === 'IPv4')?.address;
  if (outer === undefined) throw new Error('this machine has no address but its own: the refusal cannot be shown');

  expect(await get('/debug/dump', { host: outer })).toMatchObject({ status: 403, body: 'only from within the pod: kubectl port-forward, then ask 127.0.0.1\n' });
  expect(await get('/metrics', { host: outer })).toMatchObject({ status: 200 });
});

test.each([['/', 404], ['/debug', 404], ['/metrics/../debug/dump', 404]])('%s is answered with %s and what there is', async (path, status) => {
  await serve();

  expect(await get(path)).toMatchObject({ status, body: 'there are /metrics, /healthz, /readyz and /debug/dump\n' });
});

test('only reading is answered', async () => {
  await serve();

  expect(await get('/metrics', { method: 'POST' })).toMatchObject({ status: 405 });
});

test('what fails inside is an answer, and the next request is served', async () => {
  server = await HttpServer.listen({ address: '127.0.0.1', port: 0, metrics: () => Promise.reject(new Error('no numbers')), unhealthy: () => undefined, unready: () => undefined, dump: () => Promise.resolve({}) });

  expect(await get('/metrics')).toMatchObject({ status: 500, body: 'no numbers\n' });
  expect(await get('/healthz')).toMatchObject({ status: 200 });
});

test('garbage harms nobody', async () => {
  const { port } = await serve();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('\x16\x03\x01garbage\r\n\r\n');
  await new Promise((resolve) => { socket.on('close', resolve).resume(); });

  expect(await get('/healthz')).toMatchObject({ status: 200 });
});

test('an address that is taken is named with the way out', async () => {
  const { port } = await serve('127.0.0.1');

  await expect(HttpServer.listen({ address: '127.0.0.1', port, metrics: () => Promise.resolve(''), unhealthy: () => undefined, unready: () => undefined, dump: () => Promise.resolve({}) }))
    .rejects.toThrow(`Nothing can listen on 127.0.0.1:${port} (EADDRINUSE). Choose another http.address or http.port.`);
});

test('a connection that cannot be accepted, for want of file descriptors, ends nothing', async () => {
  const { server: inner } = await serve() as unknown as { readonly server: Server };
  for (let count = 0; count < 3; count++) inner.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));

  expect(await get('/healthz')).toMatchObject({ status: 200 });
});

test('clients that say nothing, or do not read, do not keep kubelet out', async () => {
  const large = 'x'.repeat(16 * 1024 * 1024);
  server = await HttpServer.listen({
    address: '127.0.0.1', port: 0, metrics: () => Promise.resolve(large), unhealthy: () => undefined, unready: () => undefined, dump: () => Promise.resolve({}), patience: 300,
  });
  const port = server.port;
  const slow = Array.from({ length: 64 }, (_, index) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    if (index % 2 === 0) socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  });
  await sleep(2500);

  expect(await get('/healthz')).toMatchObject({ status: 200 });
  for (const socket of slow) socket.destroy();
}, 20_000);

test('a client that reads slowly but steadily is not served for ever, and one that reads is served on', async () => {
  const large = 'x'.repeat(64 * 1024 * 1024);
  const sizes = [large, 'up 1\n', 'up 1\n'];
  server = await HttpServer.listen({
    address: '127.0.0.1', port: 0, metrics: () => Promise.resolve(sizes.shift() ?? ''), unhealthy: () => undefined, unready: () => undefined, dump: () => Promise.resolve({}), longestAnswer: 500,
  });
  const slow = connect(server.port, '127.0.0.1').on('error', () => undefined);
  let read = 0;
  slow.on('data', (chunk) => {
    read += chunk.length;
    slow.pause();
    setTimeout(() => slow.resume(), 20);
  });
  slow.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => { slow.on('close', resolve); });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(large.length);

  // The limit is of an answer, not of a connection: one that lives longer than it is kept.
  const quick = connect(server.port, '127.0.0.1').on('error', () => undefined);
  for (let count = 0; count < 2; count++) {
    quick.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = await once(quick, 'data') as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    await sleep(700);
  }
  expect(quick.destroyed).toBe(false);
  quick.destroy();
}, 20_000);
