import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError } from '../../../src/cli/command.js';
import type { Io } from '../../../src/cli/io.js';
import { answerLines } from '../../../src/cli/json-lines/answer-lines.js';

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'lines-')); });
afterEach(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly paths?: readonly string[];
  readonly stdin?: string;
  readonly drained?: () => Promise<void>;
}

function answerOf(input: unknown): object {
  if (input === 'throw') throw new Error('too deep');
  return input === null ? { inputError: 'null' } : { given: input };
}

async function answer({ paths = ['-'], stdin = '', drained = () => Promise.resolve() }: Given) {
  const out: string[] = [];
  const io: Io = {
    stdin: (async function* lines() { yield stdin; })(),
    workingDirectory: folder,
    hasColor: false,
    isWatched: false,
    now: () => 0,
    drained,
    out: (text) => out.push(text),
    err: () => undefined,
  };
  const code = await answerLines(paths, io, answerOf);
  return { code, out: out.join('') };
}

test('files and standard input are answered in the order of the arguments', async () => {
  writeFileSync(join(folder, 'a.jsonl'), '1\n2\n');
  writeFileSync(join(folder, 'b.jsonl'), '4');

  expect(await answer({ paths: ['a.jsonl', '-', 'b.jsonl'], stdin: '3\n' })).toEqual({ code: 0, out: '{"given":1}\n{"given":2}\n{"given":3}\n{"given":4}\n' });
});

test('whole numbers of 64 bits stay exact', async () => {
  expect((await answer({ stdin: '[9223372036854775807,9007199254740993]' })).out).toBe('{"given":[9223372036854775807,9007199254740993]}\n');
});

test('whole numbers just beyond 64 bits reach who judges them as they were written', async () => {
  expect((await answer({ stdin: '[9223372036854775808,-9223372036854775809]' })).out).toBe('{"given":[9223372036854775808,-9223372036854775809]}\n');
});

test('a malformed line is named, the rest is answered, and the exit code is 1', async () => {
  expect(await answer({ stdin: '1\n{"a":\n{} {}\n\n2' })).toEqual({
    code: 1,
    out: [
      '{"given":1}',
      '{"inputError":"line 2: invalid JSON: expected a value, found the end of the file"}',
      '{"inputError":"line 3: one JSON object a line is expected, and text follows it at character 4"}',
      '{"given":2}', '',
    ].join('\n'),
  });
});

test('an answer that says inputError makes the exit code 1, and has its line', async () => {
  expect(await answer({ stdin: 'null\n1' })).toEqual({ code: 1, out: '{"inputError":"line 1: null"}\n{"given":1}\n' });
});

test('a line that cannot be answered does not stop the rest', async () => {
  expect(await answer({ stdin: '"throw"\n1' })).toEqual({ code: 1, out: '{"inputError":"line 1: this line cannot be answered: too deep"}\n{"given":1}\n' });
});

test('nothing in, nothing out', async () => {
  expect(await answer({})).toEqual({ code: 0, out: '' });
});

test.each([
  ['nosuch.jsonl', 'nosuch.jsonl: There is no such file; a symbolic link may point nowhere. Correct the name or the link.'],
  ['', "no such file: '' (an empty path; is a variable unset?)"],
  ['.', '.: This is a folder, and JSON lines come from files. Name the files in it, or pipe them to standard input.'],
])('the path %s is refused before anything is answered', async (path, message) => {
  writeFileSync(join(folder, 'a.jsonl'), '1\n');

  await expect(answer({ paths: ['a.jsonl', path] })).rejects.toThrow(new UsageError(message));
});

test('the next line is read only when the output has taken the last', async () => {
  let waited = 0;

  await answer({ stdin: '1\n2\n3\n', drained: () => { waited++; return Promise.resolve(); } });

  expect(waited).toBe(3);
});
