import { Quantity } from 'cdk8s-dra/model';

import type { DeviceBackend } from '../../devices/backend.js';
import type { DeviceClaim } from '../../devices/device-claim.js';
import type { Inventory, InventoryDevice } from '../../devices/inventory.js';
import { NodeFailure } from '../../devices/node-failure.js';
import type { ClaimName } from '../claim-service.js';
import type { Isolation } from '../device-state.js';
import type { Account, Holder } from './account.js';
import type { AllocatedDevice } from './allocation.js';
import { asFailure, failure } from './failure.js';
import type { RecordedDevice } from './record/claim-record.js';

/** What is known of the node at this moment. */
export interface NodeView {
  readonly pool: string;
  readonly inventory: Inventory;
  readonly isolations: readonly Isolation[];
  readonly account: Pick<Account, 'holders' | 'uses' | 'doubtAbout'>;
}

/** A device that a claim will have. */
export interface PlannedDevice {
  readonly claim: DeviceClaim;
  readonly recorded: RecordedDevice;
}

/** Refused because others hold what is wanted; it may be there soon when they are on their way out. */
export class HeldByOthers extends NodeFailure {
  public constructor(cause: NodeFailure, public readonly holders: readonly Holder[]) {
    super(cause.code, cause.failureClass, cause.message, cause.details);
  }
}

/**
 * Whether a claim can have what its allocation says, and what will be done for it.
 *
 * The node counts for itself, whatever the API says: a device goes to one claim, shares stay within capacity and number, partitions within
 * their card's counters. Nothing is changed here, and nothing is waited for, so that who judges can take in the same step.
 */
export function judge(name: ClaimName, devices: readonly AllocatedDevice[], view: NodeView, backend: Pick<DeviceBackend, 'plan'>): readonly PlannedDevice[] {
  const wanted = devices.map((allocated) => ({ allocated, device: offered(allocated, view) }));
  const planned: PlannedDevice[] = [];
  for (const { allocated, device } of wanted) {
    const others = view.account.holders(device.name, name.uid);
    if (!allocated.adminAccess) refuseHeld(name.uid, allocated, device, others, planned, view);
    const claim: DeviceClaim = {
      claim: name,
      requests: allocated.requests,
      device,
      ...(allocated.shareId === undefined ? {} : { shareId: allocated.shareId }),
      consumedCapacity: allocated.consumedCapacity,
      adminAccess: allocated.adminAccess,
      config: allocated.config,
      otherIntents: allocated.shareId === undefined ? [] : [
        ...others.map((holder) => holder.device.intent),
        ...planned.filter(({ recorded }) => recorded.device === device.name && !recorded.adminAccess).map(({ recorded }) => recorded.intent),
      ],
    };
    planned.push({ claim, recorded: { ...recordedPart(allocated, device), intent: intentOf(claim, backend) } });
  }
  refuseOversoldCounters(name.uid, planned, view);
  return planned;
}

/** The device as it is offered now. */
function offered({ device, pool }: AllocatedDevice, { pool: ours, inventory }: NodeView): InventoryDevice {
  if (pool !== ours) throw failure('DRA315', `device ${device} is allocated from pool ${pool}; this node has pool ${ours}`);
  const found = inventory.devices.find(({ name }) => name === device);
  if (found !== undefined) return found;
  const problem = inventory.problems.find(({ subject }) => subject === device);
  throw failure('DRA316', problem === undefined
    ? `device ${device} is not there; there are ${listed(inventory.devices.map(({ name }) => name))}`
    : `device ${device} is withheld: ${problem.code} ${problem.message}`, { devices: [device] });
}

function refuseHeld(
  uid: string,
  allocated: AllocatedDevice,
  device: InventoryDevice,
  others: readonly Holder[],
  planned: readonly PlannedDevice[],
  { isolations, account }: NodeView,
): void {
  const isolation = isolations.find((one) => one.device === device.name);
  if (isolation !== undefined) {
    throw failure('DRA324', `device ${device.name} is isolated since ${isolation.since}: ${isolation.code} ${isolation.message}`, { devices: [device.name] });
  }
  const doubt = account.doubtAbout(device.name, uid);
  if (doubt !== undefined) {
    const whose = doubt.uid === undefined ? '' : ` of claim ${claimText(doubt)}`;
    throw failure('DRA320', `device ${device.name} may be in use${whose}: ${doubt.code} ${doubt.message}`, { devices: [device.name] });
  }
  const exclusive = others.find((holder) => allocated.shareId === undefined || holder.device.shareId === undefined);
  if (exclusive !== undefined) throw new HeldByOthers(failure('DRA320', `device ${device.name} is held by ${holderText(exclusive)}`, { devices: [device.name] }), others);
  if (allocated.shareId === undefined) return;
  if (device.allowMultipleAllocations !== true) {
    throw failure('DRA314', `it has share ${allocated.shareId} of device ${device.name}, which has no shares`, { devices: [device.name] });
  }
  const own = planned.map(({ recorded }) => recorded).filter((recorded) => recorded.device === device.name && !recorded.adminAccess);
  refuseOversoldShares(allocated, device, others, own);
}

