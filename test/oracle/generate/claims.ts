import { DRIVERS } from './device-inventory';
import type { Random } from './random';
import type { Json } from './selector-device';

/** What the claims of a case may ask for. */
export interface ClaimOptions {
  readonly all?: boolean;
  readonly firstAvailable?: boolean;
  readonly selectors?: boolean;
  readonly match?: boolean;
  readonly distinct?: boolean;
  readonly tolerations?: boolean;
  readonly capacity?: boolean;
  readonly admin?: boolean;
  readonly config?: boolean;
  /** Objects that an API server of another version could let through. */
  readonly skew?: boolean;
  readonly derived?: boolean;
  readonly lists?: boolean;
  readonly maxCount?: number;
  readonly maxRequests?: number;
}

/** Classes without a driver check are frequent in practice, and dangerous. */
export function classes(random: Random, options: ClaimOptions): Json[] {
  const opaque = (value: number): Json => ({ opaque: { driver: random.pick(DRIVERS), parameters: { apiVersion: 'v1', kind: 'Config', value } } });
  return ['any', 'gpu', 'nic', 'a100'].map((name) => ({
    metadata: { name },
    spec: {
      ...(CLASS_SELECTORS[name] === undefined ? {} : { selectors: [{ cel: { expression: CLASS_SELECTORS[name] } }] }),
      ...(options.config === true && random.once(2) ? { config: random.list(random.pick([1, 1, 2]), opaque) } : {}),
    },
  }));
}

const CLASS_SELECTORS: Readonly<Record<string, string>> = {
  gpu: 'device.driver == "gpu.example.com"',
  nic: 'device.driver.startsWith("nic")',
  a100: 'device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].?model.orValue("") == "A100"',
};

export function claim(random: Random, index: number, options: ClaimOptions): Json {
  const requests = random.list(random.between(1, options.maxRequests ?? 2), (number) => request(random, `req-${number}`, options));
  const names = requests.flatMap((entry) => [String(entry.name), ...(entry.firstAvailable as Json[] | undefined ?? []).map((sub) => `${String(entry.name)}/${String(sub.name)}`)]);
  const constraints = [...(options.match === true ? random.list(random.pick([0, 1, 1, 2]), () => constraint(random, 'matchAttribute', names, options)) : []),
    ...(options.distinct === true ? [constraint(random, 'distinctAttribute', names, options)] : [])];
  if (options.skew === true && random.once(4)) constraints.push({});
  const config = options.config === true ? random.list(random.between(0, 3), (value) => ({
    ...(random.once(2) ? {} : { requests: random.some(names, random.pick([1, 2])) }), opaque: { driver: random.pick(DRIVERS), parameters: { kind: 'Claim', value } },
  })) : [];
  return {
    metadata: { name: `claim-${index}`, namespace: 'team', uid: `uid-${index}` },
    spec: { devices: { requests, ...(constraints.length > 0 ? { constraints } : {}), ...(config.length > 0 ? { config } : {}) } },
  };
}

function request(random: Random, name: string, options: ClaimOptions): Json {
  if (options.firstAvailable === true && !random.once(4)) {
    return { name, firstAvailable: random.list(random.between(1, 3), (index) => ({ name: `sub-${index}`, ...exactly(random, { ...options, admin: false }) })) };
  }
  return { name, exactly: exactly(random, options) };
}

function exactly(random: Random, options: ClaimOptions): Json {
  const all = options.all === true && random.once(2);
  const count = random.between(1, options.maxCount ?? 3);
  const derived = options.derived === true && !random.once(3);
  return {
    deviceClassName: options.skew === true && random.once(6) ? random.pick(['', 'nosuch']) : random.pick(['any', 'any', 'any', 'any', 'gpu', 'gpu', 'nic', 'a100']),
    ...(all ? { allocationMode: 'All' } : random.once(3) ? {} : { allocationMode: options.skew === true && random.once(6) ? 'Some' : 'ExactCount', count }),
    ...(options.selectors === true && !random.once(4)
      ? { selectors: random.list(random.pick([1, 1, 2]), () => ({ cel: { expression: selector(random, options) } })) }
      : {}),
    ...(options.tolerations === true && random.once(2) ? { tolerations: random.list(random.pick([1, 2]), () => toleration(random)) } : {}),
    ...(options.capacity === true && !random.once(4) ? { capacity: { requests: capacityRequests(random) } } : {}),
    ...(options.admin === true && random.once(2) ? { adminAccess: !random.once(5) } : {}),
    ...(derived ? { derivedAttributes: [{ name: 'dra.example.com/derived', expression: random.pick(DERIVED) }] } : {}),
  };
}

