import * as fc from 'fast-check';

import { randomDocument } from './random-document';
import type { Document, Json } from './random-document';
import { allocateLine } from '../../../src/model/allocator';
import type { DeviceResult } from '../../../src/model/allocator';
import { Quantity } from '../../../src/model/quantity';

const documents = fc.integer({ min: 10_000, max: 1_000_000 }).map(randomDocument);
const options = { maxSteps: 20_000 };

interface Chosen extends DeviceResult {
  readonly claim: number;
  readonly published: Json;
}

/** Calls the law for allocations only. */
function holds(law: (document: Document, chosen: readonly Chosen[]) => void): void {
  fc.assert(fc.property(documents, document => {
    const answer = allocateLine(document, options);
    expect(answer.inputError).toBeUndefined();
    if (!answer.results) return;
    const chosen = answer.results.flatMap(({ devices }, claim) => (devices.results ?? [])
      .map(one => ({ ...one, claim, published: publishedDevice(document, one) })));
    law(document, chosen);
  }), { numRuns: 400, seed: 7 });
}

test('no exclusive device is given away twice', () => {
  holds((_, chosen) => {
    const exclusive = chosen.filter(one => one.shareID === undefined && !one.adminAccess).map(idOf);

    expect(new Set(exclusive).size).toBe(exclusive.length);
  });
});

test('no device in use is given away, except to admin access', () => {
  holds((document, chosen) => {
    const isShare = (one: Json): boolean => one.shareID !== undefined && document.features.DRAConsumableCapacity;
    const used = new Set(document.allocated.filter(one => one.adminAccess !== true && !isShare(one)).map(idOf));

    expect(chosen.filter(one => !one.adminAccess && used.has(idOf(one)))).toEqual([]);
  });
});

test('every request gets its count, from one of its alternatives', () => {
  holds((document, chosen) => {
    document.claims.forEach((claim, index) => {
      for (const { name, exactly, firstAvailable } of devicesOf(claim).requests as readonly RequestJson[]) {
        const given = chosen.filter(one => one.claim === index && one.request.split('/')[0] === name);
        const taken = exactly ?? firstAvailable?.find(one => given[0]?.request === `${name}/${one.name}`);
        expect(taken).toBeDefined();
        expect(new Set(given.map(one => one.request)).size).toBe(1);
        // Before 1.36, mode All goes on with another alternative.
        if (taken?.allocationMode !== 'All' && !mixes(document)) expect(given).toHaveLength(taken?.count ?? 1);
      }
    });
  });
});

test('no share is larger than what is left', () => {
  holds((document, chosen) => {
    const shared = chosen.filter(one => one.consumedCapacity !== undefined);
    for (const { published, consumedCapacity, ...one } of shared) {
      for (const name of Object.keys(consumedCapacity ?? {})) {
        const amounts = [...document.allocated, ...shared].filter(other => idOf(other) === idOf(one))
          .map(other => (other.consumedCapacity as Json | undefined)?.[name]).filter(amount => amount !== undefined);
        const total = amounts.map(amount => Quantity.parse(String(amount))).reduce((sum, amount) => sum.add(amount));
        const { value } = (published.capacity as Json)[name] as { value: string };
        expect(total.compareTo(Quantity.parse(value))).toBeLessThanOrEqual(0);
      }
    }
  });
});

test('no counter is overdrawn', () => {
  holds((document, chosen) => {
    const before = new Set(document.allocated.map(idOf));
    const consuming = chosen.filter(one => one.published.consumesCounters !== undefined && !before.has(idOf(one)));
    for (const { driver, pool } of consuming) {
      const slices = document.slices.filter(({ spec }) => spec.driver === driver && spec.pool.name === pool);
      const newest = Math.max(...slices.map(({ spec }) => spec.pool.generation));
      const taken = new Set([...chosen, ...document.allocated.filter(one => one.adminAccess !== true)].map(idOf));
      const left = new Map<string, Quantity>();
      const current = slices.filter(({ spec }) => spec.pool.generation === newest);
      // In 1.34 the counters of each slice are its own.
      for (const group of document.kubernetes === '1.34' ? current.map(slice => [slice]) : [current]) {
        left.clear();
        for (const set of group.flatMap(({ spec }) => (spec.sharedCounters ?? []) as readonly CountersJson[])) {
          for (const [name, { value }] of Object.entries(set.counters)) left.set(`${set.name}/${name}`, Quantity.parse(value));
        }
        for (const device of group.flatMap(({ spec }) => spec.devices ?? [])) {
          if (!taken.has(idOf({ driver, pool, device: device.name }))) continue;
          for (const use of (device.consumesCounters ?? []) as readonly (CountersJson & { counterSet: string })[]) {
            for (const [name, { value }] of Object.entries(use.counters)) {
              const rest = left.get(`${use.counterSet}/${name}`);
              if (rest) left.set(`${use.counterSet}/${name}`, rest.sub(Quantity.parse(value)));
            }
          }
        }
        if (!group.some(({ spec }) => consuming.some(one => (spec.devices ?? []).includes(one.published)))) continue;
        expect([...left].filter(([, amount]) => amount.sign() < 0)).toEqual([]);
      }
    }
  });
});

