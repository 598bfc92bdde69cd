import { capacitiesOf } from './capacity-shortage';
import { classAbsence } from './class-absence';
import { withNeed, withoutConstraint } from './device-demand';
import type { ClaimDemand, Need } from './device-demand';
import type { DeviceInventory, DevicePool } from './device-inventory';
import type { Help } from './explanation';
import { endingText } from './holders';
import { lackOf, numberOf } from './node-verdict';
import type { DeviceRule, NodeVerdict } from './node-verdict';
import { comparisonsOf, loosened } from './selector-rewrite';
import type { Trials } from './trials';
import { counted, listed } from './wording';
import type { JsonObject } from '../manifests/manifest-set';
import { nearest as nearestWord } from '../near-miss';
import type { Quantity } from '../quantity';
import { objectAt, objectsAt, textAt } from '../view/json-field';
import { showTaint } from '../view/node-fit';
import type { ViewObject } from '../view/view-object';
import { referenceOf } from '../view/view-object';

/** Finds changes after which the pod would fit, by asking the allocator again. */
export class DeviceHelp {
  private readonly objects: readonly JsonObject[];

  /** @param own Claims of the pod, whose end would take from it what it has. */
  public constructor(
    private readonly claims: readonly ClaimDemand[],
    private readonly inventory: DeviceInventory,
    private readonly trials: Trials,
    private readonly taintRules: readonly ViewObject[],
    private readonly own: ReadonlySet<ViewObject>,
  ) {
    this.objects = claims.map(({ object }) => object);
  }

  /** Ways out for nodes that are out by the same rule, the mildest first. */
  public of(rule: DeviceRule, verdicts: readonly NodeVerdict[]): readonly Help[] {
    const sorted = [...verdicts].sort((a, b) => lackIn(a) - lackIn(b));
    const nearest = this.first(sorted);
    switch (rule) {
      case 'in-use': return [...this.ended(sorted), ...this.fewer(sorted), ...this.selectors(sorted)];
      case 'counters': return [...this.ended(sorted), ...this.selectors(sorted), ...this.fewer(sorted)];
      case 'capacity': return [...this.ended(sorted), ...this.amounts(sorted), ...this.selectors(sorted), ...this.fewer(sorted)];
      case 'taint': return [...this.tolerated(sorted), ...this.ended(sorted), ...this.fewer(sorted)];
      case 'selector': return [...this.selectors(sorted), ...this.fewer(sorted), MORE_DEVICES];
      case 'constraint': return [...this.unconstrained(sorted), ...this.fewer(sorted), ...this.ended(sorted)];
      case 'pool-incomplete': return this.completed(nearest);
      case 'pool-invalid': return this.mended(nearest);
      case 'few': return [...this.fewer(sorted), ADD_NODE];
      case 'none': return [...this.arrived(nearest), ADD_NODE];
      case 'search': return [...this.fewer(sorted), ...this.unconstrained(sorted), FEWER_COMBINATIONS];
      case 'together': return [...this.ended(sorted), ...this.unconstrained(sorted), ...this.fewer(sorted), MORE_DEVICES];
      default: return [];
    }
  }

  /** One node of each kind: what helps it helps the others. Those that see the very same devices are one kind too. */
  private first(verdicts: readonly NodeVerdict[]): readonly NodeVerdict[] {
    const known = new Set<unknown>();
    return verdicts.filter(({ kind, tally }) => {
      const key = kind ?? tally;
      return key === undefined || (!known.has(key) && known.add(key));
    }).slice(0, MOST_NODES);
  }

