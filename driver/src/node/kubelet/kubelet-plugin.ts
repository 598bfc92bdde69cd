import { mkdirSync } from 'node:fs';

import type { ClaimService } from '../claim-service.js';
import type { Followed } from '../device-state.js';
import { FollowedValue } from '../followed-value.js';
import { DraService } from './dra-service.js';
import { GrpcEndpoint } from './grpc-endpoint.js';
import { HealthService } from './health-service.js';
import type { KubeletHealth } from './health-service.js';
import { registrationService } from './registration-service.js';
import { registryFolder, socketPaths } from './socket-paths.js';
import type { SocketOwner, SocketPaths } from './socket-paths.js';

/** What kubelet knows of the agent. */
export type Registration =
  | { readonly state: 'closed' }
  /** `refusal`: what kubelet said against it last. `attempt` counts sockets from 1. */
  | { readonly state: 'waiting'; readonly attempt: number; readonly refusal?: string }
  | { readonly state: 'registered' }
  /** Kubelet's connection is gone: it restarts, or has forgotten the agent. */
  | { readonly state: 'lost'; readonly attempt: number };

/** Kubelet never came, although the sockets were made anew. */
export class RegistrationTimeoutError extends Error {
  public override readonly name = 'RegistrationTimeoutError';
  public readonly code = 'DRA305';
}

export interface KubeletPluginOptions extends SocketOwner {
  readonly claims: ClaimService;
  /** Absent: no health is offered. */
  readonly health?: Followed<readonly KubeletHealth[]>;
  readonly times?: Partial<RegistrationTimes>;
  /** Told of what an operator may want to know. */
  readonly log?: (message: string) => void;
}

/** Milliseconds. */
export interface RegistrationTimes {
  /** For one pair of sockets; kubelet looks once a second and waits longer after each failure. */
  readonly deadline: number;
  /** Pairs of sockets until the agent gives up, when it was never registered. */
  readonly attempts: number;
  /** Without any connection, after which kubelet is taken for gone; its own reconnection after half an hour of silence takes milliseconds. */
  readonly loss: number;
  /** With a connection, after which a kubelet that was gone counts as back. */
  readonly regain: number;
  /** For calls under way when the agent ends. */
  readonly grace: number;
}

/**
 * The agent as kubelet sees it: the service socket, then the registration socket, and both anew when kubelet does not come.
 *
 * Kubelet may miss a socket: it does not retry for long when its first question took more than a second, and a kubelet that hangs on to a dead
 * connection refuses the next one. An agent that was registered once never gives up, since only kubelet could start it again.
 */
export class KubeletPlugin {
  public readonly paths: SocketPaths;
  private readonly dra: DraService;
  private readonly health: HealthService | undefined;
  private readonly times: RegistrationTimes;
  private readonly value = new FollowedValue<Registration>({ state: 'closed' });
  private service: GrpcEndpoint | undefined;
  private registrar: GrpcEndpoint | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wasRegistered = false;
  /** Opening and closing, one after another. */
  private work: Promise<void> = Promise.resolve();
  private isStopping = false;
  private readonly failure: { readonly promise: Promise<never>; readonly fail: (error: Error) => void };

  public constructor(private readonly options: KubeletPluginOptions) {
    this.paths = socketPaths(options);
    this.dra = new DraService(options.claims);
    this.health = options.health === undefined ? undefined : new HealthService(options.health);
    this.times = { ...DEFAULT_TIMES, ...options.times };
    let fail: (error: Error) => void = () => undefined;
    const promise = new Promise<never>((_, reject) => { fail = reject; });
    // Whether anybody waits for it is not our concern.
    promise.catch(() => undefined);
    this.failure = { promise, fail };
  }

  public get registration(): Followed<Registration> {
    return this.value;
  }

  /** Opens both sockets; kubelet comes when it comes. */
  public async start(): Promise<void> {
    mkdirSync(this.options.dataFolder, { recursive: true, mode: 0o750 });
    mkdirSync(registryFolder(this.options), { recursive: true, mode: 0o750 });
    await this.enqueue(() => this.open(1, 'waiting'));
  }

  /** Resolves when kubelet has registered the agent; fails with RegistrationTimeoutError when all attempts were in vain. */
  public async registered(): Promise<void> {
    let stop = (): void => undefined;
    const registered = new Promise<void>((resolve) => {
      const look = ({ state }: Registration): void => { if (state === 'registered') resolve(); };
      stop = this.value.follow(look);
      look(this.value.current);
    });
    await Promise.race([registered, this.failure.promise]).finally(stop);
  }

  /** Fails when the agent can no longer be registered; never resolves. */
  public get failed(): Promise<never> {
    return this.failure.promise;
  }

