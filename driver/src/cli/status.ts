import { Option } from 'commander';

import type { CliCommand } from './command.js';

export interface StatusOptions {
  readonly from?: readonly string[];
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: 'text' | 'json';
}

export const statusCommand: CliCommand = {
  name: 'status',
  topic: 'A migration',
  define(command, io, finish) {
    command
      .description('say where each pool stands, one line a pool: target, actual, nodes, use, waiting on, since, next')
      .argument('[pools...]', 'only these pools')
      .option('--from <paths...>', 'judge the objects of these files or folders, or - for standard input, instead of a live cluster')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'))
      .addHelpText('after', HELP)
      .action(async (pools: readonly string[], options: StatusOptions) => {
        const { runPoolStatus } = await import('./status/run-pool-status.js');
        finish(await runPoolStatus(pools, options, io));
      });
  },
};

const HELP = `
Everything is read off the objects themselves, so it is as true with the controller down as with it. NODES are those of the device plugin, on the move, and of DRA;
PLUGIN and CLAIMS are units and devices in use on each way. A phase with ~ was read off the nodes, as no controller has written it.
What cannot be read counts as held (marked *): a node whose agent is silent has all of its devices in use.

Two owners of one device come first, whatever else there is to say.

Examples:
  kubectl-dra status
  kubectl-dra status a100 h100
  kubectl-dra status --from cluster.json -o json

Exit codes: 0 all is as it should be, 1 two owners, expired or stray holds, nodes or files that cannot be read, 2 wrong usage, no pool, or no cluster.
`;