  /** Holders whose end helps: each alone, or else the fewest together. */
  private ended(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const ending = (holders: readonly ViewObject[], word: string): string => {
      return listed([...new Set(holders.map(holder => endingText(holder, this.inventory.view)))], word, 8);
    };
    const alone = new Map<string, string[]>();
    let together: Help | undefined;
    for (const { node } of verdicts.slice(0, MOST_NODES)) {
      if (alone.size >= MOST_CHOICES) break;
      const holders = this.holdersOn(node);
      const single = holders.filter(holder => this.trials.fits(node, this.objects, { without: new Set([holder]) }));
      if (single.length > 0) {
        const text = ending(single, 'or');
        alone.set(text, [...alone.get(text) ?? [], node.name]);
      }
      if (alone.size > 0 || together !== undefined) continue;
      const fewest = this.fewest(node, holders);
      if (fewest !== undefined) together = { text: `${ending(fewest, 'and')} (${node.name} then fits)`, kind: 'end-holder' };
    }
    if (alone.size > 0) return [...alone].map(([text, nodes]) => ({ text: `${text} (${thenFit(nodes)})`, kind: 'end-holder' }));
    return together ? [together] : [];
  }

  private holdersOn(node: ViewObject): readonly ViewObject[] {
    const holders = new Set(this.inventory.poolsOf(node.name).flatMap(pool => this.inventory.usesIn(pool).map(({ claim }) => claim)));
    return [...holders].filter(holder => !this.own.has(holder)).sort((a, b) => (referenceOf(a) < referenceOf(b) ? -1 : 1)).slice(0, MOST_HOLDERS);
  }

  /** All holders gone, then taken back one by one while the claims still fit. */
  private fewest(node: ViewObject, holders: readonly ViewObject[]): readonly ViewObject[] | undefined {
    if (holders.length < 2 || !this.trials.fits(node, this.objects, { without: new Set(holders) })) return undefined;
    const gone = new Set(holders);
    for (const holder of [...holders].reverse()) {
      gone.delete(holder);
      if (!this.trials.fits(node, this.objects, { without: gone })) gone.add(holder);
    }
    return holders.filter(holder => gone.has(holder));
  }

  private tolerated(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const blocking = new Map<string, JsonObject>();
    for (const taint of verdicts.flatMap(verdict => taintsOf(verdict))) blocking.set(showTaint(taint), taint);
    const shown = [...blocking.keys()].sort();
    const need = verdicts[0]?.tally?.need;
    if (need === undefined) return [];
    const single = shown.filter(name => this.someFit(verdicts, this.tolerating(need, [blocking.get(name) ?? {}])).length > 0);
    const chosen = single.length > 0 ? single : shown;
    const fitting = this.someFit(verdicts, this.tolerating(need, chosen.map(name => blocking.get(name) ?? {})));
    if (fitting.length === 0) return [];
    const rules = this.taintRules.filter(rule => chosen.includes(showTaint(objectAt(rule.value, 'spec', 'taint')))).map(rule => rule.name);
    const tolerate: Help = { text: `tolerate ${listed(chosen, single.length > 0 ? 'or' : 'and')} in ${need.title} (${thenFit(fitting)})`, kind: 'tolerate' };
    return [
      // An extended resource has no place for tolerations.
      ...(need.resource === undefined ? [tolerate] : []),
      ...(rules.length > 0
        ? [{ text: `delete DeviceTaintRule ${listed(rules)}, which adds the taint`, kind: 'repair-device' } as const]
        : this.untainted(verdicts)),
    ];
  }

  /** As if as many devices as are lacking had no taints. */
  private untainted(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const choices = verdicts.slice(0, MOST_NODES).flatMap(verdict => {
      const tainted = verdict.tally?.states.filter(({ rule }) => rule === 'taint').map(({ device }) => device) ?? [];
      const chosen = tainted.slice(0, lackIn(verdict));
      const slices = (pool: DevicePool): readonly JsonObject[] => pool.slices.map(slice => withDevices(slice, device => {
        return chosen.some(one => one.pool === pool && one.name === textAt(device, 'name')) ? { ...device, taints: [] } : device;
      }));
      return this.trials.fits(verdict.node, this.objects, { slices }) ? [`${listed(chosen.map(({ name }) => name))} on ${verdict.node.name}`] : [];
    });
    return choices.length === 0 ? [] : [{ text: `repair ${listed(choices.slice(0, MOST_CHOICES), 'or')}, so that the driver drops the taint`, kind: 'repair-device' }];
  }

