import { needText } from './device-causes';
import type { ClaimDemand } from './device-demand';
import type { DeviceInventory, KnownDevice } from './device-inventory';
import type { DetailedCause, Help } from './explanation';
import { holderObject, holderText } from './holders';
import { bugsOfFatal } from './known-bugs';
import type { NodeVerdict } from './node-verdict';
import type { Situation } from './situation';
import { counted, listed } from './wording';
import { nodeOf } from '../view/node-fit';

/** Errors of the allocator that end the attempt on all nodes, by their texts (dynamic-resource-allocation/structured v0.34 to v0.37). */
const KINDS: readonly { readonly text: RegExp; readonly cause: string; readonly help: readonly Help[] }[] = [
  { text: /no such key/, cause: 'DRA261', help: [{ text: 'mend the selector, so that it asks whether a name is there before it reads it', kind: 'change-claim' }] },
  { text: /no such overload/, cause: 'DRA261', help: [{ text: 'mend the selector, so that it compares values of one type: a version with semver("1.0.0"), a text with "text", a number with 1', kind: 'change-claim' }] },
  { text: /CEL (runtime|compile) error/, cause: 'DRA261', help: [{ text: 'mend the selector; kubectl-dra eval tries it on a device', kind: 'change-claim' }] },
  { text: /could not retrieve device class/, cause: 'DRA218', help: [{ text: 'create the class', kind: 'create-object' }] },
  { text: /exceeds the claim limit|is too large/, cause: 'DRA262', help: [{ text: 'spread the devices over several claims', kind: 'change-claim' }] },
  { text: /asks for all devices, but/, cause: 'DRA263', help: [{ text: 'let the driver publish the pool completely, or ask for a count in place of all', kind: 'repair-driver' }] },
  { text: /a claim constraint would not be satisfied/, cause: 'DRA263', help: [{ text: 'drop the constraint, or ask for a count in place of all', kind: 'change-claim' }] },
  { text: /^pool \S+ is invalid: /, cause: 'DRA255', help: [{ text: 'repair or restart the driver of the pool: in this version one invalid pool ends the attempt on all nodes', kind: 'repair-driver' }] },
  { text: /^panic: /, cause: 'DRA208', help: [{ text: 'look at kube-scheduler: it dies at this pod, and then schedules nothing until the pod or the slices are gone', kind: 'upgrade' }] },
  { text: /feature is disabled|feature is off/, cause: 'DRA219', help: [{ text: 'switch the feature on, or write the claim without it', kind: 'enable-feature' }] },
];

/** The first free device at which a selector of the requests or of their classes fails, when nothing but these objects decides. */
function failingDevice({ node }: NodeVerdict, demand: readonly ClaimDemand[], inventory: DeviceInventory): KnownDevice | undefined {
  const needs = demand.flatMap(({ requests }) => requests.flat());
  const free = inventory.devicesOf(nodeOf(node)).filter(device => !inventory.isHeld(device));
  return free.find(device => needs.some(({ className, selectors }) => inventory.failsOn(device, className, selectors)));
}

/** The cause when the scheduler gives up on the whole pod at one node. */
export function fatalCause(verdict: NodeVerdict, all: readonly NodeVerdict[], situation: Situation): DetailedCause {
  const { demand, inventory } = situation;
  const text = verdict.fatal ?? '';
  const intro = demand.map(needText).join(' ');
  const kind = KINDS.find(one => one.text.test(text));
  const device = kind?.cause === 'DRA261' ? failingDevice(verdict, demand, inventory) : undefined;
  const spared = all.filter(one => one.devicesFit && one.objections.length === 0).map(({ node }) => node.name);
  const blocked = spared.length === 0 ? '' : ` Its devices on ${listed(spared, 'and', 4)} would do, but an error on one node ends the attempt for all.`;
  // A device in use is passed over before a selector sees it: whoever ends makes the error come or go.
  const holders = kind?.cause === 'DRA263'
    ? [...new Set(inventory.poolsOf(verdict.node.name).flatMap(pool => inventory.usesIn(pool).map(({ claim }) => claim)))]
    : [];
  return {
    cause: kind?.cause ?? 'DRA264',
    because: `${intro} The scheduler gives up${all.length === 1 ? '' : ` on all ${counted(all.length, 'node')}`} at node ${verdict.node.name}: ${text}${device === undefined || text.includes(device.id) ? '' : ` (at device ${device.id})`}.`
      + `${blocked}`
      + (holders.length === 0 ? '' : ` Devices there are held by ${listed(holders.map(holder => holderText(holder, inventory.view)))}.`),
    objects: [{ kind: 'Node', name: verdict.node.name, role: 'node' }, ...holders.map(holderObject)],
    help: kind?.help ?? [],
    bugs: bugsOfFatal(verdict, situation),
  };
}
