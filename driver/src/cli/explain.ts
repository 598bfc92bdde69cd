import { Option } from 'commander';

import { UsageError } from './command.js';
import type { CliCommand } from './command.js';

const FORMATS = ['text', 'json'] as const;

export interface ExplainOptions {
  readonly namespace?: string;
  readonly node?: string;
  readonly from?: readonly string[];
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: typeof FORMATS[number];
}

export const explainCommand: CliCommand = {
  name: 'explain',
  topic: 'A live cluster',
  define(command, io, finish) {
    command
      .description('say why a pod is Pending, in order of cause, and what would help')
      .usage('[options] <pod>')
      .argument('[pod]', 'pod/NAME, NAME, or pod NAME')
      .argument('[name]')
      .option('-n, --namespace <name>', 'namespace of the pod (default: that of the context; with --from the only one that has such a pod)')
      .option('--node <name>', 'say what excludes the pod from this one node, device by device')
      .option('--from <paths...>', 'judge the objects of these files or folders, or - for standard input, instead of a live cluster')
      .option('--kubernetes <version>', 'version whose scheduler counts (default: that of the server, of a collected file, or of the newest kubelet)')
      .option('--feature-gates <gates>', 'gates of the cluster that differ from the default, e.g. DRADeviceTaints=true (default: as the server or a collected file says)')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(FORMATS).default('text'))
      .addHelpText('after', HELP)
      .action(async (kindOrPod: string | undefined, name: string | undefined, options: ExplainOptions) => {
        const pod = name === undefined ? kindOrPod : `${kindOrPod}/${name}`;
        if (pod === undefined) throw new UsageError(`no pod is named${options.from === undefined ? '' : ' before --from, which takes every path after it'}: write kubectl-dra explain pod/trainer-0 -n vision${options.from === undefined ? '' : ' --from cluster.yaml'}`);
        // Read when needed: the allocator and the API client would slow the start of every other command.
        const { runExplain } = await import('./explain/run-explain.js');
        finish(await runExplain(pod, options, io));
      });
  },
};

const HELP = `
Reads and changes nothing. Every way out that it calls tried was put to the same code that decides in the scheduler, with the same objects.
A file for --from comes from kubectl-dra collect, or from kubectl:
  kubectl get nodes,pods,resourceclaims,resourceclaimtemplates,resourceslices,deviceclasses,events,resourcequotas -A -o yaml > cluster.yaml

Examples:
  kubectl-dra explain pod/trainer-0 -n vision
  kubectl-dra explain pod/trainer-0 --from cluster.yaml --kubernetes 1.36
  kubectl-dra explain trainer-0 --from cluster.yaml -o json
  kubectl-dra explain pod/trainer-0 --node gpu-07        why not there, device by device

Exit codes: 0 there is an answer, 2 wrong usage, no such pod, or no cluster.
`;
