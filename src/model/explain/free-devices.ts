import type { Situation } from './situation';
import { counted, listed } from './wording';
import { nodeOf } from '../view/node-fit';

/** `class gpu has 12 devices on 3 nodes: 3 held and 9 free`, whatever else the pod asks of them. */
export function classStock({ inventory, view }: Situation, className: string): string {
  const devices = new Set(inventory.ofClass(className));
  if (devices.size === 0) return `class ${className} has no devices`;
  const shared = [...devices].filter(device => !inventory.isHeld(device) && inventory.usesOf(device).length > 0);
  const free = [...devices].filter(device => inventory.usesOf(device).length === 0);
  const nodes = view.all('Node').filter(node => inventory.devicesOf(nodeOf(node)).some(device => devices.has(device)));
  const names = free.length > 0 && free.length <= 3 ? ` (${listed(free.map(({ id }) => id))})` : '';
  const held = devices.size - free.length - shared.length;
  const parts = [
    ...(held > 0 ? [`${held} held`] : []), ...(shared.length > 0 ? [`${shared.length} shared`] : []), ...(free.length > 0 ? [`${free.length} free${names}`] : []),
  ];
  const state = parts.length > 1 ? listed(parts) : held > 0 ? 'all held' : shared.length > 0 ? 'all shared' : `all free${names}`;
  return `class ${className} has ${counted(devices.size, 'device')} on ${counted(nodes.length, 'node')}: ${state}`;
}
