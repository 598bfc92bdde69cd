import type { Minor } from '../../../src/model/target';

/** JSON as tests build it. */
export type Json = Readonly<Record<string, unknown>>;

/** A line for `allocateLine`, made from a number: the same number always makes the same line. */
export interface Document {
  readonly id: number;
  readonly kubernetes: Minor;
  readonly features: Readonly<Record<string, boolean>>;
  readonly node: Json;
  readonly classes: readonly Json[];
  readonly slices: readonly SliceJson[];
  readonly claims: readonly Json[];
  readonly allocated: readonly Json[];
}

export interface SliceJson {
  readonly metadata: { readonly name: string };
  readonly spec: Json & {
    readonly driver: string;
    readonly pool: { readonly name: string; readonly generation: number; resourceSliceCount: number };
    readonly devices?: readonly Json[];
  };
}

/** One claim in four asks what the API server would refuse, one pool in many is broken. */
export function randomDocument(seed: number): Document {
  const dice = new Dice(seed);
  const minor = dice.pick(['1.34', '1.35', '1.36', '1.37'] as const);
  const world: World = {
    dice,
    minor,
    nasty: dice.chance(0.25),
    drivers: dice.chance(0.3) ? ['d1.example.com', 'd2.example.com'] : ['d1.example.com'],
    counters: dice.chance(0.35),
    sharing: dice.chance(0.45),
    taints: dice.chance(0.3),
    binding: dice.chance(0.15),
    lists: minor === '1.37' && dice.chance(0.2),
  };
  const features = gates(world);
  const slices = world.drivers.flatMap(driver => dice.times(1, dice.chance(0.4) ? 3 : 1, i => pool(world, driver, i)).flat());
  return {
    id: seed,
    kubernetes: minor,
    features,
    node: { metadata: { name: 'n1', labels: { zone: 'a', cores: '8' } }, status: { declaredFeatures: ['DRAOptionalNodeOperations'] } },
    classes: ['c1', 'c2'].map(name => deviceClass(world, name)),
    slices,
    claims: dice.times(1, dice.pick([1, 1, 1, 2, 3]), i => claim(world, i)),
    allocated: slices.flatMap(slice => allocated(world, slice)),
  };
}

interface World {
  readonly dice: Dice;
  readonly minor: Minor;
  readonly nasty: boolean;
  readonly drivers: readonly string[];
  readonly counters: boolean;
  readonly sharing: boolean;
  readonly taints: boolean;
  readonly binding: boolean;
  readonly lists: boolean;
}

/** A linear congruential generator; its first numbers are close together for close seeds, so some are thrown away. */
class Dice {
  public constructor(private state: number) {
    for (let i = 0; i < 10; i++) this.roll();
  }

  public roll(): number {
    this.state = (this.state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return this.state / 2 ** 32;
  }

  public chance(probability: number): boolean {
    return this.roll() < probability;
  }

  public between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  public pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.roll() * list.length)];
  }

  public some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }

  public times<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(least, most) }, (_, i) => make(i));
  }

  /** An object with a field, or without it. */
  public maybe(probability: number, make: () => Json): Json {
    return this.chance(probability) ? make() : {};
  }
}

const GATES = [
  'DRAAdminAccess', 'DRAPrioritizedList', 'DRAPartitionableDevices', 'DRADeviceTaints', 'DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus',
  'DRAConsumableCapacity',
];
const GATES_OF_137 = ['DRAListTypeAttributes', 'DRAFractionalCapacityRange', 'DRAOptionalNodeOperations', 'DRADeviceCompatibilityGroups'];

function gates({ dice, minor }: World): Readonly<Record<string, boolean>> {
  const all = dice.chance(0.7) ? GATES : GATES.slice(0, 4);
  const on = dice.some(minor === '1.37' && dice.chance(0.5) ? [...all, ...GATES_OF_137] : all, dice.chance(0.1) ? 0 : 0.92);
  return Object.fromEntries([...GATES, ...(minor === '1.37' ? GATES_OF_137 : [])].map(gate => [gate, on.includes(gate)]));
}

