import type { WritingState } from './claims/lock/writing-time.js';
import type { Followed } from './device-state.js';
import type { Registration } from './kubelet/kubelet-plugin.js';
import { PartForNode } from './part-for-node.js';
import type { AgentPart } from './part-for-node.js';
import type { OwnerNode } from './slices/slice-object.js';

/** The agent as kubelet sees it, from the opening of its sockets to their end. */
export interface KubeletLink extends AgentPart {
  readonly registration: Followed<Registration>;
  /** Fails when kubelet will never come. */
  readonly failed: Promise<never>;
  registered(): Promise<void>;
}

/** What a driver has beside a witness. */
export interface DriverParts {
  readonly discovery: AgentPart & { readonly ready: Followed<boolean> };
  readonly health: AgentPart;
  readonly claims: AgentPart & { readonly state: Followed<WritingState> };
  /** A new one each time it is opened. */
  readonly kubelet: () => KubeletLink;
  /** Whether another agent of the driver can serve on this node at the same time, because each has the UID of its pod in the names of its sockets. */
  readonly canServeBeside: boolean;
  readonly removeStaleSockets: () => Promise<void>;
  readonly publisher: (node: OwnerNode) => AgentPart;
}

export interface AgentParts {
  /** Answers probes to the end. */
  readonly http: AgentPart;
  readonly node: AgentPart & { readonly node: Followed<OwnerNode | undefined> };
  readonly reporter: (node: OwnerNode) => AgentPart;
  /** Writes what waits, and takes no more. */
  readonly events: { stop(): Promise<void> };
  readonly driver?: DriverParts;
  /** Told of what goes wrong in the background. */
  readonly failed: (what: string, error: unknown) => void;
}

/** Where the agent stands. */
export interface AgentStanding {
  readonly registration: Registration;
  readonly writing: WritingState | 'none';
  readonly isDiscovered: boolean;
  readonly isPublishing: boolean;
  readonly isReporting: boolean;
}

/**
 * The parts of an agent in their order.
 *
 * Start: sockets, registration, lock and records, publishing. Kubelet calls the agent that registered last, so during an update nobody is asked
 * to yield before kubelet calls this one; calls that come in between wait for the records. An agent that cannot serve beside another takes the lock
 * first, as the other one's sockets go only then.
 *
 * Publishing needs the Node, a look at the hardware and the lock; claims on record need none of them but the lock, so an API server that is away
 * holds nobody up.
 */
export class NodeAgent {
  private readonly publisher: PartForNode;
  private readonly reporter: PartForNode;
  private link: KubeletLink | undefined;
  private linkWork: Promise<void> = Promise.resolve();
  private hasRegistered = false;
  private isEnding = false;
  private fail?: (error: unknown) => void;

  public constructor(private readonly parts: AgentParts) {
    const { driver, reporter, failed } = parts;
    this.publisher = new PartForNode((node) => driver!.publisher(node), (error) => failed('publishing', error));
    this.reporter = new PartForNode(reporter, (error) => failed('reporting', error));
  }

  public get standing(): AgentStanding {
    const { driver } = this.parts;
    return {
      registration: this.link?.registration.current ?? { state: 'closed' },
      writing: driver?.claims.state.current ?? 'none',
      isDiscovered: driver?.discovery.ready.current ?? true,
      isPublishing: this.publisher.isRunning,
      isReporting: this.reporter.isRunning,
    };
  }

  /** Why the agent does not do its work; undefined when it does. */
  public get unhealthy(): string | undefined {
    const { registration: { state }, writing } = this.standing;
    if (this.parts.driver === undefined || state === 'registered') return undefined;
    // Its sockets are gone because another agent serves.
    if (writing === 'standby' && state === 'closed') return undefined;
    return `kubelet does not call this agent: ${state}`;
  }

