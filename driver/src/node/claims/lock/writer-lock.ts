import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

import type { Followed } from '../../device-state.js';
import { FollowedValue } from '../../followed-value.js';
import type { Clock } from '../clock.js';
import type { AcquireOptions, AgentLock, HeldLock, LockPeer } from './agent-lock.js';
import { LockNumbers, lockName } from './lock-numbers.js';
import { codeOf } from '../record/file-system.js';

/**
 * Which of the agents of one data folder writes.
 *
 * Each binds a socket and hard-links it as the next number; the file system lets one win. A holder is alive as long as connecting succeeds: the
 * kernel refuses for a process that was killed or has closed its socket, and not for one that is frozen, so no clock decides. Whoever waits
 * holds a connection open, and the kernel closes it when there may be something to do.
 */
export class WriterLock implements AgentLock {
  private readonly numbers: LockNumbers;

  public constructor(folder: string, private readonly self: LockPeer, private readonly clock: Clock) {
    this.numbers = new LockNumbers(folder);
  }

  public async acquire(signal: AbortSignal, { ask, waiting = () => undefined }: AcquireOptions): Promise<Tenure | undefined> {
    for (let quick = 0; !signal.aborted;) {
      const highest = this.numbers.highest();
      if (highest > 0) {
        const begun = this.clock.monotonic();
        const seen = await this.visit(highest, ask, signal, waiting);
        // A holder with too many visitors ends each visit at once.
        quick = this.clock.monotonic() - begun < PAUSE ? quick + 1 : 0;
        if (seen === 'unclear' || quick > MOST_QUICK) await this.clock.sleep(PAUSE, signal);
        if (seen !== 'dead') continue;
      }
      if (signal.aborted) break;
      const tenure = await this.tryNext(highest + 1);
      if (tenure !== undefined) return tenure;
    }
    return undefined;
  }

  public close(): void {
    this.numbers.close();
  }

  /** Stays with the holder of a number for as long as he lives. */
  private async visit(number: number, ask: boolean, signal: AbortSignal, waiting: (reason: string) => void): Promise<'dead' | 'changed' | 'unclear'> {
    return new Promise((resolve) => {
      const socket = connect(this.numbers.socketPath(lockName(number)));
      const leave = () => socket.destroy();
      let outcome: 'dead' | 'changed' | 'unclear' = 'changed';
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      socket.on('connect', () => {
        waiting(`another agent writes (number ${number})`);
        socket.write(`${JSON.stringify({ ...this.self, ask })}\n`);
      });
      // Nothing is expected; without a reader the end would not be noticed.
      socket.resume();
      socket.on('error', (error) => {
        // A refusal is the kernel's word that nobody listens. Everything else proves nothing, such as a queue that a frozen holder does not empty.
        const code = codeOf(error);
        outcome = code === 'ECONNREFUSED' ? 'dead' : code === 'ENOENT' || code === 'ECONNRESET' || code === 'EPIPE' ? 'changed' : 'unclear';
        if (outcome === 'unclear') waiting(`cannot tell whether another agent writes: ${error.message}`);
      });
      socket.on('close', () => {
        signal.removeEventListener('abort', leave);
        resolve(outcome);
      });
    });
  }

  private async tryNext(number: number): Promise<Tenure | undefined> {
    const own = `own.${randomBytes(4).toString('hex')}.sock`;
    const tenure = await Tenure.listen(this.numbers, own, number);
    try {
      if (!this.numbers.claim(own, number)) {
        await tenure.end();
        return undefined;
      }
      this.numbers.removeFile(own);
      tenure.begin();
      this.numbers.sweepBelow(number);
      await this.sweepOwn();
      return tenure;
    } catch (error) {
      // A socket that went on listening under the number would look like a living holder, and this agent would wait for itself.
      await tenure.end();
      throw error;
    }
  }

  /** Sockets of agents that were killed before they became holders. An agent whose living socket is swept in the moment of its birth makes another. */
  private async sweepOwn(): Promise<void> {
    for (const name of this.numbers.ownNames()) if (await refuses(this.numbers.socketPath(name))) this.numbers.removeFile(name);
  }
}

/** A number, and the socket that listens as long as it is this agent's. */
class Tenure implements HeldLock {
  public static async listen(numbers: LockNumbers, own: string, number: number): Promise<Tenure> {
    const server = createServer();
    server.maxConnections = MOST_PEERS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(numbers.socketPath(own), () => {
        server.off('error', reject);
        resolve();
      });
    });
    return new Tenure(numbers, server, number);
  }

  private readonly peerList = new FollowedValue<readonly LockPeer[]>([]);
  private readonly connections = new Map<Socket, LockPeer | undefined>();
  private readonly asked = new AbortController();
  private inode: bigint | undefined;

  private constructor(private readonly numbers: LockNumbers, private readonly server: Server, public readonly number: number) {
    server.on('error', () => undefined);
    server.on('connection', (socket) => this.receive(socket));
  }

  public get peers(): Followed<readonly LockPeer[]> {
    return this.peerList;
  }

  public get yieldAsked(): AbortSignal {
    return this.asked.signal;
  }

  public get isInPlace(): boolean {
    return this.inode !== undefined && this.numbers.isInPlace(this.number, this.inode);
  }

  public begin(): void {
    this.inode = this.numbers.inode(this.number);
  }

  public async end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      for (const socket of this.connections.keys()) socket.destroy();
    });
  }

  private receive(socket: Socket): void {
    this.connections.set(socket, undefined);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end >= 0) this.meet(socket, text.slice(0, end));
      if (end >= 0 || text.length > MAX_HELLO) text = '';
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.connections.delete(socket);
      this.tellPeers();
    });
  }

  private meet(socket: Socket, line: string): void {
    const hello = readHello(line);
    if (hello === undefined) {
      socket.destroy();
      return;
    }
    const { ask, ...peer } = hello;
    this.connections.set(socket, peer);
    this.tellPeers();
    if (ask) this.asked.abort();
  }

  private tellPeers(): void {
    this.peerList.set([...this.connections.values()].filter((peer) => peer !== undefined));
  }
}

/** Milliseconds. */
const PAUSE = 200;
const MOST_QUICK = 10;
const MOST_PEERS = 64;
const MAX_HELLO = 4096;

function readHello(line: string): (LockPeer & { readonly ask: boolean }) | undefined {
  try {
    const { agent, formats, ask } = JSON.parse(line) as { readonly agent?: unknown; readonly formats?: unknown; readonly ask?: unknown };
    if (typeof agent !== 'string' || !Array.isArray(formats) || !formats.every((format) => Number.isSafeInteger(format))) return undefined;
    return { agent, formats: formats as number[], ask: ask === true };
  } catch {
    return undefined;
  }
}

async function refuses(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'));
  });
}
