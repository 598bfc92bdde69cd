import { LiteralMap } from '../evaluate/map';
import type { Value } from '../evaluate/value';

/** The value of parsed JSON. Whole numbers are ints, as where the API server reads an object. */
export function valueOfJson(json: unknown): Value {
  switch (typeof json) {
    case 'string': case 'boolean': case 'bigint': return json;
    case 'number': return Number.isInteger(json) ? BigInt(json) : json;
    case 'object': break;
    default: return null;
  }
  if (json === null) return null;
  if (Array.isArray(json)) return json.map(valueOfJson);
  const map = new LiteralMap();
  for (const [name, value] of Object.entries(json)) {
    if (value !== undefined) map.set(name, valueOfJson(value));
  }
  return map;
}
