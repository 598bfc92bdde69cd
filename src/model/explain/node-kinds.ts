import type { ClaimQuestion, NeedSelectors } from './claim-question';
import { byDriverAndName, generationOf, placeOf } from './device-inventory';
import type { DeviceInventory, DevicePool, KnownDevice } from './device-inventory';
import { isReadable } from './selector-view';
import { matchesNode } from '../allocator';
import type { AllocationNode, Place } from '../allocator';
import { asObject } from '../manifests/manifest-set';
import type { JsonObject } from '../manifests/manifest-set';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';
import { nodeOf } from '../view/node-fit';
import type { ViewObject } from '../view/view-object';

/**
 * Tells nodes apart as far as the allocator can: nodes of one kind get the same answer to a question, device for device.
 *
 * A kind holds everything that an attempt reads but names of nodes, pools and slices: selectors and attributes as the question sees
 * them, all other fields word for word. What is not plain makes a node a kind of its own.
 */
export class NodeKinds {
  private readonly numbers = new Map<string, number>();
  private readonly facts = new Map<string, number | undefined>();
  /** By question, then by pool: what the question sees of the devices. */
  private readonly sights = new Map<string, Map<DevicePool, number>>();
  private readonly shared: readonly DevicePool[];
  private readonly sharedNames: ReadonlySet<string>;
  private readonly places: readonly Place[];

  public constructor(private readonly inventory: DeviceInventory) {
    this.shared = [...inventory.everywhere, ...inventory.strays].sort(byDriverAndName);
    this.sharedNames = new Set(this.shared.map(({ name }) => name));
    this.places = placesOf(inventory.everywhere);
  }

  /** One text for all nodes of a kind; undefined for a node that has to be judged by itself. */
  public kindOf(node: ViewObject, question: ClaimQuestion | undefined): string | undefined {
    if (question === undefined) return undefined;
    if (!this.facts.has(node.name)) this.facts.set(node.name, this.numbered(this.factsOf(node)));
    const facts = this.facts.get(node.name);
    if (facts === undefined) return undefined;
    let kind = String(facts);
    for (const pool of this.inventory.ownPoolsOf(node.name)) {
      const sight = this.sightOf(pool, question);
      if (sight === undefined) return undefined;
      kind += ` ${sight}`;
    }
    return kind;
  }

  private numbered(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, number = this.numbers.size);
    return number;
  }

  private factsOf(node: ViewObject): string | undefined {
    try {
      return isPlainNode(node.value) ? this.plainFacts(node) : undefined;
    } catch {
      // A whole number beyond 2^53 somewhere, which JSON.stringify refuses.
      return undefined;
    }
  }

  private plainFacts(object: ViewObject): string | undefined {
    const node = nodeOf(object);
    const own = this.inventory.ownPoolsOf(node.name);
    const parts = [node.declaredFeatures.join(), this.placesFor(node), this.inventory.strays.map(pool => Number(own.includes(pool))).join('')];
    const ranks = own.map(pool => [rankIn(this.shared, pool), own.filter(other => byDriverAndName(other, pool) < 0).length].join('.'));
    const names = own.map(({ name }) => name);
    for (const [i, pool] of own.entries()) {
      const facts = this.poolFacts(pool, node.name);
      if (facts === undefined) return undefined;
      // The scheduler of 1.35 counts by the names of pools alone, so it matters which are equal.
      parts.push(ranks[i], this.sharedNames.has(pool.name) ? `=${pool.name}` : String(names.indexOf(pool.name)), facts);
    }
    return parts.join('\n');
  }

  /** Which of the places that are not for all nodes cover this one. */
  private placesFor(node: AllocationNode): string {
    return this.places.map(place => {
      const matches = matchesNode(place, node);
      return typeof matches === 'string' ? matches : matches ? '1' : '0';
    }).join('');
  }

  private poolFacts(pool: DevicePool, node: string): string | undefined {
    const uses = this.inventory.usesIn(pool);
    if (uses.some(({ entry }) => typeof entry.driver !== 'string' || typeof entry.pool !== 'string')) return undefined;
    const usesShares = uses.some(({ entry }) => field(entry, 'shareID') !== undefined);
    const parts = [pool.driver, ...uses.map(({ entry }) => useText(entry)).sort()];
    for (const slice of pool.slices) {
      // Which generation counts depends on all nodes of the pool.
      if (generationOf(slice) !== pool.generation) return undefined;
      const spec = objectAt(slice, 'spec');
      const { name: poolName, generation, ...rest } = objectAt(spec, 'pool');
      if (typeof spec.driver !== 'string' || typeof poolName !== 'string' || !Number.isSafeInteger(generation)) return undefined;
      parts.push(`/${textAt(slice, 'apiVersion')} ${JSON.stringify(rest)}`);
      for (const name in spec) {
        if (name === 'driver' || name === 'pool' || name === 'devices' || (name === 'nodeName' && spec.nodeName === node)) continue;
        parts.push(`${name}=${JSON.stringify(spec[name])}`);
      }
      if (!Array.isArray(spec.devices) && spec.devices !== undefined) return undefined;
      for (const device of (spec.devices as readonly unknown[] | undefined) ?? []) {
        const facts = deviceFacts(device, usesShares);
        if (facts === undefined) return undefined;
        parts.push(facts);
      }
    }
    return parts.join('\n');
  }

  private sightOf(pool: DevicePool, question: ClaimQuestion): number | undefined {
    let sights = this.sights.get(question.key);
    if (sights === undefined) this.sights.set(question.key, sights = new Map());
    let sight = sights.get(pool);
    if (sight === undefined) {
      const seen = this.numbered(`?${pool.devices.map(device => this.deviceSight(device, question)).join('\n')}`);
      if (seen !== undefined) sights.set(pool, sight = seen);
    }
    return sight;
  }

  private deviceSight(device: KnownDevice, { needs, attributes, asksAmounts }: ClaimQuestion): string {
    let text = '';
    for (const need of needs) text += `${this.outcome(device, need)};`;
    for (const name of attributes) text += `${JSON.stringify(attributeOf(device, name))};`;
    return asksAmounts ? text + JSON.stringify(device.view.capacity) : text;
  }

  /** Where the selectors of a class and then of the request stop, and why. */
  private outcome(device: KnownDevice, { className, selectors }: NeedSelectors): string {
    return this.stop(device, this.inventory.selectorsOf(className), 'c') ?? this.stop(device, selectors, 'r') ?? '';
  }

  private stop(device: KnownDevice, expressions: readonly string[], owner: string): string | undefined {
    for (let i = 0; i < expressions.length; i++) {
      const compiled = this.inventory.evaluator.compile(expressions[i]);
      const result = 'compileError' in compiled ? { error: '' } : compiled.matches(device.view);
      if (result !== true) return `${owner}${i}${result === false ? '' : JSON.stringify(result.error)}`;
    }
    return undefined;
  }
}

