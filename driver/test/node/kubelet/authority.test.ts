import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectHttp2, constants } from 'node:http2';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { GrpcEndpoint } from '../../../src/node/kubelet/grpc-endpoint.js';
import { registrationService } from '../../../src/node/kubelet/registration-service.js';

let folder: string;
let path: string;
let endpoint: GrpcEndpoint;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'authority-'));
  path = join(folder, 'gpu.example.com-reg.sock');
  const info = { driverName: 'gpu.example.com', endpoint: '/plugins/dra.sock', versions: ['v1.DRAPlugin'] };
  endpoint = await GrpcEndpoint.open(path, [registrationService(info, { asked: () => undefined, notified: () => undefined })]);
});

afterAll(async () => {
  await endpoint.close(1000);
  rmSync(folder, { recursive: true });
});

/** One GetInfo with bare HTTP/2: the gRPC status, or how the stream was reset. */
function getInfo(authority: string): Promise<string> {
  const session = connectHttp2('http://unix', { createConnection: () => connect(path) });
  const stream = session.request({
    ':method': 'POST', ':path': '/pluginregistration.Registration/GetInfo', ':authority': authority, 'te': 'trailers', 'content-type': 'application/grpc',
  });
  return new Promise<string>((resolve) => {
    stream.on('trailers', (trailers) => resolve(`grpc-status ${String(trailers['grpc-status'])}`));
    stream.on('error', () => resolve(`reset ${stream.rstCode}`));
    stream.resume();
    stream.end(Buffer.from([0, 0, 0, 0, 0]));
  }).finally(() => session.destroy());
}

// kubernetes/kubernetes#107093, #112597: what kubelets put there depends on their grpc-go.
test.each([
  ['localhost', 'calls of the service socket since 1.26'],
  ['%2Fvar%2Flib%2Fkubelet%2Fplugins_registry%2Fgpu.example.com-reg.sock', 'the registration call of 1.34 to 1.37'],
  ['gpu.example.com:443', 'a client behind a proxy'],
  ['[::1]:5', 'an address'],
])('a call for authority %s is served (%s)', async (authority) => {
  expect(await getInfo(authority)).toBe('grpc-status 0');
});

test('a bare path, as kubelets before 1.27 sent it, is reset by the HTTP/2 library and harms nobody', async () => {
  expect(await getInfo('/var/lib/kubelet/plugins_registry/gpu.example.com-reg.sock')).toBe(`reset ${constants.NGHTTP2_PROTOCOL_ERROR}`);
  expect(await getInfo('localhost')).toBe('grpc-status 0');
});

test('garbage instead of HTTP/2 harms nobody', async () => {
  const socket = connect(path);
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await new Promise((resolve) => { socket.once('close', resolve); socket.resume(); });

  expect(await getInfo('localhost')).toBe('grpc-status 0');
});

test('a gRPC client written in Go is served', async () => {
  const buf = join(dirname(createRequire(import.meta.url).resolve('@bufbuild/buf/package.json')), 'bin', 'buf');
  expect(existsSync(buf)).toBe(true);

  const { stdout } = await promisify(execFile)(process.execPath, [
    buf, 'curl', '--protocol', 'grpc', '--http2-prior-knowledge', '--unix-socket', path, '--schema', 'proto',
    '--data', '{}', 'http://localhost/pluginregistration.Registration/GetInfo',
  ], { cwd: join(import.meta.dirname, '..', '..', '..') });

  expect(JSON.parse(stdout)).toEqual({ type: 'DRAPlugin', name: 'gpu.example.com', endpoint: '/plugins/dra.sock', supportedVersions: ['v1.DRAPlugin'] });
});