const DERIVED = [
  'device.attributes["gpu.example.com"].?numa.orValue(0)', 'device.attributes[device.driver].?model.orValue("none")', 'device.driver', 'device.attributes["gpu.example.com"].numa', '"const"', '1 + 1',
  'device.attributes["resource.kubernetes.io"].?pcieRoot.orValue("x") + "!"', 'device.attributes["gpu.example.com"].nosuch', '["a", device.driver]', 'device.attributes[device.driver].?version.orValue(semver("1.0.0"))', 'true', '1.5', '[]',
];

const GPU = 'device.attributes["gpu.example.com"]';

/** Fail on devices that the search may reach, or never compile. */
const CARELESS = [
  `${GPU}.model == "A100"`, `${GPU}.model == "A100"`, `device.driver == "gpu.example.com" && ${GPU}.model == "H100"`, 'device.attributes[device.driver].numa == 0', `${GPU}.healthy`,
  'device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("40Gi"))', 'device.nosuch == 1', '1 +', 'false', `${GPU}.model > 1`,
];

function selector(random: Random, options: ClaimOptions): string {
  if (options.skew === true && random.once(8)) return '';
  return random.pick(random.once(5) ? CARELESS : [
    'true', 'true', 'device.driver == "gpu.example.com"', 'device.attributes[device.driver].?model.orValue("") == "A100"', `device.driver == "gpu.example.com" && "model" in ${GPU} && ${GPU}.model == "H100"`,
    'device.attributes[device.driver].?numa.orValue(9) < 1', 'device.capacity[device.driver].?memory.orValue(quantity("0")).compareTo(quantity("40Gi")) >= 0', 'has(device.attributes["resource.kubernetes.io"].pcieRoot)',
    'device.attributes[device.driver].?version.orValue(semver("0.0.0")).isGreaterThan(semver("1.0.0"))', '!device.allowMultipleAllocations', `"nic.example.com" in device.attributes || ${GPU}.?numa.orValue(1) == 0`,
  ]);
}

function constraint(random: Random, kind: string, names: readonly string[], options: ClaimOptions): Json {
  const attribute = kind === 'distinctAttribute' && !random.once(4) ? 'dra.example.com/group' : random.pick([
    'resource.kubernetes.io/pcieRoot', 'resource.kubernetes.io/pcieRoot', 'resource.kubernetes.io/pcieRoot', 'dra.example.com/group', 'dra.example.com/group', 'gpu.example.com/numa', 'gpu.example.com/model', 'gpu.example.com/version', 'gpu.example.com/nosuch', 'nic.example.com/numa',
    ...(options.lists === true ? Array<string>(8).fill('dra.example.com/links') : []), ...(options.derived === true ? Array<string>(10).fill('dra.example.com/derived') : []),
  ]);
  return { ...(random.once(2) ? {} : { requests: random.once(15) ? ['nosuch'] : random.some(names, random.between(1, 3)) }), [kind]: attribute };
}

function toleration(random: Random): Json {
  const exists = random.once(2);
  return {
    ...(exists && random.once(3) ? {} : { key: random.pick(['dra.example.com/sick', 'dra.example.com/sick', 'dra.example.com/old']) }),
    operator: exists ? 'Exists' : 'Equal',
    ...(exists ? {} : { value: random.pick(['yes', 'no']) }),
    ...(random.once(2) ? {} : { effect: random.pick(['NoSchedule', 'NoExecute']) }),
    ...(random.once(6) ? { tolerationSeconds: 30 } : {}),
  };
}

function capacityRequests(random: Random): Json {
  return {
    ...(random.once(5) ? {} : { memory: random.pick(['1Gi', '4Gi', '5Gi', '10Gi', '1500M', '2700M', '100m', '64Gi', '0']) }),
    ...(random.once(4) ? { 'dra.example.com/slots': random.pick(['1', '2', '300m', '9']) } : {}),
    ...(random.once(10) ? { [random.pick(['gpu.example.com/memory', 'nosuch'])]: '1' } : {}),
  };
}
