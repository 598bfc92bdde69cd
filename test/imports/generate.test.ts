import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFINITIONS, KINDS, MINORS } from '../../imports/fields';

const root = join(__dirname, '..', '..');
const SCALARS = ['boolean', 'integer', 'intOrString', 'json', 'number', 'quantity', 'string', 'time'];

interface Definition {
  readonly 'properties'?: { readonly [field: string]: unknown };
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

function definitionsOf(minor: string): { readonly [name: string]: Definition } {
  return JSON.parse(readFileSync(join(root, 'imports', 'openapi', `${minor}.json`), 'utf8')).definitions;
}

describe('the generator', () => {
  let out: string;

  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), 'imports-'));
    execFileSync(process.execPath, [join(root, 'tools', 'imports', 'generate.mjs'), '--out', out]);
  });

  afterAll(() => rmSync(out, { recursive: true }));

  test.each(['fields.ts', 'types.ts'])('writes the committed %s again, byte for byte', (file) => {
    expect(readFileSync(join(out, file), 'utf8')).toBe(readFileSync(join(root, 'imports', file), 'utf8'));
  });
});

describe('the fields', () => {
  test.each(MINORS.map((minor) => [minor]))('of %s are those of its OpenAPI, no more and no fewer', (minor) => {
    const present = ({ since, until }: { since?: string; until?: string }) =>
      MINORS.indexOf(minor) >= (since ? MINORS.findIndex((other) => other === since) : 0)
      && MINORS.indexOf(minor) <= (until ? MINORS.findIndex((other) => other === until) : MINORS.length);
    const derived = Object.entries(DEFINITIONS).flatMap(([name, fields]) =>
      Object.entries(fields).filter(([, field]) => present(field)).map(([key]) => `${name} ${key}`));
    const source = Object.entries(definitionsOf(minor)).flatMap(([name, { properties }]) =>
      Object.keys(properties ?? {}).map((key) => `${name.split('.').slice(-3).join('.')} ${key}`));

    expect(derived.sort()).toEqual(source.sort());
  });

  test('refer to scalars and to definitions that exist', () => {
    const unknown = Object.values(DEFINITIONS).flatMap((fields) => Object.values(fields).map(({ type }) => type))
      .filter((type) => !SCALARS.includes(type) && !(type in DEFINITIONS));

    expect(unknown).toEqual([]);
  });

  test('of an object with no fields named like a method of Object are unknown', () => {
    expect('constructor' in DEFINITIONS).toBe(false);
    expect('toString' in DEFINITIONS['core.v1.PodSpec']).toBe(false);
  });

  test.each([
    // definition, field, what is known of it; the minors are those of the API change log of Dynamic Resource Allocation
    ['resource.v1.DeviceAttribute', 'int', { type: 'integer' }],
    ['resource.v1.DeviceAttribute', 'ints', { type: 'integer', list: true, since: '1.36' }],
    ['resource.v1.Device', 'name', { type: 'string', required: true }],
    ['resource.v1.Device', 'capacity', { type: 'resource.v1.DeviceCapacity', map: true }],
    ['resource.v1.Device', 'nodeAllocatableResourceMappings',
      { type: 'resource.v1.NodeAllocatableResourceMapping', map: true, since: '1.36', until: '1.36' }],
    ['resource.v1.Device', 'nodeAllocatableResources', { type: 'resource.v1.NodeAllocatableResource', map: true, since: '1.37' }],
    ['resource.v1.ResourceSliceSpec', 'partitionTypeAttribute', { type: 'string', since: '1.37' }],
    ['resource.v1.ResourceSliceSpec', 'skipNodeOperations',
      { type: 'string', list: true, since: '1.37', enum: ['*', 'NodePrepareResources', 'NodeUnprepareResources'] }],
    ['resource.v1.DeviceTaint', 'effect', { type: 'string', required: true, enum: ['NoExecute', 'NoSchedule', 'None'] }],
    ['resource.v1.DeviceTaint', 'timeAdded', { type: 'time' }],
    ['resource.v1.OpaqueDeviceConfiguration', 'parameters', { type: 'json', required: true }],
    ['resource.v1alpha3.DeviceTaintSelector', 'deviceClassName', { type: 'string', until: '1.34' }],
    ['core.v1.PodSpec', 'workloadRef', { type: 'core.v1.WorkloadReference', since: '1.35', until: '1.35' }],
    ['core.v1.PodSpec', 'resourceClaims', { type: 'core.v1.PodResourceClaim', list: true }],
    ['core.v1.ContainerPort', 'protocol', { type: 'string', enum: ['SCTP', 'TCP', 'UDP'] }],
    ['core.v1.HostPathVolumeSource', 'type', {
      type: 'string', enum: ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
    }],
    ['apps.v1.RollingUpdateDaemonSet', 'maxSurge', { type: 'intOrString' }],
    ['apiextensions.v1.JSONSchemaProps', 'enum', { type: 'json', list: true }],
    ['meta.v1.ObjectMeta', 'labels', { type: 'string', map: true }],
  ])('%s %s', (definition, field, expected) => {
    expect(DEFINITIONS[definition][field]).toEqual(expected);
  });
});

describe('the kinds', () => {
  test('have definitions that exist', () => {
    const unknown = Object.values(KINDS).flatMap(({ definition }) => definition ?? []).filter((definition) => !(definition in DEFINITIONS));

    expect(unknown).toEqual([]);
  });

  test('with a schema in the OpenAPI are all linked to it', () => {
    const linked = Object.entries(KINDS).filter(([, { definition }]) => definition).map(([name]) => name);
    const source = MINORS.flatMap((minor) => Object.values(definitionsOf(minor)).flatMap((definition) =>
      (definition['x-kubernetes-group-version-kind'] ?? []).map(({ group, version, kind }) => [group, version, kind].filter(Boolean).join('/'))));

    expect(linked.sort()).toEqual([...new Set(source)].sort());
  });

  test.each([
    ['v1/Namespace', { definition: 'core.v1.Namespace', plural: 'namespaces', namespaced: false }],
    ['v1/Pod', { definition: 'core.v1.Pod', plural: 'pods', namespaced: true }],
    ['v1/Endpoints', { plural: 'endpoints', namespaced: true }],
    ['resource.k8s.io/v1/DeviceClass', { definition: 'resource.v1.DeviceClass', plural: 'deviceclasses', namespaced: false }],
    ['resource.k8s.io/v1/ResourceClaimTemplate',
      { definition: 'resource.v1.ResourceClaimTemplate', plural: 'resourceclaimtemplates', namespaced: true }],
    ['resource.k8s.io/v1/DeviceTaintRule',
      { definition: 'resource.v1.DeviceTaintRule', plural: 'devicetaintrules', namespaced: false, since: '1.37' }],
    ['scheduling.k8s.io/v1alpha2/PodGroup',
      { definition: 'scheduling.v1alpha2.PodGroup', plural: 'podgroups', namespaced: true, since: '1.36', until: '1.36' }],
    ['authorization.k8s.io/v1/LocalSubjectAccessReview', { plural: 'localsubjectaccessreviews', namespaced: true }],
  ])('%s', (name, expected) => {
    expect(KINDS[name]).toEqual(expected);
  });

  test.each(['autoscaling/v1/Scale', 'authentication.k8s.io/v1/TokenRequest', 'v1/PodExecOptions', 'resource.k8s.io/v1alpha3/ResourceClaim'])(
    'leave out %s, which no minor has as an object', (name) => {
      expect(KINDS[name]).toBeUndefined();
    });
});
