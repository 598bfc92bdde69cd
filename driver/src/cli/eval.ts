import { Argument } from 'commander';

import type { CliCommand } from './command.js';

export const evalCommand: CliCommand = {
  name: 'eval',
  topic: 'Selectors and allocation, without a cluster',
  define(command, io, finish) {
    command
      .description('evaluate device selectors (CEL) as the scheduler does: JSON lines in, JSON lines out')
      .addArgument(new Argument('[files...]', 'files with one JSON object a line, or - for standard input').default(['-'], '-'))
      .addHelpText('after', HELP)
      .action(async (files: readonly string[]) => {
        // Read when needed: selectors and allocator would slow the start of every other command.
        const { evalLines } = await import('./json-lines/eval-lines.js');
        finish(await evalLines(files, io));
      });
  },
};

const HELP = `
A line in:
  id           returned with the answer
  expression   the selector, as in a DeviceClass or a request
  device       {driver, attributes, capacity, allowMultipleAllocations}, as in a ResourceSlice
  kubernetes   version whose dialect counts, "1.34" to "1.37" (default "1.36")
  features     feature gates that differ from the default, {"DRAListTypeAttributes": true}
  envType      "stored" (default): as the scheduler compiles; "new": as the API server does for a new object
  costLimit    cost at which evaluation stops (default 1000000)

A line out:
  match        whether the device matches, or instead
  compileError the text of the error; the API server refuses the object
  runtimeError the text of the error; the scheduler gives up on the pod, on all nodes
  cost         cost of this evaluation; maxCost: what it may cost at most
  tooComplex, tooLong   the API server refuses the object for this
  outputType   type of the expression

Example: a device with 80Gi matches, one that publishes no memory is a runtime error, not "no match":
  echo '{"id":"1","expression":"device.capacity[\\"gpu.example.com\\"].memory.compareTo(quantity(\\"40Gi\\")) >= 0","device":{"driver":"gpu.example.com","capacity":{"memory":{"value":"80Gi"}}}}' | npx kubectl-dra eval

Exit codes: 0 every line was answered, 1 some line is no input ({"inputError": ...}), 2 wrong usage.
`;
