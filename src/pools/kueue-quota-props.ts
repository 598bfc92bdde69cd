import type { DeviceMigration } from './device-migration';

/** A pool whose devices Kueue counts. */
export interface QueuedPool {
  /** The migration of the pool; its nodes are selected by labels alone, since a flavor of Kueue knows nothing else. */
  readonly pool: DeviceMigration;
  /** Nodes of the pool. */
  readonly nodes: number;
  /** Devices of the migration's family on each of them. */
  readonly devicesPerNode: number;
  /**
   * Nodes that are DRA's by now: in Expand, the step that has been reached.
   * @default - as many as the phase allows at the most
   */
  readonly draNodes?: number;
}

/** What a queue may hold of a pool. */
export interface QueuedShare {
  /** One of the pools of the quota. */
  readonly pool: DeviceMigration;
  /** Whole devices, on both ways together. */
  readonly devices: number;
}

/** Quota of what is no device, e.g. CPU and memory. */
export interface QueuedResources {
  /** Name of the ResourceFlavor, which is made elsewhere. */
  readonly flavor: string;
  /** Amount by resource, e.g. `cpu: '200'`. */
  readonly quota: { readonly [resource: string]: string };
}

/** A ClusterQueue of Kueue. */
export interface DeviceQueue {
  /** Name of the ClusterQueue. */
  readonly name: string;
  /** Its devices, pool by pool. */
  readonly shares: QueuedShare[];
  /**
   * What else its workloads ask for; Kueue lets nobody in who asks for a resource that the queue does not have.
   * @default - nothing but devices
   */
  readonly resources?: QueuedResources[];
  /**
   * Labels of the namespaces that may use the queue.
   * @default - every namespace
   */
  readonly namespaceLabels?: { readonly [key: string]: string };
  /**
   * Queues of one cohort lend each other what they do not use.
   * @default - none
   */
  readonly cohort?: string;
  /**
   * Further fields of the ClusterQueue's spec, e.g. `preemption`.
   * @default - none
   */
  readonly spec?: { readonly [field: string]: any };
}

/** Properties of KueueQuota. */
export interface KueueQuotaProps {
  /** Pools whose devices are counted; at most 16, which is what Kueue takes. */
  readonly pools: QueuedPool[];
  /** Queues that share them. */
  readonly queues: DeviceQueue[];
}
