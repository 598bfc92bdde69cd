import type { DeviceMigrationSpec, DeviceOwner, LabelSelector } from '../api';
import { conditionsOf, meets } from '../label-selector';
import { ownerLabel } from '../node-contract';
import type { ClusterView, ViewObject } from '../view';
import { matchesSelector, nodeOf } from '../view';
import { field, objectAt, objectsAt, textAt, textMapAt } from '../view/json-field';

/** The nodes of a pool, sorted by name. */
export function poolNodes(view: ClusterView, { nodes }: Pick<DeviceMigrationSpec, 'nodes'>): readonly ViewObject[] {
  return selectedNodes(view, nodes);
}

/** The nodes that a label selector takes, sorted by name. */
export function selectedNodes(view: ClusterView, selector: LabelSelector): readonly ViewObject[] {
  const conditions = conditionsOf(selector);
  // An empty selector takes every node, which no pool is.
  return conditions.length === 0 ? [] : view.all('Node').filter(node => meets(textMapAt(node.value, 'metadata', 'labels'), conditions));
}

/** Who owns the devices of a family on a node; a value that is none of ours counts as nobody's, which starts nothing new. */
export function ownerOf(node: ViewObject, family: string): DeviceOwner {
  const owner = textMapAt(node.value, 'metadata', 'labels')[ownerLabel(family)] ?? 'device-plugin';
  return owner === 'device-plugin' || owner === 'dra' ? owner : 'handover';
}

/** Pools that a driver publishes for some nodes, and whether it has others. */
export interface DriverPools {
  /** Sorted. */
  readonly pools: readonly string[];
  /** Pools, or parts of them, for other nodes. */
  readonly elsewhere: readonly string[];
  /** Names of the given nodes without a slice of their own, sorted. */
  readonly silent: readonly string[];
}

/** The pools of a driver that reach some nodes: by name of the node, by its labels, or because they are for all. */
export function driverPools(view: ClusterView, driver: string, nodes: readonly ViewObject[]): DriverPools {
  const names = new Set(nodes.map(({ name }) => name));
  const inside = new Set<string>();
  const outside = new Set<string>();
  const spoken = new Set<string>();
  for (const { value } of view.all('ResourceSlice')) {
    if (textAt(value, 'spec', 'driver') !== driver) continue;
    const pool = textAt(value, 'spec', 'pool', 'name');
    const reached = reachedBy(view, value, nodes);
    // A slice for many nodes says nothing about what a node will publish of its own.
    spoken.add(textAt(value, 'spec', 'nodeName'));
    if (reached.names.some(name => names.has(name))) inside.add(pool);
    if (reached.others) outside.add(pool);
  }
  return { pools: [...inside].sort(), elsewhere: [...outside].sort(), silent: [...names].filter(name => !spoken.has(name)).sort() };
}

function reachedBy(view: ClusterView, slice: unknown, nodes: readonly ViewObject[]): { readonly names: readonly string[]; readonly others: boolean } {
  const name = textAt(slice, 'spec', 'nodeName');
  if (name !== '') return { names: [name], others: !nodes.some(node => node.name === name) };
  const devices = objectsAt(slice, 'spec', 'devices');
  const isForAll = [objectAt(slice, 'spec'), ...devices].some(one => one.allNodes === true);
  const named = new Set(devices.map(device => textAt(device, 'nodeName')).filter(one => one !== ''));
  const selectors = [objectAt(slice, 'spec'), ...devices].map(one => field(one, 'nodeSelector')).filter(one => one !== undefined);
  const isReached = (node: ViewObject) => isForAll || named.has(node.name) || selectors.some(one => matchesSelector(one, nodeOf(node)));
  const matched = view.all('Node').filter(isReached);
  const ours = new Set(nodes.map(node => node.name));
  return { names: matched.map(node => node.name), others: matched.some(node => !ours.has(node.name)) };
}
