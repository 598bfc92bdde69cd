import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { comingBack, DeviceUse, handBack, VIEW_KINDS } from 'cdk8s-dra/model';
import type { Gang, HandBack, ViewKind } from 'cdk8s-dra/model';

import { readClusterFacts } from '../../conformance/cluster-facts.js';
import { isApiError, UnreachableError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { readKinds, withCluster } from '../collect/read-cluster.js';
import type { ClusterObjects } from '../collect/read-cluster.js';
import { listText, writeWhole } from '../collect/run-collect.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { section, styleFor } from '../explain/text-parts.js';
import { viewOfCluster } from '../input/view-of-cluster.js';
import type { Io } from '../io.js';
import type { RollbackOptions } from '../rollback.js';
import { makeHold } from './make-hold.js';
import { beforeHold, poolOf, stopView } from './pool-view.js';
import { otherText } from './run-hold.js';
import { StepLog } from './step-log.js';

export async function runRollback(pool: string, options: RollbackOptions, io: Io): Promise<ExitCode> {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const file = resolve(io.workingDirectory, options.evidence ?? `rollback-${pool}-${stamp}.json`);
  if (existsSync(file)) throw new UsageError(`${file} exists, and evidence is not overwritten. Nothing was done; choose another --evidence file.`);
  return withCluster(options, async (client) => {
    const log = new StepLog();
    const before = await stopView(client, beforeHold('Rollback'));
    const migration = poolOf(before, pool);
    const made = await makeHold(client, before, migration, 'Rollback', options, log);
    const isDry = options.dryRun === true;
    const evidence = await evidenceOf(client, log);
    if (!isDry && evidence !== undefined) save(evidence, file, log);
    const view = evidence === undefined ? before.view : viewOfCluster(evidence).view;
    const nodes = new DeviceUse(view, Date.now()).ofPool(migration);
    const work = comingBack(view, nodes);
    const back = handBack(migration, nodes, view);
    const blind = evidence === undefined ? ['nothing could be read'] : evidence.refused.filter((line) => /^(Node|Pod|ResourceClaim|ResourceSlice):/.test(line));
    const isLeft = back.length > 0 || blind.length > 0;
    const others = before.holds.filter(({ spec }) => spec.migration === pool);
    const next = [
      'In Git: set the phase of the pool back (Observe, or Legacy), so that nothing moves forward again.',
      'kubectl-dra route --write, which opens the old way where its door was closed.',
      `kubectl-dra status ${pool}, until no node is owned by DRA. Then kubectl-dra release ${pool}.`,
    ];
    if (options.output === 'json') {
      io.out(`${JSON.stringify({ pool, hold: made.object, stops: made.stops, ...isDry ? {} : { evidence: file }, done: log.steps, notDone: log.notDone, nodes: back, work, next }, null, 2)}\n`);
      return isLeft || log.notDone.length > 0 ? 1 : 0;
    }
    const style = styleFor(io.hasColor);
    const total = nodes.length;
    const returned = nodes.filter(({ owner }) => owner === 'device-plugin').length;
    const head = isDry
      ? `The rollback of ${pool} would begin with DeviceHold ${made.object.metadata?.name}.`
      : made.stops === 'no' ? `${pool} is NOT held: DeviceHold ${made.object.metadata?.name} is there, but no policy reads it.` : `The rollback of ${pool} has begun: nothing new starts on it.`;
    io.out([
      style(made.stops === 'no' ? 'red' : 'bold', head),
      blind.length > 0 ? `How many nodes are left, this account may not see: ${blind.join('; ')}.` : `${returned} of ${total} nodes ${returned === 1 ? 'belongs' : 'belong'} to the device plugin, ${back.length} ${back.length === 1 ? 'is' : 'are'} to be given back. Running pods go on.`,
      ...section(isDry ? 'What would be done:' : 'What was done:', log.steps, style),
      ...section('NOT done:', log.notDone, style),
      ...section('Also:', [...others.map((hold) => otherText(hold, Date.now())), ...made.warnings], style),
      ...back.length === 0 ? [] : ['', style('bold', 'Without a controller, by hand, one node after the other:')],
      ...back.flatMap((one) => nodeLines(one)),
      ...section('Work that waits when it starts again, until it is submitted with the name of the device plugin:', work.needsChange.map(gangText), style),
      ...section('Work that starts again as it is, on nodes of the device plugin:', work.asItIs.map(gangText), style),
      ...section('Then:', next, style),
    ].map((line) => `${line}\n`).join(''));
    return isLeft || log.notDone.length > 0 ? 1 : 0;
  });
}

/** Everything that is there; undefined, and told, where the server does not answer: the hold stands all the same. */
async function evidenceOf(client: KubeClient, log: StepLog): Promise<ClusterObjects | undefined> {
  try {
    return await readKinds(client, await readClusterFacts(client), Object.keys(VIEW_KINDS) as ViewKind[]);
  } catch (error) {
    if (!isApiError(error) && !(error instanceof UnreachableError)) throw error;
    log.didNot(`save the evidence: ${error.message}. Events are gone after an hour: kubectl-dra collect FILE, now.`);
    return undefined;
  }
}

function save(evidence: ClusterObjects, file: string, log: StepLog): void {
  try {
    writeWhole(file, listText(evidence));
    log.did(`saved ${evidence.objects.length} objects as evidence in ${file}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    log.didNot(`save the evidence: ${error.message}. Events are gone after an hour: kubectl-dra collect FILE, now.`);
  }
  for (const line of evidence.refused) log.didNot(`save ${line}`);
}

function gangText({ name, pods, units }: Gang): string {
  return `${name} (${pods} ${pods === 1 ? 'pod' : 'pods'}, ${units} devices)`;
}

function nodeLines({ node, holders, unknown, steps }: HandBack): readonly string[] {
  const state = unknown !== undefined
    ? `counts as held: ${unknown}${holders.length === 0 ? '' : `; ${holders.join(', ')}`}`
    : holders.length === 0 ? 'nobody holds a device' : `held by ${holders.slice(0, 5).join(', ')}${holders.length > 5 ? ` and ${holders.length - 5} more` : ''}; wait for their end`;
  return [`  ${node}: ${state}`, ...steps.map((step, index) => `    ${index + 1}. ${step}`)];
}
