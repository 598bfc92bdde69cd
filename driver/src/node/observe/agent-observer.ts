import { failureText, findFailure } from 'cdk8s-dra/model';

import type { AgentLog } from './agent-log.js';
import type { AgentMetrics } from './agent-metrics.js';
import type { InventoryProblem } from '../../devices/inventory.js';
import type { ClaimStatusObserver } from '../claim-status/claim-status-writer.js';
import type { ClaimObserver, EventSink, Notice } from '../claims/claim-observer.js';
import type { DiscoveryObserver } from '../discovery.js';
import type { HealthObserver } from '../health/health-monitor.js';
import type { Registration } from '../kubelet/kubelet-plugin.js';
import type { SliceObserver } from '../slices/slice-publisher.js';
import type { ReportObserver } from '../witness/report-writer.js';

/** Tells metrics, log and Events what the parts of the agent tell; the parts know none of the three. */
export class AgentObserver {
  private lastProblems = '';
  private lastPool = '';
  private publishing: readonly InventoryProblem[] = [];

  public readonly claims: ClaimObserver = {
    ended: (event) => {
      this.metrics.claims.ended(event);
      const { operation, claim, outcome, code, message, seconds } = event;
      const fields = { operation, outcome, ms: milliseconds(seconds), ...about({ code, claim }) };
      if (outcome === 'ok' || outcome === 'repeated') {
        this.log.info(fields, `${operation} done`);
        return;
      }
      this.log[isMild(code) ? 'info' : 'warn'](fields, message ?? `${operation} failed`);
      if (!isMild(code)) this.events.emit({ type: 'Warning', reason: reasonOf(code, 'Failed'), message: withCode(code, message ?? `${operation} failed`), claim });
    },
    stage: (event) => {
      this.metrics.claims.stage(event);
      const { operation, stage, outcome, seconds, device } = event;
      this.log.debug({ operation, stage, outcome, ms: milliseconds(seconds), ...(device === undefined ? {} : { device }) }, `${stage} done`);
    },
    retried: (event) => {
      this.metrics.claims.retried(event);
      const { operation, device, code, message, failures, pauseSeconds } = event;
      this.log.warn({ operation, device, code, failures, pauseSeconds }, message);
    },
    noticed: (notice) => {
      this.metrics.claims.noticed(notice);
      const { code, message, claim, devices } = notice;
      const fields = about({ code, claim, devices });
      this.log[code === undefined ? 'info' : 'warn'](fields, message);
      this.noticeEvent(notice);
    },
  };

  public readonly slices: SliceObserver = {
    wrote: (kind, outcome, seconds) => {
      this.metrics.slices.wrote(kind, outcome, seconds);
      this.log.debug({ kind, outcome, ms: milliseconds(seconds) }, 'slice written');
    },
    published: (pool) => {
      this.metrics.slices.published(pool);
      const fields = { generation: pool?.generation ?? 0, slices: pool?.slices.length ?? 0 };
      // Told after each comparison, most of which find nothing to do.
      if (this.lastPool === JSON.stringify(fields)) return;
      this.lastPool = JSON.stringify(fields);
      this.log.info(fields, pool === undefined ? 'nothing is published' : 'the pool is as it should be');
    },
    failed: (error) => {
      this.metrics.slices.failed(error);
      const { code } = coded(error);
      this.log.warn(coded(error), `publishing failed: ${messageOf(error)}`);
      if (code !== undefined) this.events.emit({ type: 'Warning', reason: reasonOf(code, 'PublishFailed'), message: withCode(code, messageOf(error)) });
    },
    problems: (problems) => {
      this.metrics.slices.problems(problems);
      this.publishing = problems;
      this.tellProblems(problems);
    },
  };

  public readonly health: HealthObserver = {
    looked: (outcome, seconds, error) => {
      this.metrics.health.looked(outcome, seconds, error);
      if (outcome === 'failure') this.log.warn({ ms: milliseconds(seconds) }, `no look at the health of devices: ${messageOf(error)}`);
    },
    becameSick: (device, code, message) => {
      this.metrics.health.becameSick(device, code, message);
      this.log.warn({ device, code }, `device ${device} is sick: ${message}`);
      this.events.emit({ type: 'Warning', reason: reasonOf(code, 'DeviceSick'), message: withCode(code, `device ${device}: ${message}`) });
    },
    recovered: (device) => {
      this.metrics.health.recovered(device);
      this.log.info({ device }, `device ${device} is well again`);
      this.events.emit({ type: 'Normal', reason: 'DeviceRecovered', message: `device ${device} is well again` });
    },
  };

