import { Option } from 'commander';
import type { Command } from 'commander';

import type { CliCommand } from './command.js';

const LEVELS = ['Door', 'Allocation', 'Rollback'] as const;

/** What `hold` and `rollback` have in common. */
export interface StopOptions {
  readonly reason: string;
  readonly ticket?: string;
  readonly message?: string;
  readonly expires?: string;
  readonly name?: string;
  readonly by?: string;
  readonly dryRun?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface HoldOptions extends StopOptions {
  readonly level: typeof LEVELS[number];
  readonly output: 'text' | 'json' | 'yaml';
}

/** Options of what makes a hold. */
export function stopOptions(command: Command): Command {
  return command
    .requiredOption('--reason <text>', 'why; refused people read it')
    .option('--ticket <id>', 'where the story goes on')
    .option('--message <text>', 'what refused people are told (default: the reason)')
    .option('--expires <duration>', 'when it should be over, e.g. 4h or 30m; it holds until somebody releases it all the same')
    .option('--name <name>', 'name of the DeviceHold (default: the pool and a number, a100-1)')
    .option('--by <who>', 'who holds (default: the user that the cluster knows)')
    .option('--dry-run', 'say what would be done, and change nothing')
    .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
    .option('--context <name>', 'context of the kubeconfig');
}

export const holdCommand: CliCommand = {
  name: 'hold',
  topic: 'A migration',
  define(command, io, finish) {
    stopOptions(command
      .description('stop new work on a pool now; what runs goes on')
      .usage('<pool> --reason <text> [options]')
      .argument('<pool>', 'name of the DeviceMigration'))
      .addOption(new Option('--level <level>', 'how much to stop').choices(LEVELS).default('Door'))
      .addOption(new Option('-o, --output <format>', 'form of the answer; json and yaml hold the DeviceHold').choices(['text', 'json', 'yaml']).default('text'))
      .addHelpText('after', HELP)
      .action(async (pool: string, options: HoldOptions) => {
        const { runHold } = await import('./stops/run-hold.js');
        finish(await runHold(pool, options, io));
      });
  },
};

const HELP = `
Makes one DeviceHold with the classes, resource names, claim templates and device pools of the pool filled in from the cluster. The policies read it in
the moment it is there, whether a controller runs or not.

  Door        refuses new owners: Jobs, Deployments, bare pods, claims; and new claim templates, as the hold cannot name them. Pods that replace those of
              work admitted earlier still get devices.
  Allocation  also fences the pool: nothing new is allocated there, not even to replacements. For suspected double use. Says which work cannot heal.
  Rollback    as Allocation, and nodes go back to the device plugin as they empty. Use kubectl-dra rollback, which also saves the evidence.

Running pods are never touched.

Examples:
  kubectl-dra hold a100 --reason 'xid 79 on gpu-07' --ticket INC-4711
  kubectl-dra hold a100 --reason 'two owners on gpu-07' --level Allocation
  kubectl-dra hold a100 --reason 'driver update' --expires 4h
  kubectl-dra hold a100 --reason drill --dry-run -o yaml > hold.yaml      later: kubectl create -f hold.yaml

Exit codes: 0 held, 1 held, but something was not done (it is named), 2 not held.
`;
