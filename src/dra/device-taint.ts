/** What a taint does to pods that do not tolerate it. */
export enum TaintEffect {
  /** New allocations avoid the device; running pods stay. */
  NO_SCHEDULE = 'NoSchedule',
  /** New allocations avoid the device and running pods are deleted, without regard to PodDisruptionBudgets. */
  NO_EXECUTE = 'NoExecute',
  /** Nothing: the taint informs, and a DeviceTaintRule with it reports how many pods NoExecute would end (1.35+). */
  NONE = 'None',
}

/** A mark on a device that keeps away those who do not tolerate it. */
export interface DeviceTaint {
  /** Label key, e.g. `example.com/maintenance`. */
  readonly key: string;
  /**
   * Label value.
   * @default - no value
   */
  readonly value?: string;
  /** What the taint does. */
  readonly effect: TaintEffect;
}
