import { allocateCommand } from './allocate.js';
import { checkCommand } from './check.js';
import type { CliCommand } from './command.js';
import { evalCommand } from './eval.js';
import { versionCommand } from './version.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [checkCommand, evalCommand, allocateCommand, versionCommand];
