import { BENCHMARKS } from './allocation-benchmarks';
import { claim, classes } from './claims';
import type { ClaimOptions } from './claims';
import { inventory, NODE, NODE_LABELS } from './device-inventory';
import type { InventoryOptions } from './device-inventory';
import type { Gates, Minor, OracleCase } from './question';
import { Random } from './random';
import type { Json } from './selector-device';

/** What one feature adds to slices and claims, and the gates it needs. */
interface Feature extends InventoryOptions, ClaimOptions {
  readonly gates?: readonly string[];
  readonly claims?: number;
  readonly from?: Minor;
}

const FEATURES: Readonly<Record<string, Feature>> = {
  exact: { config: true },
  all: { all: true, selectors: true },
  firstAvailable: { firstAvailable: true, selectors: true, config: true },
  selectors: { selectors: true },
  match: { match: true, maxDevices: 8 },
  distinct: { distinct: true, match: true, maxDevices: 8, gates: ['DRAConsumableCapacity'] },
  taints: { taints: true, tolerations: true, all: true, gates: ['DRADeviceTaints'] },
  counters: { counters: 'separate', maxDevices: 8, gates: ['DRAPartitionableDevices'] },
  countersInline: { counters: 'inline', maxDevices: 8, gates: ['DRAPartitionableDevices'] },
  capacity: { sharing: true, capacity: true, gates: ['DRAConsumableCapacity'] },
  admin: { admin: true, all: true },
  nodeSelectors: { nodeSelection: true, gates: ['DRAPartitionableDevices'] },
  binding: { binding: true, gates: ['DRADeviceBindingConditions'] },
  pools: { brokenPools: true, all: true, counters: 'separate', gates: ['DRAPartitionableDevices'] },
  limit: { maxDevices: 20, maxCount: 20, maxRequests: 3, all: true },
  claims: { claims: 3, match: true, maxDevices: 6 },
  skew: { skew: true, selectors: true, match: true, firstAvailable: true },
  mixed: {},
  lists: { lists: true, match: true, distinct: true, gates: ['DRAListTypeAttributes', 'DRAConsumableCapacity'], from: '1.36' },
  fractional: { sharing: true, capacity: true, gates: ['DRAConsumableCapacity', 'DRAFractionalCapacityRange'], from: '1.37' },
  derived: { derived: true, match: true, distinct: true, gates: ['DRADerivedAttributes'], from: '1.37' },
  compatibility: { counters: 'separate', compatibilityGroups: true, maxDevices: 8, gates: ['DRAPartitionableDevices', 'DRADeviceCompatibilityGroups'], from: '1.37' },
  nodeOperations: { optionalNodeOperations: true, gates: ['DRAOptionalNodeOperations'], from: '1.37' },
};

const MIXABLE = ['all', 'firstAvailable', 'selectors', 'match', 'distinct', 'taints', 'counters', 'capacity', 'admin', 'nodeSelectors', 'binding', 'pools', 'exact'];

/** The benchmark documents first, then the features in turn; every third case is mixed. */
export function allocationCases(seed: number, count: number, minor: Minor): OracleCase[] {
  const random = new Random(seed);
  const cases = Object.entries(BENCHMARKS).map(([name, make]): OracleCase => ({
    feature: 'benchmark',
    question: { id: `benchmark-${name}`, kubernetes: minor, features: gatesFor(random, minor, Object.values(FEATURES).filter(({ from }) => from === undefined), Infinity), ...make() },
  }));
  const names = Object.keys(FEATURES).filter((name) => (FEATURES[name].from ?? minor) <= minor);
  for (let index = 0, turn = 0; cases.length < count; index++) {
    const feature = index % 3 === 2 ? 'mixed' : names[turn++ % names.length];
    cases.push({ feature, question: { id: `${feature}-${index}`, kubernetes: minor, ...document(random, minor, feature) } });
  }
  return cases.slice(0, count);
}

