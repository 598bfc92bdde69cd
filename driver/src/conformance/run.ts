import type { Contract, Verdict } from './contract.js';
import { Evidence } from './evidence.js';
import type { Exchange } from './evidence.js';
import { createsObjects } from './plan.js';
import type { Plan, PlannedContract } from './plan.js';
import { removeRun, Scratch, tidy } from './scratch.js';
import { environmentRefusal, NotApplicable, NotTried, Trial } from './trial.js';
import { isApiError, UnreachableError } from '../kube/api-error.js';
import type { KubeClient, Send } from '../kube/kube-client.js';

export interface ContractResult {
  readonly contract: Contract;
  readonly verdict: Verdict;
  /** What was wrong, or why there is no verdict; empty for a contract that is kept. */
  readonly because: readonly string[];
  readonly notes: readonly string[];
  readonly evidence: readonly Exchange[];
  readonly seconds: number;
}

export interface ConformanceReport {
  readonly plan: Plan;
  readonly results: readonly ContractResult[];
  /** Why the run ended before all contracts were tried. */
  readonly endedEarly?: string;
  /** Objects of runs before that were removed, as `Kind name`. */
  readonly removed: readonly string[];
  /** Objects that could not be removed, with the reason. */
  readonly stayed: readonly string[];
}

export interface RunHooks {
  starts(contract: Contract, index: number, total: number): void;
  ends(result: ContractResult): void;
  /** Milliseconds. */
  now(): number;
}

/**
 * Tries every contract of a plan, one after the other, and removes what was made, whatever happened; `signal` ends it early.
 *
 * Throws only when the cluster cannot be reached at the start.
 */
export async function runPlan(client: KubeClient, plan: Plan, hooks: RunHooks, signal: AbortSignal): Promise<ConformanceReport> {
  const scratch = new Scratch(client, plan.run);
  const results: ContractResult[] = [];
  const end = hooks.now() + RUN_LIMIT;
  let endedEarly: string | undefined;
  let removed: readonly string[] = [];
  let stayed: readonly string[] = [];
  const creates = createsObjects(plan);
  try {
    if (creates) removed = await removeDeadRuns(client, plan, (await scratch.open()).metadata?.creationTimestamp ?? '');
    for (const [index, planned] of plan.contracts.entries()) {
      if (planned.skip === undefined) hooks.starts(planned.contract, index, plan.contracts.length);
      const result = endedEarly === undefined ? await tryContract(client, plan, scratch, planned, hooks, signal) : skipped(planned, endedEarly);
      results.push(result);
      if (planned.skip === undefined && endedEarly === undefined) hooks.ends(result);
      if (signal.aborted) endedEarly ??= 'interrupted';
      else if (hooks.now() > end) endedEarly ??= `the run took longer than ${RUN_LIMIT / 60_000} minutes`;
      else if (result.verdict === 'not-tried' && result.because[0]?.startsWith(UNREACHABLE) === true) endedEarly ??= result.because[0];
    }
  } finally {
    // Also when an answer to the first request was lost: the namespace may exist.
    if (creates) stayed = await closeScratch(scratch);
  }
  return { plan, results, removed, stayed, ...(endedEarly === undefined ? {} : { endedEarly }) };
}

/** A run never lasts longer, so what is older than this and some minutes belongs to nobody. */
const RUN_LIMIT = 15 * 60_000;
const DEAD_AFTER = RUN_LIMIT + 5 * 60_000;
const CONTRACT_LIMIT = 60_000;
const UNREACHABLE = 'the cluster cannot be reached: ';

/** Both times are the server's. */
async function removeDeadRuns(client: KubeClient, plan: Plan, now: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const { run, objects, since } of plan.leftovers) {
    if (Date.parse(now) - Date.parse(since) < DEAD_AFTER) continue;
    await removeRun(client, run);
    removed.push(...objects.map(({ resource, object }) => `${resource.kind} ${object.metadata?.name ?? ''}`));
  }
  return removed;
}

async function closeScratch(scratch: Scratch): Promise<readonly string[]> {
  try {
    return await scratch.close();
  } catch (error) {
    return [`everything of run ${scratch.run}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function tryContract(
  client: KubeClient, plan: Plan, scratch: Scratch, { contract, skip }: PlannedContract, hooks: RunHooks, signal: AbortSignal,
): Promise<ContractResult> {
  if (skip !== undefined) return { contract, verdict: skip.verdict, because: [skip.because], notes: [], evidence: [], seconds: 0 };
  const started = hooks.now();
  const limit = contract.limit ?? CONTRACT_LIMIT;
  const within = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
  const evidence = new Evidence();
  const recorded = client.around((send) => abortable(evidence.wrap(send), within));
  const trial = new Trial(recorded, plan.facts, scratch, plan.namespace, contract.id, within);
  const result = (verdict: Verdict, because: readonly string[]): ContractResult => ({
    contract, verdict, because, notes: trial.notes, evidence: evidence.exchanges, seconds: Math.round(hooks.now() - started) / 1000,
  });
  try {
    await contract.run(trial);
    return trial.faults.length === 0 ? result('kept', []) : result('broken', trial.faults);
  } catch (error) {
    if (error instanceof NotApplicable) return result('not-applicable', [error.message]);
    if (error instanceof NotTried) return result('not-tried', [error.message]);
    if (signal.aborted) return result('not-tried', ['interrupted']);
    if (error instanceof UnreachableError) return result('not-tried', [`${UNREACHABLE}${error.message}`]);
    if (within.aborted) return result('broken', [...trial.faults, `not done in ${limit / 1000} s`]);
    const environment = isApiError(error) ? environmentRefusal(error) : undefined;
    if (environment !== undefined) return result('not-tried', [environment]);
    const message = error instanceof Error ? error.message : String(error);
    return result('broken', [...trial.faults, `stopped early: ${message}`]);
  } finally {
    // After a signal the end of the run removes everything at once.
    if (!signal.aborted) await tidy(client, trial.made).catch(() => undefined);
  }
}

function abortable(send: Send, signal: AbortSignal): Send {
  return (request) => send({ ...request, signal });
}

function skipped({ contract, skip }: PlannedContract, because: string): ContractResult {
  return { contract, verdict: skip?.verdict ?? 'not-tried', because: [skip?.because ?? because], notes: [], evidence: [], seconds: 0 };
}
