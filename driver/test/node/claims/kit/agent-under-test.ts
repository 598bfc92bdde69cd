import { DRIVER, FakeCluster, NODE } from './fake-cluster.js';
import type { FakeHardware } from './fake-hardware.js';
import { MemoryDisk } from './memory-disk.js';
import { Steps } from './steps.js';
import { settled, TestClock } from './test-clock.js';
import type { ClaimName, PrepareAnswer, UnprepareAnswer } from '../../../../src/node/claim-service.js';
import type { ClaimObserver, Notice } from '../../../../src/node/claims/claim-observer.js';
import type { ClaimTimes } from '../../../../src/node/claims/claim-times.js';
import { createClaimService } from '../../../../src/node/claims/create-claim-service.js';
import type { ClaimServiceOptions, ClaimsOfNode } from '../../../../src/node/claims/create-claim-service.js';
import type { AgentLock } from '../../../../src/node/claims/lock/agent-lock.js';
import type { Isolation } from '../../../../src/node/device-state.js';
import { FollowedValue } from '../../../../src/node/followed-value.js';


export const DATA = '/data';
export const CDI = '/run/cdi';

export function claimName(uid: string, name = `claim-${uid}`): ClaimName {
  return { uid, namespace: 'vision', name };
}

/** A machine with its disk, its hardware, an API server far away, and at most one agent at a time. */
export class Machine {
  public readonly disk = new MemoryDisk([CDI]);
  public readonly cluster = new FakeCluster();
  public readonly clock = new TestClock();
  public bootId = 'boot-1';
  private boots = 1;

  public constructor(public readonly hardware: FakeHardware) {}

  /** Starts an agent; resolves when it writes, or was killed. */
  public async start(options: AgentOptions = {}): Promise<Agent> {
    const agent = this.launch(options);
    await Promise.race([agent.writes(), agent.steps.death]);
    return agent;
  }

  public launch({ killAt, pace, fault, ...options }: AgentOptions = {}): Agent {
    const steps = new Steps(killAt, pace);
    steps.fault = fault;
    const agent = new Agent(this, steps, options);
    agent.claims.start();
    return agent;
  }

  public reboot(): void {
    this.disk.reboot();
    this.afterStop();
  }

  public failPower(survive: number): void {
    this.disk.failPower(survive);
    this.afterStop();
  }

  private afterStop(): void {
    this.hardware.reboot();
    this.boots += 1;
    this.bootId = `boot-${this.boots}`;
  }
}

export interface AgentOptions extends Partial<Pick<ClaimServiceOptions, 'formats' | 'claimInUse' | 'deviceNodeExists' | 'status'>> {
  readonly killAt?: number;
  readonly pace?: (step: string) => Promise<void>;
  readonly fault?: (step: string) => Error | undefined;
  readonly times?: Partial<ClaimTimes>;
}

export class Agent {
  public readonly claims: ClaimsOfNode;
  public readonly notices: Notice[] = [];
  public readonly ended: Parameters<ClaimObserver['ended']>[0][] = [];
  public readonly retries: Parameters<ClaimObserver['retried']>[0][] = [];
  public readonly inventory: FollowedValue<Machine['hardware']['inventory']>;
  public readonly sick = new FollowedValue<readonly Isolation[]>([]);

  public constructor(private readonly machine: Machine, public readonly steps: Steps, options: Omit<AgentOptions, 'killAt' | 'pace' | 'fault'>) {
    const { disk, cluster, hardware, clock, bootId } = machine;
    this.inventory = new FollowedValue(hardware.inventory);
    this.claims = createClaimService({
      driver: DRIVER,
      family: 'gpu',
      node: NODE,
      agent: 'agent-a',
      bootId,
      dataFolder: DATA,
      cdiFolder: CDI,
      backend: hardware.backend(steps),
      inventory: this.inventory,
      healthIsolations: this.sick,
      reader: cluster.reader(steps),
      observer: {
        ended: (event) => this.ended.push(event),
        stage: () => undefined,
        retried: (event) => this.retries.push(event),
        noticed: (notice) => this.notices.push(notice),
      },
      clock,
      random: () => 0.5,
      files: disk.fileSystem(steps),
      lock: aloneLock,
      // Little, so that it is begun anew now and then.
      journalBytes: 2048,
      ...options,
    });
  }

  public get codes(): readonly (string | undefined)[] {
    return this.notices.map(({ code }) => code).filter((code) => code !== undefined);
  }

  public async writes(): Promise<void> {
    if (this.claims.state.current === 'writing') return;
    await new Promise<void>((resolve) => {
      const stop = this.claims.state.follow((state) => {
        if (state !== 'writing') return;
        stop();
        resolve();
      });
    });
  }

  public async prepare(claim: ClaimName, signal = new AbortController().signal): Promise<PrepareAnswer> {
    return (await this.claims.prepare([claim], signal)).get(claim.uid)!;
  }

  public async unprepare(claim: ClaimName, signal = new AbortController().signal): Promise<UnprepareAnswer> {
    return (await this.claims.unprepare([claim], signal)).get(claim.uid)!;
  }

  /** As prepare and unprepare, letting as much time pass as it takes; undefined when the agent was killed before it answered. */
  public async inTime<T>(call: Promise<T>): Promise<T | undefined> {
    let result: { readonly value: T } | undefined;
    let isDead = false;
    void call.then((value) => (result = { value }));
    void this.steps.death.then(() => (isDead = true));
    for (let rounds = 0; result === undefined && !isDead; rounds++) {
      await settled();
      if (result === undefined && !isDead) await this.machine.clock.advance(50);
      if (rounds > 5000) throw new Error('the call does not end');
    }
    return result?.value;
  }

  public kill(): void {
    this.steps.kill();
  }
}

/** The lock of an agent that is alone on its machine. */
function aloneLock(): AgentLock {
  const never = new AbortController();
  return {
    acquire: async (signal) => signal.aborted ? undefined : {
      number: 1, peers: new FollowedValue([]), yieldAsked: never.signal, isInPlace: true, end: async () => undefined,
    },
    close: () => undefined,
  };
}

/** The devices of an answer, or its error. */
export function outcome(answer: PrepareAnswer | undefined): readonly string[] | string {
  if (answer === undefined) return 'no answer';
  return 'error' in answer ? answer.error : answer.devices.map(({ deviceName }) => deviceName);
}
