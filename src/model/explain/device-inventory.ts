import { matchesNode, readNodeSelector } from '../allocator';
import type { AllocationNode, Place, SelectorDevice, SelectorEvaluator } from '../allocator';
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
  readonly view: SelectorDevice;
}

export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  readonly driver: string;
  readonly name: string;
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
  private readonly byNode = new Map<string, DevicePool[]>();
  private readonly everywhere: DevicePool[] = [];
  /** Whether the devices of no node in particular are for all nodes alike. */
  private readonly sharedByAll: boolean;
  private readonly usesByPool = new Map<string, Use[]>();
  private readonly usesByDevice = new Map<string, Use[]>();

  public constructor(private readonly view: ClusterView, private readonly target: Target, public readonly evaluator: SelectorEvaluator) {
    const slices = new Map<string, JsonObject[]>();
    for (const slice of taintedSlices(view, target)) {
      const id = `${textAt(slice, 'spec', 'driver')}/${textAt(slice, 'spec', 'pool', 'name')}`;
      push(slices, id, slice);
    }
    for (const [id, list] of slices) {
      const pool = poolOf(id, list);
      this.pools.set(id, pool);
      const nodes = new Set(list.map(slice => textAt(slice, 'spec', 'nodeName')));
      if (nodes.has('')) this.everywhere.push(pool);
      else for (const node of nodes) push(this.byNode, node, pool);
    }
    this.sharedByAll = this.everywhere.every(pool => pool.devices.every(({ place }) => place.allNodes));
    for (const claim of view.all('ResourceClaim')) {
      for (const entry of objectsAt(claim.value, 'status', 'allocation', 'devices', 'results')) {
        if (entry.adminAccess === true) continue;
        const pool = `${textAt(entry, 'driver')}/${textAt(entry, 'pool')}`;
        push(this.usesByPool, pool, { claim, entry });
        push(this.usesByDevice, `${pool}/${textAt(entry, 'device')}`, { claim, entry });
      }
    }
  }

  /** Pools that may have devices for a node. */
  public poolsOf(node: string): readonly DevicePool[] {
    const own = this.byNode.get(node);
    return own === undefined ? this.everywhere : this.everywhere.length === 0 ? own : [...own, ...this.everywhere];
  }

  /** Whether a node sees only devices that every other node sees too, so that one answer holds for all such nodes. */
  public isLikeOthers(node: string): boolean {
    return !this.byNode.has(node) && this.sharedByAll;
  }

  /** How many devices have to be looked at for a node. */
  public sizeFor(node: string): number {
    return this.poolsOf(node).reduce((sum, pool) => sum + pool.devices.length, 0);
  }

  /** Devices that a node can use, whoever holds them. */
  public devicesOf(node: AllocationNode): readonly KnownDevice[] {
    return this.poolsOf(node.name).flatMap(pool => pool.devices.filter(device => matchesNode(device.place, node) === true));
  }

  /** Who holds a device; shares of one device can be held by many. */
  public usesOf(device: KnownDevice): readonly Use[] {
    return this.usesByDevice.get(device.id) ?? [];
  }

  public usesIn(pool: DevicePool): readonly Use[] {
    return this.usesByPool.get(pool.id) ?? [];
  }

  /** Whether a device belongs to one claim alone, so that no other can have it. */
  public isHeld(device: KnownDevice): boolean {
    const shares = this.target.isOn('DRAConsumableCapacity', 'kube-scheduler');
    return this.usesOf(device).some(({ entry }) => !shares || field(entry, 'shareID') === undefined);
  }

  /** Whether the selectors of a class choose a device; false for a class that does not exist. */
  public isOfClass(device: KnownDevice, className: string): boolean {
    const deviceClass = this.view.find('DeviceClass', '', className);
    return deviceClass !== undefined && objectsAt(deviceClass.value, 'spec', 'selectors').every(selector => this.selects(textAt(selector, 'cel', 'expression'), device));
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

  /** The expressions of a class. */
  public selectorsOf(className: string): readonly string[] {
    return objectsAt(this.view.find('DeviceClass', '', className)?.value, 'spec', 'selectors').map(selector => textAt(selector, 'cel', 'expression'));
  }

  /** All devices of a class in the cluster. */
  public ofClass(className: string): readonly KnownDevice[] {
    return [...this.pools.values()].flatMap(pool => pool.devices.filter(device => this.isOfClass(device, className)));
  }
}

function poolOf(id: string, slices: readonly JsonObject[]): DevicePool {
  const generationOf = (slice: JsonObject): number => wholeAt(slice, 'spec', 'pool', 'generation') ?? 0;
  const generation = slices.reduce((newest, slice) => Math.max(newest, generationOf(slice)), 0);
  const current = slices.filter(slice => generationOf(slice) === generation);
  const devices: KnownDevice[] = [];
  const driver = textAt(slices[0], 'spec', 'driver');
  const pool = {
    id,
    driver,
    slices,
    generation,
    devices,
    name: textAt(slices[0], 'spec', 'pool', 'name'),
    present: current.length,
    announced: wholeAt(current[0], 'spec', 'pool', 'resourceSliceCount') ?? 0,
  };
  for (const slice of current) {
    const spec = objectAt(slice, 'spec');
    for (const device of objectsAt(spec, 'devices')) {
      const name = textAt(device, 'name');
      devices.push({
        id: `${id}/${name}`,
        name,
        pool,
        value: device,
        place: placeOf(spec.perDeviceNodeSelection === true ? device : spec),
        view: {
          driver,
          attributes: objectAt(device, 'attributes'),
          capacity: objectAt(device, 'capacity'),
          allowMultipleAllocations: typeof device.allowMultipleAllocations === 'boolean' ? device.allowMultipleAllocations : undefined,
        },
      });
    }
  }
  return pool;
}

function placeOf(value: JsonObject): Place {
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

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
