import { Option } from 'commander';

import type { CliCommand } from './command.js';

export interface ReleaseOptions {
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: 'text' | 'json';
}

export const releaseCommand: CliCommand = {
  name: 'release',
  topic: 'A migration',
  define(command, io, finish) {
    command
      .description('end the holds of a pool, or one of them, and let waiting pods be tried at once')
      .argument('<pool>', 'name of the DeviceMigration, also of one that is gone')
      .option('--name <hold>', 'only this DeviceHold')
      .option('--dry-run', 'say what would be done, and change nothing')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'))
      .addHelpText('after', HELP)
      .action(async (pool: string, options: ReleaseOptions) => {
        const { runRelease } = await import('./stops/run-release.js');
        finish(await runRelease(pool, options, io));
      });
  },
};

const HELP = `
Deletes the DeviceHolds, lets our agents offer devices again, puts names back on classes where the phases allow it, and touches the classes and the waiting
pods, so that the scheduler and the claim controller try them at once instead of after their pause. Says what still holds.

Examples:
  kubectl-dra release a100
  kubectl-dra release a100 --name a100-2

Exit codes: 0 released, or there was nothing to release, 1 something was not done, or the pool is still held, 2 wrong usage or no cluster.
`;