  private tolerating(need: Need, taints: readonly JsonObject[]): readonly JsonObject[] {
    const added = taints.map(taint => ({ key: textAt(taint, 'key'), operator: 'Equal', value: textAt(taint, 'value'), effect: textAt(taint, 'effect') }));
    return withNeed(this.claims, need, request => ({ ...request, tolerations: [...objectsAt(request, 'tolerations'), ...added] }));
  }

  /** The largest amount of a capacity that fits, or another name for it. */
  private amounts(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const need = verdicts[0]?.tally?.need;
    if (need === undefined) return [];
    const known = verdicts.flatMap(({ tally }) => tally?.states ?? []).filter(({ rule }) => rule === 'capacity')
      .flatMap(({ device }) => capacitiesOf(device, this.inventory));
    const asking = (name: string, amount: Quantity | undefined, instead?: string): readonly string[] => {
      const amounts = new Map([...need.capacity].filter(([one]) => one !== name && one !== instead));
      if (amount !== undefined) amounts.set(name, amount);
      const requests = Object.fromEntries([...amounts].map(([one, value]) => [one, value.toString()]));
      return this.someFit(verdicts, withNeed(this.claims, need, request => ({ ...request, capacity: { requests } })));
    };
    const help: Help[] = [];
    for (const name of [...new Set(known.map(one => one.name))].sort()) {
      const asked = need.capacity.get(name);
      const offers = known.filter(one => one.name === name).flatMap(({ left, most, choices }) => [left, ...(most ? [most] : []), ...choices])
        .filter(amount => amount.sign() > 0 && (asked === undefined || amount.compareTo(asked) < 0)).sort((a, b) => b.compareTo(a));
      const values = [...new Map(offers.map(amount => [amount.toString(), amount])).values()].slice(0, MOST_VALUES);
      const best = values.find(amount => asking(name, amount).length > 0);
      if (best !== undefined) help.push({ text: `ask for at most ${best.toString()} of ${name} in ${need.title} (${thenFit(asking(name, best))})`, kind: 'change-capacity' });
      const foreign = [...need.capacity.keys()].find(one => isMeant(lastPart(one), lastPart(name)) && !known.some(other => other.name === one));
      const fitting = foreign === undefined ? [] : asking(name, need.capacity.get(foreign), foreign);
      if (fitting.length > 0) help.push({ text: `ask for ${name} in place of ${foreign ?? ''} in ${need.title} (${thenFit(fitting)})`, kind: 'change-capacity' });
    }
    return help;
  }

  /** Other values in a comparison of a selector, or else the selector gone. */
  private selectors(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const tally = verdicts.find(verdict => verdict.tally !== undefined)?.tally;
    // Where the selectors leave no device out, others would not help.
    if (tally === undefined || !verdicts.some(one => one.tally !== undefined && numberOf(one.tally, 'selector') > 0)) return [];
    const { need } = tally;
    const help = need.selectors.flatMap((expression, index) => this.loosenedSelector(verdicts, need, expression, index));
    if (help.length > 0) return help.slice(0, 2);
    const index = need.selectors.findIndex((_, i) => this.someFit(verdicts, this.withSelector(need, i, undefined)).length > 0);
    if (index < 0) return [];
    const fitting = this.someFit(verdicts, this.withSelector(need, index, undefined));
    return [{ text: `drop selector ${index} of ${need.title} (${thenFit(fitting)})`, kind: 'change-selector' }];
  }

