import { Option } from 'commander';

import type { CliCommand } from './command.js';
import { stopOptions } from './hold.js';
import type { StopOptions } from './hold.js';

export interface RollbackOptions extends StopOptions {
  readonly evidence?: string;
  readonly output: 'text' | 'json';
}

export const rollbackCommand: CliCommand = {
  name: 'rollback',
  topic: 'A migration',
  define(command, io, finish) {
    stopOptions(command
      .description('begin to give a pool back to the device plugin: hold it, save the evidence, say what to do with each node')
      .usage('<pool> --reason <text> [options]')
      .argument('<pool>', 'name of the DeviceMigration'))
      .option('--evidence <file>', 'where the evidence goes (default: rollback-POOL-TIME.json in the working directory)')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'))
      .addHelpText('after', HELP)
      .action(async (pool: string, options: RollbackOptions) => {
        const { runRollback } = await import('./stops/run-rollback.js');
        finish(await runRollback(pool, options, io));
      });
  },
};

const HELP = `
Makes a DeviceHold at level Rollback, then writes one file with claims and their allocations, pods and their conditions, events, node reports, slices and nodes:
events are gone after an hour. Nodes change owner only when nobody holds a device there. A controller does that by itself; for clusters without one, the steps for
each node are printed in order, idle nodes first. Nothing is deleted and no pod is stopped, so this command never says that a rollback is done:
kubectl-dra status does, when the last node is back.

Examples:
  kubectl-dra rollback a100 --reason 'prepare fails on 3 of 4 nodes' --ticket INC-4711
  kubectl-dra rollback a100 --reason drill --dry-run

Exit codes: 0 held, evidence saved and no node left to give back, 1 something is left to do (it is named), 2 not held.
`;
