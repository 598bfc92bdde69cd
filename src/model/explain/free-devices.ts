import type { Situation } from './situation';
import { counted, listed } from './wording';
import { nodeOf } from '../view/node-fit';

/** `class gpu has 12 devices on 3 nodes: 3 held and 9 free`, whatever else the pod asks of them. */
export function classStock({ inventory, view }: Situation, className: string): string {
  const devices = new Set(inventory.ofClass(className));
  if (devices.size === 0) return `class ${className} has no devices`;
  const free = [...devices].filter(device => !inventory.isHeld(device));
  const nodes = view.all('Node').filter(node => inventory.devicesOf(nodeOf(node)).some(device => devices.has(device)));
  const names = free.length > 0 && free.length <= 3 ? ` (${listed(free.map(({ id }) => id))})` : '';
  const held = devices.size - free.length;
  const state = held === 0 ? `all free${names}` : free.length === 0 ? 'all held' : `${held} held and ${free.length} free${names}`;
  return `class ${className} has ${counted(devices.size, 'device')} on ${counted(nodes.length, 'node')}: ${state}`;
}
