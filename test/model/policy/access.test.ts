import { claim, job, ownedBy, pod, podSpec, refusals, template } from './trial';
import type { Fields } from './workloads';
import { accessPolicy, accessWorkloadsPolicy } from '../../../src/model/policy';

const SCOPE = { tenantNamespaceLabels: { tenant: 'true' } };
const ACCESS = {
  spec: {
    classes: [{ name: 'large' }, { name: 'small', implicitResource: true }], templates: ['trainer'], limits: { devicesPerClaim: 8 }, message: 'Ask in #gpu.',
  },
};
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';

function judge(object: Fields, spec: Fields = {}, more: Fields = {}) {
  return refusals(accessPolicy(SCOPE), { object, params: { spec: { ...ACCESS.spec, ...spec } }, ...more });
}

function judgeWork(object: Fields, spec: Fields = {}, more: Fields = {}) {
  return refusals(accessWorkloadsPolicy(SCOPE), { object, params: { spec: { ...ACCESS.spec, ...spec } }, ...more });
}

const exactly = (fields: Fields) => ({ exactly: { deviceClassName: 'large', allocationMode: 'ExactCount', count: 1, ...fields } });

test.each<[string, Fields, Fields?, Fields?]>([
  ['a claim for its classes', claim(['large', ['small', 'large']])],
  ['its template', template(['large'])],
  ['any template where none is named', template(['large'], { name: 'mine' }), { templates: undefined }],
  ['as many devices as allowed', claim([exactly({ count: 8 })])],
  ['the largest alternative, not the sum', claim([{ firstAvailable: [{ name: 'a', deviceClassName: 'large', count: 8 }, { name: 'b', deviceClassName: 'small', count: 6 }] }])],
  ['admin access, which takes nothing', claim([exactly({ allocationMode: 'All', count: undefined, adminAccess: true }), exactly({ count: 8 })])],
  ['the claim of a pod that was let in', claim(['other'], ownedBy('Pod')), {}, { user: 'system:serviceaccount:kube-system:resourceclaim-controller' }],
])('%s passes', (_title, object, spec = {}, more = {}) => {
  expect(judge(object, spec, more)).toEqual([]);
});

test.each<[string, Fields, string, Fields?]>([
  ['another class', claim(['large', 'other']), 'ResourceClaim "mine" names class other, which namespace vision may not use. It may use large, small. Ask in #gpu.'],
  ['an alternative', claim([['large', 'other']]), 'names class other'],
  ['another class in a template', template(['other']), 'ResourceClaimTemplate "trainer" names class other'],
  ['another template', template(['large'], { name: 'mine' }), 'ResourceClaimTemplate "mine" is not among the claim templates of namespace vision. It may use trainer. Ask in #gpu.'],
  ['any class where none is allowed', claim(['large']), 'It may use none. Ask whoever keeps DeviceAccess vision/default to add it.', { classes: undefined, message: undefined }],
  ['too many devices', claim([exactly({ count: 5 }), exactly({ count: 4 })]), 'ResourceClaim "mine" can take 9 devices; one claim of namespace vision may have 8. '],
  ['all devices of a node', template([exactly({ allocationMode: 'All', count: undefined })]), 'can take 32 devices'],
  ['a large alternative', claim([{ firstAvailable: [{ name: 'a', deviceClassName: 'large', count: 1 }, { name: 'b', deviceClassName: 'small', count: 9 }] }]), 'can take 9 devices'],
])('%s is refused', (_title, object, words, spec = {}) => {
  expect(judge(object, spec)).toEqual([expect.stringContaining(words)]);
});

test.each<[string, Fields, Fields?, Fields?]>([
  ['a pod without devices', pod(podSpec({}))],
  ['its template', job(podSpec({ templates: ['trainer'] }))],
  ['any template where none is named', job(podSpec({ templates: ['mine'] })), { templates: undefined }],
  ['a class as a resource', pod(podSpec({ limits: { [`${IMPLICIT}small`]: '1' } }))],
  ['a resource of a device plugin', pod(podSpec({ limits: { 'example.com/gpu': '1' } }))],
  ['a replacement', pod(podSpec({ templates: ['mine'] }), ownedBy('Job')), {}, { user: 'system:serviceaccount:kube-system:job-controller' }],
  ['what asked for it before', job(podSpec({ templates: ['mine'] }), { parallelism: 2 }), {}, { oldObject: job(podSpec({ templates: ['mine'] })) }],
])('a workload with %s passes', (_title, object, spec = {}, more = {}) => {
  expect(judgeWork(object, spec, more)).toEqual([]);
});

test.each<[string, Fields, string, Fields?]>([
  ['another template', job(podSpec({ templates: ['trainer', 'mine'] })), 'Job "train" names claim template mine, which is not among those of namespace vision. It may use trainer. Ask in #gpu.'],
  ['a class as a resource', pod(podSpec({ limits: { [`${IMPLICIT}large`]: '1' } })), `Pod "train" asks for ${IMPLICIT}large, and namespace vision may not ask for that class as a resource. It may use ${IMPLICIT}small. Ask in #gpu.`],
  ['no class as a resource', pod(podSpec({ limits: { [`${IMPLICIT}small`]: '1' } })), 'It may use none.', { classes: undefined }],
])('a workload with %s is refused', (_title, object, words, spec = {}) => {
  expect(judgeWork(object, spec)).toEqual([expect.stringContaining(words)]);
});

test('full-size objects stay within what CEL may cost', () => {
  const spec = {
    classes: Array.from({ length: 128 }, (_, index) => ({ name: `class-${index}`, implicitResource: true })),
    templates: Array.from({ length: 256 }, (_, index) => `t${index}`),
  };
  const requests = Array.from({ length: 32 }, () => ({ firstAvailable: Array.from({ length: 8 }, (_, index) => ({ name: `s${index}`, deviceClassName: 'none', count: 1 })) }));
  expect(judge(claim(requests), spec)).toHaveLength(2);
  const names = Array.from({ length: 512 }, (_, index) => `none-${index}`);
  const limits = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`${IMPLICIT}none-${index}`, '1']));
  expect(judgeWork(job(podSpec({ templates: names, limits })), spec)).toHaveLength(2);
});
