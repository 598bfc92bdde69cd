import { DeviceAttributeValue } from '../../dra/slice-device';

/** The `devices` section of the agent's configuration: the properties as they are, without what is not given. */
export function deviceSection(backend: string, props: object): { readonly [field: string]: unknown } {
  return { backend, ...(given(props) as object) };
}

/** Under jsii a property that is left out may arrive as undefined, and each language passes them in an order of its own. */
function given(value: unknown): unknown {
  if (value instanceof DeviceAttributeValue) return value._toJson();
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .map(([key, content]) => [NAMES[key] ?? key, given(content)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Fields whose names are reserved words in one of the library's languages. */
const NAMES: { readonly [prop: string]: string } = { defaultAmount: 'default', fixedPartitions: 'fixed', interfaceName: 'interface' };
