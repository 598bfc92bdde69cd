import { allocateCommand } from './allocate.js';
import { checkCommand } from './check.js';
import { collectCommand } from './collect.js';
import type { CliCommand } from './command.js';
import { conformanceCommand } from './conformance.js';
import { diffCommand } from './diff.js';
import { evalCommand } from './eval.js';
import { explainCommand } from './explain.js';
import { holdCommand } from './hold.js';
import { nodeCommand } from './node.js';
import { releaseCommand } from './release.js';
import { rollbackCommand } from './rollback.js';
import { routeCommand } from './route.js';
import { statusCommand } from './status.js';
import { versionCommand } from './version.js';
import { workloadsCommand } from './workloads.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  checkCommand,
  evalCommand,
  allocateCommand,
  explainCommand,
  collectCommand,
  conformanceCommand,
  statusCommand,
  diffCommand,
  workloadsCommand,
  routeCommand,
  holdCommand,
  releaseCommand,
  rollbackCommand,
  nodeCommand,
  versionCommand,
];