function document(random: Random, minor: Minor, name: string): Json {
  const chosen = name === 'mixed' ? random.some(MIXABLE, random.between(2, 4)).map((part) => FEATURES[part]) : [FEATURES[name]];
  const options: Feature = Object.assign({}, ...chosen, name === 'mixed' ? { maxDevices: random.between(2, 8) } : {});
  const layout = options.counters !== undefined && minor === '1.34' ? { counters: random.once(4) ? options.counters : 'inline' as const } : {};
  const slices = inventory(random, { ...options, ...layout });
  const claims = random.list(random.between(1, options.claims ?? random.pick([1, 1, 2])), (index) => claim(random, index, options));
  const features = gatesFor(random, minor, chosen, name === 'mixed' ? 12 : 10);
  return {
    ...(Object.keys(features).length > 0 ? { features } : {}),
    node: { metadata: { name: NODE, labels: NODE_LABELS } },
    classes: classes(random, options),
    slices,
    claims,
    ...(random.once(3) ? {} : { allocated: allocated(random, slices) }),
  };
}

const ON_FROM_136 = ['DRAConsumableCapacity', 'DRADeviceBindingConditions', 'DRADeviceTaints', 'DRAPartitionableDevices'];
const SWITCHABLE = [...ON_FROM_136, 'DRAPrioritizedList', 'DRAAdminAccess', 'DRAResourceClaimDeviceStatus'];

/** The gates that the features need where they are off by default; once in `rarity` some gate is switched off. */
function gatesFor(random: Random, minor: Minor, features: readonly Feature[], rarity: number): Gates {
  const gates: Record<string, boolean> = {};
  for (const gate of features.flatMap((feature) => feature.gates ?? [])) if (minor < '1.36' || !ON_FROM_136.includes(gate)) gates[gate] = true;
  if (Number.isFinite(rarity) && random.once(rarity)) gates[random.pick(SWITCHABLE)] = false;
  return gates;
}

/** Some of the devices in use: as entries, or within a claim that has them. */
function allocated(random: Random, slices: readonly Json[]): Json[] {
  const entries: Json[] = [];
  const rarity = random.pick([2, 5, 10]);
  for (const { spec } of slices as { spec: Json }[]) {
    for (const device of (spec.devices ?? []) as Json[]) {
      if (!random.once(rarity)) continue;
      const result = { driver: spec.driver, pool: (spec.pool as Json).name, device: device.name };
      const shared = device.allowMultipleAllocations === true && !random.once(6);
      if (shared) {
        for (let share = random.pick([1, 1, 2]); share > 0; share--) {
          const names = Object.keys(device.capacity as Json | undefined ?? {});
          const consumedCapacity = Object.fromEntries(names.map((name) => [name, name === 'memory' ? random.pick(['4Gi', '10Gi', '40Gi']) : random.pick(['1', '250m'])]));
          entries.push({ ...result, shareID: uuid(random), ...(names.length > 0 ? { consumedCapacity } : {}) });
        }
      } else {entries.push({ ...result, ...(random.once(6) ? { adminAccess: true } : {}) });}
    }
  }
  // Of a driver that is gone, of a device named twice, of shares of a device that is not shared.
  if (random.once(6)) entries.push({ driver: 'gone.example.com', pool: 'gone', device: 'dev-0-0' });
  if (entries.length > 0 && random.once(6)) entries.push({ ...random.pick(entries) });
  if (entries.length > 0 && random.once(8)) entries.push({ ...random.pick(entries), shareID: uuid(random), consumedCapacity: { memory: '1Gi' } });
  if (entries.length === 0 || !random.once(3)) return entries;
  const [first, ...rest] = entries;
  const holder = { metadata: { name: 'holder', namespace: 'team' }, spec: { devices: {} }, status: { allocation: { devices: { results: [{ request: 'r', ...first }] } } } };
  return [holder, ...rest];
}

function uuid(random: Random): string {
  const digits = (count: number): string => random.list(count, () => random.below(16).toString(16)).join('');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
}
