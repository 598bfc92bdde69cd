import { isReadable } from './selector-view';
import type { JudgedDevice } from './selector-view';
import { featuresOf, matchesNode, readNodeSelector, seesCountersOfAllNodes } from '../allocator';
import type { AllocationNode, Place, SelectorEvaluator } from '../allocator';
import type { JsonObject } from '../manifests/manifest-set';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { field, objectAt, objectsAt, textAt, wholeAt } from '../view/json-field';
import { taintedSlices } from '../view/tainted-slices';
import type { ViewObject } from '../view/view-object';

/** A device of the newest generation of its pool. */
export interface KnownDevice {
  /** `driver/pool/device`. */
  readonly id: string;
  readonly name: string;
  readonly pool: DevicePool;
  readonly value: JsonObject;
  readonly place: Place;
  readonly view: JudgedDevice;
}

export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  readonly driver: string;
  readonly name: string;
  /** The node that all slices name; undefined for pools of several nodes or of none in particular. */
  readonly node: string | undefined;
  /** All generations, as the allocator gets them. */
  readonly slices: readonly JsonObject[];
  readonly generation: number;
  /** Slices that the newest generation has, and that it announces. */
  readonly present: number;
  readonly announced: number;
  readonly devices: readonly KnownDevice[];
}

/** One device given to a claim, as the allocator reads it. */
export interface Use {
  readonly claim: ViewObject;
  readonly entry: JsonObject;
}

/** The devices of a cluster and who holds them, by pool and node. */
export class DeviceInventory {
  public readonly pools = new Map<string, DevicePool>();
  /** Pools that belong to no node in particular. */
  public readonly everywhere: readonly DevicePool[];
  /** Pools of single nodes whose faults the scheduler of this version sees from all nodes: those that it comes to first. */
  public readonly strays: readonly DevicePool[];
  private readonly byNode = new Map<string, DevicePool[]>();
  private readonly usesByPool = new Map<string, Use[]>();
  private readonly usesByDevice = new Map<string, Use[]>();
  private readonly selectorsOfClass = new Map<string, readonly string[] | undefined>();
  private readonly devicesByClass = new Map<string, readonly KnownDevice[]>();
  private readonly shares: boolean;

  public constructor(public readonly view: ClusterView, target: Target, public readonly evaluator: SelectorEvaluator) {
    this.shares = target.isOn('DRAConsumableCapacity', 'kube-scheduler');
    const slices = new Map<string, JsonObject[]>();
    for (const slice of taintedSlices(view, target, evaluator)) push(slices, `${textAt(slice, 'spec', 'driver')}/${textAt(slice, 'spec', 'pool', 'name')}`, slice);
    const everywhere: DevicePool[] = [];
    const strays: DevicePool[] = [];
    const looksAtAllCounters = seesCountersOfAllNodes(target.minor, featuresOf(target));
    for (const [id, list] of slices) {
      const nodes = new Set(list.map(slice => textAt(slice, 'spec', 'nodeName')));
      const pool = poolOf(id, list, nodes);
      this.pools.set(id, pool);
      if (nodes.has('')) everywhere.push(pool);
      else for (const node of nodes) push(this.byNode, node, pool);
      if (!nodes.has('') && looksAtAllCounters && isFaultyWithCounters(pool)) strays.push(pool);
    }
    this.everywhere = everywhere;
    this.strays = tellingStrays(strays);
    for (const claim of view.all('ResourceClaim')) {
      for (const entry of objectsAt(claim.value, 'status', 'allocation', 'devices', 'results')) {
        if (entry.adminAccess === true) continue;
        const pool = `${textAt(entry, 'driver')}/${textAt(entry, 'pool')}`;
        push(this.usesByPool, pool, { claim, entry });
        push(this.usesByDevice, `${pool}/${textAt(entry, 'device')}`, { claim, entry });
      }
    }
  }

  /** Pools of which all slices name a node, with this one among them. */
  public ownPoolsOf(node: string): readonly DevicePool[] {
    return this.byNode.get(node) ?? NONE;
  }

  /** Pools that may have devices for a node, or that the scheduler looks at for it. */
  public poolsOf(node: string): readonly DevicePool[] {
    const own = this.ownPoolsOf(node);
    if (this.strays.length === 0) return own.length === 0 ? this.everywhere : this.everywhere.length === 0 ? own : [...own, ...this.everywhere];
    return [...own, ...this.everywhere, ...this.strays.filter(pool => !own.includes(pool))];
  }

