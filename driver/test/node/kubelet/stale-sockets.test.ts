import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { leaveDeadSocket } from './dead-socket.js';
import { socketsIn } from './fake-kubelet.js';
import { defaultDataFolder, registryFolder, socketPaths } from '../../../src/node/kubelet/socket-paths.js';
import { removeStaleSockets } from '../../../src/node/kubelet/stale-sockets.js';
import { UnixSocket } from '../../../src/node/kubelet/unix-socket.js';

const DRIVER = 'gpu.example.com';
const UIDS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'k'));
  mkdirSync(registryFolder({ kubeletRoot: root }), { recursive: true });
});

afterEach(() => { rmSync(root, { recursive: true }); });

function owner(driverName = DRIVER, podUid?: string) {
  const dataFolder = defaultDataFolder(root, driverName);
  mkdirSync(dataFolder, { recursive: true });
  return { kubeletRoot: root, dataFolder, driverName, podUid };
}

test.each([DRIVER, 'a-name-that-needs-the-short-form.example.com', `${'a'.repeat(51)}.example.com`])('sockets of dead agents of %s go, of every form', async (driver) => {
  for (const uid of [undefined, ...UIDS]) for (const path of Object.values(socketPaths(owner(driver, uid)))) leaveDeadSocket(path);

  const removed = await removeStaleSockets(owner(driver), 0);

  expect(removed).toHaveLength(6);
  expect(socketsIn(registryFolder(owner()))).toEqual([]);
  expect(socketsIn(owner(driver).dataFolder)).toEqual([]);
});

test('what answers stays, what is young stays, what is no socket stays, what is another driver\'s stays', async () => {
  const alive = socketPaths(owner(DRIVER, UIDS[0]));
  const sockets = await Promise.all(Object.values(alive).map((path) => UnixSocket.listen(path, (connection) => connection.end())));
  leaveDeadSocket(socketPaths(owner('nic.example.com')).registration);
  writeFileSync(join(registryFolder(owner()), `${DRIVER}-reg.sock`), '');
  mkdirSync(join(owner().dataFolder, 'claims'));

  expect(await removeStaleSockets(owner(), 0)).toEqual([]);

  leaveDeadSocket(socketPaths(owner(DRIVER, UIDS[1])).service);
  expect(await removeStaleSockets(owner())).toEqual([]);
  expect(await removeStaleSockets(owner(), 0)).toEqual([socketPaths(owner(DRIVER, UIDS[1])).service]);
  expect(socketsIn(registryFolder(owner()))).toEqual([`${DRIVER}-${UIDS[0]}-reg.sock`, `${DRIVER}-reg.sock`, 'nic.example.com-reg.sock']);
  for (const socket of sockets) socket.remove();
});

test('a socket that was killed between bind and rename goes too', async () => {
  leaveDeadSocket(join(owner().dataFolder, '.a1-_Z9'));

  expect(await removeStaleSockets(owner(), 0)).toEqual([join(owner().dataFolder, '.a1-_Z9')]);
});

test('folders that are not there are no error', async () => {
  expect(await removeStaleSockets({ kubeletRoot: join(root, 'none'), dataFolder: join(root, 'neither'), driverName: DRIVER }, 0)).toEqual([]);
});