  public readonly discovery: DiscoveryObserver = {
    discovered: (seconds, inventory) => {
      this.metrics.discovery('success', seconds);
      if (inventory === undefined) return;
      const { devices, problems } = inventory;
      this.log.info({ devices: devices.length, withheld: problems.length, ms: milliseconds(seconds) }, 'the hardware was looked at');
      for (const { code, subject, message } of problems.slice(0, MAX_TOLD)) this.log.warn({ code, subject }, message);
    },
    failed: (seconds, error) => {
      this.metrics.discovery('failure', seconds);
      this.log.warn({ ms: milliseconds(seconds), ...coded(error) }, `the hardware cannot be looked at: ${messageOf(error)}`);
    },
  };

  public readonly claimStatus: ClaimStatusObserver = {
    wrote: (outcome, claim, error) => {
      this.metrics.claimStatus(outcome);
      if (outcome === 'failed') this.log.warn(about({ claim }), `the status of the claim was not written: ${messageOf(error)}`);
      if (outcome === 'dropped') this.log.warn(about({ claim }), 'the status of the claim was not kept: DRAResourceClaimDeviceStatus is off at the API server, or too many claims wait');
    },
  };

  public readonly reports: ReportObserver = {
    wrote: (outcome, seconds, error) => {
      this.metrics.report(outcome, seconds);
      if (outcome === 'failure') this.log.warn({ ms: milliseconds(seconds) }, `the node report was not written: ${messageOf(error)}`);
    },
  };

  public constructor(private readonly metrics: AgentMetrics, private readonly log: AgentLog, private readonly events: EventSink) {}

  /** What stands in the way of publishing now. */
  public get publishProblems(): readonly InventoryProblem[] {
    return this.publishing;
  }

  public registration(registration: Registration): void {
    this.metrics.registered(registration);
    const { state } = registration;
    const attempt = 'attempt' in registration ? { attempt: registration.attempt } : {};
    if ('refusal' in registration && registration.refusal !== undefined) this.log.warn(attempt, `kubelet refuses the agent: ${registration.refusal}`);
    else this.log[state === 'lost' ? 'warn' : 'info'](attempt, REGISTRATION[state]);
  }

  /** Something in the background that goes on by itself. */
  public failed(what: string, error: unknown): void {
    this.log.warn(coded(error), `${what}: ${messageOf(error)}`);
  }

  /** An Event needs to know the claim whole; otherwise it is about the Node. Good news is one only for the claim that it is about. */
  private noticeEvent({ code, message, claim }: Notice): void {
    const event = { type: code === undefined ? 'Normal' as const : 'Warning' as const, reason: reasonOf(code, 'Recovered'), message: withCode(code, message) };
    if (claim?.uid !== undefined && claim.namespace !== undefined && claim.name !== undefined) {
      this.events.emit({ ...event, claim: { uid: claim.uid, namespace: claim.namespace, name: claim.name } });
    } else if (code !== undefined) {
      this.events.emit(event);
    }
  }

  /** The same problems are told with each look; a line for each change is enough. */
  private tellProblems(problems: readonly InventoryProblem[]): void {
    const text = problems.map(({ code, subject, message }) => `${code} ${subject} ${message}`).join('\n');
    if (text === this.lastProblems) return;
    this.lastProblems = text;
    for (const { code, subject, message } of problems.slice(0, MAX_TOLD)) this.log.warn({ code, subject }, message);
    if (problems.length > MAX_TOLD) this.log.warn(`and ${problems.length - MAX_TOLD} more problems; the node report has them`);
    if (problems.length === 0) this.log.info('nothing stands in the way of any device');
  }
}

const MAX_TOLD = 20;

const REGISTRATION: { readonly [State in Registration['state']]: string } = {
  closed: 'the sockets are closed',
  waiting: 'the sockets are open; kubelet should come',
  registered: 'kubelet calls this agent',
  lost: 'kubelet has left; the sockets stay open',
};

/** `ghost-claim` is GhostClaim. */
function reasonOf(code: string | undefined, otherwise: string): string {
  const name = code === undefined ? undefined : findFailure(code)?.name;
  return name === undefined ? otherwise : name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Part of any day: kubelet gave up or came twice, or another agent is at work. */
function isMild(code: string | undefined): boolean {
  return code === 'DRA303' || code === 'DRA319';
}

/** As kubelet is told it, so that `explain` finds the code in either text. */
function withCode(code: string | undefined, message: string): string {
  const failure = code === undefined ? undefined : findFailure(code);
  return failure === undefined ? message : failureText(failure, message);
}

/** The code of a failure of the catalogue; other errors have codes of the operating system. */
function coded(error: unknown): { readonly code?: string } {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && /^DRA\d{3}$/.test(code) ? { code } : {};
}

/** Fields by which lines are found; those that are not known are left out, as undefined is. */
function about({ code, claim, devices }: { readonly [Field in 'code' | 'claim' | 'devices']?: Notice[Field] | undefined }) {
  return { claim: claim?.name === undefined ? undefined : `${claim.namespace ?? ''}/${claim.name}`, uid: claim?.uid, code, devices };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1e4) / 10;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
