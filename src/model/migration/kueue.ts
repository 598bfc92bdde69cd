import type { PlannedMigration } from './plan';
import type { Problem } from '../problem';
import { show } from '../problem';

/** Kueue's API, as its 0.17 has it. */
export const KUEUE_API = 'kueue.x-k8s.io/v1beta2';

/** Label of a workload, or bare pod, that names the LocalQueue which lets it in. */
export const KUEUE_QUEUE_LABEL = 'kueue.x-k8s.io/queue-name';

/** What Kueue's configuration and a ClusterQueue hold at the most (`pkg/config/validation.go`, CRD of ClusterQueue). */
export const KUEUE_LIMITS = { mappings: 16, classesPerMapping: 8, resourceGroups: 16 } as const;

/** An object or a part of one, as Kueue reads it. */
export interface KueueJson {
  readonly [field: string]: unknown;
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
  const crowded = ordered.filter(({ spec }) => spec.deviceClassNames.length > KUEUE_LIMITS.classesPerMapping).map(({ name, spec }) => ({
    rule: `must have at most ${KUEUE_LIMITS.classesPerMapping} classes, since a mapping of Kueue takes no more; migration ${name} has ${spec.deviceClassNames.length}`,
    help: 'Offer fewer classes of the pool where a queue counts its devices.',
  }));
  const many = ordered.length <= KUEUE_LIMITS.mappings ? [] : [{
    rule: `must be at most ${KUEUE_LIMITS.mappings} pools, since Kueue takes no more mappings; got ${ordered.length}`,
    help: 'Let Kueue count the pools that teams compete for, and ResourceQuota the others.',
  }];
  return [...expressions, ...shared, ...crowded, ...many];
}

/** Names of the two flavors of a pool. */
export function flavorNames(pool: string): { readonly legacy: string; readonly dra: string } {
  return { legacy: `${pool}-plugin`, dra: `${pool}-dra` };
}

/** The flavors of a pool, one for each way it has: the same nodes, counted by way. */
export function resourceFlavors({ name, spec }: PlannedMigration): readonly KueueJson[] {
  const { legacy, dra } = flavorNames(name);
  return [dra, ...(spec.legacy === undefined ? [] : [legacy])].map(flavor => ({
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
