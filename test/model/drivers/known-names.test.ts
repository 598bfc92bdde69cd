import { closedValueProblem, knownNames, profileById } from '../../../src/model/drivers';
import type { AttributeFact, DriverProfileFacts } from '../../../src/model/drivers';

const NVIDIA = profileById('nvidia-gpu') as DriverProfileFacts;

function names(version?: string): string[] {
  return (knownNames(NVIDIA, version).attributes ?? []).map(known => known.domain === undefined ? known.id : `${known.domain}/${known.id}`);
}

function attribute(id: string): AttributeFact {
  return NVIDIA.attributes.find(fact => fact.id === id) as AttributeFact;
}

test.each<[version: string | undefined, there: string[], gone: string[]]>([
  ['25.3.2', ['minor', 'index', 'pcieBusID'], ['addressingMode', 'resource.kubernetes.io/pciBusID', 'numa']],
  ['v25.8.1', ['pcieBusID'], ['minor', 'resource.kubernetes.io/pciBusID']],
  ['25.12.0', ['resource.kubernetes.io/pciBusID', 'numa', 'addressingMode'], ['pcieBusID', 'iommuFDEnabled']],
  ['0.4.1', ['numa', 'iommuFDEnabled'], ['resource.kubernetes.io/numaNode', 'partition8']],
  ['0.5.0-dev', ['resource.kubernetes.io/numaNode', 'partition8'], ['numa']],
  [undefined, ['minor', 'numa', 'partition8'], []],
  ['latest', ['minor', 'numa', 'partition8'], []],
])('version %s publishes its own attributes', (version, there, gone) => {
  expect(names(version)).toEqual(expect.arrayContaining(there));
  expect(names(version).filter(name => gone.includes(name))).toEqual([]);
});

test('other domains than the driver\'s are listed once', () => {
  expect(knownNames(NVIDIA).domains).toEqual(['resource.kubernetes.io']);
  expect(knownNames(profileById('sriov') as DriverProfileFacts).domains).toEqual(['dra.net', 'k8s.cni.cncf.io', 'resource.kubernetes.io']);
});

test('only a name on every device in every version is always there, or on every device of a type', () => {
  const attributes = knownNames(NVIDIA).always?.attributes ?? [];

  expect(attributes.filter(known => known.devices === undefined).map(known => known.id)).toEqual(['type', 'productName']);
  expect(attributes.filter(known => known.devices?.includes('vfio'))).toEqual([]);
  expect(attributes).toContainEqual({ id: 'profile', devices: ['mig'] });
});

test('what is always there is known where others can add some', () => {
  expect(knownNames(profileById('dranet') as DriverProfileFacts).always?.attributes).toContainEqual({ id: 'rdma' });
});

test('attributes are unknown where others can add some', () => {
  expect(knownNames(profileById('sriov') as DriverProfileFacts).attributes).toBeUndefined();
  expect(knownNames(profileById('dranet') as DriverProfileFacts)).toMatchObject({ capacity: [] });
});

test('a value outside a closed set is named with the nearest one', () => {
  expect(closedValueProblem(attribute('architecture'), 'Ampere')).toBeUndefined();
  expect(closedValueProblem(attribute('architecture'), 'ampere')?.help).toBe("Did you mean 'Ampere'?");
  expect(closedValueProblem(attribute('type'), 'partition')?.rule).toBe('should be one of "gpu", "mig", "vfio"');
});

test('a value of an open set or another type is not judged', () => {
  expect(closedValueProblem(attribute('productName'), 'anything')).toBeUndefined();
  expect(closedValueProblem(attribute('type'), 3)).toBeUndefined();
});
