import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVER_PROFILES, profileById, profileForDriver, STANDARD_ATTRIBUTES, STANDARD_DOMAIN } from '../../../src/model/drivers';
import type { ConfigField, ConfigItems, ConfigShape, AttributeFact, DriverProfileFacts } from '../../../src/model/drivers';
import {
  attributeIdProblem, dnsLabelProblem, dnsSubdomainProblem, driverNameProblem, extendedResourceNameProblem, labelKeyProblem,
} from '../../../src/model/names';
import { Quantity } from '../../../src/model/quantity';

const CASES = DRIVER_PROFILES.map(profile => [profile.id, profile] as const);

/** The groups of facts that need a source as soon as they hold anything. */
const GROUPS = ['featureGates', 'deviceTypes', 'attributes', 'capacities', 'configKinds', 'installedClasses', 'installs', 'legacy'] as const;

describe('the list of profiles', () => {
  test('holds our own four drivers and the thirteen that are known, sorted by id', () => {
    const ids = DRIVER_PROFILES.map(profile => profile.id);

    expect(ids).toEqual([
      'agent-fpga', 'agent-gpu', 'agent-nic', 'agent-sim', 'amd-gpu', 'dra-cpu', 'dranet', 'example-cpu', 'example-gpu', 'example-net', 'google-tpu', 'intel-gaudi', 'intel-gpu', 'intel-qat',
      'nvidia-compute-domain', 'nvidia-gpu', 'sriov',
    ]);
  });

  test('has one profile for each driver name', () => {
    expect(new Set(DRIVER_PROFILES.map(profile => profile.driverName)).size).toBe(DRIVER_PROFILES.length);
  });

  test('finds a profile by driver name and by id', () => {
    expect(profileForDriver('gpu.nvidia.com')?.id).toBe('nvidia-gpu');
    expect(profileForDriver('dra.net')?.id).toBe('dranet');
    expect(profileForDriver('sriovnetwork.k8snetworkplumbingwg.io')?.id).toBe('sriov');
    expect(profileById('intel-qat')?.driverName).toBe('qat.intel.com');
  });

  test('knows no profile for an unknown driver', () => {
    expect(profileForDriver('fpga.example.com')).toBeUndefined();
    expect(profileForDriver('')).toBeUndefined();
    expect(profileForDriver('toString')).toBeUndefined();
    expect(profileById('nvidia')).toBeUndefined();
  });
});

