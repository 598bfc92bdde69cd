import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dirname, join } from 'node:path';

/** A socket that somebody else answers on. */
export class SocketInUseError extends Error {
  public override readonly name = 'SocketInUseError';
  public readonly code = 'DRA306';
}

/**
 * A listening unix socket that appears at its path only when it answers, and takes nobody else's file away when it goes.
 *
 * It is bound under a hidden name and renamed: a dead socket at the path is replaced in one step, kubelet's watcher sees one event and ignores
 * names that begin with a dot, and the kernel's socket layer, which removes the name that was bound, finds nothing to remove.
 */
export class UnixSocket {
  /** Replaces a dead socket; one that answers is refused with SocketInUseError. */
  public static async listen(path: string, accept: (socket: Socket) => void): Promise<UnixSocket> {
    if (await answers(path)) {
      throw new SocketInUseError(`Another process answers on ${path}. Only one agent may serve there: end the other, or give each agent POD_UID.`);
    }
    const server = createServer(accept);
    // Kubelet needs one or two; a client that goes mad must not use up the files of the process.
    server.maxConnections = 32;
    const hidden = join(dirname(path), `.${randomBytes(4).toString('base64url')}`);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(hidden, () => {
        server.off('error', reject);
        resolve();
      });
    });
    try {
      chmodSync(hidden, 0o600);
      const identity = fileIdentity(hidden);
      renameSync(hidden, path);
      return new UnixSocket(path, server, identity);
    } catch (error) {
      server.close();
      throw error;
    }
  }

  private constructor(public readonly path: string, private readonly server: Server, private readonly identity: string | undefined) {
    // A failed accept, for want of file descriptors, must not end the process.
    server.on('error', () => undefined);
  }

  /** Whether the file at the path is still this socket's. */
  public get isInPlace(): boolean {
    return fileIdentity(this.path) === this.identity;
  }

  /** Accepts no more; the file stays. */
  public stopAccepting(): void {
    if (this.server.listening) this.server.close();
  }

  /** Accepts no more and takes the file away; established connections go on. */
  public remove(): void {
    this.stopAccepting();
    if (this.isInPlace) unlinkSync(this.path);
  }
}

/** Tells one file from the next at its path: the number alone is given again at once. */
export function fileIdentity(path: string): string | undefined {
  const file = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? undefined : `${file.dev}:${file.ino}:${file.mtimeNs}`;
}

/** Whether somebody accepts connections at a path; nobody does where there is no file, or one that its process left behind. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isAnswered: boolean) => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', () => end(true));
    // A full backlog (EAGAIN) or a lack of rights says nothing about the other side; what cannot be told counts as alive.
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT' && error.code !== 'ENOTSOCK'));
  });
}
