import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import fc from 'fast-check';

import { SYSTEM_CLOCK } from '../../../../src/node/claims/clock.js';
import type { HeldLock } from '../../../../src/node/claims/lock/agent-lock.js';
import { LockNumbers } from '../../../../src/node/claims/lock/lock-numbers.js';
import { WriterLock } from '../../../../src/node/claims/lock/writer-lock.js';

let folder: string;
const never = new AbortController().signal;
/** More of them by hand: RUNS=200. */
const RUNS = Number(process.env.RUNS ?? 8);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function agent(name: string, where = folder): WriterLock {
  return new WriterLock(where, { agent: name, formats: [1] }, SYSTEM_CLOCK);
}

async function take(lock: WriterLock, ask = false): Promise<HeldLock> {
  return (await lock.acquire(never, { ask }))!;
}

/** Whether something is still waiting after a while that is long for a local socket. */
async function stillWaits(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => { setTimeout(() => resolve(true), 300); })]);
}

test('numbers only grow, and the lower ones are swept', async () => {
  const lock = agent('a');
  for (let number = 1; number <= 3; number++) {
    const held = await take(lock);
    expect(held.number).toBe(number);
    expect(readdirSync(folder)).toEqual([`lock.${number}.sock`]);
    expect(held.isInPlace).toBe(true);
    await held.end();
  }
  // The last number stays, so that it is never given again.
  expect(readdirSync(folder)).toEqual(['lock.3.sock']);
});

test('a second agent waits until the first one ends, and follows at once', async () => {
  const [first, second] = [agent('a'), agent('b')];
  const held = await take(first);
  const waiting = take(second);
  expect(await stillWaits(waiting)).toBe(true);
  expect(held.peers.current).toEqual([{ agent: 'b', formats: [1] }]);
  expect(held.yieldAsked.aborted).toBe(false);
  await held.end();
  expect((await waiting).number).toBe(2);
  await (await waiting).end();
});

test('a newer agent asks the holder to yield, and the holder sees who waits', async () => {
  const held = await take(agent('old'));
  const waiting = take(agent('new'), true);
  await new Promise<void>((resolve) => held.yieldAsked.addEventListener('abort', () => resolve()));
  expect(held.peers.current.map((peer) => peer.agent)).toEqual(['new']);
  expect(await stillWaits(waiting)).toBe(true);
  await held.end();
  const next = await waiting;
  // Who has yielded stands by, and takes over when the newer one is gone.
  const back = take(agent('old again'));
  expect(await stillWaits(back)).toBe(true);
  await next.end();
  expect((await back).number).toBe(3);
  await (await back).end();
});

test('giving up waiting leaves nothing behind', async () => {
  const held = await take(agent('a'));
  const giveUp = new AbortController();
  const waiting = agent('b').acquire(giveUp.signal, { ask: false });
  expect(await stillWaits(waiting)).toBe(true);
  giveUp.abort();
  expect(await waiting).toBeUndefined();
  await new Promise((resolve) => { setTimeout(resolve, 50); });
  expect(held.peers.current).toEqual([]);
  expect(readdirSync(folder)).toEqual(['lock.1.sock']);
  await held.end();
});

test('whoever takes the lock\'s file away takes the lock away, and the holder knows', async () => {
  const held = await take(agent('a'));
  rmSync(join(folder, 'lock.1.sock'));
  expect(held.isInPlace).toBe(false);
  writeFileSync(join(folder, 'lock.1.sock'), '');
  expect(held.isInPlace).toBe(false);
  await held.end();
});

test('a number that was swept cannot be had again by an agent that is slow', async () => {
  const slow = agent('slow');
  // It saw number 1, dead; since then others came and went.
  const others = agent('others');
  for (let number = 1; number <= 3; number++) await (await take(others)).end();
  const living = await take(others);
  expect(living.number).toBe(4);
  const numbers = (slow as unknown as { readonly numbers: { claim(own: string, number: number): boolean } }).numbers;
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(join(folder, 'own.00000000.sock'), resolve); });
  expect(numbers.claim('own.00000000.sock', 2)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['lock.4.sock', 'own.00000000.sock']);
  server.close();
  await living.end();
});

test('sockets of agents that died before they became holders are swept, living ones are not', async () => {
  writeFileSync(join(folder, 'own.0123abcd.sock'), '');
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(join(folder, 'own.aaaaaaaa.sock'), resolve); });
  const held = await take(agent('a'));
  expect(readdirSync(folder).sort()).toEqual(['lock.1.sock', 'own.aaaaaaaa.sock']);
  await held.end();
  server.close();
});

test('a data folder whose path is longer than a socket\'s may be works all the same', async () => {
  const deep = join(folder, 'k'.repeat(60), 'p'.repeat(60));
  mkdirSync(deep, { recursive: true });
  const held = await take(agent('a', deep));
  expect(readdirSync(deep)).toEqual(['lock.1.sock']);
  const waiting = take(agent('b', deep));
  expect(await stillWaits(waiting)).toBe(true);
  await held.end();
  expect((await waiting).number).toBe(2);
  await (await waiting).end();
});

test.each(['hello\n', '{}\n', 'x'.repeat(100_000), '{"agent":1,"formats":[],"ask":true}\n'])('a visitor who talks nonsense changes nothing: %p', async (text) => {
  const held = await take(agent('a'));
  const { connect } = await import('node:net');
  const visitor = connect(join(folder, 'lock.1.sock'));
  await new Promise<void>((resolve) => { visitor.write(text, () => resolve()); });
  visitor.on('error', () => undefined);
  await new Promise((resolve) => { setTimeout(resolve, 50); });
  expect([held.yieldAsked.aborted, held.peers.current]).toEqual([false, []]);
  visitor.destroy();
  await held.end();
});