function pool(world: World, driver: string, index: number): SliceJson[] {
  const { dice, minor, nasty } = world;
  const name = dice.chance(0.2) ? 'n1' : `p${dice.pick([1, 2, 10, 3])}${index}`;
  const generation = dice.between(1, 2);
  const inline = minor === '1.34' ? dice.chance(0.9) : dice.chance(0.07);
  const sets = world.counters ? dice.times(1, 2, i => counterSet(dice, i)) : [];
  const places = dice.pick([['node'], ['node'], ['all'], ['selector'], ['device'], ['node', 'other', 'all', 'selector', 'device']]);
  const make = (content: Json, devices: readonly Json[]): SliceJson => {
    const place = dice.pick(places);
    return {
      metadata: { name: `${dice.pick(['a', 'b', 'c'])}-${driver}-${name}-${dice.between(0, 99_999)}` },
      spec: {
        driver,
        pool: { name, generation: dice.chance(nasty ? 0.9 : 0.98) ? generation : dice.between(0, 3), resourceSliceCount: 0 },
        ...(place === 'device' ? { perDeviceNodeSelection: true } : position(dice, place)),
        ...content,
        ...(devices.length === 0 ? {} : { devices: place === 'device' ? devices.map(one => ({ ...one, ...position(dice, 'any') })) : devices }),
        ...dice.maybe(minor === '1.37' ? 0.06 : 0, () => ({ skipNodeOperations: ['*'] })),
      },
    };
  };
  const slices = dice.times(1, 3, s => make(
    inline && sets.length > 0 && s < 2 ? { sharedCounters: sets } : {},
    dice.times(nasty ? 0 : 1, 5, i => device(world, driver, nasty && dice.chance(0.05) ? 'twin' : `d${s}${i}`, sets)),
  ));
  if (!inline && sets.length > 0) slices.push(make({ sharedCounters: sets }, []));
  for (const { spec } of slices) {
    const complete = slices.filter(other => other.spec.pool.generation === spec.pool.generation).length;
    spec.pool.resourceSliceCount = !nasty || dice.chance(0.95) ? complete : dice.between(1, 4);
  }
  return slices;
}

function position(dice: Dice, place: string): Json {
  switch (place === 'any' ? dice.pick(['node', 'other', 'all', 'selector']) : place) {
    case 'node': return { nodeName: 'n1' };
    case 'other': return { nodeName: 'n2' };
    case 'all': return { allNodes: true };
    default: return { nodeSelector: { nodeSelectorTerms: [dice.pick(TERMS)] } };
  }
}

const TERMS: readonly Json[] = [
  { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] },
  { matchExpressions: [{ key: 'zone', operator: 'In', values: ['b', 'a'] }], matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n2'] }] },
  { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
  { matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }] },
  { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['3'] }] },
  { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['c'] }, { key: 'x', operator: 'DoesNotExist' }] },
  { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] },
];

interface CounterSetJson {
  readonly name: string;
  readonly counters: Readonly<Record<string, { readonly value: string }>>;
}

function counterSet(dice: Dice, index: number): CounterSetJson {
  const engines: CounterSetJson['counters'] = dice.chance(0.4) ? { engines: { value: dice.pick(['2', '3', '1500m']) } } : {};
  return { name: `set-${index}`, counters: { memory: { value: dice.pick(['4', '8Gi', '10', '3']) }, ...engines } };
}

function device(world: World, driver: string, name: string, sets: readonly CounterSetJson[]): Json {
  const { dice, nasty, sharing } = world;
  const prefix = dice.chance(0.3) ? `${driver}/` : '';
  const shared = sharing && dice.chance(0.6);
  return {
    name,
    attributes: {
      ...dice.maybe(0.95, () => ({ [`${prefix}numa`]: { int: dice.between(0, 1) } })),
      model: { string: dice.pick(['a', 'b', 'c']) },
      ...dice.maybe(nasty ? 0.8 : 1, () => ({ healthy: { bool: dice.chance(0.7) } })),
      ...dice.maybe(0.5, () => ({ 'std.io/root': dice.pick([{ string: 'r0' }, { string: 'r1' }, { version: '1.0.0' }, { version: '1.0.0+x' }, { int: 1 }]) })),
      ...dice.maybe(world.lists ? 0.7 : 0, () => ({ links: dice.pick([{ strings: ['x', 'y'] }, { strings: ['y', 'z'] }, { string: 'x' }, { ints: [1, 2] }]) })),
    },
    ...dice.maybe(sharing ? 1 : 0.2, () => ({ capacity: capacity(world, driver, shared) })),
    ...(shared ? { allowMultipleAllocations: true } : {}),
    ...dice.maybe(sets.length > 0 ? 0.85 : 0, () => ({ consumesCounters: consumption(world, sets) })),
    ...dice.maybe(world.taints ? 0.5 : 0, () => ({ taints: dice.times(1, 2, () => taint(world)) })),
    ...dice.maybe(world.binding ? 0.4 : 0, () => ({ bindingConditions: dice.chance(0.9) ? ['Ready'] : [], bindingFailureConditions: ['Failed'] })),
    ...dice.maybe(0.06, () => ({ bindsToNode: true })),
  };
}

