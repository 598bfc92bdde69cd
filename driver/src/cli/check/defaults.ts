/** Read from the working directory when no other file is named. */
export const CONFIG_FILE = '.kubectl-dra.yaml';

/** The oldest version that is supported; PlatformApp assumes the same. */
export const DEFAULT_KUBERNETES = '1.34';
