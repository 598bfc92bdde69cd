import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { MemoryDisk } from './kit/memory-disk.js';
import { Steps, systemError } from './kit/steps.js';
import { LocalFileSystem } from '../../../src/node/claims/record/file-system.js';
import { RecordJournal } from '../../../src/node/claims/record/record-journal.js';
import type { NameChange } from '../../../src/node/claims/record/record-journal.js';

const PATH = '/data/claims.journal';

async function world(bytes?: number) {
  const disk = new MemoryDisk();
  const steps = new Steps();
  const files = disk.fileSystem(steps);
  await files.makeFolder('/data', 0o700);
  const now = new Map<string, string>();
  const journal = new RecordJournal(files, PATH, bytes);
  const read = async () => new RecordJournal(files, PATH).read();
  return { disk, steps, files, now, journal, read, begin: async () => journal.begin('boot-1', async () => now) };
}

function apply(files: Map<string, string>, change: NameChange): void {
  if ('put' in change) {
    files.set(change.put, change.content);
  } else if ('remove' in change) {
    files.delete(change.remove);
  } else {
    const content = files.get(change.rename);
    if (content !== undefined) files.set(change.to, content);
    files.delete(change.rename);
  }
}

function nameOf(one: NameChange): string {
  return 'put' in one ? one.put : 'remove' in one ? one.remove : one.rename;
}

const name = fc.constantFrom('a.json', 'b.json', 'c.json');
const change: fc.Arbitrary<NameChange> = fc.oneof(
  fc.record({ put: name, content: fc.string({ maxLength: 60 }) }),
  fc.record({ remove: name }),
  name.map((one) => ({ rename: one, to: `out-${one}` })),
);

test('what is read is what was told, in whatever order, with whatever room, however many wait at once', async () => {
  const rounds = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 });
  await fc.assert(fc.asyncProperty(rounds, fc.constantFrom(64, 700, 65_536), async (told, bytes) => {
    const { now, journal, read, begin } = await world(bytes);
    now.set('old.json', 'from before');
    await begin();
    for (const round of told) {
      // Changes of one name wait for each other.
      const apart = round.filter((one, index) => round.findIndex((other) => nameOf(other) === nameOf(one)) === index);
      await Promise.all(apart.map(async (one, index) => {
        apply(now, one);
        return journal.append(one, { durable: index % 2 === 0 });
      }));
    }
    const left = await read();
    expect(left?.boot).toBe('boot-1');
    expect(new Map([...left!.files].filter(([, content]) => content !== undefined))).toEqual(now);
  }), { numRuns: 150 });
});

test('after a loss of power everything that was waited for is there, and nothing that was never told', async () => {
  const some = fc.array(change, { minLength: 1, maxLength: 12 });
  await fc.assert(fc.asyncProperty(some, fc.nat(11), fc.constantFrom(0, 0.3, 0.5, 1), async (changes, upTo, survive) => {
    const { disk, now, journal, read, begin } = await world(4096);
    await begin();
    const states = [JSON.stringify([])];
    let promised = 0;
    for (const [index, one] of changes.entries()) {
      apply(now, one);
      await journal.append(one, { durable: index === upTo });
      states.push(JSON.stringify([...now].sort()));
      if (index === upTo) promised = states.length - 1;
    }
    disk.failPower(survive);
    const told = await read();
    const left = JSON.stringify([...told!.files].filter(([, content]) => content !== undefined).sort());
    // A line in the middle may be the one that is lost, so what comes after the promise is any part of it; up to there it is whole.
    if (survive === 0) expect(left).toBe(states[promised]);
    else if (promised === states.length - 1) expect(left).toBe(states.at(-1));
  }), { numRuns: 150 });
});