  /** How many devices have to be looked at for a node. */
  public sizeFor(node: string): number {
    return this.poolsOf(node).reduce((sum, pool) => sum + pool.devices.length, 0);
  }

  /** Devices that a node can use, whoever holds them. */
  public devicesOf(node: AllocationNode): readonly KnownDevice[] {
    const own = this.ownPoolsOf(node.name);
    if (own.length === 1 && this.everywhere.length === 0 && own[0].node !== undefined) return own[0].devices;
    return this.poolsOf(node.name).flatMap(pool => {
      if (pool.node !== undefined) return pool.node === node.name ? pool.devices : NONE;
      return pool.devices.filter(device => matchesNode(device.place, node) === true);
    });
  }

  /** Who holds a device; shares of one device can be held by many. */
  public usesOf(device: KnownDevice): readonly Use[] {
    return this.usesByDevice.get(device.id) ?? NONE;
  }

  public usesIn(pool: DevicePool): readonly Use[] {
    return this.usesByPool.get(pool.id) ?? NONE;
  }

  /** Whether a device belongs to one claim alone, so that no other can have it. */
  public isHeld(device: KnownDevice): boolean {
    return this.usesOf(device).some(use => this.isWhole(use));
  }

  /** Devices that belong to several claims, each of which should have them alone, by their ids; undefined for one that no slice lists. */
  public heldTwice(): readonly { readonly id: string; readonly device: KnownDevice | undefined; readonly holders: readonly ViewObject[] }[] {
    return [...this.usesByDevice].filter(([, uses]) => uses.length > 1).flatMap(([id, uses]) => {
      const holders = [...new Set(uses.filter(use => this.isWhole(use)).map(({ claim }) => claim))];
      if (holders.length < 2) return [];
      const pool = this.pools.get(id.slice(0, id.lastIndexOf('/')));
      return [{ id, device: pool?.devices.find(device => device.id === id), holders }];
    });
  }

  private isWhole({ entry }: Use): boolean {
    return !this.shares || field(entry, 'shareID') === undefined;
  }

  /** The selectors of a class; none for a class that does not exist. */
  public selectorsOf(className: string): readonly string[] {
    return this.classSelectors(className) ?? NONE;
  }

  /** Whether the selectors of a class choose a device; false for a class that does not exist. */
  public isOfClass(device: KnownDevice, className: string): boolean {
    return this.classSelectors(className)?.every(expression => this.selects(expression, device)) === true;
  }

  /** Whether a selector chooses a device; an error does not. */
  public selects(expression: string, device: KnownDevice): boolean {
    const compiled = this.evaluator.compile(expression);
    return !('compileError' in compiled) && compiled.matches(device.view) === true;
  }

  /** Whether the selectors of a class, or after them those of a request, end in an error at a device. */
  public failsOn(device: KnownDevice, className: string, selectors: readonly string[]): boolean {
    for (const expression of [...this.selectorsOf(className), ...selectors]) {
      const compiled = this.evaluator.compile(expression);
      if ('compileError' in compiled) return true;
      const result = compiled.matches(device.view);
      if (result !== true) return result !== false;
    }
    return false;
  }

  /** All devices of a class in the cluster. */
  public ofClass(className: string): readonly KnownDevice[] {
    let devices = this.devicesByClass.get(className);
    if (devices === undefined) {
      devices = [...this.pools.values()].flatMap(pool => pool.devices.filter(device => this.isOfClass(device, className)));
      this.devicesByClass.set(className, devices);
    }
    return devices;
  }

  /** How many of these nodes can use a device of a class, whoever holds it. */
  public nodesWith(className: string, nodes: readonly AllocationNode[]): number {
    const named = new Set<string>();
    const others = new Set<Place>();
    for (const { place } of this.ofClass(className)) {
      if (place.nodeName === undefined) others.add(place);
      else named.add(place.nodeName);
    }
    const places = [...others];
    return nodes.filter(node => named.has(node.name) || places.some(place => matchesNode(place, node) === true)).length;
  }

