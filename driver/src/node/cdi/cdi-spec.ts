import type { ContainerEdits } from '../../devices/backend.js';

/** A CDI file, in the words of the Container Device Interface. */
export interface CdiSpec {
  readonly cdiVersion: CdiVersion;
  /** `vendor/class`. */
  readonly kind: string;
  readonly devices: readonly CdiDevice[];
}

export interface CdiDevice {
  readonly name: string;
  readonly containerEdits: ContainerEdits;
}

/** Those that add something a file of ours may need; 0.8.0 and 1.0.0 add nothing to a file. */
export type CdiVersion = '0.3.0' | '0.4.0' | '0.5.0' | '0.6.0' | '0.7.0';

/**
 * The lowest version that has all that the devices use.
 *
 * A runtime refuses a file whose version it does not know, whatever stands in it: podman 4.3 takes 0.5.0 and no more. One that knows the version
 * refuses fields that are newer than it. Source: container-device-interface, SPEC.md "Released versions" and specs-go/version.go (05ae4b5).
 */
export function lowestCdiVersion({ kind, devices }: Omit<CdiSpec, 'cdiVersion'>): CdiVersion {
  const edits = devices.map(({ containerEdits }) => containerEdits);
  if (edits.some(({ additionalGids = [] }) => additionalGids.length > 0)) return '0.7.0';
  if (kind.slice(kind.indexOf('/') + 1).includes('.')) return '0.6.0';
  if (devices.some(({ name }) => /^\d/.test(name)) || edits.some(({ deviceNodes = [] }) => deviceNodes.some(({ hostPath }) => hostPath !== undefined))) return '0.5.0';
  if (edits.some(({ mounts = [] }) => mounts.some(({ type }) => type !== undefined))) return '0.4.0';
  return '0.3.0';
}
