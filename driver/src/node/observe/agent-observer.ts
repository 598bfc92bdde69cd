import { findFailure } from 'cdk8s-dra/model';

import type { AgentLog } from './agent-log.js';
import type { AgentMetrics } from './agent-metrics.js';
import type { InventoryProblem } from '../../devices/inventory.js';
import type { ClaimObserver, EventSink, Notice } from '../claims/claim-observer.js';
import type { HealthObserver } from '../health/health-monitor.js';
import type { SliceObserver } from '../slices/slice-publisher.js';

/** Tells metrics, log and Events what the parts of the agent tell; the parts know none of the three. */
export class AgentObserver {
  private lastProblems = '';

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
      this.log.info({ generation: pool?.generation ?? 0, slices: pool?.slices.length ?? 0 }, 'pool is as it should be');
    },
    failed: (error) => {
      this.metrics.slices.failed(error);
      const code = (error as { readonly code?: unknown } | null)?.code;
      const coded = typeof code === 'string' && /^DRA\d{3}$/.test(code) ? code : undefined;
      this.log.warn({ ...(coded === undefined ? {} : { code: coded }) }, `publishing failed: ${messageOf(error)}`);
      if (coded !== undefined) this.events.emit({ type: 'Warning', reason: reasonOf(coded, 'PublishFailed'), message: withCode(coded, messageOf(error)) });
    },
    problems: (problems) => {
      this.metrics.slices.problems(problems);
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

  public constructor(private readonly metrics: AgentMetrics, private readonly log: AgentLog, private readonly events: EventSink) {}

  /** An Event needs to know the claim whole; otherwise it is about the Node. */
  private noticeEvent({ code, message, claim }: Notice): void {
    const event = { type: code === undefined ? 'Normal' as const : 'Warning' as const, reason: reasonOf(code, 'Recovered'), message: withCode(code, message) };
    if (claim?.uid !== undefined && claim.namespace !== undefined && claim.name !== undefined) {
      this.events.emit({ ...event, claim: { uid: claim.uid, namespace: claim.namespace, name: claim.name } });
    } else {
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

/** `ghost-claim` is GhostClaim. */
function reasonOf(code: string | undefined, otherwise: string): string {
  const name = code === undefined ? undefined : findFailure(code)?.name;
  return name === undefined ? otherwise : name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Part of any day: kubelet gave up or came twice, or another agent is at work. */
function isMild(code: string | undefined): boolean {
  return code === 'DRA303' || code === 'DRA319';
}

function withCode(code: string | undefined, message: string): string {
  return code === undefined || message.startsWith(code) ? message : `${code} ${message}`;
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