const POLICIES: readonly Json[] = [
  { default: '1Gi', validRange: { min: '1Gi' } }, { default: '1Gi', validRange: { min: '1Gi', step: '1Gi' } }, { default: '1Gi' },
  { default: '2Gi', validRange: { min: '1Gi', max: '4Gi', step: '512Mi' } }, { default: '1', validValues: ['1', '2', '4Gi', '8Gi'] },
  { default: '500m', validRange: { min: '250m', step: '250m' } }, { default: '1G', validRange: { min: '1G', step: '1G', max: '5G' } },
];
const BAD_POLICIES: readonly Json[] = [
  { validRange: { min: '1Gi', max: '3Gi' } }, { default: '7Gi', validRange: { min: '1Gi', max: '4Gi' } }, { validValues: [] }, { validRange: { max: '3Gi' } },
  { default: '3', validValues: ['1', '2'] },
];

function capacity({ dice, nasty }: World, driver: string, shared: boolean): Json {
  const policies = nasty ? [...POLICIES, ...BAD_POLICIES] : POLICIES;
  const policy = (): Json => (shared ? dice.maybe(0.6, () => ({ requestPolicy: dice.pick(policies) })) : {});
  return {
    ...dice.maybe(0.9, () => ({ memory: { value: dice.pick(['10Gi', '8Gi', '4Gi', '16', '1500m']), ...policy() } })),
    ...dice.maybe(0.3, () => ({ bandwidth: { value: dice.pick(['10', '100', '5']) } })),
    ...dice.maybe(0.2, () => ({ [`${driver}/queues`]: { value: '10' } })),
  };
}

function consumption({ dice, nasty, minor }: World, sets: readonly CounterSetJson[]): Json[] {
  return (dice.chance(0.8) ? [dice.pick(sets)] : sets).map(({ name, counters }) => ({
    counterSet: nasty && dice.chance(0.04) ? 'unknown' : name,
    counters: Object.fromEntries(dice.some(Object.keys(counters), 0.95).map(counter => [
      nasty && dice.chance(0.03) ? 'unknown' : counter,
      { value: dice.pick(['1', '2', '3', '1Gi', '2Gi', ...(nasty ? ['500m', '-1'] : [])]) },
    ])),
    ...dice.maybe(minor === '1.37' ? 0.15 : 0, () => ({ compatibilityGroups: dice.pick([['g1'], ['g2'], ['g1', 'g2']]) })),
  }));
}

function taint({ dice, nasty }: World): Json {
  const effects = ['NoSchedule', 'NoExecute', 'None', ...(nasty ? ['Unheard'] : [])];
  return { key: dice.pick(['k1', 'k2']), ...dice.maybe(0.6, () => ({ value: dice.pick(['v1', 'v2']) })), effect: dice.pick(effects) };
}

function expression({ dice, drivers }: World): string {
  const attribute = `device.attributes["${dice.pick(drivers)}"]`;
  return dice.pick([
    'true', 'true', 'true', `device.driver == "${dice.pick(drivers)}"`, `device.attributes["${drivers[0]}"].model != "${dice.pick(['a', 'b', 'c'])}"`,
    `"numa" in ${attribute} && ${attribute}.numa == ${dice.between(0, 1)}`, `${attribute}.healthy`, `${attribute}.?healthy.orValue(false)`, 'false',
  ]);
}

function deviceClass(world: World, name: string): Json {
  const { dice, drivers } = world;
  const config = (i: number): Json => ({ opaque: { driver: drivers[0], parameters: { class: i } } });
  return {
    metadata: { name },
    spec: {
      ...dice.maybe(0.5, () => ({ selectors: [{ cel: { expression: dice.chance(0.7) ? `device.driver == "${drivers[0]}"` : expression(world) } }] })),
      ...dice.maybe(0.3, () => ({ config: dice.times(1, 2, config) })),
    },
  };
}

