import type { Command } from 'commander';

import type { Io } from './io.js';

/** 0: nothing to complain about; 1: findings; 2: wrong usage, or an environment that does not let the command work. */
export type ExitCode = 0 | 1 | 2;

/** Headings of the command list, in its order. */
export const TOPICS = ['Manifests, without a cluster', 'Selectors and allocation, without a cluster', 'A live cluster', 'A migration', 'On a node', 'Other'] as const;

/** A command of `kubectl-dra`: one file beside this one, named in `commands.ts`. */
export interface CliCommand {
  readonly name: string;
  readonly topic: typeof TOPICS[number];
  /** Adds arguments, options and help to an empty command, and the action, which hands its exit code to `finish`. */
  define(command: Command, io: Io, finish: (code: ExitCode) => void): void;
}

/** Something the user must change before the command can work: printed without a stack, exit code 2. */
export class UsageError extends Error {}
