import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { systemProblem } from '../input/file-bytes.js';
import { shownPath } from '../input/find-files.js';
import { parseJsonValue, skipJsonSpace } from '../input/json-document.js';
import type { Io } from '../io.js';
import { jsonText } from './json-text.js';
import { MAX_LINE_BYTES, readLines } from './read-lines.js';
import type { Line } from './read-lines.js';

/** Answers one parsed line; whole numbers beyond 2^53 are bigints, also just beyond 64 bits. */
export type AnswerLine = (input: unknown) => object;

/**
 * Answers every line of the files (`-` is standard input) in order, one line each. A line that cannot be read gets an
 * `inputError`, the rest goes on, and the exit code is 1. Waits for standard output, so that nothing piles up.
 */
export async function answerLines(paths: readonly string[], io: Io, answerLine: AnswerLine): Promise<ExitCode> {
  const sources = paths.map((path) => ({ path, open: opener(path, io) }));
  let exitCode: ExitCode = 0;
  for (const { path, open } of sources) {
    try {
      for await (const line of readLines(open())) {
        const answer = answerTo(line, answerLine);
        if ('inputError' in answer && answer.inputError !== undefined) exitCode = 1;
        io.out(`${jsonText(answer)}\n`);
        await io.drained();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      const { message, help } = systemProblem(error);
      throw new UsageError(`${path}: ${message} ${help}`);
    }
  }
  return exitCode;
}

/** Looks at every path before the first answer, so that a mistyped name is not found halfway. */
function opener(path: string, io: Io): () => AsyncIterable<Buffer | string> {
  if (path === '-') return () => io.stdin;
  if (path === '') throw new UsageError(`no such file: ${shownPath(path)}`);
  const file = resolve(io.workingDirectory, path);
  let isFolder: boolean;
  try {
    isFolder = statSync(file).isDirectory();
  } catch (error) {
    const { message, help } = systemProblem(error);
    throw new UsageError(`${path}: ${message} ${help}`);
  }
  if (isFolder) throw new UsageError(`${path}: This is a folder, and JSON lines come from files. Name the files in it, or pipe them to standard input.`);
  return () => createReadStream(file);
}

function answerTo({ number, text }: Line, answerLine: AnswerLine): object {
  if (text === undefined) return { inputError: `line ${number} is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB; split it` };
  let input: unknown;
  try {
    const { value, end } = parseJsonValue(text, 0, true);
    const rest = skipJsonSpace(text, end);
    if (rest < text.length) return { inputError: `line ${number}: one JSON object a line is expected, and text follows it at character ${rest + 1}` };
    input = value;
  } catch (error) {
    return { inputError: `line ${number}: ${error instanceof Error ? error.message : String(error)}` };
  }
  try {
    const answer: { readonly id?: unknown; readonly inputError?: string } = answerLine(input);
    // With an id the line is found by it.
    return answer.inputError === undefined || answer.id !== undefined ? answer : { inputError: `line ${number}: ${answer.inputError}` };
  } catch (error) {
    // A mistake of ours, such as a stack that is too small for the nesting: the other lines still have answers.
    return { inputError: `line ${number}: this line cannot be answered: ${error instanceof Error ? error.message : String(error)}` };
  }
}