  /**
   * Ends service: calls that have changed something are finished and answered, others are cancelled, streams end, both sockets go.
   *
   * The registration socket goes last but one: with it kubelet drops its connection, and with that every call under way.
   */
  public async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.enqueue(() => this.close(this.times.grace));
    this.value.set({ state: 'closed' });
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.work.then(task);
    this.work = done.catch(() => undefined);
    return done;
  }

  private async open(attempt: number, state: 'waiting' | 'lost'): Promise<void> {
    const { driverName } = this.options;
    const services = [...this.dra.services, ...this.health?.services ?? []];
    const versions = [...this.dra.versions, ...this.health?.versions ?? []];
    this.service = await GrpcEndpoint.open(this.paths.service, services, (open) => this.connectionsChanged(open));
    const registration = registrationService({ driverName, endpoint: this.paths.service, versions }, {
      asked: () => this.options.log?.('kubelet asks who the agent is'),
      notified: (refusal) => this.notified(refusal),
    });
    try {
      this.registrar = await GrpcEndpoint.open(this.paths.registration, [registration]);
    } catch (error) {
      await this.close(0);
      throw error;
    }
    this.value.set({ state, attempt });
    this.arm(this.pause(attempt), () => this.giveUpOrRetry(attempt, state));
  }

  private async close(grace: number): Promise<void> {
    const { service, registrar } = this;
    this.service = undefined;
    this.registrar = undefined;
    this.dra.cancelAll();
    this.health?.endAll();
    await service?.close(grace);
    await registrar?.close(Math.min(grace, REGISTRATION_GRACE));
  }

  private notified(refusal: string | undefined): void {
    if (this.isStopping) return;
    if (refusal !== undefined) {
      const { current } = this.value;
      const attempt = 'attempt' in current ? current.attempt : 1;
      this.options.log?.(`kubelet refuses the agent: ${refusal}`);
      this.value.set({ state: 'waiting', attempt, refusal });
      // Nobody waits for its return any more, and it may not look at these sockets again. An agent that was never registered has its deadline already.
      if (this.wasRegistered) this.arm(this.pause(attempt), () => this.giveUpOrRetry(attempt, 'lost'));
      return;
    }
    clearTimeout(this.timer);
    this.wasRegistered = true;
    this.value.set({ state: 'registered' });
    // Kubelet connects right after; when it does not, it is gone again.
    this.connectionsChanged(this.service?.openConnections ?? 0);
  }

  private connectionsChanged(open: number): void {
    if (this.isStopping || !this.wasRegistered) return;
    const { current } = this.value;
    if (current.state === 'registered') {
      if (open === 0) this.arm(this.times.loss, () => this.lose());
      else clearTimeout(this.timer);
    } else if (current.state === 'lost') {
      // A kubelet that never forgot the agent connects again without a word; who looks whether the socket is alive goes at once.
      if (open > 0) this.arm(this.times.regain, () => this.value.set({ state: 'registered' }));
      else this.arm(this.pause(current.attempt), () => this.giveUpOrRetry(current.attempt, 'lost'));
    }
  }

  /** The sockets stay as they are: a kubelet that starts finds them. Only when it does not come in time they are made anew. */
  private lose(): void {
    if (this.value.current.state !== 'registered') return;
    this.options.log?.('kubelet has closed its connection');
    this.value.set({ state: 'lost', attempt: 1 });
    this.arm(this.pause(1), () => this.giveUpOrRetry(1, 'lost'));
  }

  private giveUpOrRetry(attempt: number, state: 'waiting' | 'lost'): void {
    const { current } = this.value;
    if (!this.wasRegistered && attempt >= this.times.attempts) {
      const refusal = 'refusal' in current && current.refusal !== undefined ? ` Kubelet said: ${current.refusal}` : '';
      this.failure.fail(new RegistrationTimeoutError(`Kubelet did not register the agent within ${this.times.deadline / 1000} s, ${attempt} times with new sockets `
        + `(${this.paths.registration}).${refusal} See whether kubeletRoot is the folder of this node's kubelet, and whether kubelet runs.`));
      return;
    }
    this.options.log?.('kubelet did not come; the sockets are made anew');
    void this.enqueue(async () => {
      if (this.isStopping || this.value.current.state === 'registered') return;
      await this.close(0);
      await this.open(attempt + 1, state);
    }).catch((error: unknown) => this.failure.fail(error instanceof Error ? error : new Error(String(error))));
  }

  /** Grows once the agent was registered: a kubelet that is down for an hour needs no new sockets every minute. */
  private pause(attempt: number): number {
    return this.wasRegistered ? Math.min(this.times.deadline * 2 ** (attempt - 1), MAX_PAUSE) : this.times.deadline;
  }

  private arm(milliseconds: number, action: () => void): void {
    clearTimeout(this.timer);
    if (!this.isStopping) this.timer = setTimeout(action, milliseconds);
  }
}

const DEFAULT_TIMES: RegistrationTimes = { deadline: 20_000, attempts: 3, loss: 5000, regain: 1000, grace: 25_000 };
const MAX_PAUSE = 300_000;
/** Kubelet waits no longer for the answer to its own question. */
const REGISTRATION_GRACE = 1000;
