import { claim, device, exactly, outcome, slice } from './cluster';
import type { Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const one = [claim([exactly('r')])];
const two = [claim([exactly('r', { count: 2 })])];
const ALL: readonly Minor[] = ['1.34', '1.35', '1.36', '1.37'];

test.each(ALL)('%s uses only the newest generation', minor => {
  const slices = [slice([device('old')]), slice([device('new')], { pool: { generation: 2 } }, 't')];

  expect(outcome({ minor, slices, claims: one })).toBe('r=p/new');
});

test.each([['1.34', 'r=p/old'], ['1.35', 'none'], ['1.36', 'none'], ['1.37', 'none']] as [Minor, string][])(
  'in %s a newer generation that is elsewhere means %s', (minor, expected) => {
    const slices = [
      slice([device('old')], { pool: { resourceSliceCount: minor === '1.34' ? 1 : 2 } }),
      slice([device('new')], { nodeName: 'n2', pool: { generation: 2 } }, 't'),
    ];

    expect(outcome({ minor, slices, claims: one })).toBe(expected);
  },
);

test.each([['1.34', 'r=p/d'], ['1.35', 'none'], ['1.36', 'none'], ['1.37', 'none']] as [Minor, string][])(
  'in %s an incomplete pool gives %s', (minor, expected) => {
    expect(outcome({ minor, slices: [slice([device('d')], { pool: { resourceSliceCount: 2 } })], claims: one })).toBe(expected);
  },
);

test.each(ALL)('%s counts slices of other nodes for a pool, except 1.34', minor => {
  const pool = { resourceSliceCount: 2 };
  const slices = [slice([device('here')], { pool }), slice([device('there')], { nodeName: 'n2', pool }, 't')];

  expect(outcome({ minor, slices, claims: [claim([exactly('r', { allocationMode: 'All' })])] })).toBe(
    minor === '1.34' ? 'claim ns/c, request r: asks for all devices, but resource pool gpu.example.com/p is currently being updated' : 'r=p/here',
  );
});

test.each([
  ['1.34', 'pool p is invalid: duplicate device name d'],
  ['1.35', 'invalid resource pools were encountered'],
  ['1.36', 'invalid resource pools were encountered'],
  ['1.37', 'invalid resource pools were encountered'],
] as [Minor, string][])('in %s a device name that comes twice gives: %s', (minor, expected) => {
  expect(outcome({ minor, slices: [slice([device('d'), device('d')])], claims: one })).toBe(expected);
});

test('an invalid pool does not matter while another one has devices', () => {
  const slices = [slice([device('d'), device('d')]), slice([device('e')], { pool: { name: 'q' } }, 't')];

  expect(outcome({ slices, claims: one })).toBe('r=q/e');
  expect(outcome({ slices, claims: two })).toBe('invalid resource pools were encountered');
});

test.each([
  ['unknown set', { consumesCounters: [{ counterSet: 'x', counters: { memory: { value: '1' } } }] }],
  ['unknown counter', { consumesCounters: [{ counterSet: 'set', counters: { x: { value: '1' } } }] }],
])('a pool is invalid for an %s', (_, consumption) => {
  const pool = { resourceSliceCount: 2 };
  const sets = slice([], { pool, sharedCounters: [{ name: 'set', counters: { memory: { value: '1' } } }] }, 'counters');

  expect(outcome({ slices: [slice([device('d', consumption)], { pool }), sets], claims: one })).toBe('invalid resource pools were encountered');
});

test('a pool is invalid for a counter set that comes twice', () => {
  const pool = { resourceSliceCount: 3 };
  const sets = ['a', 'b'].map(name => slice([], { pool, sharedCounters: [{ name: 'set', counters: { memory: { value: '1' } } }] }, name));

  expect(outcome({ slices: [slice([device('d')], { pool }), ...sets], claims: one })).toBe('invalid resource pools were encountered');
});

describe('the order of search', () => {
  const named = (name: string, spec: Json = {}): Json => slice([device(`of-${name}`)], { pool: { name }, ...spec }, `s-${name}`);

  test.each(['1.36', '1.37'] as const)('%s takes pools by driver, then by name as text', minor => {
    const slices = [named('p9'), named('p10'), named('a', { driver: 'z.example.com' })];

    expect(outcome({ minor, slices, claims: [claim([exactly('r', { count: 3 })])] })).toBe('r=p10/of-p10 r=p9/of-p9 r=a/of-a');
  });

  test('pools with a binding condition come last, also for an empty list of conditions', () => {
    const slices = [slice([device('bound', { bindingConditions: [] })], { pool: { name: 'a' } }), named('b')];

    expect(outcome({ slices, claims: two })).toBe('r=b/of-b r=a/bound');
  });

  test.each([['1.35', 'r=p/of-b r=p/of-a'], ['1.36', 'r=p/of-a r=p/of-b']] as [Minor, string][])(
    '%s takes slices of a pool as %s', (minor, expected) => {
      const pool = { resourceSliceCount: 2 };
      const slices = [slice([device('of-b')], { pool }, 'b'), slice([device('of-a')], { pool }, 'a')];

      expect(outcome({ minor, slices, claims: two })).toBe(expected);
    },
  );
});

describe('where a slice can be used', () => {
  const selector = (requirement: Json): Json => ({ nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } });
  test.each<[string, Json, string]>([
    ['the node', { nodeName: 'n1' }, 'r=p/d'],
    ['another node', { nodeName: 'n2' }, 'none'],
    ['all nodes', { allNodes: true }, 'r=p/d'],
    ['a label it has', selector({ key: 'zone', operator: 'In', values: ['a'] }), 'r=p/d'],
    ['a label it has not', selector({ key: 'zone', operator: 'In', values: ['b'] }), 'none'],
    ['NotIn without the label', selector({ key: 'rack', operator: 'NotIn', values: ['7'] }), 'r=p/d'],
    ['Exists', selector({ key: 'zone', operator: 'Exists' }), 'r=p/d'],
    ['DoesNotExist', selector({ key: 'zone', operator: 'DoesNotExist' }), 'none'],
    ['Gt with a label that is no number', selector({ key: 'zone', operator: 'Gt', values: ['1'] }), 'none'],
    ['an empty term', { nodeSelector: { nodeSelectorTerms: [{}] } }, 'none'],
    ['nothing known', { nodeName: '' }, 'none'],
  ])('%s', (_, place, expected) => {
    expect(outcome({ slices: [slice([device('d')], place)], claims: one })).toBe(expected);
  });

  test('a selector that cannot be parsed ends the attempt', () => {
    const bad = selector({ key: 'zone', operator: 'Near', values: ['a'] });

    expect(outcome({ slices: [slice([device('d')], bad)], claims: one })).toBe(
      'gather pool information: failed to perform node selection for slice s: failed to parse node selector '
      + '&NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{NodeSelectorTerm{MatchExpressions:[]NodeSelectorRequirement{'
      + 'NodeSelectorRequirement{Key:zone,Operator:Near,Values:[a],},},MatchFields:[]NodeSelectorRequirement{},},},}: '
      + 'nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Near": '
      + 'supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"',
    );
  });

  test.each<[Minor, string]>([
    ['1.34', 'nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: "a/b/c": a qualified name must consist of'],
    ['1.35', 'nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: "a/b/c": a valid label key must consist of'],
  ])('%s says of a bad label: %s', (minor, expected) => {
    const bad = selector({ key: 'a/b/c', operator: 'Exists' });

    expect(outcome({ minor, slices: [slice([device('d')], bad)], claims: one })).toContain(expected);
  });

  test('devices of a slice can say it themselves', () => {
    const slices = [slice([device('there', { nodeName: 'n2' }), device('here', { nodeName: 'n1' })], { perDeviceNodeSelection: true })];

    expect(outcome({ slices, claims: one })).toBe('r=p/here');
    expect(outcome({ slices, claims: one, gates: { DRAPartitionableDevices: false } })).toBe('none');
  });
});