describe('processes that are killed and frozen at any moment', () => {
  let program: string;
  let scratch: string;
  const children: ChildProcess[] = [];
  /** What processes said that were not killed: they say nothing while all is well. */
  const said: string[] = [];

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'lock-program-'));
    program = join(scratch, 'lock-process.mjs');
    await build({ entryPoints: [fileURLToPath(new URL('./lock-process.ts', import.meta.url))], outfile: program, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' });
  });
  afterEach(() => {
    children.splice(0).forEach((child) => child.kill('SIGKILL'));
    said.splice(0);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function start(log: string, ask: boolean): ChildProcess {
    const child = spawn(process.execPath, [program, folder, log, ask ? 'ask' : 'wait'], { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    child.stderr!.on('data', (part: Buffer) => said.push(`${child.pid}: ${part.toString()}`));
    child.on('exit', (code) => {
      if (code !== null) said.push(`${child.pid} ended by itself, exit code ${code}`);
    });
    return child;
  }

  function writes(log: string): readonly { readonly number: number; readonly pid: number }[] {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => {
      const [number, pid] = line.split(' ').map(Number);
      return { number: number!, pid: pid! };
    });
  }

  /** Numbers never go back, and a number is one process's: then no one wrote after another had begun. */
  function expectOneWriter(log: string): void {
    const owners = new Map<number, number>();
    let last = 0;
    for (const { number, pid } of writes(log)) {
      expect(number).toBeGreaterThanOrEqual(last);
      last = number;
      expect(owners.get(number) ?? pid).toBe(pid);
      owners.set(number, pid);
    }
  }

  /** No limit of the lock's: one that shows a lock that is stuck, instead of a test that runs out of time. */
  async function until(what: string, condition: () => boolean): Promise<void> {
    const turns = 6_000;
    for (let turn = 0; !condition(); turn += 1) {
      if (said.length > 0 || turn === turns) {
        const states = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).map(({ pid }) => `${pid} ${stateOf(pid!)}`);
        throw new Error(`${what}: did not happen.\nIn the folder: ${readdirSync(folder).join(', ')}\nProcesses: ${states.join(', ')}\n${said.join('\n')}`);
      }
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
  }

  function stateOf(pid: number): string {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').match(/^State:\s*(.*)$/m)?.[1] ?? '?';
    } catch {
      return 'gone';
    }
  }

  // C-095
  test('a holder that is killed is followed, one that is frozen is not', async () => {
    const log = join(folder, 'log');
    const first = start(log, false);
    await until('a first write', () => writes(log).length > 0);
    start(log, false);
    process.kill(first.pid!, 'SIGSTOP');
    const frozen = writes(log).length;
    await new Promise((resolve) => { setTimeout(resolve, 500); });
    expect(writes(log).at(-1)!.pid).toBe(first.pid);
    process.kill(first.pid!, 'SIGCONT');
    await until('a write of the one that was thawed', () => writes(log).length > frozen + 1);
    process.kill(first.pid!, 'SIGKILL');
    await until('a write of the one who waited', () => writes(log).at(-1)!.pid !== first.pid);
    expectOneWriter(log);
  }, 60_000);

  test('never do two of them write, and whenever one lives somebody does', async () => {
    const deed = fc.record({ what: fc.constantFrom('start', 'start and ask', 'kill', 'kill the writer', 'freeze', 'thaw'), who: fc.nat(9), pause: fc.nat(60) });
    await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 8, maxLength: 25, size: 'max' }), async (deeds) => {
      const log = join(folder, 'log');
      rmSync(log, { force: true });
      const living: ChildProcess[] = [];
      const frozen = new Set<ChildProcess>();
      const end = (child: ChildProcess | undefined) => {
        child?.kill('SIGKILL');
        if (child !== undefined) living.splice(living.indexOf(child), 1);
      };
      for (const { what, who, pause } of deeds) {
        const chosen = living[who % Math.max(1, living.length)];
        if (what.startsWith('start') && living.length < 4) living.push(start(log, what === 'start and ask'));
        if (what === 'kill') end(chosen);
        if (what === 'kill the writer') end(living.find(({ pid }) => pid === writes(log).at(-1)?.pid));
        if (what === 'freeze') frozen.add(chosen!);
        if (what === 'freeze') chosen?.kill('SIGSTOP');
        if (what === 'thaw') chosen?.kill('SIGCONT');
        await new Promise((resolve) => { setTimeout(resolve, pause); });
      }
      for (const child of living) child.kill('SIGCONT');
      if (living.length > 0) {
        const before = writes(log).length;
        await until('another write', () => writes(log).length > before);
      }
      expectOneWriter(log);
      for (const child of [...living]) end(child);
    }), { numRuns: RUNS, endOnFailure: true });
  }, Math.max(300_000, RUNS * 10_000));
});

test.each<['removeFile' | 'sweepBelow' | 'ownNames']>([['removeFile'], ['sweepBelow'], ['ownNames']])(
  'an agent whose folder fails at %s after it got a number does not wait for itself', async (step) => {
    const whole = LockNumbers.prototype[step];
    LockNumbers.prototype[step] = () => { throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }); };
    const lock = agent('a');

    await expect(take(lock).finally(() => { Object.assign(LockNumbers.prototype, { [step]: whole }); })).rejects.toThrow('EIO');
    const again = take(lock);

    expect(await stillWaits(again)).toBe(false);
    expect((await again).isInPlace).toBe(true);
    await (await again).end();
  });