  private loosenedSelector(verdicts: readonly NodeVerdict[], need: Need, expression: string, index: number): readonly Help[] {
    return comparisonsOf(expression).flatMap((comparison): Help[] => {
      const pools = new Set(verdicts.flatMap(({ node }) => this.inventory.poolsOf(node.name)));
      const values = [...pools].flatMap(pool => pool.devices.flatMap(device => comparison.valueOf(device) ?? []));
      const candidates = loosened(comparison, values).filter(value => value !== comparison.asked).slice(0, MOST_VALUES);
      const good: { value: string; fitting: readonly string[] }[] = [];
      for (const value of candidates) {
        const fitting = this.someFit(verdicts, this.withSelector(need, index, comparison.rewritten(value)));
        if (fitting.length > 0) good.push({ value, fitting });
        if (good.length > 0 && comparison.operator !== '==') break;
      }
      if (good.length === 0) return [];
      const fitting = [...new Set(good.flatMap(one => one.fitting))].sort();
      const limit = comparison.operator.startsWith('>') ? 'at most ' : comparison.operator.startsWith('<') ? 'at least ' : '';
      return [{
        text: `ask for ${comparison.name} ${limit}${listed(good.map(({ value }) => value), 'or')} in selector ${index} of ${need.title} (${thenFit(fitting)})`,
        kind: 'change-selector',
      }];
    });
  }

  private withSelector(need: Need, index: number, expression: string | undefined): readonly JsonObject[] {
    return withNeed(this.claims, need, request => ({
      ...request,
      selectors: objectsAt(request, 'selectors').flatMap((selector, i) => (i !== index ? [selector] : expression === undefined ? [] : [{ cel: { expression } }])),
    }));
  }

  /** The largest count that fits. */
  private fewer(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const failing = verdicts.find(verdict => verdict.tally !== undefined)?.tally?.need;
    const need = failing ?? this.claims.flatMap(({ requests }) => requests.flat()).find(({ count }) => count > 1);
    if (need === undefined || need.all || need.count < 2) return [];
    const asking = (count: number): readonly JsonObject[] => withNeed(this.claims, need, request => ({ ...request, count }));
    let best = 0;
    for (const { node } of this.first(verdicts)) {
      let [low, high] = [best, need.count - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (this.trials.fits(node, asking(middle))) low = middle;
        else high = middle - 1;
      }
      best = low;
    }
    const fitting = best === 0 ? [] : this.someFit(verdicts, asking(best));
    return fitting.length === 0 ? [] : [{ text: `ask for ${best === 1 ? '1 device' : `at most ${counted(best, 'device')}`} in ${need.title} (${thenFit(fitting)})`, kind: 'lower-count' }];
  }

  private unconstrained(verdicts: readonly NodeVerdict[]): readonly Help[] {
    return this.claims.flatMap((claim, index) => objectsAt(claim.object, 'spec', 'devices', 'constraints').flatMap((constraint, i): Help[] => {
      const fitting = this.someFit(verdicts, withoutConstraint(this.claims, index, i));
      if (fitting.length === 0) return [];
      const kind = textAt(constraint, 'matchAttribute') === '' ? 'distinctAttribute' : 'matchAttribute';
      return [{ text: `drop constraint ${i} (${kind} ${textAt(constraint, kind)}) of ${claim.label} (${thenFit(fitting)})`, kind: 'drop-constraint' }];
    }));
  }

  /** What would bring devices of the class about. */
  private arrived([first]: readonly NodeVerdict[]): readonly Help[] {
    const absence = classAbsence(first.tally?.need.className ?? '', this.inventory);
    return absence?.help === undefined ? [] : [absence.help];
  }

  /** As if the missing slices of each pool had no more devices. */
  private completed(verdicts: readonly NodeVerdict[]): readonly Help[] {
    const slices = (pool: DevicePool): readonly JsonObject[] => pool.slices.map(slice => withPool(slice, { resourceSliceCount: pool.present }));
    const help = (pool: DevicePool): Help => ({
      text: `let driver ${pool.driver} publish the missing ${pool.announced - pool.present === 1 ? 'slice' : `${pool.announced - pool.present} slices`} of pool ${pool.name} (${pool.present} of ${pool.announced} are there): restart it`,
      kind: 'complete-pool',
    });
    const tried = this.repaired(verdicts, pool => pool.present < pool.announced, slices, help);
    if (tried.length > 0) return tried;
    // What is there would not do; nobody knows what the missing slices hold.
    const pools = verdicts.flatMap(({ tally }) => tally?.states.filter(({ rule }) => rule === 'pool-incomplete').map(({ device }) => device.pool) ?? []);
    return [...new Set(pools)].slice(0, MOST_VALUES).map(pool => ({ ...help(pool), kind: 'repair-driver' }));
  }

