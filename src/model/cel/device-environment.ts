import { makeEnvironment } from './environment';
import type { Environment, SizedType } from './environment';
import { baseParts } from './kubernetes-environment';
import { DEVICE_INCLUDES, INCLUDES } from './library/includes';
import { BIND_MACRO } from './syntax/binding-macros';
import { ANY, BOOL, DYN, mapType, QUANTITY, STRING, structType } from './types/type';
import type { Kind } from './types/type';
import { gateAt } from '../target/gate-state';
import type { GateName } from '../target/gates';
import { compareMinors } from '../target/versions';
import type { Minor } from '../target/versions';

/** `stored`: as the scheduler compiles; `new`: as the API server compiles the expressions of a new object. */
export type EnvType = 'stored' | 'new';

/** Feature gates by name; those not named have the default of the release. */
export type Gates = Readonly<Record<string, boolean>>;

/** What decides how device selectors are compiled and evaluated. */
export interface DeviceDialect {
  readonly environment: Environment;
  /** Devices may have attributes that are lists. */
  readonly listAttributes: boolean;
  /** Types besides bool that a selector may have, because an attribute has them. */
  readonly resultTypes: ReadonlySet<Kind>;
}

/** The environment of device selectors in a release (`k8s.io/dynamic-resource-allocation/cel/compile.go`). */
export function deviceDialect(minor: Minor, envType: EnvType, gates: Gates): DeviceDialect {
  const consumable = isOn('DRAConsumableCapacity', minor, gates);
  const lists = compareMinors(minor, '1.36') >= 0 && isOn('DRAListTypeAttributes', minor, gates);
  const key = `${minor} ${envType} ${consumable} ${lists}`;
  let dialect = dialects.get(key);
  if (dialect === undefined) {
    dialect = makeDialect(minor, envType, consumable, lists);
    dialects.set(key, dialect);
  }
  return dialect;
}

const dialects = new Map<string, DeviceDialect>();

function isOn(gate: GateName, minor: Minor, gates: Gates): boolean {
  return gates[gate] ?? gateAt(gate, minor)?.default ?? false;
}

function makeDialect(minor: Minor, envType: EnvType, consumable: boolean, lists: boolean): DeviceDialect {
  const since137 = compareMinors(minor, '1.37') >= 0;
  // Stored expressions keep working when a gate is turned off, so they see everything the release has. What has a gate is
  // open to new expressions as soon as the gate is on, in its first release too.
  const multiple = envType === 'stored' || consumable;
  const dynamic = since137 ? envType === 'stored' || lists : lists;
  const includes = compareMinors(minor, '1.36') >= 0 && (envType === 'stored' || lists);
  const attribute: SizedType = { type: dynamic ? DYN : ANY, maxSize: MAX_VALUE };
  const device = deviceType(attribute, multiple);
  const estimated = since137 ? device : deviceType(attribute, true);
  const parts = [
    ...baseParts(minor, envType),
    { macros: [BIND_MACRO] },
    ...(includes ? [{ libraries: [since137 ? INCLUDES : DEVICE_INCLUDES] }] : []),
  ];
  const environment = makeEnvironment(
    since137 ? '0.29' : '0.26',
    since137 && envType === 'stored' ? parts.slice(0, -1) : parts,
    { variables: new Map([['device', device]]), sizes: (path) => sizeAt(estimated, attribute, path) },
  );
  return { environment, listAttributes: since137 || lists, resultTypes: new Set<Kind>(since137 ? [attribute.type.kind] : dynamic ? ['any', 'dyn'] : ['any']) };
}

/** Limits of `resource.k8s.io/v1`: names, entries per device, characters of a value. */
const MAX_DOMAIN = 63;
const MAX_ID = 32;
const MAX_ENTRIES = 32;
const MAX_VALUE = 64;

function map(keySize: number, element: SizedType): SizedType {
  return { type: mapType(STRING, element.type), maxSize: MAX_ENTRIES, key: { type: STRING, maxSize: keySize }, element };
}

function deviceType(attribute: SizedType, multiple: boolean): SizedType {
  const fields = new Map<string, SizedType>([
    ['driver', { type: STRING, maxSize: MAX_DOMAIN }],
    ['attributes', map(MAX_DOMAIN, map(MAX_ID, attribute))],
    ['capacity', map(MAX_DOMAIN, map(MAX_ID, { type: QUANTITY, maxSize: 0 }))],
  ]);
  if (multiple) fields.set('allowMultipleAllocations', { type: BOOL, maxSize: 1 });
  return { type: structType('kubernetes.DRADevice'), maxSize: 0, fields };
}

function sizeAt(device: SizedType, attribute: SizedType, path: readonly string[]): number | undefined {
  if (path[0] !== 'device') return undefined;
  let current: SizedType | undefined = device;
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') current = current.element;
    else if (name === '@keys') current = current.key;
    else current = current.fields?.get(name) ?? (current.element === attribute ? attribute : undefined);
    if (current === undefined) return undefined;
  }
  return current.maxSize;
}