describe('a journal that cannot be written', () => {
  test('is none when it cannot be begun', async () => {
    const { steps, journal, begin, read } = await world();
    steps.fault = (step) => step.startsWith('write ') ? systemError('ENOSPC') : undefined;
    await expect(begin()).rejects.toThrow('ENOSPC');
    expect([journal.isOn, journal.isBroken, await read()]).toEqual([false, true, undefined]);
  });

  test('tells all who wait, and takes nothing more until it is removed and begun anew', async () => {
    const { steps, now, journal, begin, read } = await world();
    await begin();
    steps.fault = (step) => step.startsWith('fdatasync ') ? systemError('EIO') : undefined;
    const waiting = ['a.json', 'b.json'].map(async (put) => journal.append({ put, content: '1' }, { durable: true }));
    expect(await Promise.allSettled(waiting)).toEqual([expect.objectContaining({ status: 'rejected' }), expect.objectContaining({ status: 'rejected' })]);
    steps.fault = undefined;
    await expect(journal.append({ remove: 'a.json' }, { durable: true })).rejects.toThrow();
    await journal.remove();
    expect([journal.isOn, journal.isBroken, await read()]).toEqual([false, false, undefined]);
    now.set('c.json', '2');
    await begin();
    expect((await read())?.files).toEqual(new Map([['c.json', '2']]));
  });

  test('stays off when it ends while it is written', async () => {
    const { steps, journal, begin } = await world();
    await begin();
    let ended: Promise<void> | undefined;
    steps.fault = (step) => {
      if (step === `write ${PATH}` && ended === undefined) {
        journal.close();
        ended = journal.remove();
      }
      return undefined;
    };
    await Promise.allSettled([journal.append({ put: 'a.json', content: '1' }, { durable: true })]);
    await ended;
    await expect(journal.append({ remove: 'a.json' }, { durable: true })).rejects.toThrow('closed');
    expect([journal.isOn, journal.isBroken]).toEqual([false, false]);
  });

  test('keeps the old one when there is no room for a new one', async () => {
    const { steps, now, journal, begin, read } = await world(200);
    await begin();
    now.set('a.json', '1');
    await journal.append({ put: 'a.json', content: '1' }, { durable: true });
    steps.fault = (step) => step.startsWith('create ') ? systemError('ENOSPC') : undefined;
    await expect(journal.append({ put: 'b.json', content: 'x'.repeat(500) }, { durable: true })).rejects.toThrow('ENOSPC');
    expect(journal.isBroken).toBe(true);
    expect((await read())?.files).toEqual(new Map([['a.json', '1']]));
  });
});

test.each([
  ['no journal', ''],
  ['no boot in its first line', 'x\n'],
  ['a first line of another content', `${'0'.repeat(64)} {"boot":"boot-1"}\n`],
])('%s is read as none', async (_, text) => {
  const { disk, read } = await world();
  disk.set(PATH, text);
  expect(await read()).toBeUndefined();
});

test('a disk that does not answer is no journal that is missing', async () => {
  const { steps, begin, read } = await world();
  await begin();
  steps.fault = (step) => step.startsWith('read ') ? systemError('EIO') : undefined;
  await expect(read()).rejects.toThrow('EIO');
});

test('a damaged line is passed over, those after it count', async () => {
  const { disk, journal, begin, read } = await world(4096);
  await begin();
  for (const put of ['a.json', 'b.json', 'c.json']) await journal.append({ put, content: put }, { durable: true });
  disk.set(PATH, disk.text(PATH)!.replace('"put":"b.json"', '"put":"d.json"'));
  expect([...(await read())!.files.keys()]).toEqual(['a.json', 'c.json']);
});

describe('the disk of this machine', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('keeps the length of the file, and is written by many at once', async () => {
    const path = join(folder, 'claims.journal');
    const journal = new RecordJournal(new LocalFileSystem(), path, 8192);
    await journal.begin('boot-1', async () => new Map());
    await Promise.all(Array.from({ length: 20 }, async (_, index) => journal.append({ put: `${index}.json`, content: 'ä' }, { durable: true })));
    expect(readFileSync(path)).toHaveLength(8192);
    expect((await new RecordJournal(new LocalFileSystem(), path).read())?.files.size).toBe(20);
    await journal.remove();
    expect(await journal.read()).toBeUndefined();
  });

  test('does not follow a link out of the folder', async () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'of somebody else');
    symlinkSync(target, join(folder, 'claims.journal'));
    const files = new LocalFileSystem();
    await expect(files.overwrite(join(folder, 'claims.journal'), 'x', { at: 0, durable: true })).rejects.toThrow('ELOOP');
    await expect(files.syncFile(join(folder, 'claims.journal'))).rejects.toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe('of somebody else');
  });
});
