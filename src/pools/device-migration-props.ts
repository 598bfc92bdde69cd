import type { ApiObjectMetadata, Cron, Duration } from 'cdk8s';
import type { Gate } from './gate';
import type { LegacyPath } from './legacy-path';
import type { MigrationPhase } from './migration-phase';
import type { NodeCount } from './node-count';
import type { NodeSelection } from './node-selection';
import type { IDeviceClass } from '../dra/device-class';
import type { DeviceDriver } from '../dra/device-driver';

/** How a node gets from one owner to the other. */
export enum HandoverStrategy {
  /** Nothing new starts on the node, and what runs goes on to its end. */
  WAIT_FOR_IDLE = 'WaitForIdle',
  /** Pods that use its devices are evicted, as their disruption budgets allow. */
  EVICT = 'Evict',
  /** New nodes are born with DRA as their owner, and old ones are drained and removed. */
  REPLACE = 'Replace',
}

/** What happens when a node is not idle in time. */
export enum DeadlineAction {
  /** The pool stops and asks people. */
  HOLD = 'Hold',
  /** The node goes back to its owner, and another one is tried. */
  SKIP = 'Skip',
  /** Its pods are evicted, as their disruption budgets allow. */
  EVICT = 'Evict',
}

/** What happens when a gate that was open fails. */
export enum GateFailureAction {
  /** Nothing new moves or starts on DRA until people decide. */
  HOLD = 'Hold',
  /** Nodes are given back as they empty. */
  ROLLBACK = 'Rollback',
}

/** What a pool is moved for; sets what steps and hand-over do where they are not set. */
export enum MigrationGoal {
  /** Nothing that runs is touched, however long it takes. */
  CONTINUITY = 'Continuity',
  /** Many nodes at once, with a deadline. */
  THROUGHPUT = 'Throughput',
  /** As few idle devices as possible while nodes wait. */
  UTILIZATION = 'Utilization',
}

/** Which nodes go first, and who may use them. */
export interface CanaryOptions {
  /** How many nodes; those that are chosen stay chosen. */
  readonly nodes: NodeCount;
  /** Namespaces whose workloads may use DRA, if they are labelled `cdk8s-dra.dev/interruption: safe`. */
  readonly namespaces: string[];
  /**
   * Narrows which nodes of the pool may be chosen.
   * @default - any
   */
  readonly selector?: NodeSelection;
}

/** How the pool grows after the canary. */
export interface ExpandOptions {
  /**
   * How many nodes are owned by DRA after each step, rising; the next is taken when the gates are open.
   * @default - by `optimizeFor`
   */
  readonly steps?: NodeCount[];
  /**
   * Nodes with one value of this label move together, e.g. a rack or an NVLink domain.
   * @default - each node by itself
   */
  readonly topologyKey?: string;
  /**
   * Nodes that stay with the device plugin until `AllWorkloads`.
   * @default - none
   */
  readonly legacyFloor?: NodeCount;
}

/** How nodes are handed over. */
export interface HandoverOptions {
  /**
   * How a node becomes idle.
   * @default HandoverStrategy.WAIT_FOR_IDLE
   */
  readonly strategy?: HandoverStrategy;
  /**
   * How long a node may wait for its work to end.
   * @default - by `optimizeFor`
   */
  readonly deadline?: Duration;
  /**
   * What happens at the deadline.
   * @default - by `optimizeFor`
   */
  readonly onDeadline?: DeadlineAction;
  /**
   * Nodes in hand-over at once.
   * @default - by `optimizeFor`
   */
  readonly parallelism?: NodeCount;
  /**
   * Nodes that may wait for work to end at once.
   * @default - by `optimizeFor`
   */
  readonly maxNodesWaiting?: NodeCount;
  /**
   * Idle device hours that waiting may cost.
   * @default - by `optimizeFor`
   */
  readonly maxIdleDeviceHours?: number;
}

/** A time in which nodes may be handed over. */
export interface HandoverWindow {
  /** When it begins. */
  readonly start: Cron;
  /** How long it is open. */
  readonly duration: Duration;
  /**
   * Time zone of `start`, e.g. `Europe/Amsterdam`.
   * @default 'UTC'
   */
  readonly timeZone?: string;
}

/** Who decided the change, for the record. */
export interface ChangeRecord {
  /**
   * Id in the ticket system.
   * @default - none
   */
  readonly ticket?: string;
  /**
   * Who approved it.
   * @default - nobody is named
   */
  readonly approvedBy?: string;
}

/** Properties of a DeviceMigration. */
export interface DeviceMigrationProps {
  /** The DRA driver; its family is the kind of device. Neither ever changes. */
  readonly driver: DeviceDriver;
  /** Classes that offer devices of the pool; the first one serves the legacy resource through the bridge. */
  readonly deviceClasses: IDeviceClass[];
  /** The nodes of the pool; no other migration of the family may select one of them. */
  readonly nodes: NodeSelection;
  /** The furthest phase that is allowed; moving on is this line. */
  readonly phase: MigrationPhase;
  /**
   * Metadata of the migration, whose name is the pool's, of at most 63 characters.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * How workloads get these devices today.
   * @default - not at all: there is no device plugin
   */
  readonly legacy?: LegacyPath;
  /**
   * The first nodes and who may use them; needed from phase Canary on.
   * @default - none
   */
  readonly canary?: CanaryOptions;
  /**
   * How the pool grows after the canary.
   * @default - by `optimizeFor`
   */
  readonly expand?: ExpandOptions;
  /**
   * Conditions for each step and phase; without any, people alone decide.
   * @default - none
   */
  readonly gates?: Gate[];
  /**
   * How nodes are handed over.
   * @default - by `optimizeFor`
   */
  readonly handover?: HandoverOptions;
  /**
   * Name of a group of migrations of other families on the same nodes, which move in one drain; they stand in one phase.
   * @default - the pool moves by itself
   */
  readonly group?: string;
  /**
   * What happens when a gate fails.
   * @default - by `optimizeFor`
   */
  readonly onGateFailure?: GateFailureAction;
  /**
   * What the pool is moved for.
   * @default MigrationGoal.CONTINUITY
   */
  readonly optimizeFor?: MigrationGoal;
  /**
   * When nodes may be handed over.
   * @default - at any time
   */
  readonly windows?: HandoverWindow[];
  /**
   * Who decided it.
   * @default - not recorded here
   */
  readonly change?: ChangeRecord;
  /**
   * Names of migrations of the same family whose nodes are others, although the selectors do not say so; `check --snapshot` looks at it.
   * @default - selectors that could share a node are refused
   */
  readonly assumesDisjoint?: string[];
  /**
   * Whether a DeviceTaintRule keeps the scheduler from the driver's devices until the first of the driver's pools is in Canary, for a driver that
   * offers devices on nodes that are not DRA's. It means every device of the driver, those of no pool too; from Canary on it only informs.
   * Kubernetes 1.37, or feature gate DRADeviceTaintRules.
   * @default false
   */
  readonly taintsBeforeCanary?: boolean;
}
