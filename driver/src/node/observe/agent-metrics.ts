import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { InventoryProblem } from '../../devices/inventory.js';
import type { ClaimObserver } from '../claims/claim-observer.js';
import type { DeviceState } from '../device-state.js';
import type { HealthObserver } from '../health/health-monitor.js';
import type { Registration } from '../kubelet/kubelet-plugin.js';
import type { SliceObserver } from '../slices/slice-publisher.js';

/** The prefix and the names are contract with dashboards and alerts. */
const PREFIX = 'cdk8s_dra_agent_';

/** Seconds; a prepare takes milliseconds where no hardware is slow, and kubelet gives up after 45. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60];

/** What the agent did, in numbers: every stage, every outcome, failures with their class and code. */
export class AgentMetrics {
  public readonly registry = new Registry();
  private readonly claimSeconds = this.histogram('claim_seconds', 'Time of one operation on one claim, failed ones too.', ['operation', 'outcome']);
  private readonly stageSeconds = this.histogram('claim_stage_seconds', 'Time of one stage of an operation, failed ones too.', ['operation', 'stage', 'outcome']);
  private readonly claimFailures = this.counter('claim_failures_total', 'Failed operations by code of the catalogue.', ['operation', 'class', 'code']);
  private readonly retries = this.counter('device_retries_total', 'Tries at a device that failed and were tried again.', ['operation', 'code']);
  private readonly notices = this.counter('notices_total', 'Things outside of calls that somebody should know; the log says what.', ['code']);
  private readonly registrations = this.counter('registrations_total', 'Changes of what kubelet knows of the agent.', ['state']);
  private readonly isRegistered = this.gauge('registered', '1 while kubelet calls this agent.', []);
  private readonly writeSeconds = this.histogram('slice_write_seconds', 'Time of one write to a ResourceSlice.', ['kind', 'outcome']);
  private readonly publishFailures = this.counter('publish_failures_total', 'Failures to publish; publishing goes on by itself.', []);
  private readonly generation = this.gauge('pool_generation', 'Generation of the published pool.', []);
  private readonly publishedDevices = this.gauge('published_devices', 'Devices in the published pool.', []);
  private readonly publishedSlices = this.gauge('published_slices', 'Slices of the published pool.', []);
  private readonly publishProblems = this.gauge('publish_problems', 'What stands in the way of publishing, by code.', ['code']);
  private readonly lookSeconds = this.histogram('health_look_seconds', 'Time of one look at the health of all devices.', ['outcome']);
  private readonly healthChanges = this.counter('health_changes_total', 'Devices that became sick or recovered.', ['change', 'code']);
  private readonly discoverySeconds = this.histogram('discovery_seconds', 'Time of one look for devices.', ['outcome']);
  private readonly reportSeconds = this.histogram('report_write_seconds', 'Time of one write of the node report.', ['outcome']);
  private readonly claimStatusWrites = this.counter('claim_status_writes_total', 'Writes of status.devices of claims.', ['outcome']);
  private readonly events = this.counter('events_total', 'Kubernetes Events: written, merged with an earlier one, dropped for want of room, failed.', ['outcome']);

  public readonly claims: ClaimObserver = {
    ended: ({ operation, outcome, code, seconds }) => {
      this.claimSeconds.observe({ operation, outcome }, seconds);
      if (outcome !== 'ok' && outcome !== 'repeated') this.claimFailures.inc({ operation, class: outcome, code: code ?? 'none' });
    },
    stage: ({ operation, stage, outcome, seconds }) => this.stageSeconds.observe({ operation, stage, outcome }, seconds),
    retried: ({ operation, code }) => this.retries.inc({ operation, code }),
    noticed: ({ code }) => this.notices.inc({ code: code ?? 'none' }),
  };

