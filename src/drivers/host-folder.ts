/** A folder of the host, mounted at the same path. */
export interface HostFolder {
  /** Absolute path on the host. */
  readonly path: string;
  /**
   * Whether the driver may write there.
   * @default false
   */
  readonly writable?: boolean;
  /**
   * Whether mounts that the host makes there later show up in the container.
   * @default false
   */
  readonly followsHostMounts?: boolean;
}
