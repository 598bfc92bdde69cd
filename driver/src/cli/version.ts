import { Option } from 'commander';

import type { CliCommand } from './command.js';

/** Put in by the build. */
declare const KUBECTL_DRA_VERSION: string;

export const VERSION: string = KUBECTL_DRA_VERSION;

export const versionCommand: CliCommand = {
  name: 'version',
  topic: 'Other',
  define(command, io, finish) {
    command
      .description('print the version, and the Kubernetes versions it knows')
      .addOption(new Option('-o, --output <format>', 'form of the answer').choices(['text', 'json']).default('text'))
      .action(async ({ output }: { output: string }) => {
        const { MINORS } = await import('./version/known-minors.js');
        if (output === 'json') io.out(`${JSON.stringify({ version: VERSION, kubernetes: MINORS }, null, 2)}\n`);
        else io.out(`kubectl-dra ${VERSION}, for Kubernetes ${MINORS.join(', ')}\n`);
        finish(0);
      });
  },
};
