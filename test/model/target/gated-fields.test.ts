import { DEFINITIONS } from '../../../imports/fields';
import { compareMinors, coversMinor, GATED_FIELDS, gateAt, MINORS, Target } from '../../../src/model/target';
import type { Minor } from '../../../src/model/target';

/** The minors that have a field of a type in any API version, by the published schemas. */
function publishedIn(definition: string, field: string): readonly Minor[] {
  const versions = Object.keys(DEFINITIONS)
    .filter(key => key.split('.').pop() === definition && /^(core|resource|scheduling)\./.test(key))
    .flatMap(key => DEFINITIONS[key][field] ?? []);
  return MINORS.filter(minor => versions.some(({ since = '1.34', until = '1.37' }) =>
    compareMinors(since, minor) <= 0 && compareMinors(minor, until) <= 0));
}

test.each(GATED_FIELDS.filter(({ field, value }) => field !== undefined && value === undefined))(
  '$definition.$field is gated in exactly the minors whose schema has it', entry => {
    const covered = MINORS.filter(minor => coversMinor(entry, minor) && entry.gates.every(gate => gateAt(gate, minor) !== undefined));
    expect(covered).toEqual(publishedIn(entry.definition, entry.field ?? ''));
  });

test.each(['definition', 'field', 'value'] as const)('no %s is empty', key => {
  expect(GATED_FIELDS.filter(entry => entry[key] === '')).toEqual([]);
});

/** 1 supported, 0 not, by minor with default gates. */
test.each([
  ['ExactDeviceRequest', 'adminAccess', '1111'],
  ['DeviceRequest', 'firstAvailable', '1111'],
  ['ResourceClaimStatus', 'devices', '1111'],
  ['PodSpec', 'resourceClaims', '1111'],
  ['DeviceSubRequest', 'tolerations', '0011'],
  ['Device', 'taints', '0011'],
  ['Device', 'bindsToNode', '0011'],
  ['Device', 'nodeName', '0011'],
  ['ResourceSliceSpec', 'nodeName', '1111'],
  ['ResourceSliceSpec', 'sharedCounters', '0011'],
  ['DeviceConstraint', 'distinctAttribute', '0011'],
  ['DeviceConstraint', 'matchAttribute', '1111'],
  ['CapacityRequirements', 'requests', '0011'],
  ['DeviceClassSpec', 'extendedResourceName', '0011'],
  ['ResourceHealth', 'message', '0011'],
  ['DeviceTaintRule', 'spec', '0001'],
  ['DeviceAttribute', 'ints', '0000'],
  ['DeviceAttribute', 'int', '1111'],
  ['ResourceSliceSpec', 'skipNodeOperations', '0000'],
  ['PodGroupSpec', 'resourceClaims', '0000'],
])('%s.%s is supported by default in %s', (definition, field, course) => {
  expect(MINORS.map(minor => Number(Target.of(minor).fieldSupport(definition, field).supported)).join('')).toBe(course);
});
