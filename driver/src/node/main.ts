import { parseArgs } from 'node:util';

import { AGENT_VERSION } from './agent-version.js';
import { runAgent } from './program.js';
import type { AgentOptions } from './program.js';

const HELP = `The node agent of cdk8s-dra: offers the devices of its node through Dynamic Resource Allocation, or tells who holds them.

Usage: node.js --config FILE [--node NAME] [--kubeconfig FILE] [--context NAME]

  --config FILE      NodeAgentConfiguration, YAML or JSON
  --node NAME        name of the Node (default: NODE_NAME)
  --kubeconfig FILE  outside of a pod (default: the service account, else KUBECONFIG or ~/.kube/config)
  --context NAME     context of the kubeconfig
  --version, --help

POD_UID names the sockets, so that two agents can serve beside each other during an update; POD_NAME names the agent in Events.
kubectl-dra node --dry-run shows what a configuration would do.
Exit codes: 0 ended by a signal, 1 cannot go on, 2 wrong usage or configuration.
`;

function optionsOf(args: readonly string[]): AgentOptions | 'help' | 'version' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: 'string' },
      node: { type: 'string' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const { config, node, kubeconfig, context } = values;
  if (config === undefined) throw new Error('--config is missing. Name the file with the NodeAgentConfiguration.');
  return { config, node, kubeconfig, context };
}

async function main(): Promise<number> {
  let options: ReturnType<typeof optionsOf>;
  try {
    options = optionsOf(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`);
    return 2;
  }
  if (options === 'help' || options === 'version') {
    process.stdout.write(options === 'help' ? HELP : `${AGENT_VERSION}\n`);
    return 0;
  }
  const end = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      // Who asks twice does not want to wait; the records are safe at any moment.
      if (end.signal.aborted) process.exit(1);
      end.abort();
    });
  }
  return runAgent(options, { environment: process.env, say: (text) => process.stderr.write(text), signal: end.signal });
}

void main().then((code) => {
  process.exitCode = code;
});