describe.each(CASES)('profile %s', (_id, profile) => {
  test('has legal names', () => {
    expect(driverNameProblem(profile.driverName)).toBeUndefined();
    expect(dnsLabelProblem(profile.id)).toBeUndefined();
    expect(dnsLabelProblem(profile.family)).toBeUndefined();
    expect(profile.family.length).toBeLessThanOrEqual(40);
  });

  test('was read at full commits of named repositories, unless it is of this one', () => {
    expect(profile.read.length === 0).toBe(isOurs(profile));
    for (const { project, commit, date, release } of profile.read) {
      expect(project).toMatch(/^[\w.-]+\/[\w.-]+$/);
      expect(commit).toMatch(/^[0-9a-f]{40}$/);
      expect(date).toMatch(/^202[56]-\d\d-\d\d$/);
      expect(release).not.toBe('');
    }
  });

  test('names a source for each group of facts, inside a repository that was read', () => {
    const sources = profile.sources;
    for (const group of GROUPS) {
      if (profile[group].length > 0) expect([group, sources[group]?.length ?? 0]).not.toEqual([group, 0]);
    }
    expect(sources.publishes.length).toBeGreaterThan(0);
    expect(sources.abilities.length).toBeGreaterThan(0);
    for (const source of [...Object.values(sources).flat(), ...profile.quirks.map(quirk => quirk.source)]) {
      expectSource(profile, source);
    }
  });

  test('has attributes and capacities that a slice can hold', () => {
    const facts = [...profile.attributes, ...profile.capacities];
    for (const fact of facts) {
      expect([fact.id, attributeIdProblem(fact.id)]).toEqual([fact.id, undefined]);
      if (fact.domain !== undefined) expect(driverNameProblem(fact.domain)).toBeUndefined();
    }
    const names = facts.map(fact => `${fact.domain ?? profile.driverName}/${fact.id}`);
    expect(names).toEqual([...new Set(names)]);
  });

  test('has examples of the right type', () => {
    for (const attribute of profile.attributes) expectExample(attribute);
    for (const { id, example } of profile.capacities) expect([id, Quantity.tryParse(example) instanceof Quantity]).toEqual([id, true]);
  });

  test('counts bytes where the example does', () => {
    for (const { id, example, unit } of profile.capacities) expect([id, unit]).toEqual([id, /[KMGTPE]i$/.test(example) ? 'bytes' : undefined]);
  });

  test('has closed values that are sorted and hold the example', () => {
    for (const { id, values, example } of profile.attributes) {
      if (values === undefined) continue;
      expect([id, [...values]]).toEqual([id, [...new Set(values)].sort()]);
      expect(values).toContain(example);
    }
  });

  test('refers only to its own device types and gates', () => {
    const types = profile.deviceTypes.map(type => type.id);
    const gates = profile.featureGates.map(gate => gate.name);
    expect(types).toEqual([...new Set(types)]);
    for (const { id, devices } of [...profile.attributes, ...profile.capacities]) {
      for (const device of devices ?? []) expect([id, types]).toEqual([id, expect.arrayContaining([device])]);
    }
    for (const gate of profile.featureGates) expect(gates).toEqual(expect.arrayContaining([...gate.requires ?? [], ...gate.excludes ?? []]));
    for (const { gate } of [...profile.attributes, ...profile.capacities]) {
      if (gate !== undefined) expect(gates).toContain(gate);
    }
  });

  test('copies nothing of a standard attribute but by reference', () => {
    for (const attribute of profile.attributes.filter(fact => fact.domain === STANDARD_DOMAIN)) {
      const standard = Object.values(STANDARD_ATTRIBUTES).find(fact => fact.id === attribute.id);
      expect(standard?.description).toBe(attribute.description);
    }
  });

  test('has config kinds exactly when its config is known, each found by version and kind', () => {
    expect(profile.configKinds.length > 0).toBe(profile.config === 'known');
    const keys = profile.configKinds.map(kind => `${kind.apiVersion} ${kind.kind}`);
    expect(keys).toEqual([...new Set(keys)]);
    for (const kind of profile.configKinds) expectShape(kind);
  });

  test('has gates in its configs that it knows', () => {
    const known = profile.featureGates.map(gate => gate.name);
    for (const kind of profile.configKinds) {
      if (kind.gate !== undefined) expect(known).toContain(kind.gate);
      for (const gate of valueGates(kind)) expect(known).toContain(gate);
    }
  });

  test('has classes that select its own driver only', () => {
    for (const installed of profile.installedClasses) {
      expect(dnsSubdomainProblem(installed.name)).toBeUndefined();
      expect(installed.selectors[0]).toMatch(new RegExp(`^device\\.driver == ['"]${profile.driverName}['"]`));
      if (installed.extendedResourceName !== undefined) {
        expect(extendedResourceNameProblem(installed.extendedResourceName)).toBeUndefined();
        expect(installed.extendedResourceWhen).toBeDefined();
      }
      if (installed.install !== undefined) expect(profile.installs.map(install => install.id)).toContain(installed.install);
    }
  });

  test('has quirks with different ids and whole sentences', () => {
    const ids = profile.quirks.map(quirk => quirk.id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const quirk of profile.quirks) {
      expect(dnsLabelProblem(quirk.id)).toBeUndefined();
      expect(quirk.what).toMatch(/\.$/);
      expect(quirk.consequence).toMatch(/\.$/);
    }
  });

  test('says what turns each switched feature on', () => {
    const { partitionable, consumableCapacity, taints, healthStream, deviceMetadata } = profile.publishes;
    for (const support of [partitionable, consumableCapacity, taints, healthStream, deviceMetadata]) {
      expect(support.by !== undefined).toBe(support.state === 'switch');
    }
    expect(profile.publishes.capacityNames === 'none').toBe(profile.capacities.length === 0 && profile.moreCapacities === undefined);
  });

  test('says for each install where tolerations and nodes are chosen', () => {
    for (const install of profile.installs) {
      const purposes = install.settings.map(setting => setting.purpose);
      expect(purposes).toEqual(expect.arrayContaining(['tolerations', 'node-selection']));
      for (const setting of install.settings) expect(setting.path === '' && setting.default === undefined).toBe(false);
    }
  });

  test('has legal label keys and resource names for the device plugin', () => {
    for (const plugin of profile.legacy) {
      for (const { key } of plugin.nodeLabels) expect(labelKeyProblem(key)).toBeUndefined();
      for (const { kind, key } of plugin.switches) {
        if (kind === 'node-label') expect(labelKeyProblem(key)).toBeUndefined();
      }
      for (const { name } of plugin.resources) {
        expect([name, extendedResourceNameProblem(name.replace(/<[^>]*>/g, 'x.example'))]).toEqual([name, undefined]);
      }
    }
  });
});

