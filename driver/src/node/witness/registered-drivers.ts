import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Names of the DRA drivers whose registration sockets kubelet watches.
 *
 * A socket may be left from a process that died, so this is what should be registered and not proof that it is.
 */
export async function registeredDrivers(kubeletRoot: string): Promise<readonly string[]> {
  const entries = await readdir(join(kubeletRoot, 'plugins_registry'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isSocket()).map(({ name }) => SOCKET.exec(name)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** `<driver>-reg.sock`, or with the uid of a pod or its hash between. A driver's name may have dashes itself. */
const SOCKET = /^([a-z0-9][a-z0-9.-]*?)(?:-(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]{11}))?-reg\.sock$/;
