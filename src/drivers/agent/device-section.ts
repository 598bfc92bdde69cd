import { DeviceAttributeValue } from '../../dra/slice-device';

/** The `devices` section of the agent's configuration: the properties as they are, without what is not given. */
export function deviceSection(backend: string, props: object): { readonly [field: string]: unknown } {
  return { backend, ...(given(props, NAMES) as object) };
}

/** Under jsii a property that is left out may arrive as undefined, and each language passes them in an order of its own. */
function given(value: unknown, names: { readonly [prop: string]: string }, isNamedByUser = false): unknown {
  if (value instanceof DeviceAttributeValue) return value._toJson();
  if (Array.isArray(value)) return value.map(item => given(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .map(([key, content]) => [
      !isNamedByUser && Object.hasOwn(names, key) ? names[key] : key,
      given(content, key === 'fleet' ? {} : names, !isNamedByUser && MAPS.includes(key)),
    ] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Fields whose names are reserved words in one of the library's languages. A simulated fleet is written as the agent reads it. */
const NAMES: { readonly [prop: string]: string } = { defaultAmount: 'default', fixedPartitions: 'fixed', interfaceName: 'interface' };

/** Fields that hold names of the user's own. */
const MAPS: readonly string[] = ['attributes', 'capacity', 'counters', 'programming'];