  /** As if names that come twice came once. */
  private mended(verdicts: readonly NodeVerdict[]): readonly Help[] {
    return this.repaired(verdicts, () => true, pool => {
      const names = new Set<string>();
      return pool.slices.map(slice => withDevices(slice, device => {
        const name = textAt(device, 'name');
        return names.has(name) ? undefined : names.add(name) && device;
      }));
    }, pool => ({ text: `let driver ${pool.driver} publish pool ${pool.name} without names that come twice: repair or restart it`, kind: 'repair-pool' }));
  }

  private repaired(
    verdicts: readonly NodeVerdict[],
    concerns: (pool: DevicePool) => boolean,
    slices: (pool: DevicePool) => readonly JsonObject[],
    help: (pool: DevicePool) => Help,
  ): readonly Help[] {
    const found = new Map<string, Help>();
    for (const { node } of verdicts) {
      for (const pool of this.inventory.poolsOf(node.name).filter(concerns)) {
        if (found.has(pool.id) || found.size >= MOST_VALUES) continue;
        if (this.trials.fits(node, this.objects, { slices: one => (one === pool ? slices(pool) : one.slices) })) found.set(pool.id, help(pool));
      }
    }
    return [...found.values()];
  }

  private someFit(verdicts: readonly NodeVerdict[], claims: readonly JsonObject[]): readonly string[] {
    return this.trials.fitting(verdicts.map(({ node }) => node), claims).map(({ name }) => name).sort();
  }
}

/** Written otherwise, or cut short: `mem` for `memory`. */
function isMeant(written: string, name: string): boolean {
  const isCut = written.length >= 3 && name.toLowerCase().startsWith(written.toLowerCase());
  return written === name || isCut || nearestWord(written, [name]) !== undefined;
}

function thenFit(nodes: readonly string[]): string {
  return `${listed(nodes)} then ${nodes.length === 1 ? 'fits' : 'fit'}`;
}

function lackIn({ tally }: NodeVerdict): number {
  return tally === undefined ? 0 : lackOf(tally);
}

/** The taints of the devices that the request does not tolerate. */
export function taintsOf({ tally }: NodeVerdict): readonly JsonObject[] {
  if (tally === undefined) return [];
  return tally.states.filter(({ rule }) => rule === 'taint').flatMap(({ device, detail }) => {
    const taints = objectsAt(device.value, 'taints');
    return taints.filter(taint => detail.startsWith(`${showTaint(taint)} `)).slice(0, 1);
  });
}

/** A slice with other devices, or without some. */
function withDevices(slice: JsonObject, change: (device: JsonObject) => JsonObject | undefined): JsonObject {
  const spec = objectAt(slice, 'spec');
  const devices = objectsAt(spec, 'devices').flatMap(device => change(device) ?? []);
  return { ...slice, spec: { ...spec, ...(devices.length === 0 ? {} : { devices }) } };
}

/** `memory` of `gpu.example.com/memory`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function withPool(slice: JsonObject, change: JsonObject): JsonObject {
  const spec = objectAt(slice, 'spec');
  return { ...slice, spec: { ...spec, pool: { ...objectAt(spec, 'pool'), ...change } } };
}

const MORE_DEVICES: Help = { text: 'publish or add a device that the request can have', kind: 'add-device' };
const FEWER_COMBINATIONS: Help = { text: 'spread the devices over several pods, or select them more narrowly', kind: 'change-claim' };
const ADD_NODE: Help = { text: 'add a node with enough devices of the class', kind: 'add-device' };

/** Nodes on which changes are tried, the nearest to fitting first. */
const MOST_NODES = 12;
const MOST_HOLDERS = 32;
const MOST_VALUES = 8;
/** Nodes of which holders are named. */
const MOST_CHOICES = 4;
