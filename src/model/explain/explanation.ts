/** What an object has to do with the answer. */
export type ObjectRole = 'pod' | 'claim' | 'template' | 'class' | 'node' | 'holder' | 'quota' | 'policy' | 'pool' | 'rule';

export interface NamedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly role: ObjectRole;
}

/** Helps that were tried: with such a change, and nothing else, the allocator finds devices on a node that takes the pod. */
export const TRIED_HELP = [
  'end-holder', 'tolerate', 'repair-device', 'lower-count', 'change-selector', 'change-capacity', 'drop-constraint', 'complete-pool', 'repair-pool', 'change-node',
] as const;

/** What a help changes; those that are not in {@link TRIED_HELP} follow from the cause. */
export type HelpKind =
  | typeof TRIED_HELP[number]
  | 'add-device' | 'create-object' | 'delete-object' | 'change-claim' | 'raise-quota' | 'change-policy' | 'remove-gate' | 'use-claim' | 'enable-feature'
  | 'change-pod' | 'repair-driver' | 'upgrade' | 'wait';

/** One way out. */
export interface Help {
  /** What to do, an imperative without a full stop. */
  readonly text: string;
  readonly kind: HelpKind;
}

/** One thing that holds a pod. */
export interface Cause {
  /** Code of `model/failures`. */
  readonly cause: string;
  readonly because: string;
}

/** A mistake of upstream that holds the pod, or lets it be bound wrongly. */
export interface KnownBug {
  /** Of `model/upstream-bugs`. */
  readonly id: string;
  /** Minors that have it. */
  readonly minors: readonly string[];
  /** What it does to this pod, in which versions, and the way out. */
  readonly text: string;
}

export interface DetailedCause extends Cause {
  readonly objects: readonly NamedObject[];
  readonly help: readonly Help[];
  readonly bugs?: readonly KnownBug[];
}

/** Why a pod is where it is: the answer of `kubectl-dra explain`. */
export interface PodExplanation extends Omit<DetailedCause, 'bugs'> {
  /** `namespace/name`. */
  readonly pod: string;
  readonly kubernetes: string;
  /** What else holds it, or would. */
  readonly others: readonly Cause[];
  readonly knownBugs: readonly KnownBug[];
  /** What was missing from the input. */
  readonly unknown: readonly string[];
}
