import * as fc from 'fast-check';
import { check } from './check';
import { CRDS } from '../../../src/model/api';
import { schemaRefusal } from '../../../src/model/rules/schema-rule-evaluation';

const spec = {
  family: 'gpu',
  driver: 'gpu.nvidia.com',
  nodes: { matchLabels: { 'node.kubernetes.io/instance-type': 'p4d.24xlarge' } },
  deviceClassNames: ['gpu-large'],
  phase: 'Canary',
  canary: { nodes: 2, namespaces: ['sandbox'] },
};
const migration = (fields: object = {}, name: unknown = 'a100', kind = 'DeviceMigration', apiVersion = 'cdk8s-dra.dev/v1alpha1') => (
  JSON.stringify({ apiVersion, kind, metadata: { name }, spec: { ...spec, ...fields } }));
/** Of our kinds nothing else is looked at here. */
const CODES = ['DRA107', 'DRA109', 'DRA112', 'DRA113', 'DRA114', 'DRA115', 'DRA116', 'DRA120', 'DRA121', 'DRA125'];
const refusals = (yaml: string) => check(yaml).filter(({ code }) => CODES.includes(code)).map(({ code, message, help }) => `${code} ${message} ${help}`);

test('a DeviceMigration as its CRD wants it is fine', () => {
  expect(refusals(migration())).toEqual([]);
  expect(refusals(migration({ phase: 'Observe', canary: undefined, expand: { steps: [1, '10%'], legacyFloor: '0%' } }))).toEqual([]);
});

test.each<[string, string, string]>([
  ['an unknown field', migration({ gate: [] }), "DRA112 DeviceMigration has no field 'gate' here: kubectl refuses it, an API server drops it. Did you mean 'gates'?"],
  ['a wrong type', migration({ canary: { nodes: 2, namespaces: 'sandbox' } }), "DRA113 'namespaces' must be a list, got \"sandbox\". Write a list."],
  ['a number as a text', migration({ family: 7 }), "DRA113 'family' must be a text, got 7. Put it in quotes."],
  ['a missing field', migration({ driver: undefined }), "DRA114 'driver' is missing: DeviceMigration needs it. Add driver."],
  ['an unknown word', migration({ phase: 'Canarry' }),
    "DRA115 'phase' must be one of Legacy, Observe, Canary, Expand, AllWorkloads, PluginRemoved, got \"Canarry\". Did you mean 'Canary'?"],
  ['an unknown kind', migration({}, 'a', 'DeviceMigrations'), 'DRA116 cdk8s-dra.dev has no kind DeviceMigrations. Did you mean DeviceMigration?'],
  ['an unknown version', migration({}, 'a', 'DeviceMigration', 'cdk8s-dra.dev/v1'), 'DRA116 DeviceMigration is not served in version v1. Write apiVersion: cdk8s-dra.dev/v1alpha1.'],
  ['a share above all', migration({ canary: { nodes: '101%', namespaces: ['a'] } }),
    "DRA125 'nodes' must be a number from 0 or a share from 0% to 100%, got \"101%\". Write for example 2 or 10%."],
  ['a negative number of nodes', migration({ canary: { nodes: -1, namespaces: ['a'] } }),
    "DRA125 'nodes' must be a number from 0 or a share from 0% to 100%, got -1. Write for example 2 or 10%."],
  ['a name that no object can have', migration({}, 'A100_x'),
    "DRA107 'name' must be a DNS subdomain: DNS labels joined by '.', in lower case, got \"A100_x\". Write a100-x."],
  ['a label key that no node has', migration({ nodes: { matchLabels: { 'bad key!': 'x' } } }),
    "DRA121 The key must be a label key: an optional DNS subdomain and '/', then at most 63 letters, digits, '-', '_' or '.', starting and ending with a letter or digit, got \"bad key!\": no node has it. Write for example example.com/maintenance."],
  ['a label value that no node has', migration({ nodes: { matchExpressions: [{ key: 'pool', operator: 'In', values: ['a', 'a b'] }] } }),
    "DRA121 'values[1]' must be a label value: letters, digits, '-', '_' or '.', starting and ending with a letter or digit, got \"a b\": no node has it. Write for example firmware-update, or leave it empty."],
  ['a canary by such a value', migration({ canary: { nodes: 1, namespaces: ['a'], selector: { matchLabels: { rack: 'b/1' } } } }),
    "DRA121 'rack' must be a label value: letters, digits, '-', '_' or '.', starting and ending with a letter or digit, got \"b/1\": no node has it. Write for example firmware-update, or leave it empty."],
  ['a step back', migration({ expand: { steps: ['50%', '10%'] } }),
    'DRA125 Migration a100 expands to 50% and then to 10%, which is fewer: a step must not take nodes back. Write the steps in rising order; the last one is what Expand reaches.'],
  ['no class', migration({ deviceClassNames: [] }), "DRA125 'deviceClassNames' must have at least 1 entry, got 0. Add one."],
  ['one class twice', migration({ deviceClassNames: ['a', 'a'] }), 'DRA109 Two entries of the list are "a". Remove one, or give each its own.'],
  ['too many namespaces', migration({ canary: { nodes: 1, namespaces: Array.from({ length: 257 }, (_, index) => `n${index}`) } }),
    "DRA120 'namespaces' must have at most 256 entries, got 257. Leave some out."],
  ['a canary phase without a canary', migration({ canary: undefined }),
    "DRA125 DeviceMigration 'a100' is refused: canary must be set from phase Canary on: which nodes, and whose namespaces. Change it so that the rule holds."],
  ['a canary that is left empty', migration({ canary: null }),
    "DRA125 DeviceMigration 'a100' is refused: canary must be set from phase Canary on: which nodes, and whose namespaces. Change it so that the rule holds."],
  ['a selector of all nodes', migration({ nodes: {} }),
    "DRA125 DeviceMigration 'a100' is refused: must select by at least one label: an empty selector means every node. Change it so that the rule holds."],
  ['a name that is no label value', migration({}, 'a'.repeat(64)),
    `DRA125 DeviceMigration '${'a'.repeat(64)}' is refused: the name must have at most 63 characters: it is the value of a node label. Change it so that the rule holds.`],
  ['a duration without a unit', migration({ handover: { deadline: '72' } }),
    "DRA125 'deadline' must match ^([0-9]+h)?([0-9]+m)?([0-9]+s)?$, got \"72\". Write for example 90m or 4h."],
])('%s is refused', (_, yaml, expected) => {
  expect(refusals(yaml)).toEqual([expected]);
});

