import type { PlannedMigration } from './plan';
import type { Problem } from '../problem';
import { show } from '../problem';

/** Kueue's API, as its 0.17 has it. */
export const KUEUE_API = 'kueue.x-k8s.io/v1beta2';

/** What one queue may hold of a pool, on both ways together, in whole devices. */
export interface QueueShare {
  readonly queue: string;
  readonly devices: number;
}

/** The same, by way. */
export interface SplitShare extends QueueShare {
  readonly legacy: number;
  readonly dra: number;
}

/**
 * Divides the shares of a pool between its two ways, when so many of its devices belong to DRA.
 *
 * The sum of a queue never changes, and the sums of the ways are what the pool has. Largest remainders first, then by name, so that
 * two queues of one size differ by one device at most and moving one node moves quota of few queues.
 */
export function splitQuota(shares: readonly QueueShare[], draDevices: number): readonly SplitShare[] {
  const total = shares.reduce((sum, { devices }) => sum + devices, 0);
  const wanted = Math.min(Math.max(Math.floor(draDevices), 0), total);
  const exact = shares.map(({ devices }) => (total === 0 ? 0 : (devices * wanted) / total));
  const dra = exact.map(Math.floor);
  const left = wanted - dra.reduce((sum, part) => sum + part, 0);
  const order = shares.map((share, index) => ({ index, name: share.queue, rest: (exact[index] ?? 0) - (dra[index] ?? 0) }))
    .sort((a, b) => b.rest - a.rest || (a.name < b.name ? -1 : 1));
  for (const { index } of order.slice(0, left)) dra[index] = (dra[index] ?? 0) + 1;
  return shares.map((share, index) => ({ ...share, legacy: share.devices - (dra[index] ?? 0), dra: dra[index] ?? 0 }));
}

/** Why Kueue could not count the devices of these pools. */
export function kueueProblems(migrations: readonly PlannedMigration[]): readonly Problem[] {
  const ordered = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const expressions = ordered.filter(({ spec }) => (spec.nodes.matchExpressions ?? []).length > 0).map(({ name, spec }) => ({
    rule: `must select nodes by matchLabels alone, since a flavor of Kueue knows nothing else; migration ${name} has ${show(spec.nodes.matchExpressions)}`,
    help: 'Give the nodes of the pool one label of their own and select by it.',
  }));
  const classes = [...new Set(ordered.flatMap(({ spec }) => spec.deviceClassNames))].sort();
  const shared = classes.flatMap((deviceClass) => {
    const pools = ordered.filter(({ spec }) => spec.deviceClassNames.includes(deviceClass)).map(({ name }) => name);
    return pools.length < 2 ? [] : [{
      rule: `must be in one migration, since Kueue counts a class once and pins its pods to one pool; class ${deviceClass} is in ${pools.join(', ')}`,
      help: 'Make a class for each pool; a claim can offer them as alternatives where no queue counts it.',
    }];
  });
  return [...expressions, ...shared];
}

/** Names of the two flavors of a pool. */
export function flavorNames(pool: string): { readonly legacy: string; readonly dra: string } {
  return { legacy: `${pool}-plugin`, dra: `${pool}-dra` };
}

/** The two flavors of a pool: the same nodes, counted by way. */
export function resourceFlavors({ name, spec }: PlannedMigration): readonly KueueJson[] {
  const { legacy, dra } = flavorNames(name);
  return [dra, legacy].map(flavor => ({
    apiVersion: KUEUE_API, kind: 'ResourceFlavor', metadata: { name: flavor }, spec: { nodeLabels: spec.nodes.matchLabels ?? {} },
  }));
}

/** The name under which Kueue counts devices of a pool's classes; it has no slash, so that nobody takes it for an extended resource. */
export function countedName(pool: string): string {
  return `${pool}-devices`;
}

/** Classes that Kueue counts under one name. */
export interface DeviceClassMapping {
  readonly name: string;
  readonly deviceClassNames: readonly string[];
}

/** `resources.deviceClassMappings` of Kueue's configuration; Kueue reads it when it starts, so it names every pool from the first day. */
export function deviceClassMappings(migrations: readonly PlannedMigration[]): readonly DeviceClassMapping[] {
  return [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, spec }) => ({ name: countedName(name), deviceClassNames: [...spec.deviceClassNames].sort() }));
}

/** An object or a part of one, as Kueue reads it. */
export interface KueueJson {
  readonly [field: string]: unknown;
}

/** `spec.resourceGroups` of a queue for one pool; a group for each way, as one request never takes both. */
export function resourceGroups({ name, spec }: PlannedMigration, share: SplitShare): readonly KueueJson[] {
  const flavors = flavorNames(name);
  const counted = countedName(name);
  const legacy = (spec.legacy?.resources ?? [])
    .map(({ name: resource, unitsPerDevice = 1 }) => ({ name: resource, nominalQuota: share.legacy * unitsPerDevice }));
  const group = (flavor: string, resources: ReadonlyArray<{ readonly name: string; readonly nominalQuota: number }>) => ({
    coveredResources: resources.map(({ name: resource }) => resource), flavors: [{ name: flavor, resources }],
  });
  return [
    ...(legacy.length === 0 ? [] : [group(flavors.legacy, legacy)]),
    group(flavors.dra, [{ name: counted, nominalQuota: share.dra }]),
  ];
}