/** Places of slices and devices that are not for all nodes, each once. */
function placesOf(pools: readonly DevicePool[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const pool of pools) {
    for (const slice of pool.slices) {
      const spec = objectAt(slice, 'spec');
      for (const holder of spec.perDeviceNodeSelection === true ? objectsAt(spec, 'devices') : [spec]) {
        const place = placeOf(holder);
        if (!place.allNodes) places.set(`${place.nodeName} ${JSON.stringify(place.nodeSelector)}`, place);
      }
    }
  }
  return [...places.values()];
}

/** Whether the allocator reads the node without complaint. */
function isPlainNode(node: JsonObject): boolean {
  const labels = field(node, 'metadata', 'labels');
  const features = field(node, 'status', 'declaredFeatures');
  return (labels === undefined || Object.values(asObject(labels) ?? [0]).every(value => typeof value === 'string'))
    && (node.status === undefined || asObject(node.status) !== undefined)
    && (features === undefined || (Array.isArray(features) && features.every(value => typeof value === 'string')));
}

/** One entry of an allocation, without what no attempt looks at. */
function useText(entry: JsonObject): string {
  const { request: _request, driver: _driver, pool: _pool, device, tolerations: _tolerations, ...rest } = entry;
  return `${typeof device === 'string' ? device : JSON.stringify(device)} ${JSON.stringify(rest)}`;
}

/** What the allocator reads of a device besides selectors and attributes; undefined for one that is not plain. */
function deviceFacts(device: unknown, usesShares: boolean): string | undefined {
  const object = asObject(device);
  if (object === undefined) return undefined;
  let text = '';
  let attributes = NOTHING;
  let capacity = NOTHING;
  for (const name in object) {
    if (name === 'attributes' || name === 'capacity') {
      const values = asObject(object[name]);
      if (values === undefined) return undefined;
      if (name === 'attributes') attributes = values;
      else capacity = values;
    } else {
      text += `${name}=${JSON.stringify(object[name])} `;
    }
  }
  if (!isReadable({ attributes, capacity })) return undefined;
  const matters = usesShares || object.allowMultipleAllocations === true || Object.values(capacity).some(one => field(one, 'requestPolicy') !== undefined);
  return matters ? text + JSON.stringify(capacity) : text;
}

/** As constraints look attributes up. */
function attributeOf({ view: { attributes, driver } }: KnownDevice, name: string): unknown {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const id = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : '';
  return Object.hasOwn(attributes, id) ? attributes[id] : undefined;
}

/** How many pools of a sorted list come before one. */
function rankIn(sorted: readonly DevicePool[], pool: DevicePool): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (byDriverAndName(sorted[middle], pool) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NOTHING: JsonObject = Object.freeze({});
