import { FROZEN_DEVICE_TAINT, ISOLATED_DEVICE_TAINT, findFailure } from 'cdk8s-dra/model';

import { fittingTogether } from './fitting-together.js';
import type { ServerAbilities } from './server-abilities.js';
import type { SliceContent, SliceDevice, SliceTaint } from './slice-object.js';
import { splitPool } from './split-pool.js';
import type { Inventory, InventoryDevice, InventoryProblem } from '../../devices/inventory.js';
import type { AgentMode, Isolation } from '../device-state.js';

/** What the pool of a node should say. */
export interface PoolContent {
  /** In the order of publishing, at least one. */
  readonly slices: readonly SliceContent[];
  /** Devices that this server cannot be told about. */
  readonly problems: readonly InventoryProblem[];
}

export interface PoolInput {
  readonly inventory: Inventory;
  readonly isolations: readonly Isolation[];
  readonly mode: AgentMode;
  /** RFC 3339; when the mode began. */
  readonly frozenSince: string;
  readonly abilities: ServerAbilities;
}

/** The pool of this node; undefined while the devices belong to somebody else. */
export function poolContent(input: PoolInput): PoolContent | undefined {
  const { inventory, mode, abilities } = input;
  if (mode === 'observe') return undefined;
  // Without taints an empty pool is the only brake; allocated claims stay as they are.
  if (mode === 'frozen' && !abilities.taints) return { slices: [{ devices: [] }], problems: [] };
  const unshared = abilities.shares ? [] : inventory.devices.filter(isShared);
  const told = { ...inventory, devices: abilities.shares ? inventory.devices : inventory.devices.filter((device) => !isShared(device)) };
  const { fitting, problems } = abilities.counters === 'dropped' ? fittingTogether(told) : { fitting: told.devices, problems: [] };
  const devices = offered(fitting, input).map((device) => [device, sliceDevice(device, input)] as const);
  const split = splitPool(devices, inventory.counterSets, abilities);
  return { slices: split.slices, problems: [...unshared.map(unsharedProblem), ...problems, ...split.problems] };
}

function isShared({ allowMultipleAllocations }: InventoryDevice): boolean {
  return allowMultipleAllocations === true;
}

/** The server would give the whole to one claim, and without a share in its allocation nobody could keep the claim to one. */
function unsharedProblem({ name }: InventoryDevice): InventoryProblem {
  return { code: 'DRA373', subject: name, message: `${name} is for several claims, and this API server knows no shares (DRAConsumableCapacity is off there)` };
}

/** Where sick devices cannot be tainted they are left out. */
function offered(devices: readonly InventoryDevice[], { isolations, abilities }: PoolInput): readonly InventoryDevice[] {
  if (abilities.taints) return devices;
  const isolated = new Set(isolations.map(({ device }) => device));
  return devices.filter(({ name }) => !isolated.has(name));
}

function sliceDevice(device: InventoryDevice, { isolations, mode, frozenSince, abilities }: PoolInput): SliceDevice {
  const taints: SliceTaint[] = [];
  if (abilities.taints) {
    if (mode === 'frozen') taints.push({ key: FROZEN_DEVICE_TAINT, effect: 'NoSchedule', timeAdded: frozenSince });
    const isolation = isolations.find((entry) => entry.device === device.name);
    if (isolation !== undefined) {
      const value = findFailure(isolation.code)?.name ?? isolation.code;
      taints.push({ key: ISOLATED_DEVICE_TAINT, value, effect: 'NoSchedule', timeAdded: isolation.since });
    }
  }
  const shared = isShared(device);
  return {
    name: device.name,
    ...(isEmpty(device.attributes) ? {} : { attributes: device.attributes }),
    ...(isEmpty(device.capacity) ? {} : { capacity: capacities(device, shared) }),
    ...(shared ? { allowMultipleAllocations: true } : {}),
    ...(abilities.counters !== 'dropped' && device.consumesCounters !== undefined ? { consumesCounters: device.consumesCounters } : {}),
    ...(taints.length === 0 ? {} : { taints }),
  };
}

/** A request policy is legal only where several claims may share. */
function capacities(device: InventoryDevice, shared: boolean): NonNullable<SliceDevice['capacity']> {
  if (shared) return device.capacity;
  return Object.fromEntries(Object.entries(device.capacity).map(([name, { value }]) => [name, { value }]));
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
