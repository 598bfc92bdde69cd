import { readPlan, routePlan } from 'cdk8s-dra/model';
import type { PlannedMigration, RoutePlan } from 'cdk8s-dra/model';

import { readClusterFacts } from '../../conformance/cluster-facts.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { readKinds, withCluster } from '../collect/read-cluster.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { viewOfCluster } from '../input/view-of-cluster.js';
import type { LiveView } from '../input/view-of-cluster.js';
import { wholeViewOfFiles } from '../input/view-of-files.js';
import type { FileView } from '../input/view-of-files.js';
import type { Io } from '../io.js';
import type { RouteOptions } from '../route.js';
import { routeJson, routeText, routeYaml } from './route-text.js';
import { writeRoute } from './write-route.js';

/** Kinds that decide. */
const KINDS = ['DeviceMigration', 'DeviceHold', 'DeviceRouting', 'DeviceClass', 'ResourceClaimTemplate', 'ResourceSlice', 'Node'] as const;

export async function runRoute(paths: readonly string[], options: RouteOptions, io: Io): Promise<ExitCode> {
  const planned = paths.length === 0 ? undefined : await migrationsOf(paths, options, io);
  if (options.from !== undefined) {
    const files = await wholeViewOfFiles(options.from, options, io);
    return show(planOf(files, planned), files.unknown, paths, options, io);
  }
  return withCluster(options, async (client) => {
    const live = await liveView(client, options);
    const plan = planOf(live, planned);
    if (options.write !== true || plan.mistakes.length > 0) return show(plan, live.unknown, paths, options, io);
    const { lines, failures } = await writeRoute(client, plan, live.view);
    if (options.output === 'text') {
      io.out(`${failures.length > 0 ? 'Not everything was written.' : lines.length === 0 ? 'Nothing to write: everything is as the migrations say.' : 'Written.'}\n`);
      io.out(lines.map((line) => `  ${line}\n`).join(''));
    } else {show(plan, live.unknown, paths, options, io);}
    for (const line of failures) io.err(`not done: ${line}\n`);
    return failures.length === 0 ? 0 : 1;
  });
}

async function liveView(client: KubeClient, options: RouteOptions): Promise<LiveView> {
  const facts = await readClusterFacts(client);
  const live = viewOfCluster(await readKinds(client, facts, KINDS), options);
  // Half a view would open doors: a template that is not seen is not watched.
  if (live.unknown.length > 0) throw new UsageError(`the routing cannot be computed: ${live.unknown.join('; ')}. Ask for the role that may read them, or give a file of kubectl-dra collect with --from.`);
  return live;
}

async function migrationsOf(paths: readonly string[], options: RouteOptions, io: Io): Promise<readonly PlannedMigration[]> {
  const { view } = await wholeViewOfFiles(paths, options, io);
  const { migrations, mistakes } = readPlan(view);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
  if (migrations.length === 0) throw new UsageError(`there is no DeviceMigration in ${paths.join(', ')}`);
  return migrations;
}

function planOf({ view, target }: Pick<FileView, 'view' | 'target'>, planned: readonly PlannedMigration[] | undefined): RoutePlan {
  const { migrations, holds, mistakes } = readPlan(view);
  const counted = planned ?? migrations;
  // With one pool unread a class could get the door of the others.
  if (planned === undefined && mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
  if (counted.length === 0) {
    if (view.all('DeviceRouting').length === 0) throw new UsageError('there is no DeviceMigration: nothing to route. Apply one, or name the files that hold some.');
  }
  return routePlan(view, counted, holds, target);
}

function show(plan: RoutePlan, unknown: readonly string[], paths: readonly string[], options: RouteOptions, io: Io): ExitCode {
  switch (options.output) {
    case 'json': io.out(routeJson(plan, unknown)); break;
    case 'yaml': io.out(routeYaml(plan)); break;
    default: io.out(routeText(plan, unknown, paths, io.hasColor));
  }
  return plan.changes.length > 0 || plan.steps.length > 0 || plan.mistakes.length > 0 ? 1 : 0;
}
