import type { DeviceMigrationSpec } from '../../../src/model/api';
import { moveProblems, PHASES, phasesAfter, type Phase } from '../../../src/model/phases';

const SPEC: DeviceMigrationSpec = {
  family: 'gpu',
  driver: 'gpu.nvidia.com',
  nodes: { matchLabels: { type: 'a100' } },
  deviceClassNames: ['gpu-large', 'gpu-small'],
  legacy: { resources: [{ name: 'nvidia.com/gpu' }] },
  phase: 'Canary',
  canary: { nodes: 2, namespaces: ['sandbox'] },
};

const of = (spec: Partial<DeviceMigrationSpec> = {}, name = 'a100') => ({ name, spec: { ...SPEC, ...spec } });

test('exactly the same, the next and earlier phases may follow a phase', () => {
  for (const from of PHASES) {
    const allowed = PHASES.filter(to => moveProblems(of({ phase: from }), of({ phase: to })).length === 0);
    expect([from, allowed]).toEqual([from, phasesAfter(from)]);
  }
});

test('a skip names what it skips and the next phase', () => {
  expect(moveProblems(of({ phase: 'Observe' }), of({ phase: 'AllWorkloads' }))).toEqual([{
    code: 'DRA401',
    severity: 'error',
    migration: 'a100',
    path: ['spec', 'phase'],
    message: 'Migration a100 goes from Observe to AllWorkloads and skips Canary and Expand: a pool moves on one phase at a time, so that gates can look at each.',
    help: 'Set phase to Canary, and move on in later commits. The API server refuses the skip as well. Going back may skip phases.',
  }]);
});

test.each<[string, Parameters<typeof moveProblems>, string[]]>([
  ['a canary in use shrinks', [of(), of({ canary: { nodes: 1, namespaces: ['sandbox'] } })], ['DRA402 error']],
  ['a canary in use shrinks by share', [of({ canary: { nodes: '10%', namespaces: [] } }), of({ canary: { nodes: '5%', namespaces: [] } })], ['DRA402 error']],
  ['a number becomes a share, which may be fewer', [of(), of({ canary: { nodes: '10%', namespaces: ['sandbox'] } })], ['DRA402 warning']],
  ['a canary grows', [of(), of({ canary: { nodes: 3, namespaces: ['sandbox'] } })], []],
  ['a canary shrinks with a step back', [of(), of({ phase: 'Observe', canary: { nodes: 1, namespaces: ['sandbox'] } })], []],
  ['a name is used again for another family', [of(), of({ family: 'nic' })], ['DRA403 error']],
  ['a name is used again for another driver, which hides all else', [of(), of({ driver: 'gpu.example.com', phase: 'PluginRemoved' })], ['DRA403 error']],
  ['removal in the middle', [of(), undefined], ['DRA404 error']],
  ['removal at the end is a retirement', [of({ phase: 'PluginRemoved' }), undefined], ['DRA404 warning']],
  ['removal before anything moved', [of({ phase: 'Observe' }), undefined], []],
  ['the pool loses nodes', [of(), of({ nodes: { matchLabels: { type: 'a100', zone: 'a' } } })], ['DRA405 warning']],
  ['the pool gains nodes', [of(), of({ nodes: { matchExpressions: [{ key: 'type', operator: 'In', values: ['a100', 'h100'] }] } })], []],
  ['the pool loses nodes before anything moved', [of({ phase: 'Observe' }), of({ phase: 'Observe', nodes: { matchLabels: { type: 'h100' } } })], []],
  ['a class leaves while its door is not open', [of(), of({ deviceClassNames: ['gpu-large'] })], ['DRA406 error']],
  ['a class leaves with an open door', [of({ phase: 'AllWorkloads' }), of({ phase: 'AllWorkloads', deviceClassNames: ['gpu-large'] })], []],
  ['an old resource leaves after its door was closed', [of({ phase: 'AllWorkloads' }), of({ phase: 'AllWorkloads', legacy: undefined })], ['DRA406 warning']],
  ['a pool with a plugin is born in the middle', [undefined, of()], ['DRA401 warning']],
  ['a pool without a plugin is born at the end', [undefined, of({ phase: 'PluginRemoved', legacy: undefined })], []],
  ['a pool is born at the start', [undefined, of({ phase: 'Observe' })], []],
  ['nothing before, nothing after', [undefined, undefined], []],
  ['two mistakes at once are both told', [of({ phase: 'Legacy' }), of({ phase: 'Expand', deviceClassNames: [] })], ['DRA401 error', 'DRA406 error', 'DRA406 error']],
])('%s', (_, versions, expected) => {
  expect(moveProblems(...versions).map(({ code, severity }) => `${code} ${severity}`)).toEqual(expected);
});

test('nodes that leave are shown by labels', () => {
  const [problem] = moveProblems(of(), of({ nodes: { matchLabels: { type: 'a100' }, matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['b'] }] } }));
  expect(problem.message).toContain('e.g. one with type=a100, zone=b:');
});

test('every problem has a way out in whole sentences', () => {
  const versions = [undefined, ...PHASES.map((phase: Phase) => of({ phase })), of({ family: 'nic' }), of({ deviceClassNames: [] }), of({ nodes: {} }), of({ legacy: undefined, phase: 'AllWorkloads' })];
  for (const before of versions) {
    for (const after of versions) {
      for (const { message, help } of moveProblems(before, after)) expect([message.endsWith('.'), help.endsWith('.')]).toEqual([true, true]);
    }
  }
});