describe('the NVIDIA profile', () => {
  const nvidia = profileById('nvidia-gpu');
  const labels = nvidia?.legacy[0].switches.filter(entry => entry.key.startsWith('nvidia.com/gpu.deploy.'));

  test('names both labels that keep the stacks apart', () => {
    expect(labels?.map(label => label.key)).toEqual(expect.arrayContaining([
      'nvidia.com/gpu.deploy.device-plugin',
      'nvidia.com/gpu.deploy.dra-driver',
    ]));
  });

  test('lists every deploy label once', () => {
    const keys = labels?.map(label => label.key) ?? [];
    expect(keys).toHaveLength(24);
    expect(keys).toEqual([...new Set(keys)]);
  });

  test('gives whole GPUs the extended resource name by chart, not by operator', () => {
    const classes = nvidia?.installedClasses.filter(installed => installed.name === 'gpu.nvidia.com');
    expect(classes?.map(({ install, extendedResourceName }) => [install, extendedResourceName]))
      .toEqual([['chart', 'nvidia.com/gpu'], ['gpu-operator', undefined]]);
  });
});

function expectSource(profile: DriverProfileFacts, source: string | undefined): void {
  const [, repository, path] = /^(?:([\w.-]+\/[\w.-]+):)?([\w./-]+)$/.exec(source ?? '') ?? [];
  expect([source, path !== undefined && !path.startsWith('/')]).toEqual([source, true]);
  if (isOurs(profile)) expect([source, existsSync(join(__dirname, '../../..', source ?? ''))]).toEqual([source, true]);
  if (repository !== undefined) expect(profile.read.map(read => read.project)).toContain(repository);
}

function isOurs({ driverName }: DriverProfileFacts): boolean {
  return driverName.endsWith('.cdk8s-dra.dev');
}

function expectExample({ id, type, example }: AttributeFact): void {
  switch (type) {
    case 'int': return expect([id, Number.isInteger(example)]).toEqual([id, true]);
    case 'bool': return expect([id, typeof example]).toEqual([id, 'boolean']);
    case 'version': return expect([id, String(example)]).toEqual([id, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    case 'string':
      expect([id, typeof example]).toEqual([id, 'string']);
      expect(Buffer.byteLength(String(example))).toBeLessThanOrEqual(64);
  }
}

function expectShape(shape: ConfigShape): void {
  const names = shape.fields.map(field => field.name);
  expect(names).toEqual([...new Set(names)]);
  for (const field of shape.fields) {
    expect(field.description).toMatch(/\.$/);
    expectItems(field);
  }
  for (const rule of shape.rules ?? []) {
    const paths = [rule.when?.path, rule.unless?.path, rule.requires, rule.refuses].filter(path => path !== undefined);
    for (const path of paths) expect([path, fieldAt(shape, path.split('.'))]).toEqual([path, expect.anything()]);
    expect(rule.help).toMatch(/\.$/);
  }
}

function expectItems(items: ConfigItems): void {
  expect(items.shape !== undefined).toBe(items.type === 'object');
  expect(items.items !== undefined).toBe(items.type === 'list' || items.type === 'map');
  if (items.shape !== undefined) expectShape(items.shape);
  if (items.items !== undefined) expectItems(items.items);
  if (items.pattern !== undefined) expect(() => new RegExp(items.pattern?.matches ?? '', 'u')).not.toThrow();
}

function fieldAt(shape: ConfigShape, [name, ...rest]: string[]): ConfigField | undefined {
  const field = shape.fields.find(candidate => candidate.name === name);
  return rest.length === 0 || field?.shape === undefined ? field : fieldAt(field.shape, rest);
}

function valueGates(shape: ConfigShape): string[] {
  return shape.fields.flatMap(field => [
    ...(field.values ?? []).flatMap(value => value.gate === undefined ? [] : [value.gate]),
    ...(field.shape === undefined ? [] : valueGates(field.shape)),
  ]);
}
