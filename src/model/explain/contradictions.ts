import type { DetailedCause } from './explanation';
import { holderObject, holderText, named } from './holders';
import type { Situation } from './situation';
import { counted, listed } from './wording';
import { objectsAt, textAt } from '../view/json-field';

/** What objects say that cannot be true together, as far as it concerns the pod. */
export function contradictions(situation: Situation): readonly DetailedCause[] {
  return [...heldTwice(situation), ...lostDevices(situation)];
}

/** C-022: devices that belong to two claims at once, among those that the pod has or could have. */
function heldTwice({ inventory, claims, demand, view }: Situation): readonly DetailedCause[] {
  const own = new Set(claims.map(({ claim }) => claim));
  const classes = new Set(demand.flatMap(({ requests }) => requests.flat().map(({ className }) => className)));
  const found = inventory.heldTwice().filter(({ device, holders }) => {
    return holders.some(holder => own.has(holder)) || (device !== undefined && [...classes].some(name => inventory.isOfClass(device, name)));
  });
  if (found.length === 0) return [];
  const texts = found.slice(0, MOST).map(({ id, holders }) => `device ${id} is held by ${listed(holders.map(holder => holderText(holder, view)))} at once`);
  const rest = found.length - texts.length;
  return [{
    cause: 'DRA222',
    because: `${listed([...texts, ...(rest > 0 ? [counted(rest, 'more device')] : [])])}: the scheduler never does that, so a race, a second scheduler or a hand has.`,
    objects: found.slice(0, MOST).flatMap(({ holders }) => holders.map(holderObject)),
    help: [{ text: 'end the pods of all but one of the claims, and delete those claims', kind: 'delete-object' }],
  }];
}

/** Devices of the pod's own claims that no driver publishes. */
function lostDevices({ inventory, claims, view }: Situation): readonly DetailedCause[] {
  if (!view.isKnown('ResourceSlice')) return [];
  return claims.flatMap(({ claim }): DetailedCause[] => {
    if (claim === undefined) return [];
    const lost = objectsAt(claim.value, 'status', 'allocation', 'devices', 'results')
      .map(result => ({ pool: `${textAt(result, 'driver')}/${textAt(result, 'pool')}`, name: textAt(result, 'device') }))
      .filter(({ pool, name }) => inventory.pools.get(pool)?.devices.some(device => device.name === name) !== true);
    if (lost.length === 0) return [];
    return [{
      cause: 'DRA223',
      because: `Claim ${claim.name} holds ${listed(lost.map(({ pool, name }) => `${pool}/${name}`))}, which no slice lists: the driver has withdrawn ${lost.length === 1 ? 'it' : 'them'} or is gone from the node.`,
      objects: [named(claim, 'claim')],
      help: [{ text: 'see whether the driver runs on the node, and what became of the device', kind: 'repair-driver' }],
    }];
  });
}

const MOST = 3;