  private classSelectors(className: string): readonly string[] | undefined {
    if (!this.selectorsOfClass.has(className)) {
      const found = this.view.find('DeviceClass', '', className);
      this.selectorsOfClass.set(className, found && objectsAt(found.value, 'spec', 'selectors').map(selector => textAt(selector, 'cel', 'expression')));
    }
    return this.selectorsOfClass.get(className);
  }
}

function poolOf(id: string, slices: readonly JsonObject[], nodes: ReadonlySet<string>): DevicePool {
  const generation = slices.reduce((newest, slice) => Math.max(newest, generationOf(slice)), 0);
  const current = slices.filter(slice => generationOf(slice) === generation);
  const devices: KnownDevice[] = [];
  const driver = textAt(slices[0], 'spec', 'driver');
  const pool = {
    id,
    driver,
    node: nodes.size === 1 && slices.every(slice => field(slice, 'spec', 'perDeviceNodeSelection') !== true) ? [...nodes][0] || undefined : undefined,
    slices,
    generation,
    devices,
    name: textAt(slices[0], 'spec', 'pool', 'name'),
    present: current.length,
    announced: wholeAt(current[0], 'spec', 'pool', 'resourceSliceCount') ?? 0,
  };
  for (const slice of current) {
    const spec = objectAt(slice, 'spec');
    const place = spec.perDeviceNodeSelection === true ? undefined : placeOf(spec);
    for (const device of objectsAt(spec, 'devices')) {
      const name = textAt(device, 'name');
      const attributes = objectAt(device, 'attributes');
      const capacity = objectAt(device, 'capacity');
      devices.push({
        id: `${id}/${name}`,
        name,
        pool,
        value: device,
        place: place ?? placeOf(device),
        view: {
          driver,
          attributes,
          capacity,
          allowMultipleAllocations: typeof device.allowMultipleAllocations === 'boolean' ? device.allowMultipleAllocations : undefined,
          isReadable: isReadable({ attributes, capacity }),
          answers: [],
        },
      });
    }
  }
  return pool;
}

/** The generation that a slice has of its pool. */
export function generationOf(slice: JsonObject): number {
  return wholeAt(slice, 'spec', 'pool', 'generation') ?? 0;
}

/** Where a slice or a device can be used; nowhere when that cannot be read. */
export function placeOf(value: JsonObject): Place {
  const nodeName = textAt(value, 'nodeName');
  if (nodeName !== '') return { nodeName, allNodes: false };
  if (value.allNodes === true) return { allNodes: true };
  try {
    const nodeSelector = readNodeSelector(value.nodeSelector, 'nodeSelector', false);
    return { allNodes: false, ...(nodeSelector ? { nodeSelector } : {}) };
  } catch {
    return { allNodes: false };
  }
}

/** Whether a pool with counters may be anything but complete and valid. */
function isFaultyWithCounters(pool: DevicePool): boolean {
  const sets = pool.slices.flatMap(slice => objectsAt(slice, 'spec', 'sharedCounters'));
  if (sets.length === 0) return false;
  const names = new Set(pool.devices.map(({ name }) => name));
  const known = new Map(sets.map(set => [textAt(set, 'name'), objectAt(set, 'counters')]));
  return !isComplete(pool) || known.size !== sets.length || names.size !== pool.devices.length
    || pool.devices.some(device => objectsAt(device.value, 'consumesCounters').some(use => {
      const counters = known.get(textAt(use, 'counterSet'));
      return counters === undefined || Object.keys(objectAt(use, 'counters')).some(name => !Object.hasOwn(counters, name));
    }));
}

/** Complete, and without slices of an older generation. */
function isComplete({ slices, present, announced }: DevicePool): boolean {
  return present === announced && slices.length === present;
}

/** One faulty pool is as good as many; two of each sort, since a node does not see its own as a stray. */
function tellingStrays(pools: readonly DevicePool[]): readonly DevicePool[] {
  const sorted = [...pools].sort(byDriverAndName);
  return [...new Set([...sorted.slice(0, 2), ...sorted.filter(isComplete).slice(0, 2)])];
}

/** In the order in which the scheduler comes to them. */
export function byDriverAndName(a: DevicePool, b: DevicePool): number {
  if (a.driver !== b.driver) return a.driver < b.driver ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const NONE: readonly never[] = Object.freeze([]);
