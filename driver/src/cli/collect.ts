import type { CliCommand } from './command.js';

export interface CollectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export const collectCommand: CliCommand = {
  name: 'collect',
  topic: 'A live cluster',
  define(command, io, finish) {
    command
      .description('write all that the offline commands need to one file, without secrets')
      .argument('[file]', 'file to write, or - for standard output', '-')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .addHelpText('after', HELP)
      .action(async (file: string, options: CollectOptions) => {
        // Read when needed: the API client would slow the start of every other command.
        const { runCollect } = await import('./collect/run-collect.js');
        finish(await runCollect(file, options, io));
      });
  },
};

const HELP = `
Reads nodes, pods, claims, claim templates, slices, classes, taint rules, quotas, namespaces, admission policies with their bindings, the
events of pods, and of this project migrations, holds, routing, node reports, tenants and access. Secrets and ConfigMaps are never read; environment, commands and probes of containers, managed fields and the copies of kubectl apply are left out.
Annotations of the List hold the version of the server and its feature gates that differ from the default.

Examples:
  kubectl-dra collect cluster.json
  kubectl-dra explain pod/trainer-0 --from cluster.json

Exit codes: 0 everything was read, 1 some kinds may not be read (they are named), 2 no cluster.
`;