function refuseOversoldShares(allocated: AllocatedDevice, device: InventoryDevice, others: readonly Holder[], own: readonly RecordedDevice[]): void {
  if (own.some(({ shareId }) => shareId === undefined)) throw failure('DRA314', `it has device ${device.name} as a whole and a share of it`, { devices: [device.name] });
  const live = [...others.map((holder) => holder.device), ...own];
  if (device.maxShares !== undefined && live.length >= device.maxShares) {
    throw new HeldByOthers(failure('DRA323', `device ${device.name} serves ${device.maxShares} shares at once, and ${live.length} live: ${listed(others.map(holderText))}`, { devices: [device.name] }), others);
  }
  for (const [capacity, text] of Object.entries(allocated.consumedCapacity)) {
    const whole = device.capacity[capacity]?.value;
    const amount = Quantity.tryParse(text);
    if (whole === undefined) throw failure('DRA314', `it takes ${text} ${capacity} of device ${device.name}, which has no such capacity`, { devices: [device.name] });
    if (!(amount instanceof Quantity) || amount.sign() < 0) throw failure('DRA314', `it takes '${text}' ${capacity} of device ${device.name}; that is no amount`, { devices: [device.name] });
    const taken = sum(live.map((one) => one.consumedCapacity[capacity]));
    if (taken.add(amount).compareTo(Quantity.parse(whole)) > 0) {
      const message = `device ${device.name} has ${whole} ${capacity}, of which ${taken.toString()} are taken by ${listed(others.map(holderText))}; ${text} more are asked for`;
      throw new HeldByOthers(failure('DRA321', message, { devices: [device.name] }), others);
    }
  }
}

/** A partition counts once, however many shares of it live. */
function refuseOversoldCounters(uid: string, planned: readonly PlannedDevice[], { inventory, account }: NodeView): void {
  const wanted = planned.map(({ recorded }) => recorded).filter(({ adminAccess, consumesCounters }) => !adminAccess && consumesCounters.length > 0);
  if (wanted.length === 0) return;
  const sets = new Set(wanted.flatMap(({ consumesCounters }) => consumesCounters.map(({ counterSet }) => counterSet)));
  const others = account.uses(uid).filter(({ device }) => device.consumesCounters.some(({ counterSet }) => sets.has(counterSet)));
  const byDevice = new Map([...others.map(({ device }) => device), ...wanted].map((device) => [device.device, device]));
  for (const counterSet of sets) {
    const available = inventory.counterSets.find(({ name }) => name === counterSet)?.counters ?? {};
    const uses = [...byDevice.values()].flatMap(({ consumesCounters }) => consumesCounters.filter((one) => one.counterSet === counterSet));
    for (const counter of new Set(uses.flatMap(({ counters }) => Object.keys(counters)))) {
      const taken = sum(uses.map(({ counters }) => counters[counter]?.value));
      const whole = Quantity.parse(available[counter]?.value ?? '0');
      if (taken.compareTo(whole) <= 0) continue;
      const holders = others.filter(({ device }) => device.consumesCounters.some((one) => one.counterSet === counterSet));
      const devices = wanted.map(({ device }) => device);
      const message = `${listed(devices)} and what is held would take ${taken.toString()} ${counter} of ${counterSet}, which has ${whole.toString()}; held are `
        + listed(holders.map((holder) => `${holder.device.device} by ${holderText(holder)}`));
      throw new HeldByOthers(failure('DRA322', message, { devices }), holders);
    }
  }
}

function recordedPart({ pool, requests, shareId, consumedCapacity, adminAccess }: AllocatedDevice, device: InventoryDevice): Omit<RecordedDevice, 'intent'> {
  return {
    device: device.name,
    pool,
    identity: device.identity,
    // A device without siblings is its own part.
    parts: device.parts.length > 0 ? device.parts : [`device/${device.name}`],
    requests,
    ...(shareId === undefined ? {} : { shareId }),
    consumedCapacity,
    consumesCounters: adminAccess ? [] : device.consumesCounters ?? [],
    adminAccess,
  };
}

function intentOf(claim: DeviceClaim, backend: Pick<DeviceBackend, 'plan'>): RecordedDevice['intent'] {
  try {
    return backend.plan(claim);
  } catch (error) {
    throw asFailure(error, 'DRA300');
  }
}

function sum(amounts: readonly (string | undefined)[]): Quantity {
  let total = Quantity.of(0n);
  for (const amount of amounts) {
    const quantity = amount === undefined ? undefined : Quantity.tryParse(amount);
    if (quantity instanceof Quantity) total = total.add(quantity);
  }
  return total;
}

function holderText({ record, device }: Holder): string {
  const doing = record.state === 'releasing' ? ', which is being given back' : '';
  return `claim ${claimText(record)}${device.shareId === undefined ? '' : ` (share ${device.shareId})`}${doing}`;
}

function claimText({ uid, namespace, name }: Pick<Partial<ClaimName>, 'uid' | 'namespace' | 'name'>): string {
  return namespace === undefined || name === undefined ? `(uid ${uid})` : `${namespace}/${name} (uid ${uid})`;
}

function listed(texts: readonly string[]): string {
  if (texts.length === 0) return 'none';
  const shown = texts.slice(0, MAX_LISTED).join(', ');
  return texts.length > MAX_LISTED ? `${shown} and ${texts.length - MAX_LISTED} more` : shown;
}

/** A text for kubelet has little room. */
const MAX_LISTED = 4;