  /** Why the agent should not be counted on yet. One that stands by is ready: it takes over when the newer one dies. */
  public get unready(): string | undefined {
    const { writing, isDiscovered } = this.standing;
    if (this.unhealthy !== undefined) return this.unhealthy;
    if (!isDiscovered) return 'the hardware could not be looked at yet';
    if (writing === 'seeking') return 'another agent still holds the records';
    return undefined;
  }

  /** Runs until the signal ends it; throws when it cannot go on. What it started is ended in either case. */
  public async run(signal: AbortSignal): Promise<void> {
    const failure = new Promise<never>((_, reject) => { this.fail = reject; });
    failure.catch(() => undefined);
    const ended = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([this.start(), failure, ended]);
      await Promise.race([failure, ended]);
    } finally {
      await this.end();
    }
  }

  private async start(): Promise<void> {
    const { http, node, driver } = this.parts;
    await http.start();
    if (this.isEnding) {
      // It was not there yet when all else ended, and would keep the process alive.
      await http.stop();
      return;
    }
    node.node.follow(() => this.settle());
    await node.start();
    if (driver !== undefined) await this.startDriver(driver);
    this.settle();
  }

  private async startDriver({ discovery, health, claims, canServeBeside, removeStaleSockets }: DriverParts): Promise<void> {
    discovery.ready.follow(() => this.settle());
    claims.state.follow(() => this.settle());
    await discovery.start();
    await health.start();
    await removeStaleSockets().catch((error: unknown) => this.parts.failed('removing stale sockets', error));
    if (canServeBeside) {
      this.wantLink(true);
      await this.linkWork;
      await this.link?.registered();
    }
    if (!this.isEnding) await claims.start();
  }

  /** Brings what runs in line with what is known. */
  private settle(): void {
    const { node, driver } = this.parts;
    if (this.isEnding) return;
    const owner = node.node.current;
    this.reporter.want(driver === undefined || driver.claims.state.current === 'writing' ? owner : undefined);
    if (driver === undefined) return;
    const writing = driver.claims.state.current;
    if (!driver.canServeBeside && writing === 'writing') this.wantLink(true);
    if (!driver.canServeBeside && writing === 'standby') this.wantLink(false);
    this.publisher.want(writing === 'writing' && this.hasRegistered && driver.discovery.ready.current ? owner : undefined);
  }

  private wantLink(isWanted: boolean): void {
    this.linkWork = this.linkWork.then(async () => {
      if (isWanted && this.link === undefined && !this.isEnding) await this.openLink();
      else if (!isWanted) await this.closeLink();
    }).catch((error: unknown) => this.fail?.(error));
  }

  private async openLink(): Promise<void> {
    const link = this.parts.driver!.kubelet();
    this.link = link;
    link.registration.follow(({ state }) => {
      if (state === 'registered') this.hasRegistered = true;
      this.settle();
    });
    link.failed.catch((error: unknown) => {
      if (this.link === link) this.fail?.(error);
    });
    await link.start();
  }

  private async closeLink(): Promise<void> {
    const { link } = this;
    this.link = undefined;
    await link?.stop();
  }

  /** Nothing new is told to anybody; then kubelet's calls are finished, and only then is the lock left to another agent. */
  private async end(): Promise<void> {
    this.isEnding = true;
    const { http, node, driver, events, failed } = this.parts;
    const step = async (what: string, work: () => Promise<unknown> | undefined) => {
      try {
        await work();
      } catch (error) {
        failed(`ending ${what}`, error);
      }
    };
    this.publisher.want(undefined);
    this.reporter.want(undefined);
    await step('publishing', () => this.publisher.settled());
    await step('reporting', () => this.reporter.settled());
    this.wantLink(false);
    await step('the sockets', () => this.linkWork);
    await step('claims', () => driver?.claims.stop());
    await step('health', () => driver?.health.stop());
    await step('discovery', () => driver?.discovery.stop());
    await step('the watch of the Node', () => node.stop());
    await step('events', () => events.stop());
    await step('http', () => http.stop());
  }
}
