import { BoolAttribute, DeviceCapacity, DeviceSelector, DriverProfile, IntAttribute, StringAttribute, VersionAttribute, type KnownDriver } from '../../src';
import { checkSelector } from '../../src/model/cel/selector-check';
import { DRIVER_PROFILES, knownNames, type DriverProfileFacts } from '../../src/model/drivers';

const FACTORIES = DriverProfile as unknown as { [name: string]: () => KnownDriver };
const factoryOf = ({ id }: DriverProfileFacts) => id.replace(/-./g, match => match[1].toUpperCase());

describe.each(DRIVER_PROFILES.map(profile => [profile.id, profile] as const))('%s', (_id, profile) => {
  const driver = FACTORIES[factoryOf(profile)]();

  test('carries the name and family of the facts', () => {
    expect([driver.driverName, driver.family]).toEqual([profile.driverName, profile.family]);
    expect(driver.quirks().every(quirk => quirk.length > 20)).toBe(true);
  });

  test('every attribute and capacity makes selectors without a finding', () => {
    const selectors = Object.values(driver).flatMap((member): DeviceSelector[] => {
      if (member instanceof StringAttribute) return [member.startsWith('x'), member.exists()];
      if (member instanceof IntAttribute) return [member.atLeast(1)];
      if (member instanceof BoolAttribute) return [member.isTrue()];
      if (member instanceof VersionAttribute) return [member.olderThan('1.0.0')];
      return member instanceof DeviceCapacity ? [member.atLeast('1')] : [];
    });
    const findings = selectors.flatMap(({ expression }) =>
      checkSelector(expression, { driverName: profile.driverName, minor: '1.34', knownAttributes: knownNames(profile) }));

    // A driver without attributes of its own, or one with no capacity, is a fact and not a mistake.
    expect(selectors.length >= profile.attributes.filter(fact => fact.versions?.before === undefined).length).toBe(true);
    expect(findings).toEqual([]);
  });
});

test('the class that a vendor installs and the selector from its profile agree on driver and type', () => {
  const gpu = DriverProfile.nvidiaGpu();
  const installed = DRIVER_PROFILES.find(({ id }) => id === 'nvidia-gpu')!.installedClasses.map(({ selectors }) => selectors.join(' '));

  expect(installed.some(text => text.includes(gpu.driverName) && text.includes(gpu.deviceType.id))).toBe(true);
});
