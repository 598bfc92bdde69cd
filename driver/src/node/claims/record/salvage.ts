import { isClaimUid } from './claim-uid.js';

/** What a record that cannot be read still says. */
export interface Salvage {
  readonly uid?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Devices that the claim may hold. */
  readonly devices: readonly string[];
  /** The list of devices was read to its end. Otherwise there may be more. */
  readonly complete: boolean;
}

/**
 * Reads what it can from a damaged record, or from one of a format of the future.
 *
 * The devices stand in it twice, as a list near the beginning and one by one. Both are believed: a device that is held without need costs
 * capacity, one that is given out twice costs somebody's work.
 */
export function salvage(text: string): Salvage {
  const holds = /"holds":\[((?:"[a-z0-9-]{1,63}",?)*)\]/.exec(text)?.[1];
  const devices = new Set(holds?.match(/[a-z0-9-]+/g) ?? []);
  for (const [, device = ''] of text.matchAll(/"device":"([a-z0-9-]{1,63})"/g)) devices.add(device);
  const uid = field(text, 'uid');
  const namespace = field(text, 'namespace');
  const name = field(text, 'name');
  return {
    ...(uid !== undefined && isClaimUid(uid) ? { uid } : {}),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    devices: [...devices].sort(),
    complete: holds !== undefined,
  };
}

function field(text: string, name: string): string | undefined {
  return new RegExp(`"${name}":"([a-z0-9.-]{1,253})"`).exec(text)?.[1];
}
