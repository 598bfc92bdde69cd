import type { Random } from './random';
import type { Json } from './selector-device';

/** What the slices of a case may use; each switch stands for one feature. */
export interface InventoryOptions {
  readonly taints?: boolean;
  /** `inline`: counter sets beside the devices, as in 1.34; `separate`: in slices of their own, as from 1.35. */
  readonly counters?: 'inline' | 'separate';
  readonly sharing?: boolean;
  readonly binding?: boolean;
  readonly nodeSelection?: boolean;
  /** Incomplete, invalid and obsolete pools. */
  readonly brokenPools?: boolean;
  readonly lists?: boolean;
  /** Fields of 1.37 behind alpha gates. */
  readonly compatibilityGroups?: boolean;
  readonly optionalNodeOperations?: boolean;
  readonly maxDevices?: number;
}

export const NODE = 'worker-1';
export const DRIVERS = ['gpu.example.com', 'nic.example.com', 'fpga.example.com'] as const;

export const NODE_LABELS = { 'kubernetes.io/hostname': NODE, 'zone': 'a', 'rack': '7' };

/** The slices of one to four pools, in no order. */
export function inventory(random: Random, options: InventoryOptions): Json[] {
  const pools = random.between(1, random.pick([1, 2, 2, 4]));
  const slices: Json[] = [];
  const used = new Set<string>();
  for (let index = 0; index < pools; index++) {
    const driver = random.once(2) ? DRIVERS[0] : random.pick(DRIVERS);
    // Pool names sort as strings, and drivers of one node often use its name.
    const name = random.once(3) && !used.has(driver) ? NODE : `pool-${random.pick(['2', '10', 'a'])}${index}`;
    if (name === NODE) used.add(driver);
    slices.push(...pool(random, driver, name, options));
  }
  return random.shuffled(slices);
}

function pool(random: Random, driver: string, name: string, options: InventoryOptions): Json[] {
  const place = placement(random, options);
  const parts = random.pick([1, 1, 1, 2]);
  const generation = random.pick([1, 1, 1, 2, 7]);
  const devices = random.list(parts, (part) => random.list(random.between(random.once(8) ? 0 : 2, options.maxDevices ?? 6), (index) => device(random, `dev-${part}-${index}`, options)));
  const counters = options.counters === undefined ? [] : counterSets(random);
  if (options.counters !== undefined) {
    for (const entry of devices.flat()) if (!random.once(4)) consumeCounters(random, entry, counters, options);
  }
  const contents: Json[] = devices.map((list) => ({ devices: list, ...(options.counters === 'inline' ? { sharedCounters: counters } : {}) }));
  // In 1.34 each slice has its own sets, and a set must not be named twice in a pool.
  if (options.counters === 'inline') contents.slice(1).forEach((content) => { content.sharedCounters = []; });
  if (options.counters === 'separate') contents.unshift({ sharedCounters: counters });
  let count = contents.length;
  if (options.brokenPools === true && random.once(3)) count += random.pick([-1, 1, 1]);
  if (options.brokenPools === true && random.once(4)) spoil(random, devices, counters);
  const slices = contents.map((content, index) => slice(`${name}-${driver}-${String.fromCharCode(97 + index)}`, driver, { name, generation, resourceSliceCount: count }, place, content, random, options));
  if (options.brokenPools === true && random.once(3)) {
    const old = { name, generation: generation - 1, resourceSliceCount: 1 };
    slices.push(slice(`${name}-${driver}-old`, driver, old, place, { devices: [device(random, 'dev-0-0', options), device(random, 'gone', options)] }, random, options));
  }
  return slices;
}

function slice(name: string, driver: string, poolJson: Json, place: Json, content: Json, random: Random, options: InventoryOptions): Json {
  const operations = options.optionalNodeOperations === true && random.once(2)
    ? { skipNodeOperations: random.pick([['*'], ['NodeUnprepareResources'], ['NodePrepareResources', 'NodeUnprepareResources']]) }
    : {};
  return { metadata: { name: name.replaceAll('/', '-') }, spec: { driver, pool: poolJson, ...place, ...content, ...operations } };
}

/** Duplicate device names and consumption of unknown counters make a pool invalid. */
function spoil(random: Random, devices: readonly Json[][], counters: readonly Json[]): void {
  const list = devices.find((entries) => entries.length > 0);
  if (list === undefined) return;
  if (counters.length > 0 && random.once(2)) list[0].consumesCounters = [{ counterSet: random.pick(['nosuch', 'set-0']), counters: { nosuch: { value: '1' } } }];
  else list.push({ ...list[0] });
}

function placement(random: Random, options: InventoryOptions): Json {
  if (options.nodeSelection !== true) return random.once(6) ? { allNodes: true } : { nodeName: NODE };
  return random.pick<Json>([
    { nodeName: NODE }, { nodeName: 'other' }, { allNodes: true }, { perDeviceNodeSelection: true }, { perDeviceNodeSelection: true },
    { nodeSelector: nodeSelector(random) }, { nodeSelector: nodeSelector(random) },
  ]);
}

export function nodeSelector(random: Random): Json {
  const expression = (): Json => random.pick<Json>([
    { key: 'zone', operator: 'In', values: ['a', 'b'] }, { key: 'zone', operator: 'NotIn', values: ['a'] }, { key: 'rack', operator: 'Gt', values: ['3'] }, { key: 'rack', operator: 'Lt', values: ['3'] },
    { key: 'rack', operator: 'Exists' }, { key: 'nosuch', operator: 'DoesNotExist' }, { key: 'nosuch', operator: 'Exists' }, { key: 'zone', operator: 'In', values: ['c'] }, { key: 'nosuch', operator: 'NotIn', values: ['x'] },
    ...(random.once(4) ? BROKEN_EXPRESSIONS : []),
  ]);
  return {
    nodeSelectorTerms: [random.once(5)
      ? { matchFields: [{ key: 'metadata.name', operator: random.pick(['In', 'In', 'NotIn']), values: [random.pick([NODE, 'other'])] }] }
      : { matchExpressions: random.list(random.pick([1, 1, 2]), expression) }],
  };
}

