import { bridges, frozenByAnnotation, nearest, poolNodes, publishAnnotation, ROUTING_NAME, waitingFor, waitingWork } from 'cdk8s-dra/model';
import type { DeviceRoutingSpec, PlannedMigration, StandingHold } from 'cdk8s-dra/model';

import { otherText } from './run-hold.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { DEVICE_HOLDS } from '../../kube/migration-resources.js';
import { DEVICE_CLASSES, NODES, PODS } from '../../kube/resource.js';
import { withCluster } from '../collect/read-cluster.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { section, styleFor } from '../explain/text-parts.js';
import type { Io } from '../io.js';
import type { ReleaseOptions } from '../release.js';
import { inParallel } from './in-parallel.js';
import { beforeHold, stopView } from './pool-view.js';
import type { StopView } from './pool-view.js';
import { StepLog } from './step-log.js';
import { writeBridgeName } from '../route/bridge-name.js';

/** Written where a touch shall make somebody look again. */
const TOUCH = 'cdk8s-dra.dev/released-at';

export async function runRelease(pool: string, options: ReleaseOptions, io: Io): Promise<ExitCode> {
  return withCluster(options, async (client) => {
    const log = new StepLog();
    const cluster = await stopView(client, [...beforeHold('Rollback'), 'Pod', 'ResourceClaim']);
    const ofPool = cluster.holds.filter(({ spec }) => spec.migration === pool);
    const chosen = options.name === undefined ? ofPool : ofPool.filter(({ name }) => name === options.name);
    const migration = cluster.migrations.find(({ name }) => name === pool);
    if (chosen.length === 0) return nothing(pool, options, cluster, ofPool, io);
    const isDry = options.dryRun === true;
    const gone = await remove(client, chosen, isDry, log);
    const left = cluster.holds.filter(({ name }) => !gone.has(name));
    if (migration !== undefined && !isDry) await reopen(client, cluster, migration, left, gone, log);
    const still = stillHolding(pool, migration, left, cluster);
    const ok = log.notDone.length === 0 && !left.some(({ spec }) => spec.migration === pool);
    if (options.output === 'json') {
      io.out(`${JSON.stringify({ pool, released: [...gone], stillHeldBy: left.filter(({ spec }) => spec.migration === pool).map(({ name }) => name), done: log.steps, notDone: log.notDone, notes: log.notes, still }, null, 2)}\n`);
      return ok ? 0 : 1;
    }
    const style = styleFor(io.hasColor);
    const isHeld = left.some(({ spec }) => spec.migration === pool);
    io.out([
      style('bold', isDry ? `Would release ${names(chosen)} of ${pool}.` : isHeld ? `${pool} is STILL HELD; ${gone.size === 0 ? 'nothing was released' : `released ${[...gone].join(', ')}`}.` : `${pool} is released after ${log.elapsed}.`),
      ...section(isDry ? 'What would be done:' : 'What was done:', log.steps, style),
      ...section('NOT done:', log.notDone, style),
      ...section('What still holds:', still, style),
      ...section('Also:', log.notes, style),
      ...(migration === undefined ? ['', `There is no DeviceMigration ${pool} any more; the hold was all that was left of it.`] : []),
      '',
      isDry ? 'Nothing was changed.' : `Next: kubectl-dra status${migration === undefined ? '' : ` ${pool}`}`,
    ].map((line) => `${line}\n`).join(''));
    return ok || isDry ? 0 : 1;
  });
}

function nothing(
  pool: string, { name, output }: ReleaseOptions, { migrations, holds, refused }: StopView, ofPool: readonly StandingHold[], io: Io,
): ExitCode {
  const unread = refused.find((line) => line.startsWith('DeviceHold'));
  if (unread !== undefined) throw new UsageError(`${unread}. Ask for the role, or delete it by name: kubectl delete devicehold NAME`);
  if (name !== undefined) {
    throw new UsageError(ofPool.length === 0 ? `${pool} is not held, so there is no hold ${name} of it` : `no hold of ${pool} is called '${name}': there ${ofPool.length === 1 ? 'is' : 'are'} ${names(ofPool)}`);
  }
  const known = [...migrations.map((one) => one.name), ...holds.map(({ spec }) => spec.migration)];
  if (!known.includes(pool)) {
    const byName = holds.find((one) => one.name === pool);
    const meant = nearest(pool, known);
    throw new UsageError(byName !== undefined
      ? `'${pool}' is a hold, of pool ${byName.spec.migration}: kubectl-dra release ${byName.spec.migration} --name ${pool}`
      : `there is no pool '${pool}' and no hold of it${meant === undefined ? '' : `; did you mean ${meant}?`}`);
  }
  io.out(output === 'json' ? `${JSON.stringify({ pool, released: [], stillHeldBy: [], done: [], notDone: [], notes: [], still: [] }, null, 2)}\n` : `${pool} is not held: nothing to release.\n`);
  return 0;
}

