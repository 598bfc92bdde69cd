import { existsSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

import { isServiceSocket, mayBeRegistrationOf, registryFolder } from './socket-paths.js';
import type { SocketOwner } from './socket-paths.js';
import { answers, fileIdentity } from './unix-socket.js';

/**
 * Removes the sockets that dead agents of this driver left behind, and says which.
 *
 * A killed agent cannot remove its sockets, and kubelet would try them for ever. Only a socket that refuses a connection is dead; one that
 * is younger than `minimumAge` milliseconds may be about to listen.
 */
export async function removeStaleSockets(owner: SocketOwner, minimumAge = 10_000): Promise<readonly string[]> {
  const services = namesIn(owner.dataFolder).filter((name) => isServiceSocket(name) || HIDDEN.test(name));
  const registry = registryFolder(owner);
  const registrations = namesIn(registry).filter((name) => mayBeRegistrationOf(owner, name, services));
  const candidates = [
    // First, since the name of a service socket tells the registration socket.
    ...registrations.map((name) => join(registry, name)),
    ...services.map((name) => join(owner.dataFolder, name)),
  ];
  const removed: string[] = [];
  for (const path of candidates) if (await removeIfDead(path, minimumAge)) removed.push(path);
  return removed;
}

/** A socket between bind and rename. */
const HIDDEN = /^\.[\w-]{6}$/;

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

async function removeIfDead(path: string, minimumAge: number): Promise<boolean> {
  const file = lstatSync(path, { throwIfNoEntry: false });
  const identity = fileIdentity(path);
  if (file === undefined || !file.isSocket() || Date.now() - file.mtimeMs < minimumAge || await answers(path)) return false;
  // Another agent may have put its own there meanwhile.
  if (fileIdentity(path) !== identity) return false;
  unlinkSync(path);
  return true;
}
