import { Argument } from 'commander';

import type { CliCommand } from './command.js';

export const allocateCommand: CliCommand = {
  name: 'allocate',
  topic: 'Selectors and allocation, without a cluster',
  define(command, io, finish) {
    command
      .description('allocate devices to claims on a node as the scheduler does: JSON lines in, JSON lines out')
      .addArgument(new Argument('[files...]', 'files with one JSON object a line, or - for standard input').default(['-'], '-'))
      .addHelpText('after', HELP)
      .action(async (files: readonly string[]) => {
        // Read when needed: selectors and allocator would slow the start of every other command.
        const { allocateLines } = await import('./json-lines/allocate-lines.js');
        finish(await allocateLines(files, io));
      });
  },
};

const HELP = `
A line in (objects of resource.k8s.io/v1 as kubectl prints them):
  id           returned with the answer
  node         the Node
  classes      DeviceClasses
  slices       ResourceSlices, of all nodes if you like
  claims       ResourceClaims to allocate together, as those of one pod
  allocated    what is in use: {driver, pool, device, shareID, consumedCapacity, adminAccess} or ResourceClaims
  kubernetes   version whose scheduler counts, "1.34" to "1.37" (default "1.36")
  features     feature gates that differ from the default, {"DRADeviceTaints": true}

A line out:
  allocated    whether all claims fit
  results      status.allocation of each claim, in their order
  error        why not, in the words of the scheduler; without it the claims simply do not fit
  nodeError    true: only this node is out; false: the scheduler gives up on the pod, on all nodes

Example:
  echo '{"id":"1","node":{"metadata":{"name":"n1"}},"classes":[{"metadata":{"name":"gpu"},"spec":{}}],"slices":[{"metadata":{"name":"s"},"spec":{"driver":"gpu.example.com","nodeName":"n1","pool":{"name":"n1","generation":1,"resourceSliceCount":1},"devices":[{"name":"gpu-0"}]}}],"claims":[{"metadata":{"name":"c","namespace":"team"},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}]}' | npx kubectl-dra allocate

Exit codes: 0 every line was answered, 1 some line is no input ({"inputError": ...}), 2 wrong usage.
`;