test('devices of one claim agree where they must', () => {
  holds((document, chosen) => {
    document.claims.forEach((claim, index) => {
      for (const { matchAttribute, requests = [] } of (devicesOf(claim).constraints ?? []) as readonly ConstraintJson[]) {
        if (matchAttribute === undefined || document.features.DRAListTypeAttributes) continue;
        const bound = boundBy(requests, chosen.filter(one => one.claim === index));
        const values = bound.map(one => valueOf(one, matchAttribute));
        expect(values).not.toContain(undefined);
        expect(new Set(values.map(value => JSON.stringify(value))).size).toBeLessThanOrEqual(1);
      }
    });
  });
});

test('devices of one claim differ where they must, from 1.37 on', () => {
  holds((document, chosen) => {
    if (document.kubernetes !== '1.37' || document.features.DRAListTypeAttributes) return;
    document.claims.forEach((claim, index) => {
      for (const { distinctAttribute, requests = [] } of (devicesOf(claim).constraints ?? []) as readonly ConstraintJson[]) {
        if (distinctAttribute === undefined) continue;
        const bound = boundBy(requests, chosen.filter(one => one.claim === index));
        expect(new Set(bound.map(one => JSON.stringify(valueOf(one, distinctAttribute)))).size).toBe(bound.length);
      }
    });
  });
});

test('the same question has the same answer, with and without reasons', () => {
  fc.assert(fc.property(documents, document => {
    const { reasons, conflicts, ...answer } = allocateLine(document, { ...options, reasons: true });

    expect(answer).toEqual(allocateLine(document, options));
  }), { numRuns: 200, seed: 8 });
});

test('a device has one reason for each request at most, and none when it was chosen', () => {
  fc.assert(fc.property(documents, document => {
    const { results = [], reasons = [] } = allocateLine(document, { ...options, reasons: true });
    const chosen = new Set(results.flatMap(({ devices }) => (devices.results ?? []).map(idOf)));
    // Names in pools that are not searched need not be unique.
    const known = reasons.filter(one => one.claim !== undefined).map(one => `${idOf(one)} ${one.claim} ${one.request}`);

    expect(new Set(known).size).toBe(known.length);
    expect(reasons.filter(one => one.claim !== undefined && chosen.has(idOf(one)))).toEqual([]);
  }), { numRuns: 200, seed: 9 });
});

test('whatever stands in a document, there is an answer', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, '', 'x', '1Gi', '-1', '1e40', 0, -1, 1.5, 1e300, true, [], {}, [null], [{}], { '': null }, '\u0000', '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(fc.property(documents, fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 4 }), (document, changes) => {
    const broken = JSON.parse(JSON.stringify(document)) as Json;
    for (const [at, value] of changes) replace(broken, at, value);
    const answer = allocateLine(broken, options);

    expect(answer.inputError !== undefined || typeof answer.allocated === 'boolean').toBe(true);
  }), { numRuns: 1500, seed: 10 });
});

interface RequestJson {
  readonly name: string;
  readonly exactly?: Json & { readonly allocationMode?: string; readonly count?: number };
  readonly firstAvailable?: readonly (Json & { readonly name: string; readonly allocationMode?: string; readonly count?: number })[];
}

interface ConstraintJson {
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
  readonly requests?: readonly string[];
}

interface CountersJson {
  readonly name: string;
  readonly counters: Readonly<Record<string, { readonly value: string }>>;
}

function boundBy(requests: readonly string[], chosen: readonly Chosen[]): readonly Chosen[] {
  return chosen.filter(({ request }) => requests.length === 0 || requests.includes(request) || requests.includes(request.split('/')[0]));
}

function devicesOf(claim: Json): Json {
  return (claim.spec as { devices: Json }).devices;
}

function idOf(one: { readonly driver?: unknown; readonly pool?: unknown; readonly device?: unknown }): string {
  return `${String(one.driver)}/${String(one.pool)}/${String(one.device)}`;
}

function publishedDevice(document: Document, { driver, pool, device }: DeviceResult): Json {
  const slices = document.slices.filter(({ spec }) => spec.driver === driver && spec.pool.name === pool);
  const newest = Math.max(...slices.map(({ spec }) => spec.pool.generation));
  const found = [...slices].sort((a, b) => Number(b.spec.pool.generation === newest) - Number(a.spec.pool.generation === newest))
    .flatMap(({ spec }) => spec.devices ?? []).find(one => one.name === device);
  if (!found) throw new Error(`${driver}/${pool}/${device} is in no slice`);
  return found;
}

function valueOf({ driver, published }: Chosen, fullName: string): unknown {
  const attributes = published.attributes as Json;
  return attributes[fullName] ?? (fullName.startsWith(`${driver}/`) ? attributes[fullName.slice(driver.length + 1)] : undefined);
}

function mixes(document: Document): boolean {
  return document.kubernetes < '1.36' && document.claims.some(claim => (devicesOf(claim).requests as readonly RequestJson[])
    .some(({ firstAvailable }) => firstAvailable?.some(one => one.allocationMode === 'All')));
}

/** Puts a value somewhere in a JSON tree. */
function replace(tree: Json, at: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      visit((node as Json)[key]);
    }
  };
  visit(tree);
  if (places.length === 0) return;
  const [parent, key] = places[at % places.length];
  parent[key] = value;
}
