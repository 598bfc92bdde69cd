import { Option } from 'commander';

import { UsageError } from './command.js';
import type { CliCommand } from './command.js';

const FORMATS = ['text', 'json', 'yaml'] as const;

export interface RouteOptions {
  readonly from?: readonly string[];
  readonly write?: boolean;
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: typeof FORMATS[number];
}

export const routeCommand: CliCommand = {
  name: 'route',
  topic: 'A migration',
  define(command, io, finish) {
    command
      .description('compute from the migrations who may start what on which way, show what differs, and write it')
      .argument('[paths...]', 'files or folders whose DeviceMigrations count instead of those of the cluster: what a commit would do')
      .option('--from <paths...>', 'compare with the objects of these files or folders, or - for standard input, instead of a live cluster')
      .option('--write', 'write DeviceRouting and the names on classes, first everything that closes, then what opens')
      .option('--kubernetes <version>', 'version that counts (default: that of the server, of a collected file, or of the newest kubelet)')
      .option('--feature-gates <gates>', 'gates of the cluster that differ from the default')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(new Option('-o, --output <format>', 'form of the answer; json and yaml hold the DeviceRouting').choices(FORMATS).default('text'))
      .addHelpText('after', HELP)
      .action(async (paths: readonly string[], options: RouteOptions) => {
        if (options.write === true && options.from !== undefined) throw new UsageError('--write needs the cluster itself, and --from reads a file. Leave one of the two out.');
        if (options.write === true && paths.length > 0) {
          throw new UsageError(`--write follows the migrations that the cluster has. Apply ${paths.join(' ')} first (kubectl apply -f), then run kubectl-dra route --write.`);
        }
        const { runRoute } = await import('./route/run-route.js');
        finish(await runRoute(paths, options, io));
      });
  },
};

const HELP = `
The door policies read one object, DeviceRouting 'default': per class and per extended resource whom it lets in, which claim templates name such a class,
and which pools are fenced because their node changes owner. It follows from all DeviceMigrations, the claim templates and the nodes. So do the
names that let a class serve the pods of the device plugin (spec.extendedResourceName, from 1.36). The controller writes both; without it, this command does,
as the same field manager.

Without --write nothing is changed. Run it again after each promotion, and when teams have made claim templates.

Examples:
  kubectl-dra route                       what differs in this cluster
  kubectl-dra route --write               write it
  kubectl-dra route dist/                 what the migrations of a commit would change here
  kubectl-dra route --from cluster.json   of a collected cluster

Exit codes: 0 nothing differs, or all was written; 1 something differs, or could not be written; 2 wrong usage, no migration, or no cluster.
`;
