import { isDeepStrictEqual } from 'node:util';

import { API_GROUP, API_VERSION, nodeReportName } from 'cdk8s-dra/model';

import type { NodeReportStatus } from './node-report.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { KubeObject } from '../../kube/object.js';
import type { Resource } from '../../kube/resource.js';
import type { OwnerNode } from '../slices/slice-object.js';

export const DEVICE_NODE_REPORTS: Resource = {
  group: API_GROUP, version: API_VERSION, plural: 'devicenodereports', kind: 'DeviceNodeReport', namespaced: false,
};

export interface ReportWriterOptions {
  readonly client: KubeClient;
  readonly node: OwnerNode;
  readonly family: string;
  readonly driver?: string;
  /** What is seen now; asked before each write. */
  readonly observe: () => Promise<NodeReportStatus>;
  readonly observer: ReportObserver;
  readonly date: () => Date;
  /** Milliseconds between heartbeats, and the least between two writes. */
  readonly heartbeatEvery?: number;
  readonly settle?: number;
}

/** Who is told about reports: metrics and logs. Must not throw. */
export interface ReportObserver {
  wrote(outcome: 'success' | 'failure', seconds: number, error?: unknown): void;
}

/**
 * Writes what is seen on this node, at changes and as a heartbeat.
 *
 * A heartbeat carries only the time, so that a thousand nodes cost little; a report that nobody refreshes counts as held by all who read it.
 */
export class ReportWriter {
  private written: NodeReportStatus | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopping: AbortController | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private failures = 0;

  public constructor(private readonly options: ReportWriterOptions) {}

  public start(): void {
    if (this.stopping !== undefined) return;
    this.stopping = new AbortController();
    this.schedule(0);
  }

  /** Something may have changed. */
  public changed(): void {
    if (this.running !== undefined) this.again = true;
    else if (this.stopping?.signal.aborted === false) this.schedule(this.options.settle ?? SETTLE);
  }

  public async stop(): Promise<void> {
    this.stopping?.abort();
    clearTimeout(this.timer);
    await this.running;
    this.stopping = undefined;
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.write(this.stopping!.signal).then((next) => {
        this.running = undefined;
        if (this.stopping?.signal.aborted !== false) return;
        this.schedule(this.again ? this.options.settle ?? SETTLE : next);
        this.again = false;
      });
    }, delay);
  }

  /** One write; answers in how many milliseconds the next is due. */
  private async write(signal: AbortSignal): Promise<number> {
    const { observer, observe, date, heartbeatEvery = HEARTBEAT } = this.options;
    const began = performance.now();
    try {
      const seen = await observe();
      const heartbeat = `${date().toISOString().slice(0, 19)}Z`;
      const isSame = this.written !== undefined && isDeepStrictEqual(seen, this.written);
      await this.send(isSame ? { heartbeat } : { ...seen, heartbeat }, { ...seen, heartbeat }, signal);
      this.written = seen;
      this.failures = 0;
      observer.wrote('success', (performance.now() - began) / 1000);
      return heartbeatEvery;
    } catch (error) {
      if (signal.aborted) return heartbeatEvery;
      // What the server has is not known any more.
      this.written = undefined;
      observer.wrote('failure', (performance.now() - began) / 1000, error);
      return Math.min(heartbeatEvery, FIRST_PAUSE * 2 ** this.failures++) * (0.5 + Math.random() / 2);
    }
  }

  private async send(status: object, whole: object, signal: AbortSignal): Promise<void> {
    const { client, node, family } = this.options;
    const name = nodeReportName(family, node.name);
    try {
      await client.patch(DEVICE_NODE_REPORTS, { name }, { merge: { status } }, { subresource: 'status', signal });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
      await client.create(DEVICE_NODE_REPORTS, this.skeleton(name), { signal });
      await client.patch(DEVICE_NODE_REPORTS, { name }, { merge: { status: whole } }, { subresource: 'status', signal });
    }
  }

  /** Owned by the node, and gone with it. */
  private skeleton(name: string): KubeObject {
    const { node, family, driver } = this.options;
    return {
      apiVersion: `${API_GROUP}/${API_VERSION}`,
      kind: 'DeviceNodeReport',
      metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid }] },
      spec: { nodeName: node.name, family, ...(driver === undefined ? {} : { driver }) },
    };
  }
}

const HEARTBEAT = 30_000;
const SETTLE = 1_000;
const FIRST_PAUSE = 1_000;
