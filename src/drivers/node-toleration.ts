/** A node taint that the driver's pods tolerate. */
export interface NodeToleration {
  /** Key of the taint. */
  readonly key: string;
  /**
   * Value of the taint.
   * @default - any value
   */
  readonly value?: string;
  /**
   * Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
   * @default - any effect
   */
  readonly effect?: string;
}
