import type { Followed } from '../../device-state.js';

/** An agent, as it presents itself to the one that holds the lock. */
export interface LockPeer {
  /** For logs, such as the pod's name. */
  readonly agent: string;
  /** Formats of records that it reads. */
  readonly formats: readonly number[];
}

export interface AcquireOptions {
  /** Whether to ask the holder to yield. */
  readonly ask: boolean;
  /** Told why it takes time. */
  readonly waiting?: (reason: string) => void;
}

/** Which of the agents of one data folder writes. */
export interface AgentLock {
  /** Resolves when this agent is the one that writes; undefined when the signal ended that before. */
  acquire(signal: AbortSignal, options: AcquireOptions): Promise<HeldLock | undefined>;
  /** Only when the lock is not held. */
  close(): void;
}

/** The time in which an agent is the one that writes. */
export interface HeldLock {
  /** Later times have higher numbers. */
  readonly number: number;
  /** Agents that wait for the end of this time. */
  readonly peers: Followed<readonly LockPeer[]>;
  /** Aborted when another agent asks this one to yield. */
  readonly yieldAsked: AbortSignal;
  /** False when a person has taken the lock away: then another can hold it too, and nothing more may be begun. */
  readonly isInPlace: boolean;
  /** From here on others may write, so everything of ours must have ended. */
  end(): Promise<void>;
}
