import { job, NAMESPACE, ownedBy, pod, podSpec, refusals } from './trial';
import type { Fields } from './workloads';
import { claimRewritingPolicy, type AdmissionPolicy } from '../../../src/model/policy';

const RESOURCE = 'example.com/gpu';
const REWRITING = claimRewritingPolicy('gpus', {
  resource: RESOURCE, deviceClassName: 'gpu-large', templates: [{ units: 8, template: 'gpu-8' }, { units: 1, template: 'gpu-1' }],
});
/** The same conditions and variables in a policy that refuses what would be rewritten; the patches themselves need a server. */
const POLICY: AdmissionPolicy = {
  name: 'gpus',
  spec: {
    failurePolicy: 'Ignore',
    paramKind: REWRITING.spec.paramKind,
    matchConstraints: REWRITING.spec.matchConstraints,
    matchConditions: REWRITING.spec.matchConditions,
    variables: REWRITING.spec.variables,
    validations: [{
      expression: '!variables.isRewritten',
      messageExpression: 'variables.asking.map(i, string(i) + " " + variables.templateByUnits[string(variables.spec.containers[i].resources.limits["example.com/gpu"])]).join(", ")',
    }],
  },
  binding: { policyName: 'gpus', validationActions: ['Deny'] },
};
const door = (state: Fields) => ({ spec: { classes: { 'gpu-large': { message: 'x', ...state } } } });
const OPEN = door({ door: 'Open' });
const SAFE = { labels: { 'cdk8s-dra.dev/interruption': 'safe' } };
const asking = (units: string) => podSpec({ limits: { [RESOURCE]: units } });
const deployment = (spec: Fields) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'train' }, spec: { template: { spec } } });
const cronJob = (spec: Fields) => ({
  apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'train' }, spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec } } } },
});

const rewritten = (object: Fields, params: Fields) => refusals(POLICY, { object, params });

test.each<[string, Fields, string, Fields?]>([
  ['a Job', job(asking('1')), '1 gpu-1'],
  ['a bare pod', pod(asking('8')), '1 gpu-8'],
  ['a Deployment', deployment(asking('1')), '1 gpu-1'],
  ['a CronJob', cronJob(asking('8')), '1 gpu-8'],
  ['a pod whose containers all ask', pod({ containers: [...asking('1').containers.slice(1), ...asking('8').containers.slice(1)] }), '0 gpu-1, 1 gpu-8'],
  ['a pod that has a claim for something else', pod({ ...asking('1'), resourceClaims: [{ name: 'nic', resourceClaimTemplateName: 'nic' }] }), '1 gpu-1'],
  ['work in the namespace of a canary', job(asking('1'), { metadata: SAFE }), '1 gpu-1', door({ door: 'Canary', namespaces: [NAMESPACE], interruptions: ['safe'] })],
  ['work that may be interrupted, for tenants', job(asking('1')), '1 gpu-1', door({ door: 'Tenants', interruptions: ['safe', 'costly'] })],
  ['work on a class of no migration any more', job(asking('1')), '1 gpu-1', { spec: {} }],
])('%s is rewritten', (_title, object, words, params = OPEN) => {
  expect(rewritten(object, params)).toEqual([words]);
});

test.each<[string, Fields, Fields?]>([
  ['a pod without devices', pod(podSpec({ limits: { cpu: '1' } }))],
  ['a pod without resources', pod({ containers: [{ name: 'main', image: 'main' }] })],
  ['a CronJob without devices', cronJob(podSpec({ limits: { cpu: '1' } }))],
  ['a CronJob with a number without a template', cronJob(asking('2'))],
  ['a Job by claim', job(podSpec({ templates: ['gpu-1'] }))],
  ['another resource', job(podSpec({ limits: { 'example.com/nic': '1' } }))],
  ['a number without a template', job(asking('2'))],
  ['none of it', job(asking('0'))],
  ['one container of two with a number without a template', pod({ containers: [...asking('1').containers, ...asking('2').containers.slice(1)] })],
  ['an init container that asks too', pod(podSpec({ limits: { [RESOURCE]: '1' }, initLimits: { [RESOURCE]: '1' } }))],
  ['a pod that a controller made', pod(asking('1'), ownedBy('Job'))],
  ['a Job of a CronJob', job(asking('1'), { metadata: ownedBy('CronJob') })],
  ['a closed class', job(asking('1')), door({ door: 'Closed' })],
  ['a canary of another namespace', job(asking('1'), { metadata: SAFE }), door({ door: 'Canary', namespaces: ['sandbox'], interruptions: ['safe'] })],
  ['a canary by work that is not safe', job(asking('1')), door({ door: 'Canary', namespaces: [NAMESPACE], interruptions: ['safe'] })],
  ['what was rewritten before', job({ ...asking('1'), resourceClaims: [{ name: 'gpus-1', resourceClaimTemplateName: 'gpu-1' }] })],
  ['more containers than are looked at', pod({ containers: Array.from({ length: 33 }, () => asking('1').containers[1]) })],
])('%s stays as it is', (_title, object, params = OPEN) => {
  expect(rewritten(object, params)).toEqual([]);
});

test('only who says so is meant: the workload itself, or the namespace where the workload says nothing', () => {
  const label = 'cdk8s-dra.dev/rewrite-to-claims';
  const selectors = REWRITING.bindings.map(({ spec: { matchResources: match } }) => [match?.namespaceSelector?.matchLabels, match?.objectSelector]);
  expect(selectors).toEqual([
    [{ [label]: 'true' }, { matchExpressions: [{ key: label, operator: 'NotIn', values: ['false', 'true'] }] }],
    [undefined, { matchLabels: { [label]: 'true' } }],
  ]);
  for (const { spec } of REWRITING.bindings) {
    expect(spec.matchResources?.namespaceSelector?.matchExpressions).toEqual([{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }]);
    expect(spec.paramRef).toEqual({ name: 'default', parameterNotFoundAction: 'Allow' });
  }
  expect(REWRITING.spec.failurePolicy).toBe('Ignore');
  expect(REWRITING.spec.matchConstraints?.resourceRules?.flatMap(({ operations }) => operations)).toEqual(['CREATE', 'CREATE', 'CREATE']);
});
