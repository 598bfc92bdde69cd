import { DeviceUse, nearest, newestHeartbeat, poolStatuses, readPlan } from 'cdk8s-dra/model';
import type { ClusterView, StatusReport, Target, ViewKind } from 'cdk8s-dra/model';

import { readClusterFacts } from '../../conformance/cluster-facts.js';
import { readKinds, withCluster } from '../collect/read-cluster.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { viewOfCluster } from '../input/view-of-cluster.js';
import { viewOfFiles } from '../input/view-of-files.js';
import type { Io } from '../io.js';
import type { StatusOptions } from '../status.js';
import { statusText } from './status-text.js';

const KINDS: readonly ViewKind[] = [
  'DeviceMigration', 'DeviceHold', 'DeviceNodeReport', 'DeviceRouting', 'DeviceClass', 'Node', 'Pod', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice',
];

export async function runPoolStatus(pools: readonly string[], options: StatusOptions, io: Io): Promise<ExitCode> {
  if (options.from !== undefined) {
    const { view, target, unread } = await viewOfFiles(options.from, options, io, 'Name pools before --from, which takes every path after it');
    // Heartbeats are as old as the newest of them: the file tells of one moment.
    return answer({ view, target, use: new DeviceUse(view, newestHeartbeat(view)), unread }, pools, options, io);
  }
  return withCluster(options, async (client) => {
    const { view, target } = viewOfCluster(await readKinds(client, await readClusterFacts(client), KINDS));
    return answer({ view, target, use: new DeviceUse(view, Date.now()) }, pools, options, io);
  });
}

interface Seen {
  readonly view: ClusterView;
  readonly target: Target;
  readonly use: DeviceUse;
  /** The part of the files that could not be read. */
  readonly unread?: string | undefined;
}

function answer({ view, target, use, unread }: Seen, pools: readonly string[], options: StatusOptions, io: Io): ExitCode {
  const now = Date.now();
  const found = chosen(poolStatuses(view, readPlan(view), use, target, now), pools, options.from);
  const report = unread === undefined ? found : { ...found, problems: [`Part of the files cannot be read, and what it holds is missing here: ${unread}`, ...found.problems] };
  io.out(options.output === 'json' ? `${JSON.stringify(report, null, 2)}\n` : statusText(report, now, io.hasColor));
  const isWrong = report.problems.length > 0 || report.pools.some(({ twoOwners, unknown }) => twoOwners.length > 0 || unknown.length > 0);
  return isWrong ? 1 : 0;
}

function chosen(report: StatusReport, names: readonly string[], from: readonly string[] | undefined): StatusReport {
  const known = report.pools.map(({ pool }) => pool);
  if (known.length === 0 && report.problems.length === 0) {
    throw new UsageError(from === undefined
      ? 'there is no DeviceMigration. Are the CRDs installed, and is it the right context?'
      : `there is no DeviceMigration in ${from.join(', ')}. kubectl-dra collect writes those of the cluster; those of Git can be named beside it: --from cluster.json dist/`);
  }
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    throw new UsageError(`no DeviceMigration is called '${name}'${meant === undefined ? `: there ${known.length === 1 ? 'is' : 'are'} ${known.slice(0, 20).join(', ')}` : `, did you mean ${meant}?`}`);
  }
  return names.length === 0 ? report : { ...report, pools: report.pools.filter(({ pool }) => names.includes(pool)) };
}