/** The API server refuses these; each has an error of its own upstream. */
const BROKEN_EXPRESSIONS: readonly Json[] = [
  { key: 'rack', operator: 'Gt', values: ['x'] }, { key: 'zone', operator: 'Gt', values: ['1'] }, { key: 'zone', operator: 'Near', values: ['a'] }, { key: 'zone', operator: 'In' }, { key: '-bad-', operator: 'Exists' },
  { key: 'rack', operator: 'Lt', values: ['1', '2'] },
];

function device(random: Random, name: string, options: InventoryOptions): Json {
  const attributes: Json = {};
  if (!random.once(10)) attributes.model = { string: random.pick(['A100', 'A100', 'H100']) };
  if (!random.once(10)) attributes.numa = { int: random.pick([0, 0, 1, 2]) };
  if (!random.once(8)) attributes.version = { version: random.pick(['1.0.0', '1.0.0', '1.0.0+b', '2.1.0']) };
  if (!random.once(8)) attributes['resource.kubernetes.io/pcieRoot'] = random.once(8) ? { int: 1 } : { string: random.pick(['pci0', 'pci0', 'pci1']) };
  if (!random.once(8)) attributes['dra.example.com/group'] = { int: random.pick([1, 2, 3, 4, 5]) };
  if (random.once(3)) attributes.healthy = { bool: random.once(2) };
  if (options.lists === true && !random.once(3)) attributes['dra.example.com/links'] = random.pick<Json>([{ strings: ['l1', 'l2'] }, { strings: ['l2', 'l3'] }, { strings: ['l3'] }, { ints: [1, 2] }, { string: 'l1' }]);
  const capacity: Json = {};
  if (!random.once(5)) capacity.memory = { value: random.pick<string | number>(['40Gi', '40Gi', '80Gi', '80Gi', '16Gi', '16Gi', 68719476736, '64.5Gi', '80G']) };
  if (random.once(2)) capacity['dra.example.com/slots'] = { value: random.pick<string | null>(['4', '8', '500m', '2.5', '4', '8', null]) };
  const result: Json = { name, attributes, ...(Object.keys(capacity).length > 0 ? { capacity } : {}) };
  if (options.nodeSelection === true) Object.assign(result, random.pick<Json>([{ nodeName: NODE }, { nodeName: NODE }, { nodeName: 'other' }, { allNodes: true }, { nodeSelector: nodeSelector(random) }]));
  if (options.taints === true && random.once(3)) result.taints = random.list(random.pick([1, 1, 2]), () => taint(random));
  if (options.sharing === true && !random.once(3)) share(random, result, capacity);
  if (options.binding === true && random.once(2)) {
    Object.assign(result, { bindingConditions: ['dra.example.com/ready'], bindingFailureConditions: ['dra.example.com/failed'] }, random.once(2) ? { bindsToNode: true } : {});
  }
  return result;
}

function taint(random: Random): Json {
  return {
    key: random.pick(['dra.example.com/sick', 'dra.example.com/old']),
    ...(random.once(2) ? { value: random.pick(['yes', 'no']) } : {}),
    effect: random.pick(['NoSchedule', 'NoSchedule', 'NoExecute', 'None']),
  };
}

function share(random: Random, result: Json, capacity: Json): void {
  result.allowMultipleAllocations = random.once(8) ? false : true;
  for (const name of Object.keys(capacity)) {
    const { value } = capacity[name] as Json;
    const policy = name === 'memory'
      ? random.pick<Json | undefined>([
        undefined, { default: '8Gi' }, { default: '4Gi', validValues: ['2Gi', '4Gi', '10Gi'] }, { default: '2Gi', validRange: { min: '1Gi', max: '12Gi' } },
        { default: '2Gi', validRange: { min: '1Gi', max: '12Gi', step: '1Gi' } }, { default: '1500M', validRange: { min: '500M', step: '1G' } }, { validRange: { min: '3Gi' } },
      ])
      : random.pick<Json | undefined>([undefined, { default: '1' }, { default: '1', validRange: { min: '1', max: '3', step: '1' } }, { default: '250m', validRange: { min: '250m', step: '250m' } }, { default: '2', validValues: ['1', '2'] }]);
    capacity[name] = { value, ...(policy === undefined ? {} : { requestPolicy: policy }) };
  }
}

function counterSets(random: Random): Json[] {
  return random.list(random.pick([1, 1, 2]), (index) => ({
    name: `set-${index}`, counters: { memory: { value: random.pick(['40Gi', '80Gi']) }, ...(random.once(2) ? { engines: { value: random.pick(['3', '7']) } } : {}) },
  }));
}

function consumeCounters(random: Random, entry: Json, counters: readonly Json[], options: InventoryOptions): void {
  const consumed = random.some(counters, random.pick([1, 1, 1, 2]));
  entry.consumesCounters = consumed.map((set) => {
    const names = Object.keys(set.counters as Json);
    return {
      counterSet: set.name,
      counters: Object.fromEntries(random.some(names, random.between(1, names.length)).map((name) => [name, { value: name === 'memory' ? random.pick(['10Gi', '20Gi', '40Gi']) : random.pick(['1', '2', '3']) }])),
      ...(options.compatibilityGroups === true && !random.once(3) ? { compatibilityGroups: random.pick([['a'], ['b'], ['a', 'b']]) } : {}),
    };
  });
}
