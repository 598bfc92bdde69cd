import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { leaveDeadSocket } from './dead-socket.js';
import { answers, SocketInUseError, UnixSocket } from '../../../src/node/kubelet/unix-socket.js';

let folder: string;
let path: string;
const open: UnixSocket[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'socket-'));
  path = join(folder, 'dra.sock');
});

afterEach(() => {
  for (const socket of open.splice(0)) socket.remove();
  rmSync(folder, { recursive: true });
});

async function listen(): Promise<UnixSocket> {
  const socket = await UnixSocket.listen(path, (connection) => connection.end());
  open.push(socket);
  return socket;
}

test('it answers, is for its owner only, and leaves no other file', async () => {
  await listen();

  expect(await answers(path)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600); // eslint-disable-line no-bitwise
  expect(readdirSync(folder)).toEqual(['dra.sock']);
});

test('what a killed process left behind does not answer and is replaced', async () => {
  leaveDeadSocket(path);
  expect(await answers(path)).toBe(false);

  const { isInPlace } = await listen();

  expect(isInPlace).toBe(true);
  expect(await answers(path)).toBe(true);
});

test('a plain file at the path is replaced, a folder is refused and nothing is left of the attempt', async () => {
  writeFileSync(path, 'x');
  await listen();
  expect(await answers(path)).toBe(true);

  const taken = join(folder, 'taken.sock');
  mkdirSync(taken);
  await expect(UnixSocket.listen(taken, () => undefined)).rejects.toThrow('EISDIR');
  expect(readdirSync(folder).sort()).toEqual(['dra.sock', 'taken.sock']);
});

test('one that answers is refused', async () => {
  await listen();

  const second = UnixSocket.listen(path, () => undefined);

  await expect(second).rejects.toThrow(SocketInUseError);
  await expect(second).rejects.toThrow(`Another process answers on ${path}`);
});

test('a missing folder is an error with the path', async () => {
  await expect(UnixSocket.listen(join(folder, 'none', 'dra.sock'), () => undefined)).rejects.toThrow(/ENOENT|EACCES/);
});

test('removed, it is gone; removed twice, nothing happens', async () => {
  const socket = await listen();

  socket.remove();
  socket.remove();

  expect(readdirSync(folder)).toEqual([]);
});

test('a socket that another put at the path stays when this one goes', async () => {
  const first = await listen();
  rmSync(path);
  await listen();
  const { ino } = lstatSync(path);

  expect(first.isInPlace).toBe(false);
  first.remove();
  await new Promise((resolve) => { setTimeout(resolve, 20); });

  expect(lstatSync(path).ino).toBe(ino);
  expect(await answers(path)).toBe(true);
});

test('nobody answers where there is no file', async () => {
  expect(existsSync(path)).toBe(false);
  expect(await answers(path)).toBe(false);
});
