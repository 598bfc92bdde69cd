import { Option } from 'commander';

import type { CliCommand } from './command.js';

export interface DiffOptions {
  readonly base: readonly string[];
  readonly head: readonly string[];
  readonly from?: readonly string[];
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly output: 'text' | 'json' | 'github';
}

export const diffCommand: CliCommand = {
  name: 'diff',
  topic: 'A migration',
  define(command, io, finish) {
    command
      .description('say what a commit means: nodes that may move, who may use DRA, running pods, quota, gangs, the way back')
      .usage('--base <paths...> --head <paths...> [options]')
      .requiredOption('--base <paths...>', 'manifests as they are, e.g. dist/ of the main branch')
      .requiredOption('--head <paths...>', 'manifests as they would be')
      .option('--from <paths...>', 'a collected cluster: then nodes, pods and gangs are named and counted')
      .option('--kubernetes <version>', 'version that counts (default: that of the collected cluster, else 1.34)')
      .option('--feature-gates <gates>', 'gates of the cluster that differ from the default')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json', 'github']).default('text'))
      .addHelpText('after', HELP)
      .action(async (options: DiffOptions) => {
        const { runDiff } = await import('./diff/run-diff.js');
        finish(await runDiff(options, io));
      });
  },
};

const HELP = `
A promotion is one changed line; this says what the line does. With --from the answer is about that cluster: how many nodes of which may change owner, which pods
run on them and what happens to those, how many devices are free together on each way before and after (with the idlest nodes gone first), and
which running work could not start again on its way. -o github prints annotations at the changed line.

Examples:
  kubectl-dra diff --base main/dist --head dist
  kubectl-dra diff --base main/dist --head dist --from cluster.json -o github
  git worktree add /tmp/main origin/main && kubectl-dra diff --base /tmp/main/dist --head dist

Exit codes: 0 the change may be made, 1 it is refused: a skipped phase, a shrunk canary, a pool that is gone, more quota than a tenant has; 2 wrong usage.
`;
