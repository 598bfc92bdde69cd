import type { PlannedMigration } from './plan';
import { ownerOf, poolNodes } from './pool-nodes';
import { nodeReportName } from '../api';
import type { DeviceOwner } from '../api';
import type { Quantity } from '../quantity';
import type { ClusterView, ViewObject } from '../view';
import { consumersOf, podRequests, referenceOf } from '../view';
import { field, objectsAt, quantitiesAt, textAt, wholeAt } from '../view/json-field';

/** What one way gives and has given on a node. */
export interface WayUse {
  readonly total: number;
  readonly used: number;
  /** `namespace/name` of pods that hold something, sorted. */
  readonly pods: readonly string[];
  /** How much each of them holds. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** A node of a pool, as its labels, slices, claims, pods and report tell. */
export interface NodeUse {
  readonly name: string;
  readonly owner: DeviceOwner;
  /** By extended resources of a device plugin. */
  readonly legacy: WayUse;
  /** By claims. */
  readonly dra: WayUse;
  /** Why the devices may be given twice, a sentence each. */
  readonly twoOwners: readonly string[];
  /** Why what is held there is not known: then all of it counts as held. */
  readonly unknown?: string;
}

/** Who holds devices where, by pool; made once for all pools of a view. */
export class DeviceUse {
  private readonly slices = new Map<string, ViewObject[]>();
  private readonly given = new Map<string, { readonly device: string; readonly pods: readonly string[] }[]>();
  private readonly hasReports: boolean;

  /** `now` in milliseconds since 1970, against which heartbeats are measured. */
  public constructor(private readonly view: ClusterView, private readonly now: number) {
    for (const slice of view.all('ResourceSlice')) add(this.slices, `${textAt(slice.value, 'spec', 'driver')} ${textAt(slice.value, 'spec', 'nodeName')}`, slice);
    for (const claim of view.all('ResourceClaim')) {
      const pods = consumersOf(claim).filter(({ resource }) => resource === 'pods').map(({ name }) => `${claim.namespace}/${name}`);
      for (const result of objectsAt(claim.value, 'status', 'allocation', 'devices', 'results')) {
        // Admin access counts as a holder too: whoever looks at a device has it open.
        add(this.given, poolKey(result), { device: textAt(result, 'device'), pods: pods.length > 0 ? pods : [`${referenceOf(claim)} (claim without a pod)`] });
      }
    }
    this.hasReports = view.all('DeviceNodeReport').length > 0;
  }

  /** The nodes of a pool, sorted by name. */
  public ofPool({ spec }: PlannedMigration): readonly NodeUse[] {
    const resources = spec.legacy?.resources.map(({ name }) => name) ?? [];
    return poolNodes(this.view, spec).map(node => {
      const legacy = this.legacyUse(node, resources);
      const dra = this.draUse(node, spec.driver);
      const report = this.view.find('DeviceNodeReport', '', nodeReportName(spec.family, node.name));
      const unknown = this.whyUnknown(node, report);
      return {
        name: node.name,
        owner: ownerOf(node, spec.family),
        legacy,
        dra,
        twoOwners: twoOwners(node.name, resources, legacy, dra, report),
        ...(unknown === undefined ? {} : { unknown }),
      };
    });
  }

  private legacyUse(node: ViewObject, resources: readonly string[]): WayUse {
    const total = sum(resources, quantitiesAt(node.value, 'status', 'allocatable'));
    let used = 0;
    const amounts: Record<string, number> = {};
    for (const pod of this.view.podsOn(node.name)) {
      if (textAt(pod.value, 'spec', 'nodeName') !== node.name) continue;
      // What the scheduler has served by a class is counted by its claim.
      if (field(pod.value, 'status', 'extendedResourceClaimStatus') !== undefined) continue;
      const asked = sum(resources, podRequests(pod.value));
      if (asked === 0) continue;
      used += asked;
      amounts[referenceOf(pod)] = asked;
    }
    return { total, used, pods: Object.keys(amounts).sort(), amounts };
  }

  private draUse(node: ViewObject, driver: string): WayUse {
    const pools = new Set<string>();
    let total = 0;
    for (const { value } of this.slices.get(`${driver} ${node.name}`) ?? []) {
      pools.add(textAt(value, 'spec', 'pool', 'name'));
      total += objectsAt(value, 'spec', 'devices').length;
    }
    // A pool whose slices are gone may still be held.
    pools.add(node.name);
    const given = [...pools].flatMap(pool => this.given.get(`${driver}/${pool}`) ?? []);
    const amounts: Record<string, number> = {};
    for (const pod of given.flatMap(({ pods }) => pods)) amounts[pod] = (amounts[pod] ?? 0) + 1;
    return { total, used: new Set(given.map(({ device }) => device)).size, pods: Object.keys(amounts).sort(), amounts };
  }

  private whyUnknown(node: ViewObject, report: ViewObject | undefined): string | undefined {
    const ready = objectsAt(node.value, 'status', 'conditions').find(one => textAt(one, 'type') === 'Ready');
    if (ready !== undefined && textAt(ready, 'status') !== 'True') return 'its kubelet is not ready';
    if (!this.hasReports) return undefined;
    if (report === undefined) return 'no agent reports about it';
    const at = Date.parse(textAt(report.value, 'status', 'heartbeat'));
    if (Number.isNaN(at)) return 'its report has no heartbeat';
    if (this.now - at > STALE) return `its report is ${Math.round((this.now - at) / 1000)} s old`;
    return field(report.value, 'status', 'pluginHeldKnown') === false ? 'kubelet does not say what device plugins hold' : undefined;
  }
}

function twoOwners(name: string, resources: readonly string[], legacy: WayUse, dra: WayUse, report: ViewObject | undefined): readonly string[] {
  const [held, pluginHeld] = [wholeAt(report?.value, 'status', 'heldTotal') ?? 0, wholeAt(report?.value, 'status', 'pluginHeldTotal') ?? 0];
  return [
    ...(legacy.total > 0 && dra.total > 0 ? [`Node ${name} offers ${legacy.total} ${resources.join(' and ')} and publishes ${dra.total} devices: each can be given twice.`] : []),
    ...(legacy.used > 0 && dra.used > 0 ? [`Node ${name} has pods on both ways now: ${shown(legacy.pods)} by the device plugin, ${shown(dra.pods)} by claims.`] : []),
    ...(legacy.used > 0 && dra.used > 0 || held === 0 || pluginHeld === 0 ? [] : [`Node ${name}: its agent sees ${pluginHeld} devices held by plugins and ${held} by claims.`]),
  ];
}

function shown(pods: readonly string[]): string {
  return pods.length > 3 ? `${pods.slice(0, 3).join(', ')} and ${pods.length - 3} more` : pods.join(', ');
}

function poolKey(result: unknown): string {
  return `${textAt(result, 'driver')}/${textAt(result, 'pool')}`;
}

function sum(resources: readonly string[], amounts: ReadonlyMap<string, Quantity>): number {
  return resources.reduce((total, name) => total + Number(amounts.get(name)?.value() ?? 0n), 0);
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** The newest heartbeat of a view: the moment that a file is about. */
export function newestHeartbeat(view: ClusterView): number {
  return view.all('DeviceNodeReport').reduce((newest, { value }) => Math.max(newest, Date.parse(textAt(value, 'status', 'heartbeat')) || 0), 0);
}

/** Two heartbeats may be late; as the node command judges. */
const STALE = 90_000;
