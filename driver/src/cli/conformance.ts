import { InvalidArgumentError, Option } from 'commander';

import type { CliCommand } from './command.js';

const FORMATS = ['text', 'json', 'junit', 'html'] as const;

export interface ConformanceOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly readOnly?: true;
  readonly lab?: true;
  readonly only?: readonly string[];
  readonly output: typeof FORMATS[number];
  readonly plan?: true;
  readonly clean?: true;
  readonly list?: true;
}

export const conformanceCommand: CliCommand = {
  name: 'conformance',
  topic: 'A live cluster',
  define(command, io, finish) {
    command
      .description('try whether a cluster keeps the contracts that this project and its users rely on')
      .option('--kubeconfig <file>', 'as for kubectl; else KUBECONFIG, ~/.kube/config, or the service account of this pod')
      .option('--context <name>', 'context of the kubeconfig')
      .option('--read-only', 'store nothing: reads and server-side dry runs only')
      .option('--lab', 'also contracts that make nodes and devices; for clusters of your own only')
      .addOption(new Option('--only <ids>', 'ids of contracts or areas, e.g. quota,limit-consumers').argParser(ids))
      .addOption(new Option('-o, --output <format>', 'form of the report').choices(FORMATS).default('text'))
      .option('--plan', 'print what would be done and which permissions it needs, and stop')
      .option('--clean', 'remove what earlier runs left, and stop')
      .option('--list', 'print every contract, and stop')
      .addHelpText('after', EXAMPLES)
      .action(async (options: ConformanceOptions) => {
        // Read when needed: the API client and the contracts would slow the start of every other command.
        const { runConformance } = await import('./conformance/run-conformance.js');
        finish(await runConformance(options, io));
      });
  },
};

const EXAMPLES = `
Examples:
  kubectl-dra conformance --plan                    what it would create and need
  kubectl-dra conformance --read-only               on a cluster that must not be touched
  kubectl-dra conformance                           in a namespace of its own, removed at the end
  kubectl-dra conformance --only quota,claim-life
  kubectl-dra conformance -o junit > conformance.xml
  kubectl-dra conformance --clean                   after a run that was killed

Exit codes: 0 every contract that was tried is kept, 1 some are broken, 2 wrong usage, no cluster, nothing tried, or something could not be removed.
`;

function ids(given: string, before: readonly string[] = []): readonly string[] {
  const parts = given.split(',').map((id) => id.trim()).filter((id) => id !== '');
  if (parts.length === 0) throw new InvalidArgumentError('Name at least one contract or area.');
  return [...before, ...parts];
}
