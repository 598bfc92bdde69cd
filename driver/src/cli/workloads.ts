import { Option } from 'commander';

import { UsageError } from './command.js';
import type { CliCommand } from './command.js';

export interface WorkloadsOptions {
  readonly from?: readonly string[];
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly output: 'text' | 'json';
}

export const workloadsCommand: CliCommand = {
  name: 'workloads',
  topic: 'A migration',
  define(command, io, finish) {
    command
      .description('say of existing workloads how they come over: as they are, with a claim template (which is printed), or not')
      .argument('[paths...]', 'files or folders with workloads, and with DeviceMigrations if they are in Git; - for standard input')
      .option('--from <paths...>', 'a collected cluster, for its migrations, classes and pods')
      .option('--kubernetes <version>', 'version that counts (default: that of a collected file, else 1.34)')
      .option('--feature-gates <gates>', 'gates of the cluster that differ from the default')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'))
      .addHelpText('after', HELP)
      .action(async (paths: readonly string[], options: WorkloadsOptions) => {
        if (paths.length === 0 && options.from === undefined) {
          throw new UsageError('nothing to look at: name files or folders with workloads, or --from a collected cluster. Of a live one: kubectl get deploy,sts,ds,job,cronjob -A -o yaml | kubectl-dra workloads -');
        }
        const { runWorkloads } = await import('./workloads/run-workloads.js');
        finish(await runWorkloads(paths, options, io));
      });
  },
};

const HELP = `
Looks at every pod template that asks for an extended resource, of custom kinds too (JobSet, PyTorchJob, RayCluster).

  bridge     rides the bridge as it is: from 1.36 a class serves the name of the device plugin, for whole devices
  template   needs a ResourceClaimTemplate, which is printed, with the change to the pod template
  blocked    cannot come over yet, with the reason

Workloads that rely on preemption are named: the scheduler evicts nobody to free devices of claims, and the bridge makes claims.

Examples:
  kubectl-dra workloads apps/ dist/30-pools --kubernetes 1.36
  kubectl get deploy,sts,ds,job,cronjob -A -o yaml | kubectl-dra workloads - --from cluster.json
  kubectl-dra workloads apps/ -o json

Exit codes: 0 all can come over, 1 some are blocked, or part of the files cannot be read, 2 wrong usage.
`;