async function remove(client: KubeClient, holds: readonly StandingHold[], isDry: boolean, log: StepLog): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (const { name, uid, spec } of holds) {
    try {
      await client.delete(DEVICE_HOLDS, { name }, { ...uid === '' ? {} : { uid }, dryRun: isDry });
      log.did(`${isDry ? 'would delete' : 'deleted'} DeviceHold ${name} of ${spec.by ?? 'somebody'}: ${spec.reason}`);
      gone.add(name);
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.status === 404) {
        log.did(`DeviceHold ${name} was deleted by somebody else`);
        gone.add(name);
      } else {log.didNot(`delete DeviceHold ${name}: ${error.message}`);}
    }
  }
  return gone;
}

/** In the reverse order of a hold: agents, names, and then those that wait. */
async function reopen(
  client: KubeClient, { view, target, migrations }: StopView, migration: PlannedMigration, left: readonly StandingHold[], gone: ReadonlySet<string>,
  log: StepLog,
): Promise<void> {
  const isFenced = left.some(({ spec }) => spec.migration === migration.name && spec.level !== 'Door');
  if (isFenced) return;
  const { family, deviceClassNames } = migration.spec;
  const frozen = poolNodes(view, migration.spec).filter(({ value }) => {
    const { annotations = {} } = (value.metadata ?? {}) as { readonly annotations?: Readonly<Record<string, string>> };
    return gone.has(annotations[frozenByAnnotation(family)] ?? '');
  });
  const annotations = { [publishAnnotation(family)]: null, [frozenByAnnotation(family)]: null };
  const silent = await inParallel(frozen, async ({ name }) => client.patch(NODES, { name }, { merge: { metadata: { annotations } } }));
  if (frozen.length > silent.length) log.did(`told the agents of ${frozen.length - silent.length} nodes to offer devices again`);
  if (silent[0] !== undefined) log.didNot(`tell the agents of ${silent.length} nodes to offer devices again: ${silent[0]}. By hand: kubectl annotate node NODE ${publishAnnotation(family)}-`);
  for (const { deviceClassName, resource } of bridges(migrations, target, left).open) {
    const found = view.find('DeviceClass', '', deviceClassName);
    if (!deviceClassNames.includes(deviceClassName) || found === undefined) continue;
    if ((found.value.spec as { readonly extendedResourceName?: string }).extendedResourceName === resource) continue;
    const failure = await writeBridgeName(client, { name: deviceClassName, uid: found.uid }, resource);
    if (failure === undefined) log.did(`put ${resource} back on class ${deviceClassName}`);
    else log.didNot(`put ${resource} back on class ${deviceClassName}: ${failure}. By hand: kubectl-dra route --write`);
  }
  await touch(client, deviceClassNames.filter((name) => view.find('DeviceClass', '', name) !== undefined), waitingFor(waitingWork(view), migration), log);
}

/** A changed class makes the scheduler try the pods that it had put aside; a changed pod makes the claim controller make its claims. */
async function touch(client: KubeClient, classes: readonly string[], pods: readonly string[], log: StepLog): Promise<void> {
  const merge = { metadata: { annotations: { [TOUCH]: new Date().toISOString() } } };
  const missedPods = await inParallel(pods, async (reference) => {
    const [namespace = '', name = ''] = reference.split('/');
    return client.patch(PODS, { namespace, name }, { merge });
  });
  const missedClasses = pods.length === 0 ? [] : await inParallel(classes, async (name) => client.patch(DEVICE_CLASSES, { name }, { merge }));
  const done = pods.length - missedPods.length;
  if (done > 0) log.did(`touched ${done} waiting ${done === 1 ? 'pod' : 'pods'}${missedClasses.length === 0 ? ` and ${classes.length} ${classes.length === 1 ? 'class' : 'classes'}` : ''}: they are tried now`);
  const missed = missedPods[0] ?? missedClasses[0];
  if (missed === undefined) return;
  // What waits is tried without it, only later.
  log.note(`${missedPods.length > 0 ? `${missedPods.length} waiting ${missedPods.length === 1 ? 'pod was' : 'pods were'}` : 'The classes were'} not touched (${missed}): tried all the same, after the pause of the scheduler, 10 s at most, or of the claim controller, which can be minutes.`);
}

function stillHolding(pool: string, migration: PlannedMigration | undefined, left: readonly StandingHold[], { view }: StopView): readonly string[] {
  const classes = migration?.spec.deviceClassNames ?? [];
  const { classes: doors = {}, fencedPools = [] } = (view.find('DeviceRouting', '', ROUTING_NAME)?.value.spec ?? {}) as DeviceRoutingSpec;
  return [
    ...left.filter(({ spec }) => spec.migration === pool).map((hold) => otherText(hold, Date.now())),
    ...left.filter(({ spec }) => spec.migration !== pool && spec.classes?.some((name) => classes.includes(name)))
      .map(({ name, spec }) => `Hold ${name} of pool ${spec.migration} stops class ${spec.classes?.filter((one) => classes.includes(one)).join(', ')} too: ${spec.reason}.`),
    ...classes.flatMap((name) => (doors[name] === undefined || doors[name].door === 'Open' ? [] : [`The phase: ${doors[name].message}`])),
    ...fencedPools.filter(({ driver }) => driver === migration?.spec.driver)
      .map(({ driver, pools }) => `${pools.length} device pools of ${driver} are fenced while their nodes change owner.`),
  ];
}

function names(holds: readonly StandingHold[]): string {
  return holds.map(({ name }) => name).join(', ');
}
