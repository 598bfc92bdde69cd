import { DeviceUse, gangsOf, isExpired } from 'cdk8s-dra/model';
import type { ClusterView, NodeUse, PlannedMigration, StandingHold } from 'cdk8s-dra/model';
import { dump } from 'js-yaml';

import { isApiError, UnreachableError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { withCluster } from '../collect/read-cluster.js';
import type { ExitCode } from '../command.js';
import { section, styleFor } from '../explain/text-parts.js';
import type { HoldOptions } from '../hold.js';
import type { Io } from '../io.js';
import { spanText } from './duration.js';
import { makeHold } from './make-hold.js';
import type { MadeHold } from './make-hold.js';
import { ABOUT_WORK, beforeHold, poolOf, stopView } from './pool-view.js';
import { StepLog } from './step-log.js';

export async function runHold(pool: string, options: HoldOptions, io: Io): Promise<ExitCode> {
  return withCluster(options, async (client) => {
    const log = new StepLog();
    const before = await stopView(client, beforeHold(options.level));
    const migration = poolOf(before, pool);
    const made = await makeHold(client, before, migration, options.level, options, log);
    const time = log.elapsed;
    const others = before.holds.filter(({ spec }) => spec.migration === pool);
    if (options.output !== 'text') {
      io.out(options.output === 'json' ? `${JSON.stringify(made.object, null, 2)}\n` : dump(made.object, { lineWidth: -1, noRefs: true }));
      for (const line of [...log.notDone.map((text) => `not done: ${text}`), ...made.warnings]) io.err(`${line}\n`);
    } else {
      const style = styleFor(io.hasColor);
      const touched = await aboutWork(client, migration, options.level !== 'Door');
      io.out([
        style(made.stops === 'no' ? 'red' : 'bold', headline(pool, made, options.dryRun === true, time)),
        touched.untouched,
        ...section(options.dryRun === true ? 'What would be done:' : 'What was done:', log.steps, style),
        ...section('NOT done:', log.notDone, style),
        ...section('Cannot replace a pod that they lose while this stands:', touched.gangs, style),
        ...section('Also:', [...others.map((hold) => otherText(hold, Date.now())), ...made.warnings, ...unknownStop(made), ...touched.unknown], style),
        '',
        options.dryRun === true ? 'Nothing was changed.' : `Next: kubectl-dra status ${pool}      when it is over: kubectl-dra release ${pool}`,
      ].map((line) => `${line}\n`).join(''));
    }
    return log.notDone.length > 0 ? 1 : 0;
  });
}

function headline(pool: string, { object, stops }: MadeHold, isDry: boolean, time: string): string {
  const { name } = object.metadata ?? {};
  if (isDry) return `${pool} would be held by DeviceHold ${name}.`;
  if (stops === 'no') return `${pool} is NOT held: DeviceHold ${name} is there, but no policy reads it.`;
  const { spec } = object;
  const what = spec.level === 'Door' ? 'new work is refused' : 'new work is refused and nothing new is allocated';
  return `${pool} is held: ${what}, by DeviceHold ${name} after ${time}.`;
}

function unknownStop({ stops }: MadeHold): readonly string[] {
  return stops === 'unknown' ? ['Whether the policies that read a hold are installed is not known: this account may not read them. Try: kubectl-dra check of what you deploy, or make a Job and see it refused.'] : [];
}

/** A hold beside this one, for a person. */
export function otherText(hold: StandingHold, now: number): string {
  const { by, reason, level, expiresAt = '' } = hold.spec;
  const since = Date.parse(hold.since);
  const age = Number.isNaN(since) ? '' : ` for ${spanText(now - since)}`;
  const over = isExpired(hold, now) ? ` It expired ${spanText(now - Date.parse(expiresAt))} ago and still holds, since admission has no clock.` : '';
  return `${by ?? 'Somebody'} holds it too${age}, by ${hold.name} at level ${level}: ${reason}.${over} Each must be released.`;
}

interface TouchedWork {
  readonly untouched: string;
  readonly gangs: readonly string[];
  readonly unknown: readonly string[];
}

/** Read after the hold stands: on a large cluster it takes longer than the hold itself. */
async function aboutWork(client: KubeClient, migration: PlannedMigration, isFenced: boolean): Promise<TouchedWork> {
  try {
    const { view, refused } = await stopView(client, ABOUT_WORK);
    return workIn(view, refused, migration, isFenced);
  } catch (error) {
    // The hold stands, whatever comes after it.
    if (!isApiError(error) && !(error instanceof UnreachableError)) throw error;
    return { untouched: 'Running work is untouched.', gangs: [], unknown: [`What runs could not be read: ${error.message}`] };
  }
}

function workIn(view: ClusterView, refused: readonly string[], migration: PlannedMigration, isFenced: boolean): TouchedWork {
  const nodes = new DeviceUse(view, Date.now()).ofPool(migration);
  const unread = refused.filter((line) => /^(Pod|ResourceClaim|Node|ResourceSlice):/.test(line));
  const gangs = isFenced ? gangsOf(view, new Map(nodes.flatMap(({ dra }) => Object.entries(dra.amounts)))) : [];
  return {
    untouched: unread.length > 0
      ? 'Running work is untouched; how much that is, this account may not see.'
      : untouchedText(nodes),
    gangs: gangs.map(({ name, pods }) => `${name} (${pods} ${pods === 1 ? 'pod' : 'pods'})`).slice(0, MOST_GANGS)
      .concat(gangs.length > MOST_GANGS ? [`and ${gangs.length - MOST_GANGS} more`] : []),
    unknown: unread,
  };
}

function untouchedText(nodes: readonly NodeUse[]): string {
  const pods = new Set(nodes.flatMap(({ dra }) => dra.pods)).size;
  const old = new Set(nodes.flatMap(({ legacy }) => legacy.pods)).size;
  const devices = nodes.reduce((sum, { dra }) => sum + dra.used, 0);
  const units = nodes.reduce((sum, { legacy }) => sum + legacy.used, 0);
  if (pods + old === 0) return 'Nothing runs on its devices now.';
  return `Running work is untouched: ${pods} ${pods === 1 ? 'pod' : 'pods'} with ${devices} devices by claims, ${old} ${old === 1 ? 'pod' : 'pods'} with ${units} units of the device plugin.`;
}

const MOST_GANGS = 20;
