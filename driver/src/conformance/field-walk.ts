import { compareMinors, DEFINITIONS } from 'cdk8s-dra/model';
import type { Field, Minor } from 'cdk8s-dra/model';

import { canonical } from './trial.js';

/** What became of one field that was sent. */
export interface FieldFate {
  /** Short name of the type, `ExactDeviceRequest`. */
  readonly definition: string;
  readonly field: string;
  /** `spec.devices.requests[0].exactly.count`. */
  readonly path: string;
  readonly fate: 'stored' | 'dropped' | 'changed';
}

/** Every field in an object that was sent, against what came back; below a field that is gone nothing is said. */
export function fieldFates(sent: unknown, got: unknown, definition: string): readonly FieldFate[] {
  const fates: FieldFate[] = [];
  walk(sent, got, definition, '', fates);
  return fates;
}

export function isFieldIn({ since, until }: Pick<Field, 'since' | 'until'>, minor: Minor): boolean {
  return (since === undefined || compareMinors(since, minor) <= 0) && (until === undefined || compareMinors(minor, until) <= 0);
}

function walk(sent: unknown, got: unknown, definition: string, path: string, fates: FieldFate[]): void {
  const fields = DEFINITIONS[definition];
  if (fields === undefined || !isRecord(sent)) return;
  const shortName = definition.slice(definition.lastIndexOf('.') + 1);
  for (const [key, value] of Object.entries(sent)) {
    const field = fields[key];
    if (value === undefined || field === undefined || SKIPPED.has(key)) continue;
    const place = path === '' ? key : `${path}.${key}`;
    const answer = isRecord(got) ? got[key] : undefined;
    if (isEmpty(answer) && !isEmpty(value)) {
      fates.push({ definition: shortName, field: key, path: place, fate: 'dropped' });
      continue;
    }
    const inner = DEFINITIONS[field.type] !== undefined;
    const isSame = inner || field.type === 'quantity' || canonical(value) === canonical(answer);
    fates.push({ definition: shortName, field: key, path: place, fate: isSame ? 'stored' : 'changed' });
    if (!inner) continue;
    if (field.map === true) {
      for (const [name, entry] of Object.entries(value as object)) walk(entry, isRecord(answer) ? answer[name] : undefined, field.type, `${place}.${name}`, fates);
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => walk(entry, Array.isArray(answer) ? answer[index] : undefined, field.type, `${place}[${index}]`, fates));
    } else {
      walk(value, answer, field.type, place, fates);
    }
  }
}

/** Written by the server in its own way. */
const SKIPPED = new Set(['metadata', 'apiVersion', 'kind']);

/** The API leaves empty lists, maps and structs out. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
