import { claim, fullText, job, NAMESPACE, ownedBy, pod, podSpec, refusals, template } from './trial';
import type { Fields } from './workloads';
import { holdFencePolicy, holdPolicy } from '../../../src/model/policy';

const HOLD = {
  metadata: { name: 'a100-night' },
  spec: {
    migration: 'a100',
    level: 'Allocation',
    classes: ['large'],
    resources: ['example.com/gpu'],
    templates: { [NAMESPACE]: 'large: a.b b-a trainer\nsmall: trainer\n', sandbox: 'large: other\n' },
    fence: [{ driver: 'gpu.example.com', pools: ['n1', 'n2'] }, { driver: 'nic.example.com' }],
    reason: 'Devices are\ngiven out twice.',
    by: 'anna',
    ticket: 'INC-7',
  },
};
const WORDS = 'is held by DeviceHold a100-night on pool a100: Devices are given out twice. (by anna, INC-7). '
  + 'It ends with: kubectl delete devicehold a100-night. ';

function judge(object: Fields, spec: Fields = {}, more: Fields = {}) {
  return refusals(holdPolicy({}), { object, params: { ...HOLD, spec: { ...HOLD.spec, ...spec } }, ...more });
}

test.each<[string, Fields, Fields?, Fields?]>([
  ['a pod without devices', pod(podSpec({}))],
  ['another class', claim(['other'])],
  ['another template', pod(podSpec({ templates: ['other'] }))],
  ['names within the name of a held template, and a class', pod(podSpec({ templates: ['a', 'b', 'a.b.c', 'b-', 'large', 'train', 'trainer2'] }))],
  ['a new template of another class', template(['other'])],
  ['a template that a controller makes for what it keeps', template(['large'], ownedBy('ComputeDomain')), {}, { user: 'system:serviceaccount:nvidia:compute-domain' }],
  ['a hold without classes', claim(['large']), { classes: undefined, resources: undefined, templates: undefined }],
  ['a replacement', pod(podSpec({ templates: ['trainer'] }), ownedBy('Job')), {}, { user: 'system:serviceaccount:kube-system:job-controller' }],
  ['scaling', job(podSpec({ templates: ['trainer'] }), { parallelism: 9 }), {}, { oldObject: job(podSpec({ templates: ['trainer'] })) }],
])('%s passes', (_title, object, spec = {}, more = {}) => {
  expect(judge(object, spec, more)).toEqual([]);
});

test.each<[string, Fields, string, Fields?]>([
  ['a class of a claim', claim(['large']), `ResourceClaim "mine" asks for class large by a claim, which ${WORDS}What runs goes on, and its pods are replaced.`],
  ['a template', job(podSpec({ templates: ['trainer'] })), `Job "train" asks for class large by template trainer (and class small by template trainer), which ${WORDS}`],
  ['a name with a dot', pod(podSpec({ templates: ['a.b'] })), 'asks for class large by template a.b, which'],
  ['a new template', template(['other', ['small', 'large']]), `ResourceClaimTemplate "trainer" asks for class large by its claims, which ${WORDS}What runs goes on`],
  ['a new template that says that it is kept', template(['large'], ownedBy('Job')), 'ResourceClaimTemplate "trainer" asks for class large'],
  ['an implicit name', pod(podSpec({ limits: { 'deviceclass.resource.kubernetes.io/large': '1' } })), `asks for class large by resource deviceclass.resource.kubernetes.io/large, which ${WORDS}`],
  ['a resource', pod(podSpec({ limits: { 'example.com/gpu': '1' } })), `Pod "train" asks for example.com/gpu, which ${WORDS}`],
  ['level Door', claim(['large']), 'which is held by', { level: 'Door' }],
  ['a message, which goes before the reason', claim(['large']), 'on pool a100: Ask the platform. It ends', { message: 'Ask the platform', by: undefined }],
])('%s is refused', (_title, object, words, spec = {}) => {
  expect(judge(object, spec)).toEqual([expect.stringContaining(words)]);
});

test('a template that is applied again is an update, which the policy does not see', () => {
  const rule = holdPolicy({}).spec.matchConstraints?.resourceRules?.find(({ resources }) => resources?.includes('resourceclaimtemplates'));
  expect(rule).toMatchObject({ operations: ['CREATE'], resources: ['resourceclaims', 'resourceclaimtemplates'] });
});

test('a full-size hold stays within what CEL may cost', () => {
  const classes = Array.from({ length: 64 }, (_, index) => `class-${index}`);
  const names = Array.from({ length: 512 }, (_, index) => `t${index}`);
  const templates = { [NAMESPACE]: fullText(names, ['large']) };
  expect(judge(job(podSpec({ templates: names })), { classes, templates })).toHaveLength(1);
  expect(judge(job(podSpec({ templates: names.map(name => `none-${name}`) })), { classes, templates })).toEqual([]);
});

describe('fence of a hold', () => {
  const allocated = (...results: ReadonlyArray<readonly [string, string]>) => ({
    ...claim(['large']),
    status: { allocation: { devices: { results: results.map(([driver, pool]) => ({ request: 'r0', driver, pool, device: 'gpu-0' })) } } },
  });
  const decide = (object: Fields, spec: Fields = {}, oldObject: Fields = claim(['large'])) => {
    return refusals(holdFencePolicy({}), { object, oldObject, params: { ...HOLD, spec: { ...HOLD.spec, ...spec } }, subResource: 'status', user: 'system:kube-scheduler' });
  };

  test('refuses a new allocation from its pools, or from all of a driver', () => {
    expect(decide(allocated(['gpu.example.com', 'n9'], ['gpu.example.com', 'n2']))).toEqual([`Device gpu.example.com/n2/gpu-0 ${WORDS}The pod waits and is tried again then.`]);
    expect(decide(allocated(['nic.example.com', 'anything']))).toHaveLength(1);
    expect(decide(allocated(['gpu.example.com', 'n1']), { level: 'Rollback' })).toHaveLength(1);
  });

  test('lets pass other pools, level Door, releasing and reserving', () => {
    expect(decide(allocated(['gpu.example.com', 'n9']))).toEqual([]);
    expect(decide(allocated(['other.example.com', 'n1']))).toEqual([]);
    expect(decide(allocated(['gpu.example.com', 'n1']), { level: 'Door' })).toEqual([]);
    expect(decide(claim(['large']), {}, allocated(['gpu.example.com', 'n1']))).toEqual([]);
    expect(decide(allocated(['gpu.example.com', 'n1']), {}, allocated(['gpu.example.com', 'n1']))).toEqual([]);
  });

  test('stays within what CEL may cost at full size', () => {
    const pools = Array.from({ length: 4096 }, (_, index) => `pool-${index}`);
    const fence = Array.from({ length: 8 }, (_, index) => ({ driver: `d${index}`, pools }));
    const results = Array.from({ length: 32 }, () => ['d7', 'none'] as const);
    expect(decide(allocated(...results), { fence })).toEqual([]);
  });
});