test('a routing with a door that says nothing, and one that no policy reads', () => {
  const routing = (name: string, door: object) => JSON.stringify({ apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name }, spec: { classes: { a: door } } });
  expect(refusals(routing('default', { door: 'Open' }))).toEqual(["DRA114 'message' is missing: DeviceRouting needs it. Add message."]);
  expect(refusals(routing('other', { door: 'Open', message: 'x' }))).toEqual([
    "DRA125 DeviceRouting 'other' is refused: must be named default: the policies read no other. Change it so that the rule holds.",
  ]);
});

test('files that our programs read are no objects of a cluster', () => {
  expect(refusals(JSON.stringify({ apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'NodeAgentConfiguration', driverName: 'a' }))).toEqual([]);
});

/** Every schema in a schema. */
function schemasIn(value: unknown): Record<string, any>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(schemasIn)];
}
const SCHEMAS = CRDS.flatMap(({ spec: { versions } }) => schemasIn(versions[0].schema?.openAPIV3Schema));

test('every rule of our CRDs compiles, and answers about anything without an exception', () => {
  const rules = SCHEMAS.flatMap(schema => schema['x-kubernetes-validations'] ?? []);
  expect(rules.length).toBeGreaterThan(5);
  fc.assert(fc.property(fc.constantFrom(...rules), fc.jsonValue({ maxDepth: 3 }), (rule, value) => {
    expect(['string', 'undefined']).toContain(typeof schemaRefusal(rule, value));
  }));
});

test('a text that does not match gets an example that does', () => {
  const patterns = new Set(SCHEMAS.flatMap(({ type, pattern }) => (type === 'string' && typeof pattern === 'string' ? [pattern] : [])));
  expect(patterns.size).toBeGreaterThan(3);
  const hold = JSON.stringify({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceHold',
    metadata: { name: 'a' },
    spec: { migration: 'a100', level: 'Door', classes: ['gpu-large'], templates: { vision: 'trainer' }, reason: 'x' },
  });
  for (const [yaml, pattern] of [
    [migration({ family: 'GPU' }), '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'], [migration({ driver: 'GPU' }), undefined],
    [migration({ legacy: { resources: [{ name: 'gpu' }] } }), undefined], [migration({ gates: [{ name: 'a', type: 'Manual', atLeast: '2' }] }), undefined],
    [migration({ handover: { deadline: 'soon' } }), undefined], [migration({ gates: [{ name: 'a', type: 'Manual', atMost: 'x' }] }), undefined],
    [hold, undefined],
  ] as const) {
    const [text, ...more] = refusals(yaml);
    expect(more).toEqual([]);
    const [, given, example] = /must match (.+?), got .*\. Write for example (.*?)( or .*)?\.$/.exec(text) ?? [];
    expect(pattern === undefined || pattern === given).toBe(true);
    expect(example).toMatch(new RegExp(given));
    patterns.delete(given);
  }
  expect([...patterns]).toEqual([]);
});
