/**
 * A value as an API server keeps it in a custom resource: a field that is null, such as one left empty in YAML, is no field.
 *
 * `PruneNonNullableNullsWithoutDefaults` of apiextensions-apiserver; none of our fields is nullable or has a default. A value without such
 * a field is given back as it is.
 */
export function withoutNulls<T>(value: T): T {
  return hasNull(value) ? pruned(value) as T : value;
}

function hasNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNull);
  return typeof value === 'object' && value !== null && Object.values(value).some(field => field === null || hasNull(field));
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null).map(([name, field]) => [name, pruned(field)]));
}
