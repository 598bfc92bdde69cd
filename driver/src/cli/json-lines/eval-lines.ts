import { evalLine } from 'cdk8s-dra/model';

import { answerLines } from './answer-lines.js';
import type { ExitCode } from '../command.js';
import type { Io } from '../io.js';

/** Answers every line of the files; gives the exit code. */
export function evalLines(files: readonly string[], io: Io): Promise<ExitCode> {
  return answerLines(files, io, evalLine);
}
