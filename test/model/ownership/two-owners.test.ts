import * as fc from 'fast-check';
import type { LabelCondition, Labels } from '../../../src/model/label-selector';
import { conditionsOf, meets } from '../../../src/model/label-selector';
import { daemonProblems, HANDOVER_STEPS, OWNER_CHANGES, OWNER_LABELS, poolProblems, sharedNode } from '../../../src/model/ownership';
import type { Daemon, NodeReach, OwnerLabel } from '../../../src/model/ownership';

const OWNER = 'cdk8s-dra.dev/gpu-owner';

/** Every node of a small world: what conditions name, what they do not, and labels that are missing. */
const NODES: readonly Labels[] = [undefined, 'a', 'b', 'any'].flatMap(type => [undefined, 'x', 'any'].map(zone => ({
  ...(type === undefined ? {} : { type }),
  ...(zone === undefined ? {} : { zone }),
})));

const nodeCondition: fc.Arbitrary<LabelCondition> = fc.oneof(
  fc.record({ key: fc.constant('type'), operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.subarray(['a', 'b'], { minLength: 1 }) }),
  fc.record({ key: fc.constantFrom('type', 'zone'), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
  fc.record({ key: fc.constant('zone'), operator: fc.constant('In' as const), values: fc.constant(['x']) }),
);
const ownerCondition: fc.Arbitrary<LabelCondition> = fc.oneof(
  fc.record({ key: fc.constant(OWNER), operator: fc.constantFrom('In' as const, 'NotIn' as const), values: fc.subarray(['device-plugin', 'handover', 'dra'], { minLength: 1 }) }),
  fc.record({ key: fc.constant(OWNER), operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);
const reach: fc.Arbitrary<NodeReach> = fc.array(
  fc.tuple(fc.array(ownerCondition, { maxLength: 2 }), fc.array(nodeCondition, { maxLength: 2 })).map(([owner, node]) => [...owner, ...node]),
  { maxLength: 2 },
);

const daemon = (kind: Daemon['kind'], of: NodeReach): Daemon => ({ name: kind, kind, family: 'gpu', driver: kind === 'driver' ? 'gpu.example.com' : undefined, reach: of, site: SITE });
const SITE: Daemon['site'] = {
  object: {
    manifest: { value: {}, source: { name: 'x' } }, index: 0, apiVersion: 'apps/v1', group: 'apps', version: 'v1', kind: 'DaemonSet', namespace: '', name: 'x', value: {},
  },
  path: [],
};
const migration = (conditions: readonly LabelCondition[], name = 'pool', family = 'gpu') => ({
  name,
  spec: { family, driver: 'gpu.example.com', nodes: { matchExpressions: conditions as never }, deviceClassNames: ['gpu'], phase: 'Observe' as const },
});

/** What one node can come to: the label, pods of both daemons, work that holds a device through each, and what a hand-over has seen last. */
interface State {
  readonly owner: OwnerLabel;
  readonly pods: readonly [boolean, boolean];
  readonly held: readonly [boolean, boolean];
  /** The daemon that the hand-over saw gone and idle, as it is about to write the next label. */
  readonly seenGone: 0 | 1 | undefined;
}

/**
 * Whether any order of events ends with two owners.
 *
 * Pods start, crash and end late; work starts where a daemon serves and ends whenever it likes; the hand-over reads first and writes later, crashes and
 * starts again after every step, and turns round at any of them. Written from docs/migration.md alone, without the code that it judges.
 */
function findsTwoOwners(selected: (daemon: 0 | 1, owner: OwnerLabel) => boolean): boolean {
  const start: State = { owner: undefined, pods: [false, false], held: [false, false], seenGone: undefined };
  const seen = new Set<string>();
  const open: State[] = [start];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const key = JSON.stringify([state.owner ?? null, state.pods, state.held, state.seenGone ?? null]);
    if (seen.has(key)) continue;
    seen.add(key);
    const owns = ([0, 1] as const).map(one => state.pods[one] || state.held[one]);
    if (owns[0] && owns[1]) return true;
    open.push(...next(state, selected));
  }
  return false;
}

function next(state: State, selected: (daemon: 0 | 1, owner: OwnerLabel) => boolean): State[] {
  const { owner, pods, held } = state;
  const states: State[] = [];
  const both = (values: readonly [boolean, boolean], one: 0 | 1, value: boolean): [boolean, boolean] => {
    return one === 0 ? [value, values[1]] : [values[0], value];
  };
  for (const one of [0, 1] as const) {
    if (!pods[one] && selected(one, owner)) states.push({ ...state, pods: both(pods, one, true) });
    if (pods[one]) states.push({ ...state, pods: both(pods, one, false) }, { ...state, held: both(held, one, true) });
    if (held[one]) states.push({ ...state, held: both(held, one, false) });
    if (owner === 'handover' && !pods[one] && !held[one]) states.push({ ...state, seenGone: one });
  }
  // A crash of the hand-over forgets what it has seen.
  states.push({ ...state, seenGone: undefined });
  if (owner === undefined) states.push({ ...state, owner: 'device-plugin', seenGone: undefined });
  if ((owner === undefined || owner === 'device-plugin') && !held[0]) states.push({ ...state, owner: 'handover', seenGone: undefined });
  if (owner === 'dra' && !held[1]) states.push({ ...state, owner: 'handover', seenGone: undefined });
  if (owner === 'handover' && state.seenGone === 0) states.push({ ...state, owner: 'dra', seenGone: undefined });
  if (owner === 'handover' && state.seenGone === 1) states.push({ ...state, owner: 'device-plugin', seenGone: undefined });
  return states;
}

const subsets = OWNER_LABELS.reduce<OwnerLabel[][]>((all, owner) => [...all, ...all.map(some => [...some, owner])], [[]]);

/** The conditions that let a daemon run exactly for these owners, one list each. */
function reachOf(owners: readonly OwnerLabel[]): NodeReach {
  return owners.map(owner => [owner === undefined ? { key: OWNER, operator: 'DoesNotExist' } : { key: OWNER, operator: 'In', values: [owner] }]);
}

test('for every two sets of owner labels, the proof finds two owners exactly where enumeration of all events does', () => {
  let safe = 0;
  for (const plugin of subsets) {
    for (const driver of subsets) {
      const found = sharedNode(migration([{ key: 'type', operator: 'In', values: ['a'] }]), daemon('plugin', reachOf(plugin)), daemon('driver', reachOf(driver)));
      const enumerated = findsTwoOwners((one, owner) => (one === 0 ? plugin : driver).includes(owner));
      expect([plugin, driver, found !== undefined]).toEqual([plugin, driver, enumerated]);
      if (!enumerated && plugin.length > 0 && driver.length > 0) safe++;
    }
  }
  expect(safe).toBeGreaterThan(0);
});

test('over all nodes of a small world, the proof finds two owners exactly where enumeration does, and shows a node of the pool', () => {
  fc.assert(fc.property(fc.array(nodeCondition, { maxLength: 2 }), reach, reach, (pool, plugin, driver) => {
    const selects = (of: NodeReach, labels: Labels, owner: OwnerLabel) => {
      return of.some(term => meets(owner === undefined ? labels : { ...labels, [OWNER]: owner }, term));
    };
    const enumerated = NODES.filter(labels => meets(labels, pool))
      .some(labels => findsTwoOwners((one, owner) => selects(one === 0 ? plugin : driver, labels, owner)));
    const found = sharedNode(migration(pool), daemon('plugin', plugin), daemon('driver', driver));
    expect(found !== undefined).toBe(enumerated);
    if (found === undefined) return;
    expect(meets(found.labels, pool)).toBe(true);
    expect(selects(plugin, found.labels, found.first)).toBe(true);
    expect(selects(driver, found.labels, found.second)).toBe(true);
  }), { numRuns: 600 });
});

test('the contract of docs/migration.md is safe: plugins where NotIn (handover, dra), drivers where In (dra)', () => {
  const plugin = daemon('plugin', [[{ key: OWNER, operator: 'NotIn', values: ['handover', 'dra'] }]]);
  const driver = daemon('driver', [[{ key: OWNER, operator: 'In', values: ['dra'] }]]);
  expect(sharedNode(migration([]), plugin, driver)).toBeUndefined();
  expect(findsTwoOwners((one, owner) => (one === 0 ? owner === undefined || owner === 'device-plugin' : owner === 'dra'))).toBe(false);
});

// C-010: three pools of one synth, with both stacks; no label can bring the two onto one node.
test('three pools, one without DRA, one with a canary, one moved, share the daemons of both stacks', () => {
  const pools = ['a', 'b', 'c'].map((type, index) => ({
    name: type,
    spec: { ...migration([{ key: 'type', operator: 'In', values: [type] }]).spec, phase: (['Legacy', 'Canary', 'PluginRemoved'] as const)[index] },
  }));
  const plugin = daemon('plugin', [[{ key: OWNER, operator: 'NotIn', values: ['handover', 'dra'] }]]);
  const driver = daemon('driver', [[{ key: OWNER, operator: 'In', values: ['dra'] }]]);
  expect([...poolProblems(pools), ...daemonProblems({ migrations: pools, daemons: [plugin, driver] })]).toEqual([]);
  const everywhere = daemonProblems({ migrations: pools, daemons: [daemon('plugin', [[]]), driver] });
  expect(everywhere.map(({ at, severity }) => [at?.name, severity])).toEqual([['a', 'warning'], ['b', 'error'], ['c', 'error']]);
});

test('a plugin that also runs in handover is told in the order of events', () => {
  const [problem] = daemonProblems({
    migrations: [migration([{ key: 'type', operator: 'In', values: ['a'] }])],
    daemons: [daemon('plugin', [[{ key: OWNER, operator: 'NotIn', values: ['dra'] }]]), daemon('driver', [[{ key: OWNER, operator: 'In', values: ['dra'] }]])],
  });
  expect(problem).toMatchObject({ code: 'DRA412', severity: 'error', at: { name: 'pool' }, message: 'plugin and driver can both serve one node of migration pool, e.g. one with type=a.' });
  expect(problem.story).toEqual([
    `The node has ${OWNER}=handover, and plugin selects it and offers its devices as an extended resource.`,
    `The label becomes ${OWNER}=dra, which driver selects.`,
    'The pod of driver starts before that of plugin has ended, or after it was restarted unseen.',
    'Each gives the same device to another pod.',
  ]);
});

test('two drivers of one family on one node are told, two DaemonSets of one driver are not', () => {
  const one = daemon('driver', [[{ key: OWNER, operator: 'In', values: ['dra'] }]]);
  const plan = (driver: string) => ({ migrations: [migration([])], daemons: [one, { ...one, name: 'second', driver }] });
  expect(daemonProblems(plan('gpu.other.com')).map(({ code }) => code)).toEqual(['DRA412']);
  expect(daemonProblems(plan('gpu.example.com'))).toEqual([]);
});

test('daemons of other families do not meet', () => {
  const plugin = { ...daemon('plugin', [[]]), family: 'nic' };
  expect(daemonProblems({ migrations: [migration([])], daemons: [plugin, daemon('driver', [[]])] })).toEqual([]);
});

test('a driver that is tied to the label of another pool reaches no node of this one', () => {
  const tied = daemon('driver', [[{ key: 'cdk8s-dra.dev/gpu-pool', operator: 'In', values: ['other'] }]]);
  const pools = [migration([{ key: 'type', operator: 'In', values: ['a'] }]), migration([{ key: 'type', operator: 'In', values: ['b'] }], 'other')];
  expect(daemonProblems({ migrations: pools, daemons: [daemon('plugin', [[]]), tied] }).map(({ at }) => at?.name)).toEqual(['other']);
});

test('two pools overlap exactly where enumeration finds a node of both', () => {
  const selector = fc.array(nodeCondition, { minLength: 1, maxLength: 3 });
  fc.assert(fc.property(selector, selector, (first, second) => {
    const [a, b] = [first, second].map(conditions => NODES.filter(labels => meets(labels, conditionsOf(migration(conditions).spec.nodes))));
    const codes = poolProblems([migration(first, 'a'), migration(second, 'b')]).map(({ code }) => code);
    expect(codes.includes('DRA410')).toBe(a.some(labels => b.includes(labels)));
    expect(codes.filter(code => code === 'DRA411')).toHaveLength([a, b].filter(nodes => nodes.length === 0).length);
    expect(poolProblems([migration(first, 'a'), migration(second, 'b', 'nic')]).map(({ code }) => code)).not.toContain('DRA410');
  }), { numRuns: 600 });
});

test('the steps of a hand-over change the label only as the proof takes for granted', () => {
  for (const [leaving, entering] of [['device-plugin', 'dra'], ['dra', 'device-plugin']] as const) {
    const labels = HANDOVER_STEPS.map(({ owner }) => ({ leaving, handover: 'handover', entering } as const)[owner]);
    labels.slice(1).forEach((label, index) => {
      if (label !== labels[index]) expect(OWNER_CHANGES).toContainEqual([labels[index], label]);
    });
    expect([labels[0], labels[labels.length - 1]]).toEqual([leaving, entering]);
  }
});
