import type { ClaimSpec, DeviceNeed } from './claim-spec';
import type { FieldPath } from '../manifests/manifest';
import { asObject } from '../manifests/manifest-set';
import type { JsonObject } from '../manifests/manifest-set';
import { Quantity } from '../quantity';

/** A value as `Semantic.DeepEqual` sees it: what is null or empty is absent. */
export function storedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(storedValue);
  const fields = asObject(value);
  if (fields === undefined || value instanceof Quantity) return value ?? undefined;
  const kept = Object.entries(fields).map(([field, item]): [string, unknown] => [field, storedValue(item)]).filter(([, item]) => item !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The spec of a claim in the form of v1, with the defaults of the API server. */
export function storedClaimSpec({ place, requests }: ClaimSpec): unknown {
  const devices = place.at('devices');
  return storedValue({
    devices: {
      requests: requests.map(({ name, needs, prioritized }) => ({
        name, ...(prioritized ? { firstAvailable: needs.map(storedNeed) } : { exactly: needs.map(storedNeed)[0] }),
      })),
      constraints: devices.at('constraints').value,
      config: devices.at('config').value,
    },
  });
}

function storedNeed({ place, isSubRequest }: DeviceNeed): JsonObject {
  // In v1beta1 the name of the request stands beside.
  const { name, firstAvailable: _, ...fields } = place.fields ?? {};
  const mode = fields.allocationMode || 'ExactCount';
  return {
    ...fields,
    ...(isSubRequest ? { name } : {}),
    allocationMode: mode,
    // 0 is an absent number to Go.
    count: fields.count || (mode === 'ExactCount' ? 1 : undefined),
    tolerations: place.at('tolerations').items().map(({ fields: toleration }) => ({ ...toleration, operator: toleration?.operator || 'Equal' })),
    capacity: { requests: Object.fromEntries(place.at('capacity', 'requests').entries().map(([key, amount]) => [key, storedAmount(amount.value)])) },
  };
}

/** To be compared as an amount, however it is written. */
function storedAmount(value: unknown): unknown {
  const amount = Quantity.fromJson(value);
  return amount instanceof Quantity ? amount : value;
}

/** Where two values first differ; undefined where they do not. */
export function firstDifference(before: unknown, after: unknown): FieldPath | undefined {
  if (before instanceof Quantity && after instanceof Quantity) return before.equals(after) ? undefined : [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === undefined || now === undefined) return Object.is(before, after) ? undefined : [];
  for (const [key, value] of now) {
    const inner = old.has(key) ? firstDifference(old.get(key), value) : [];
    if (inner !== undefined) return [key, ...inner];
  }
  return [...old.keys()].every((key) => now.has(key)) ? undefined : [];
}

/** The items of a list or the fields of an object; undefined for other values. */
function entriesOf(value: unknown): ReadonlyMap<string | number, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item: unknown, index): [number, unknown] => [index, item]));
  const fields = asObject(value);
  return fields === undefined ? undefined : new Map(Object.entries(fields));
}
