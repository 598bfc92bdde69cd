import type { Random } from './random';

export type Json = Record<string, unknown>;

export const DRIVER = 'gpu.example.com';
export const OTHER = 'other.example.com';

/** What a device of this list may have; expressions ask for these names and for some that no device has. */
const ATTRIBUTES: Readonly<Record<string, readonly Json[]>> = {
  'model': [{ string: 'A100' }, { string: 'H100' }, { string: '' }, { string: 'größer-日本' }, { string: 'x'.repeat(64) }],
  'index': [{ int: 0 }, { int: 3 }, { int: -7 }, { int: 9007199254740993n }, { int: 9223372036854775807n }, { int: -9223372036854775808n }],
  'healthy': [{ bool: true }, { bool: false }],
  'driverVersion': [{ version: '1.2.3' }, { version: '535.104.5' }, { version: '1.0.0-rc.1+build.5' }, { version: '0.0.0' }],
  'uuid': [{ string: 'GPU-18db0e85-99e9-c746-8531-ffeb86328b39' }],
  'address': [{ string: '10.0.0.1' }, { string: '2001:db8::1' }, { string: 'https://host.example.com:8443/p/a?x=1&x=2' }],
  'resource.kubernetes.io/pcieRoot': [{ string: 'pci0000:00' }, { string: 'pci0000:c8' }],
  [`${OTHER}/speed`]: [{ int: 100 }, { int: 400 }],
  [`${OTHER}/rdma`]: [{ bool: true }],
};

const CAPACITIES: Readonly<Record<string, readonly string[]>> = {
  memory: ['80Gi', '40Gi', '0', '1.5Gi', '85899345920'],
  cores: ['108', '100m', '-3', '1e3', '9223372036854775807'],
  [`${OTHER}/bandwidth`]: ['100G', '400G', '1536Mi'],
};

const LISTS: Readonly<Record<string, readonly Json[]>> = {
  ports: [{ ints: [1, 2, 3] }, { ints: [-1] }],
  modes: [{ strings: ['shared', 'exclusive'] }, { strings: ['x'] }],
  flags: [{ bools: [true, false] }],
  firmwares: [{ versions: ['1.0.0', '2.0.0'] }],
};

/** One of these is enough to fail every expression; two would make the message random upstream. */
const BROKEN: readonly (Json | null)[] = [
  null, {}, { string: null }, { version: '' }, { version: '1.2' }, { version: 'v1.2.3' }, { version: '01.2.3' }, { version: '1.2.3-01' },
  { version: '1.2.3+' },
];

/** A device as `eval` takes it. */
export function selectorDevice(random: Random, hasLists: boolean): Json {
  const attributes: Json = {};
  for (const [name, values] of Object.entries(ATTRIBUTES)) if (!random.once(4)) attributes[name] = random.pick(values);
  if (hasLists) for (const [name, values] of Object.entries(LISTS)) if (!random.once(4)) attributes[name] = random.pick(values);
  if (random.once(40)) attributes.broken = random.pick(BROKEN);
  const capacity: Json = {};
  for (const [name, values] of Object.entries(CAPACITIES)) {
    if (!random.once(5)) capacity[name] = random.once(25) ? random.pick([null, {}, { value: null }]) : { value: random.pick(values) };
  }
  return {
    driver: random.once(15) ? OTHER : DRIVER,
    ...(random.once(12) ? {} : { attributes: random.once(30) ? null : attributes }),
    ...(random.once(12) ? {} : { capacity: random.once(30) ? null : capacity }),
    ...(random.once(3) ? { allowMultipleAllocations: random.once(20) ? null : random.once(2) } : {}),
  };
}
