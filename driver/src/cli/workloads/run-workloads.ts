import { ManifestSet, platformDaemons, readPlan, workloadPaths } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { viewOfFiles } from '../input/view-of-files.js';
import type { Io } from '../io.js';
import type { WorkloadsOptions } from '../workloads.js';
import { workloadsText } from './workloads-text.js';

export async function runWorkloads(paths: readonly string[], options: WorkloadsOptions, io: Io): Promise<ExitCode> {
  const { view, manifests, target, unknown, unread } = await viewOfFiles([...options.from ?? [], ...paths], options, io);
  const { migrations, mistakes } = readPlan(view);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
  const set = new ManifestSet(manifests);
  const found = workloadPaths(set, migrations, target);
  const daemons = platformDaemons(set);
  io.out(options.output === 'json'
    ? `${JSON.stringify({ kubernetes: target.minor, workloads: found, daemons, unknown }, null, 2)}\n`
    : workloadsText(found, daemons, { kubernetes: target.minor, unknown, hasColor: io.hasColor }));
  // What could not be read may be what is blocked.
  return found.some(({ way }) => way === 'blocked') || unread !== undefined ? 1 : 0;
}
