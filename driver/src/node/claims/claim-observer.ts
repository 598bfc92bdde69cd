import type { FailureClass } from '../../devices/node-failure.js';
import type { ClaimName } from '../claim-service.js';

/** What is done with a claim; `ghost` and `clean-up` are done without kubelet. */
export type ClaimOperation = 'prepare' | 'unprepare' | 'ghost' | 'clean-up';

/** Parts of an operation whose time is worth knowing. `queue`: behind earlier calls for the claim; `lock`: until this agent is the one that writes. */
export type ClaimStage = 'lock' | 'queue' | 'read' | 'record' | 'device' | 'cdi';

/** How something ended. `repeated`: it was done already. */
export type Outcome = 'ok' | 'repeated' | FailureClass;

/** Told of everything that metrics and logs are made from. Calls return at once and never throw. */
export interface ClaimObserver {
  ended(event: {
    readonly operation: ClaimOperation;
    readonly claim: ClaimName;
    readonly outcome: Outcome;
    /** Of the catalogue, for failures. */
    readonly code?: string;
    readonly message?: string;
    readonly seconds: number;
  }): void;
  stage(event: {
    readonly operation: ClaimOperation;
    readonly stage: ClaimStage;
    readonly outcome: Outcome;
    readonly seconds: number;
    readonly device?: string;
  }): void;
  /** A try at a device failed and another follows. */
  retried(event: {
    readonly operation: ClaimOperation;
    readonly device: string;
    readonly code: string;
    readonly message: string;
    readonly failures: number;
    readonly pauseSeconds: number;
  }): void;
  /** Something that no call is told: a record set aside, a ghost, a file that is not ours. */
  noticed(event: Notice): void;
}

/** Something an operator may want to know; also an Event of Kubernetes where it is about a claim. */
export interface Notice {
  /** Of the catalogue; absent for good news. */
  readonly code?: string;
  readonly message: string;
  readonly claim?: Partial<ClaimName>;
  readonly devices?: readonly string[];
}

/** Kubernetes Events. Calls return at once and never throw. */
export interface EventSink {
  emit(event: ClaimEvent): void;
}

export interface ClaimEvent {
  readonly type: 'Normal' | 'Warning';
  /** In camel case, as Kubernetes has it. */
  readonly reason: string;
  readonly message: string;
  /** About the claim; absent: about the Node. */
  readonly claim?: ClaimName;
}

export const SILENT_OBSERVER: ClaimObserver = { ended: () => undefined, stage: () => undefined, retried: () => undefined, noticed: () => undefined };
