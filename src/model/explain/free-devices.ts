import type { Situation } from './situation';
import { counted, listed } from './wording';
import { nodeOf } from '../view/node-fit';

/** `class gpu has 12 devices on 3 nodes: 3 held and 9 free`, whatever else the pod asks of them. */
export function classStock({ inventory, view }: Situation, className: string): string {
  const devices = inventory.ofClass(className);
  if (devices.length === 0) return `class ${className} has no devices`;
  const free = devices.filter(device => inventory.usesOf(device).length === 0);
  const shared = devices.filter(device => inventory.usesOf(device).length > 0 && !inventory.isHeld(device)).length;
  const nodes = inventory.nodesWith(className, view.all('Node').map(nodeOf));
  const names = free.length > 0 && free.length <= 3 ? ` (${listed(free.map(({ id }) => id))})` : '';
  const held = devices.length - free.length - shared;
  const parts = [
    ...(held > 0 ? [`${held} held`] : []), ...(shared > 0 ? [`${shared} shared`] : []), ...(free.length > 0 ? [`${free.length} free${names}`] : []),
  ];
  const state = parts.length > 1 ? listed(parts) : held > 0 ? 'all held' : shared > 0 ? 'all shared' : `all free${names}`;
  return `class ${className} has ${counted(devices.length, 'device')} on ${counted(nodes, 'node')}: ${state}`;
}
