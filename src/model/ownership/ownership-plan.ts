import type { DeviceTenantSpec, Interruption } from '../api';
import type { LabelCondition } from '../label-selector';
import type { FieldPath } from '../manifests/manifest';
import type { ManifestObject } from '../manifests/manifest-set';
import type { PlannedMigration } from '../migration/plan';
import type { Target } from '../target';

/** Everything that the proofs look at: what Git says of the migrations, and the manifests around them. */
export interface OwnershipPlan {
  readonly target: Target;
  readonly migrations: readonly PlannedMigration[];
  readonly daemons: readonly Daemon[];
  readonly classes: readonly PlannedClass[];
  readonly workloads: readonly Workload[];
  readonly quotas: readonly QuotaLimit[];
  readonly tenants: readonly PlannedTenant[];
}

/** Where something stands in the manifests; absent for what is only assumed. */
export interface Site {
  readonly object: ManifestObject;
  readonly path: FieldPath;
}

/** Which nodes a pod may run on: one of the lists must hold as a whole; no list means no node, an empty list every node. */
export type NodeReach = readonly (readonly LabelCondition[])[];

/** A device plugin or DRA driver that runs as one pod on each node that it reaches. */
export interface Daemon {
  /** `namespace/name` of the DaemonSet, or what it is called where it is installed elsewhere. */
  readonly name: string;
  readonly kind: 'plugin' | 'driver';
  readonly family: string;
  /** Name of the DRA driver. */
  readonly driver?: string;
  readonly reach: NodeReach;
  /** Absent: it is not among the manifests, and its reach is an assumption. */
  readonly site?: Site;
}

/** A DeviceClass, as far as resource names go. */
export interface PlannedClass {
  readonly name: string;
  readonly extendedResourceName?: string;
  /** Absent for a class that a driver's chart installs. */
  readonly object?: ManifestObject;
}

/** A pod, or an object that makes pods. */
export interface Workload {
  readonly site: Site;
  readonly namespace: string;
  readonly interruption: Interruption;
  /** Classes that its claims name, alternatives included. */
  readonly classes: readonly Wish[];
  /** Extended resources of its containers. */
  readonly resources: readonly Wish[];
  readonly reach: NodeReach;
}

/** What a workload asks for, and where. */
export interface Wish {
  readonly name: string;
  readonly path: FieldPath;
  /** Whether a request can also be met by something else. */
  readonly isAlternative?: boolean;
}

/** One key of a ResourceQuota. */
export interface QuotaLimit {
  readonly namespace: string;
  readonly key: string;
  readonly amount: number;
  readonly site: Site;
}

/** A DeviceTenant. */
export interface PlannedTenant {
  readonly name: string;
  readonly spec: DeviceTenantSpec;
  readonly object?: ManifestObject;
}