const TOLERATIONS: readonly Json[] = [
  { operator: 'Exists' }, { key: 'k1', operator: 'Exists' }, { key: 'k1', operator: 'Equal', value: 'v1' },
  { key: 'k2', operator: 'Equal', value: 'v2', effect: 'NoSchedule' }, { key: 'k2', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 },
];

function request(world: World, top: boolean): Json {
  const { dice, nasty } = world;
  const count = nasty && dice.chance(0.05) ? dice.between(30, 40) : dice.pick([1, 1, 1, 2, 2, 3]);
  return {
    deviceClassName: nasty && dice.chance(0.03) ? dice.pick(['missing', '']) : dice.pick(['c1', 'c1', 'c2']),
    ...(dice.chance(0.08) ? { allocationMode: 'All' } : dice.maybe(0.7, () => ({ allocationMode: 'ExactCount', count }))),
    ...dice.maybe(0.4, () => ({ selectors: dice.times(1, 2, () => ({ cel: { expression: expression(world) } })) })),
    ...dice.maybe(top ? 0.06 : 0, () => ({ adminAccess: dice.chance(0.8) })),
    ...dice.maybe(world.taints ? 0.5 : 0, () => ({ tolerations: dice.times(1, 2, () => dice.pick(TOLERATIONS)) })),
    ...dice.maybe(world.sharing ? 0.6 : 0.05, () => ({ capacity: { requests: amounts(dice) } })),
  };
}

function amounts(dice: Dice): Json {
  return {
    ...dice.maybe(0.85, () => ({ memory: dice.pick(['1Gi', '1500Mi', '2Gi', '3', '300m', '5Gi', '1', '2G', '1100M']) })),
    ...dice.maybe(0.2, () => ({ bandwidth: dice.pick(['1', '4', '50']) })),
  };
}

function claim(world: World, index: number): Json {
  const { dice, drivers, nasty } = world;
  const requests = dice.times(1, dice.pick([1, 2, 2, 3]), i => (dice.chance(0.2)
    ? { name: `r${i}`, firstAvailable: dice.times(1, 3, j => ({ name: `s${j}`, ...request(world, false) })) }
    : { name: `r${i}`, exactly: request(world, true) }));
  const names = requests.flatMap(one => [one.name, ...(one.firstAvailable ?? []).map(({ name }) => `${one.name}/${name}`)]);
  const attributes = [`${drivers[0]}/numa`, `${drivers[0]}/model`, 'std.io/root', ...(world.lists ? [`${drivers[0]}/links`] : []), ...(nasty ? ['bare'] : [])];
  const some = (): Json => dice.maybe(0.5, () => ({ requests: dice.some(names, 0.5) }));
  const constraint = (): Json => (dice.chance(0.6) ? { matchAttribute: dice.pick(attributes) } : { distinctAttribute: dice.pick(attributes) });
  const devices = {
    requests,
    ...dice.maybe(0.4, () => ({ constraints: dice.times(1, 2, () => ({ ...some(), ...constraint() })) })),
    ...dice.maybe(0.3, () => ({ config: dice.times(1, 2, i => ({ ...some(), opaque: { driver: drivers[0], parameters: { claim: i } } })) })),
  };
  return { metadata: { name: `claim-${index}`, ...dice.maybe(0.9, () => ({ namespace: 'team' })) }, spec: { devices } };
}

function allocated({ dice }: World, { spec }: SliceJson): Json[] {
  return dice.some(spec.devices ?? [], 0.15).flatMap(({ name, allowMultipleAllocations, capacity: capacities }) => {
    const id = { driver: spec.driver, pool: spec.pool.name, device: name };
    if (allowMultipleAllocations !== true || dice.chance(0.1)) return [{ ...id, ...dice.maybe(0.1, () => ({ adminAccess: true })) }];
    return dice.times(1, 2, i => ({
      ...id,
      shareID: `00000000-0000-4000-9000-00000000000${i}`,
      ...dice.maybe(0.9, () => ({ consumedCapacity: Object.fromEntries(Object.keys(capacities as Json).map(key => [key, dice.pick(['1Gi', '1', '500m'])])) })),
    }));
  });
}
