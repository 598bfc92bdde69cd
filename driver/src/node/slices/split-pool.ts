import { LIMITS } from 'cdk8s-dra/model';

import type { ServerAbilities } from './server-abilities.js';
import type { SliceContent, SliceDevice } from './slice-object.js';
import type { CounterSet, InventoryDevice, InventoryProblem } from '../../devices/inventory.js';

type Pair = readonly [InventoryDevice, SliceDevice];

interface Split {
  readonly slices: readonly SliceContent[];
  readonly problems: readonly InventoryProblem[];
}

/**
 * Spreads a pool over slices, in order, so that each keeps the limits of the API.
 *
 * How many devices a slice takes depends on what the server keeps and not on the devices of the moment: a first taint must not move
 * devices from slice to slice.
 */
export function splitPool(devices: readonly Pair[], counterSets: readonly CounterSet[], abilities: ServerAbilities): Split {
  if (abilities.counters === 'beside-devices') return besideDevices(devices, counterSets);
  const extras = abilities.taints || abilities.counters === 'own-slices';
  const size = extras ? LIMITS.devicesPerSliceWithExtras.max : LIMITS.devicesPerSlice.max;
  const used = new Set(devices.flatMap(([, { consumesCounters = [] }]) => consumesCounters.map(({ counterSet }) => counterSet)));
  const sets = abilities.counters === 'own-slices' ? counterSets.filter(({ name }) => used.has(name)) : [];
  const slices: SliceContent[] = [
    ...chunks(sets, LIMITS.counterSets.max).map((sharedCounters) => ({ sharedCounters })),
    ...chunks(devices.map(([, device]) => device), size).map((chunk) => ({ devices: chunk })),
  ];
  // A pool with counters alone is no pool to choose from, but a pool all the same.
  return { slices: slices.length === 0 ? [{ devices: [] }] : slices, problems: [] };
}

/** 1.34: a counter set and all that consume it lie in one slice. */
function besideDevices(devices: readonly Pair[], counterSets: readonly CounterSet[]): Split {
  const slices: Filling[] = [];
  const problems: InventoryProblem[] = [];
  for (const group of groups(devices)) {
    const names = new Set(group.flatMap(setsOf));
    const sets = counterSets.filter(({ name }) => names.has(name));
    const filling = new Filling(sets, group.map(([, device]) => device));
    if (!filling.fits()) {
      problems.push(...group.map(([{ name }]) => ({
        code: 'DRA373',
        subject: name,
        message: `${name} and what shares counters with it do not fit into one slice, which Kubernetes 1.34 asks for`,
      })));
      continue;
    }
    const last = slices.at(-1);
    const joined = last?.with(filling);
    if (joined?.fits() === true) slices[slices.length - 1] = joined;
    else slices.push(filling);
  }
  const contents = slices.map((slice) => slice.content());
  return { slices: contents.length === 0 ? [{ devices: [] }] : contents, problems };
}

class Filling {
  public constructor(private readonly sets: readonly CounterSet[], private readonly devices: readonly SliceDevice[]) {}

  public with(other: Filling): Filling {
    return new Filling([...this.sets, ...other.sets], [...this.devices, ...other.devices]);
  }

  public fits(): boolean {
    return this.devices.length <= LIMITS.devicesPerSlice.max
      && sum(this.sets.map(({ counters }) => Object.keys(counters).length)) <= LIMITS.sharedCountersPerSlice.max
      && this.devices.every((device) => consumed(device) <= LIMITS.countersPerDevice.max)
      && sum(this.devices.map(consumed)) <= LIMITS.deviceCountersPerSlice.max;
  }

  public content(): SliceContent {
    return { devices: this.devices, ...(this.sets.length === 0 ? {} : { sharedCounters: this.sets }) };
  }
}

/** Devices that reach each other through counter sets, each group at the place of its first device. */
function groups(devices: readonly Pair[]): readonly (readonly Pair[])[] {
  const all: Pair[][] = [];
  const bySet = new Map<string, Pair[]>();
  for (const pair of devices) {
    let home: Pair[] | undefined;
    for (const set of setsOf(pair)) {
      const other = bySet.get(set);
      if (home === undefined || other === home) home = other ?? home;
      else if (other !== undefined) home = merge(all, bySet, home, other);
    }
    if (home === undefined) all.push(home = []);
    home.push(pair);
    for (const set of setsOf(pair)) bySet.set(set, home);
  }
  return all;
}

function merge(all: Pair[][], bySet: Map<string, Pair[]>, one: Pair[], two: Pair[]): Pair[] {
  const [first, second] = all.indexOf(one) < all.indexOf(two) ? [one, two] : [two, one];
  first.push(...second);
  all.splice(all.indexOf(second), 1);
  for (const [set, home] of bySet) if (home === second) bySet.set(set, first);
  return first;
}

function setsOf([, { consumesCounters = [] }]: Pair): readonly string[] {
  return consumesCounters.map(({ counterSet }) => counterSet);
}

function consumed({ consumesCounters = [] }: SliceDevice): number {
  return sum(consumesCounters.map(({ counters }) => Object.keys(counters).length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
