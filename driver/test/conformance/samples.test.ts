import { DEFINITIONS, MINORS } from 'cdk8s-dra/model';

import { fieldFates, isFieldIn } from '../../src/conformance/field-walk.js';
import { SAMPLES } from '../../src/conformance/samples.js';

const KINDS = ['resource.v1.DeviceClass', 'resource.v1.ResourceClaim', 'resource.v1.ResourceClaimTemplate', 'resource.v1.ResourceSlice'];
/** Written by the server or by controllers. */
const NOT_SENT = new Set(['metadata', 'apiVersion', 'kind', 'status']);

function fieldsBelow(definition: string, seen = new Map<string, readonly [string, string]>()): ReadonlyMap<string, readonly [string, string]> {
  for (const [key, field] of Object.entries(DEFINITIONS[definition] ?? {})) {
    const name = `${definition.slice(definition.lastIndexOf('.') + 1)}.${key}`;
    if (NOT_SENT.has(key) || seen.has(name)) continue;
    seen.set(name, [definition, key]);
    if (field.type.startsWith('resource.')) fieldsBelow(field.type, seen);
  }
  return seen;
}

test.each(MINORS)('in %s the samples set every field of the kinds that are emitted', (minor) => {
  const set = new Set(SAMPLES.flatMap(({ object, definition }) => fieldFates(object, {}, definition).length === 0
    ? []
    : fieldFates(object, object, definition).map(({ definition: type, field }) => `${type}.${field}`)));
  const expected = KINDS.flatMap((kind) => [...fieldsBelow(kind)]).filter(([, [definition, key]]) => {
    const field = DEFINITIONS[definition]?.[key];
    return field !== undefined && isFieldIn(field, minor);
  }).map(([name]) => name);

  expect(expected.length).toBeGreaterThan(60);
  expect(expected.filter((name) => !set.has(name))).toEqual([]);
});

describe('the fate of a field', () => {
  const sent = { spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c', count: 2, adminAccess: true } }] } } };

  function fate(answer: object): readonly string[] {
    return fieldFates(sent, answer, 'resource.v1.ResourceClaim').filter(({ fate: one }) => one !== 'stored').map(({ path, fate: one }) => `${path} ${one}`);
  }

  test('that comes back with others is stored', () => {
    expect(fate({ spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c', count: 2, adminAccess: true, allocationMode: 'ExactCount' } }] } } })).toEqual([]);
  });

  test('that is gone is dropped, and what is below it is not judged', () => {
    expect(fate({ spec: { devices: { requests: [{ name: 'a' }] } } })).toEqual(['spec.devices.requests[0].exactly dropped']);
    expect(fate({})).toEqual(['spec dropped']);
  });

  test('that has another value is changed', () => {
    expect(fate({ spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c', count: 1, adminAccess: true } }] } } })).toEqual(['spec.devices.requests[0].exactly.count changed']);
  });
});