  public readonly slices: SliceObserver = {
    wrote: (kind, outcome, seconds) => this.writeSeconds.observe({ kind, outcome }, seconds),
    published: (pool) => {
      this.generation.set(pool?.generation ?? 0);
      this.publishedSlices.set(pool?.slices.length ?? 0);
      this.publishedDevices.set((pool?.slices ?? []).reduce((sum, { devices = [] }) => sum + devices.length, 0));
    },
    failed: () => this.publishFailures.inc(),
    problems: (problems) => setByCode(this.publishProblems, problems),
  };

  public readonly health: HealthObserver = {
    looked: (outcome, seconds) => this.lookSeconds.observe({ outcome }, seconds),
    becameSick: (_, code) => this.healthChanges.inc({ change: 'sick', code }),
    recovered: () => this.healthChanges.inc({ change: 'recovered', code: 'none' }),
  };

  public constructor(driver: string, version: string) {
    this.registry.setDefaultLabels({ driver });
    this.gauge('build_info', 'Version of the agent.', ['version']).set({ version }, 1);
    this.ofProcess();
  }

  /** Says what it knows in the text format. */
  public text(): Promise<string> {
    return this.registry.metrics();
  }

  public registered({ state }: Registration): void {
    this.registrations.inc({ state });
    this.isRegistered.set(state === 'registered' ? 1 : 0);
  }

  public discovery(outcome: 'success' | 'failure', seconds: number): void {
    this.discoverySeconds.observe({ outcome }, seconds);
  }

  public report(outcome: 'success' | 'failure', seconds: number): void {
    this.reportSeconds.observe({ outcome }, seconds);
  }

  public claimStatus(outcome: 'written' | 'failed' | 'dropped'): void {
    this.claimStatusWrites.inc({ outcome });
  }

  public event(outcome: 'written' | 'merged' | 'dropped' | 'failed', count = 1): void {
    this.events.inc({ outcome }, count);
  }

  /** Follows the shared state; it is read when somebody asks for the numbers. */
  public watch({ inventory, isolations, held, mode }: DeviceState): void {
    const read = (name: string, help: string, labelNames: readonly string[], collect: (gauge: Gauge) => void): void => {
      // prom-client calls it with the gauge as `this`.
      new Gauge({ name: PREFIX + name, help, labelNames: [...labelNames], registers: [this.registry], collect() { this.reset(); collect(this); } });
    };
    read('devices', 'Devices that were found.', [], (gauge) => gauge.set(inventory.current.devices.length));
    read('withheld', 'What was found and is not offered, by code.', ['code'], (gauge) => setByCode(gauge, inventory.current.problems));
    read('isolated_devices', 'Devices that get no new work, by code.', ['code'], (gauge) => setByCode(gauge, isolations.current));
    read('held_devices', 'Devices and shares that claims have, by state of the record.', ['state'], (gauge) => {
      for (const { state } of held.current) gauge.inc({ state });
    });
    read('mode', '1 for what the agent may do, by the marks of its node.', ['mode'], (gauge) => {
      for (const each of ['active', 'frozen', 'observe']) gauge.set({ mode: each }, each === mode.current ? 1 : 0);
    });
  }

  /** Few and cheap: the library's own set wakes the process a hundred times a second. */
  private ofProcess(): void {
    const read = (name: string, help: string, value: () => number): void => {
      new Gauge({ name, help, registers: [this.registry], collect() { this.set(value()); } });
    };
    read('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
    read('process_cpu_seconds_total', 'Processor time, of user and system.', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    const started = Date.now() / 1000 - process.uptime();
    read('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () => started);
  }

  private histogram(name: string, help: string, labelNames: readonly string[]): Histogram {
    return new Histogram({ name: PREFIX + name, help, labelNames: [...labelNames], buckets: BUCKETS, registers: [this.registry] });
  }

  private counter(name: string, help: string, labelNames: readonly string[]): Counter {
    return new Counter({ name: PREFIX + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: readonly string[]): Gauge {
    return new Gauge({ name: PREFIX + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }
}

function setByCode(gauge: Gauge, items: readonly Pick<InventoryProblem, 'code'>[]): void {
  gauge.reset();
  for (const { code } of items) gauge.inc({ code });
}
