import { Quantity } from '../quantity';
import { CelMap, LiteralMap } from './evaluate/map';
import { CelError, CelQuantity } from './evaluate/value';
import type { Value } from './evaluate/value';
import { semver } from './library/semver';

/** One attribute as in `resource.k8s.io/v1` DeviceAttribute; ints that JSON cannot hold exactly may be bigint. */
export interface DeviceAttributeInput {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | bigint)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

/** A device as a selector sees it. */
export interface DeviceInput {
  /** Name of the driver, which is the domain of names without one. */
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, DeviceAttributeInput>>;
  /** Capacity by name, as in `resource.k8s.io/v1` DeviceCapacity, or a quantity already parsed. */
  readonly capacity?: Readonly<Record<string, { readonly value: string | number | Quantity }>>;
  readonly allowMultipleAllocations?: boolean;
}

/**
 * The value of the variable `device`, or why the device has none: one attribute that cannot be converted spoils all
 * expressions. Reads the input when an expression asks for it, so the input must not change meanwhile.
 */
export function deviceValue(device: DeviceInput, listAttributes: boolean): Value {
  const { driver, attributes = {}, capacity = {}, allowMultipleAllocations } = device;
  for (const name in attributes) {
    const problem = attributeProblem(attributes[name], listAttributes);
    if (problem !== undefined) return new CelError(`attribute ${name}: ${problem.message}`);
  }
  for (const name in capacity) {
    const value = quantityValue(capacity[name].value);
    if (value instanceof CelError) return new CelError(`capacity ${name}: ${value.message}`);
  }
  return new DeviceMap(
    driver,
    allowMultipleAllocations ?? false,
    new DomainsMap(driver, attributes, (name) => attributeValue(attributes[name], listAttributes)),
    new DomainsMap(driver, capacity, (name) => quantityValue(capacity[name].value)),
  );
}

const FIELDS = ['driver', 'allowMultipleAllocations', 'attributes', 'capacity'] as const;

class DeviceMap extends CelMap {
  public readonly size = FIELDS.length;

  public constructor(
    private readonly driver: string,
    private readonly allowMultipleAllocations: boolean,
    private readonly attributes: CelMap,
    private readonly capacity: CelMap,
  ) {
    super();
  }

  public find(key: Value): Value | undefined {
    switch (key) {
      case 'attributes': return this.attributes;
      case 'capacity': return this.capacity;
      case 'driver': return this.driver;
      case 'allowMultipleAllocations': return this.allowMultipleAllocations;
      default: return undefined;
    }
  }

  public keys(): readonly Value[] {
    return FIELDS;
  }
}

type Names = Readonly<Record<string, unknown>>;
type Read = (name: string) => Value;

/** Maps by domain; every index answers, with an empty map if no name has the domain. */
class DomainsMap extends CelMap {
  private domains: readonly string[] | undefined;
  private last: DomainMap | undefined;

  public constructor(private readonly driver: string, private readonly names: Names, private readonly read: Read) {
    super();
  }

  public get size(): number {
    return this.keys().length;
  }

  public find(key: Value): Value {
    if (typeof key !== 'string') return EMPTY;
    if (this.last?.domain !== key) this.last = new DomainMap(key, this.driver, this.names, this.read);
    return this.last;
  }

  public override findOwn(key: Value): Value | undefined {
    return typeof key === 'string' && this.keys().includes(key) ? this.find(key) : undefined;
  }

  public keys(): readonly string[] {
    this.domains ??= [...new Set(Object.keys(this.names).map((name) => splitName(name, this.driver)[0]))];
    return this.domains;
  }
}

const EMPTY: CelMap = new LiteralMap();

/** The values whose names have one domain. */
class DomainMap extends CelMap {
  private ids: readonly string[] | undefined;

  public constructor(public readonly domain: string, private readonly driver: string, private readonly names: Names, private readonly read: Read) {
    super();
  }

  public get size(): number {
    return this.keys().length;
  }

  public find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const { domain, names } = this;
    if (domain === this.driver && Object.hasOwn(names, key) && !key.includes('/')) return this.read(key);
    const qualified = `${domain}/${key}`;
    return Object.hasOwn(names, qualified) && !domain.includes('/') ? this.read(qualified) : undefined;
  }

  public keys(): readonly string[] {
    const split = Object.keys(this.names).map((name) => splitName(name, this.driver));
    this.ids ??= [...new Set(split.flatMap(([domain, id]) => (domain === this.domain ? [id] : [])))];
    return this.ids;
  }
}

function splitName(name: string, driver: string): [domain: string, id: string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
}

/** What would keep an attribute from being read. */
function attributeProblem(attribute: DeviceAttributeInput, listAttributes: boolean): CelError | undefined {
  if (attribute === null || typeof attribute !== 'object') return UNSUPPORTED;
  const { int, bool, string } = attribute;
  if (typeof string === 'string' || typeof bool === 'boolean' || Number.isSafeInteger(int)) return listAttributes ? listProblem(attribute) : undefined;
  const value = attributeValue(attribute, listAttributes);
  return value instanceof CelError ? value : undefined;
}

function attributeValue(attribute: DeviceAttributeInput, listAttributes: boolean): Value {
  const { int, bool, string, version } = attribute;
  if (listAttributes) {
    const list = listValue(attribute);
    if (list !== undefined) return list;
  }
  if (int !== undefined && int !== null) return integer(int);
  if (bool !== undefined && bool !== null) return bool;
  if (string !== undefined && string !== null) return string;
  if (version !== undefined && version !== null) return versionValue(version);
  return UNSUPPORTED;
}

const UNSUPPORTED = new CelError('unsupported attribute value');

function listValue({ ints, bools, strings, versions }: DeviceAttributeInput): Value | undefined {
  if (ints) return integers(ints);
  if (bools ?? strings) return bools ?? strings;
  if (!versions) return undefined;
  const values: Value[] = [];
  for (const text of versions) {
    const value = versionValue(text);
    if (value instanceof CelError) return value;
    values.push(value);
  }
  return values;
}

/** An attribute with a scalar may have a list too, which comes first. */
function listProblem(attribute: DeviceAttributeInput): CelError | undefined {
  const list = listValue(attribute);
  return list instanceof CelError ? list : undefined;
}

function integer(value: number | bigint): Value {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : UNSUPPORTED;
}

function integers(values: readonly (number | bigint)[]): Value {
  const converted = values.map(integer);
  return converted.find((value) => value instanceof CelError) ?? converted;
}

function versionValue(text: string): Value {
  const value = semver(text);
  return value instanceof CelError ? new CelError(`parse semantic version: ${value.message}`) : value;
}

function quantityValue(value: string | number | Quantity): CelQuantity | CelError {
  if (value instanceof Quantity) return new CelQuantity(value);
  const known = typeof value === 'string' ? quantities.get(value) : undefined;
  if (known !== undefined) return known;
  const parsed = Quantity.fromJson(value);
  if (!(parsed instanceof Quantity)) return new CelError(parsed.rule);
  const converted = new CelQuantity(parsed);
  if (typeof value === 'string') {
    if (quantities.size >= MAX_CACHED) quantities.clear();
    quantities.set(value, converted);
  }
  return converted;
}

/** The last capacities: devices of one model repeat them. */
const quantities = new Map<string, CelQuantity>();
const MAX_CACHED = 500;
