import { Option } from 'commander';
import type { Command } from 'commander';

import { UsageError } from './command.js';
import type { CliCommand } from './command.js';

const FORMATS = ['text', 'json'] as const;

export interface NodeOptions {
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly node?: string;
  readonly kubernetes: string;
  readonly featureGates?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: typeof FORMATS[number];
}

export interface NodeStatusOptions {
  readonly address: string;
  readonly dataFolder?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: typeof FORMATS[number];
}

export const nodeCommand: CliCommand = {
  name: 'node',
  topic: 'On a node',
  define(command, io, finish) {
    const format = () => new Option('-o, --output <format>', 'form of the answer').choices(FORMATS).default('text');
    command
      .description('run the node agent, see what a configuration would do, or what an agent does')
      .usage('--config <file> [--dry-run] [options]\n       kubectl-dra node status [options]')
      .option('--config <file>', 'NodeAgentConfiguration, YAML or JSON')
      .option('--dry-run', 'look at the hardware of this machine and print what would be published; nothing is written, no socket opened')
      .option('--node <name>', 'name of the Node (default: NODE_NAME; for a dry run the name of this machine)')
      .option('--kubernetes <version>', 'version that a dry run publishes for, when no cluster is named', '1.34')
      .option('--feature-gates <gates>', 'gates of that version that differ from the default, e.g. DRADeviceTaints=true')
      .option('--kubeconfig <file>', 'cluster to work with (default: the service account of this pod; a dry run asks none)')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(format())
      .addHelpText('after', HELP)
      .action(async (options: NodeOptions) => {
        if (options.config === undefined) throw new UsageError('--config is missing. Name a file with a NodeAgentConfiguration, such as examples/simulated-fleet.yaml.');
        // Read when needed: the agent's libraries would slow the start of every other command.
        if (options.dryRun === true) {
          const { runDryRun } = await import('./node/run-dry-run.js');
          finish(await runDryRun({ ...options, config: options.config }, io));
        } else {
          const { runNode } = await import('./node/run-node.js');
          finish(await runNode({ ...options, config: options.config }, io));
        }
      });
    command
      .command('status')
      .description('what an agent does, holds and misses')
      .argument('[node]', 'a Node, whose report the cluster is asked for; without it the agent at --address')
      .option('--address <host:port>', 'http.address and http.port of an agent; from elsewhere through kubectl port-forward', '127.0.0.1:9464')
      .option('--data-folder <dir>', 'read the records themselves, on the node, also when no agent runs')
      .option('--kubeconfig <file>', 'as for kubectl')
      .option('--context <name>', 'context of the kubeconfig')
      .addOption(format())
      .addHelpText('after', STATUS_HELP)
      .action(async (node: string | undefined, _: unknown, status: Command) => {
        const { runStatus } = await import('./node/run-status.js');
        // The upper command takes the options that both have.
        finish(await runStatus(node, status.optsWithGlobals<NodeStatusOptions>(), io));
      });
  },
};

const HELP = `
The agent ends on SIGTERM. In a pod the DaemonSet sets NODE_NAME, POD_NAME, POD_UID and NAMESPACE; POD_UID lets two agents serve beside each other
during an update. What the file may say: docs/node-agent.md, and for its devices section docs/devices.md.

A dry run prints the mode, the sockets, the devices, what is withheld and why, and with -o json the slices as they would be written. With --kubeconfig
or --context the Node and the abilities of the server are those of that cluster.

Examples:
  kubectl-dra node --config examples/simulated-fleet.yaml --dry-run
  kubectl-dra node --config agent.yaml --dry-run --kubernetes 1.36 -o json
  kubectl-dra node --config agent.yaml --node gpu-07 --kubeconfig admin.conf
  kubectl-dra node status gpu-07

Exit codes: 0 ended as it should, 1 the agent cannot go on, or a dry run found devices that are withheld, 2 wrong usage, configuration or surroundings.
`;

const STATUS_HELP = `
Of a Node the DeviceNodeReports are read, which its agents write. They tell who holds which device, by claims and by device plugins.
At an address the agent itself is asked; it answers those in its pod only:
  kubectl port-forward -n dra pod/gpu-agent-x7k2p 9464 & kubectl-dra node status
In a data folder the records of claims are read as they lie on the disk, those set aside too:
  kubectl-dra node status --data-folder /var/lib/kubelet/plugins/gpu.cdk8s-dra.dev

Exit codes: 0 all is well, 1 something is not (it is named), 2 nobody answers.
`;
