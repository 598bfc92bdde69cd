import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import { UnknownClusterError } from '../../conformance/cluster-facts.js';
import { AREAS } from '../../conformance/contract.js';
import { CONTRACTS } from '../../conformance/contracts/index.js';
import { planRun } from '../../conformance/plan.js';
import { htmlReport } from '../../conformance/report/html.js';
import { jsonPlan, jsonReport } from '../../conformance/report/json.js';
import { junitReport } from '../../conformance/report/junit.js';
import { planText, styleFor, textReport } from '../../conformance/report/text.js';
import { runPlan } from '../../conformance/run.js';
import type { ConformanceReport, RunHooks } from '../../conformance/run.js';
import { findLeftovers, removeRun } from '../../conformance/scratch.js';
import { isApiError, UnreachableError } from '../../kube/api-error.js';
import { KubeClient } from '../../kube/kube-client.js';
import { KubeconfigError } from '../../kube/kubeconfig-error.js';
import { clusterConnection } from '../cluster-connection.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { ConformanceOptions } from '../conformance.js';
import type { Io } from '../io.js';

/** Connects, plans, runs, cleans up and reports, as the options say. */
export async function runConformance(options: ConformanceOptions, io: Io): Promise<ExitCode> {
  if (options.list === true) return list(options, io);
  requireKnown(options.only ?? []);
  const client = KubeClient.of(clusterConnection(options));
  try {
    return options.clean === true ? await clean(client, io) : await tryContracts(client, options, io);
  } catch (error) {
    if (EXPLAINED.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message);
    if (isApiError(error)) throw new UsageError(refusalText(error.status, error.message));
    throw error;
  } finally {
    await client.close();
  }
}

/** Errors whose message says what is wrong and the way out. */
const EXPLAINED = [UnreachableError, UnknownClusterError, KubeconfigError];

async function tryContracts(client: KubeClient, options: ConformanceOptions, io: Io): Promise<ExitCode> {
  const settings = { readOnly: options.readOnly === true, lab: options.lab === true, only: options.only ?? [] };
  const plan = await planRun(client, CONTRACTS, settings, randomBytes(4).toString('hex'));
  if (options.plan === true) {
    io.out(options.output === 'json' ? jsonPlan(plan) : planText(plan, io.hasColor));
    return 0;
  }
  // A report on standard output stays a report; the plan is for the person in front of it.
  io.err(planText(plan, false));
  const report = await untilSignal((signal) => runPlan(client, plan, progress(io), signal), io);
  io.out(render(report, options.output, io.hasColor));
  return exitCode(report);
}

function exitCode({ results, endedEarly, stayed }: ConformanceReport): ExitCode {
  const has = (verdict: string): boolean => results.some((result) => result.verdict === verdict);
  if (endedEarly !== undefined || stayed.length > 0) return 2;
  if (has('broken')) return 1;
  return has('kept') ? 0 : 2;
}

function render(report: ConformanceReport, format: ConformanceOptions['output'], hasColor: boolean): string {
  switch (format) {
    case 'json': return jsonReport(report);
    case 'junit': return junitReport(report);
    case 'html': return htmlReport(report);
    default: return textReport(report, hasColor);
  }
}

/** A line that is written over while a person watches; nothing in a pipeline. */
function progress(io: Io): RunHooks {
  const style = styleFor(io.hasColor);
  return {
    starts: ({ id }, index, total) => { if (io.isWatched) io.err(`\r\u001b[K${index + 1}/${total} ${id}`); },
    ends: ({ contract, verdict }) => { if (io.isWatched) io.err(verdict === 'broken' ? `\r\u001b[K${style('red', 'broken')} ${contract.id}\n` : '\r\u001b[K'); },
    now: () => io.now(),
  };
}

/** The first signal ends the run, which then cleans up; the second ends the process. */
async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>, io: Io): Promise<T> {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const interrupt = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      io.err('Ended without cleaning up. Remove what is left: kubectl-dra conformance --clean\n');
      process.exit(2);
    }
    io.err(`\n${name}: removing what was made; once more ends at once.\n`);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function clean(client: KubeClient, io: Io): Promise<ExitCode> {
  const leftovers = await findLeftovers(client);
  if (leftovers.length === 0) {
    io.out('Nothing is left of earlier runs.\n');
    return 0;
  }
  let stayed: readonly string[] = [];
  for (const { run, objects } of leftovers) {
    io.out(`run ${run}: ${objects.map(({ resource, object }) => `${resource.kind} ${object.metadata?.name ?? ''}`).join(', ')}\n`);
    stayed = [...stayed, ...await removeRun(client, run)];
  }
  for (const line of stayed) io.err(`could not be removed: ${line}\n`);
  return stayed.length === 0 ? 0 : 2;
}

function list({ output }: ConformanceOptions, io: Io): ExitCode {
  if (output === 'json') {
    io.out(`${JSON.stringify(CONTRACTS.map(({ id, area, title, why, mode, effect, since, until }) => ({ id, area, title, why, mode, effect, since, until })), null, 2)}\n`);
  } else {
    for (const area of AREAS) {
      const contracts = CONTRACTS.filter((contract) => contract.area === area);
      if (contracts.length > 0) io.out(`${area}\n${contracts.map(({ id, mode, title }) => `  ${id}${mode === 'lab' ? ' (lab)' : ''}: ${title}\n`).join('')}`);
    }
  }
  return 0;
}

function refusalText(status: number, message: string): string {
  if (status === 401) return `the server does not accept these credentials: ${message}. Log in again, or choose another context.`;
  return status === 403 ? `this user may not do what every run needs: ${message}` : `the server refused what every run needs: ${message}`;
}

function requireKnown(only: readonly string[]): void {
  const known = new Set([...CONTRACTS.map(({ id }) => id), ...AREAS.map((area) => area.toLowerCase().replaceAll(' ', '-'))]);
  const unknown = only.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new UsageError(`no contract or area is called ${unknown.join(', ')}. See them all: kubectl-dra conformance --list`);
}
