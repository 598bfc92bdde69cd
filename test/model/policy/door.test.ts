import { claim, fullText, job, NAMESPACE, ownedBy, pod, podSpec, refusals, template } from './trial';
import { workloadObject, WORKLOADS, type Fields } from './workloads';
import { doorPolicy } from '../../../src/model/policy';

const POLICY = doorPolicy({});
const ROUTING = {
  spec: {
    classes: {
      closed: { door: 'Closed', message: 'Class closed is not open yet.\nAsk for example.com/gpu.' },
      canary: { door: 'Canary', namespaces: [NAMESPACE, 'sandbox'], interruptions: ['safe'], message: 'Class canary is open for a canary only.' },
      elsewhere: { door: 'Canary', namespaces: ['sandbox'], interruptions: ['safe'], message: 'Class elsewhere is open for sandbox.' },
      tenants: { door: 'Tenants', interruptions: ['safe', 'costly'], message: 'Class tenants is open for what may be interrupted.' },
      open: { door: 'Open', message: 'Class open is open.' },
    },
    resources: { 'example.com/gpu': { door: 'Closed', message: 'example.com/gpu takes no new work.' } },
    templates: {
      [NAMESPACE]: 'canary: canary\nclosed: a.b b-a closed mixed\nelsewhere: elsewhere\nopen: mixed\ntenants: mixed tenants\n',
      sandbox: 'closed: other\n',
    },
  },
};
const LABEL = 'cdk8s-dra.dev/interruption';
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';
const OUT = 'What runs goes on, and its pods are replaced. Doors: kubectl get deviceroutings default -o yaml.';

function judge(object: Fields, more: Fields = {}) {
  return refusals(POLICY, { object, params: ROUTING, ...more });
}

function labelled(interruption: string): Fields {
  return { labels: { [LABEL]: interruption } };
}

test.each<[string, Fields, Fields?]>([
  ['a pod without devices', pod(podSpec({ limits: { 'cpu': '1', 'hugepages-2Mi': '2Mi' } }))],
  ['a Job without devices', job(podSpec({}))],
  ['an open class', pod(podSpec({ limits: { [`${IMPLICIT}open`]: '1' } }))],
  ['a class of no migration', claim(['unknown'])],
  ['a template that nobody watches', pod(podSpec({ templates: ['unknown'] }))],
  ['names within the name of a watched template', pod(podSpec({ templates: ['a', 'b', 'a.b.c', 'b-', '-a', 'close', 'closed2'] }))],
  ['a template with the name of a line or class', pod(podSpec({ templates: ['closed:', 'open'] }))],
  ['a template of this name in another namespace', pod(podSpec({ templates: ['other'] }))],
  ['a claim by name, judged when it was made', pod(podSpec({ claims: ['closed'] }))],
  ['a resource that nobody watches', pod(podSpec({ limits: { 'example.com/nic': '1' } }))],
  ['a canary namespace with safe work', pod(podSpec({ templates: ['canary'] }), labelled('safe'))],
  ['safe by the pod template', workloadObject(WORKLOADS.find(({ kind }) => kind === 'Job') as never, 'train', { ...labelled('safe'), metadata: labelled('safe'), spec: podSpec({ templates: ['canary'] }) })],
  ['work without the label where tenants are let in', pod(podSpec({ templates: ['tenants'] }))],
  ['a claim of a canary class', claim(['canary'], labelled('safe'))],
  ['a pod that the Job controller makes', pod(podSpec({ templates: ['closed'] }), ownedBy('Job')), { user: 'system:serviceaccount:kube-system:job-controller' }],
  ['a pod of a controller manager without accounts', pod(podSpec({ templates: ['closed'] }), ownedBy('Job')), { user: 'system:kube-controller-manager' }],
  ['a Job that an operator makes for its own kind', job(podSpec({ templates: ['closed'] }), { metadata: ownedBy('JobSet') }), { user: 'system:serviceaccount:jobset-system:jobset' }],
  ['a claim of the claim controller', claim(['closed'], ownedBy('Pod')), { user: 'system:serviceaccount:kube-system:resourceclaim-controller' }],
  ['a claim of the scheduler', claim(['closed'], ownedBy('Pod')), { user: 'system:kube-scheduler' }],
  ['a mirror pod of a kubelet', pod(podSpec({ limits: { 'example.com/gpu': '1' } }), ownedBy('Node')), { user: 'system:node:n1', groups: ['system:nodes'] }],
  ['scaling', job(podSpec({ templates: ['closed'] }), { parallelism: 64 }), { oldObject: job(podSpec({ templates: ['closed'] }), { parallelism: 1 }) }],
  ['unsuspending', job(podSpec({ templates: ['closed'] }), { suspend: false }), { oldObject: job(podSpec({ templates: ['closed'] }), { suspend: true }) }],
  ['another label on work that was let in', job(podSpec({ templates: ['canary'] }), { metadata: labelled('costly') }), { oldObject: job(podSpec({ templates: ['canary'] }), { metadata: labelled('safe') }) }],
  ['more of the same resource', job(podSpec({ limits: { 'example.com/gpu': '8' } })), { oldObject: job(podSpec({ limits: { 'example.com/gpu': '1' } })) }],
  ['a template, which is no work', template(['closed'])],
])('%s passes', (_title, object, more = {}) => {
  expect(judge(object, more)).toEqual([]);
});

test.each<[string, Fields, string, Fields?]>([
  ['a closed class by template', pod(podSpec({ templates: ['closed'] })), 'Pod "train" asks for class closed by template closed; it is cdk8s-dra.dev/interruption=costly. Class closed is not open yet. Ask for example.com/gpu. '],
  [
    'a pod of a Kueue pod group',
    pod(podSpec({ templates: ['closed'] }), { labels: { 'kueue.x-k8s.io/pod-group-name': 'group' } }),
    'Pod "train" asks for class closed',
  ],
  ['a closed class by its implicit name', pod(podSpec({ limits: { [`${IMPLICIT}closed`]: '1' } })), `Pod "train" asks for class closed by resource ${IMPLICIT}closed; `],
  ['an implicit name of an init container', pod(podSpec({ initLimits: { [`${IMPLICIT}closed`]: '1' } })), `Pod "train" asks for class closed by resource ${IMPLICIT}closed; `],
  ['a claim', claim(['open', 'closed']), 'ResourceClaim "mine" asks for class closed by a claim; '],
  ['an alternative of a claim', claim([['open', 'closed']]), 'ResourceClaim "mine" asks for class closed by a claim; '],
  ['a name with a dot', pod(podSpec({ templates: ['b', 'a.b'] })), 'Pod "train" asks for class closed by template a.b; '],
  ['a name with a hyphen', pod(podSpec({ templates: ['b-a'] })), 'Pod "train" asks for class closed by template b-a; '],
  ['one class of several in a template', job(podSpec({ templates: ['mixed'] })), 'Job "train" asks for class closed by template mixed; '],
  ['two at once, both told', job(podSpec({ templates: ['closed', 'elsewhere'] })), 'Job "train" asks for class closed by template closed (and class elsewhere by template elsewhere); '],
  ['a canary from another namespace', pod(podSpec({ templates: ['elsewhere'] }), labelled('safe')), 'Class elsewhere is open for sandbox. '],
  ['a canary by work that is not safe', pod(podSpec({ templates: ['canary'] })), 'it is cdk8s-dra.dev/interruption=costly. Class canary is open for a canary only. '],
  ['a canary by work with an unknown word', pod(podSpec({ templates: ['canary'] }), labelled('Safe')), 'it is cdk8s-dra.dev/interruption=Safe. '],
  ['forbidden work where tenants are let in', pod(podSpec({ templates: ['tenants'] }), labelled('forbidden')), 'it is cdk8s-dra.dev/interruption=forbidden. Class tenants is open'],
  ['a legacy resource', pod(podSpec({ limits: { 'example.com/gpu': '8' } })), 'Pod "train" asks for example.com/gpu; it is cdk8s-dra.dev/interruption=costly. example.com/gpu takes no new work. '],
  ['a legacy resource in requests only', job({ containers: [{ name: 'a', resources: { requests: { 'example.com/gpu': '1' } } }] }), 'Job "train" asks for example.com/gpu; '],
  ['a pod that says that it has an owner', pod(podSpec({ templates: ['closed'] }), ownedBy('Job')), 'Pod "train" asks for class closed', { user: 'anna' }],
  ['a pod of an operator of the tenant', pod(podSpec({ templates: ['closed'] }), ownedBy('Job')), 'Pod "train" asks', { user: `system:serviceaccount:${NAMESPACE}:runner` }],
  ['a controller that makes work of its own', pod(podSpec({ templates: ['closed'] })), 'Pod "train" asks', { user: 'system:serviceaccount:argocd:argocd' }],
  ['an owner that does not control', pod(podSpec({ templates: ['closed'] }), { ownerReferences: [{ kind: 'Job', name: 'x', controller: false }] }), 'Pod "train" asks', { user: 'system:serviceaccount:other:x' }],
  ['an update that asks for a class', job(podSpec({ templates: ['open', 'closed'] })), 'Job "train" asks for class closed by template closed; ', { oldObject: job(podSpec({ templates: ['open'] })) }],
  ['an update that asks for a resource', job(podSpec({ limits: { 'example.com/gpu': '1' } })), 'Job "train" asks for example.com/gpu; ', { oldObject: job(podSpec({})) }],
  ['a name that the server makes', pod(podSpec({ templates: ['closed'] }), { name: undefined, generateName: 'train-' }), 'Pod "train-" asks for class closed'],
])('%s is refused', (_title, object, words, more = {}) => {
  const [message, ...others] = judge(object, more);
  expect(others).toEqual([]);
  expect(message).toContain(words);
  expect(message?.endsWith(OUT)).toBe(true);
});

describe.each(WORKLOADS.map(workload => [workload.title, workload] as const))('%s', (_title, workload) => {
  const { group, version, resource } = workload;
  const judgeIt = (spec: Fields, more: Fields = {}) => judge(workloadObject(workload, 'train', { spec }), { resource: { group, version, resource }, ...more });

  test('is refused where it asks for a closed class or resource', () => {
    expect(judgeIt(podSpec({ templates: ['closed'] }))).toEqual([expect.stringContaining(`${workload.kind} "train" asks for class closed by template closed`)]);
    expect(judgeIt(podSpec({ limits: { 'example.com/gpu': '1' } }))).toEqual([expect.stringContaining('asks for example.com/gpu')]);
    expect(judgeIt(podSpec({ initLimits: { [`${IMPLICIT}closed`]: '1' } }))).toEqual([expect.stringContaining('asks for class closed by resource')]);
  });

  test('passes where it asks for nothing, or for nothing new', () => {
    expect(judgeIt(podSpec({}))).toEqual([]);
    if (workload.kind === 'Pod') return;
    const oldObject = workloadObject(workload, 'train', { spec: podSpec({ templates: ['closed'], limits: { 'example.com/gpu': '1' } }) });
    expect(judgeIt(podSpec({ templates: ['closed'], limits: { 'example.com/gpu': '2' } }), { oldObject })).toEqual([]);
  });

  test('is in the rules of the policy', () => {
    const rules = POLICY.spec.matchConstraints?.resourceRules ?? [];
    const rule = rules.find(({ apiGroups, resources }) => apiGroups?.includes(group) && resources?.includes(resource));
    expect(rule?.operations).toContain('CREATE');
  });
});

test('a TrainJob is judged by its resources for a node', () => {
  const object = { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', metadata: { name: 'train' }, spec: { trainer: { resourcesPerNode: { limits: { 'example.com/gpu': 8 } } } } };
  expect(judge(object)).toEqual([expect.stringContaining('TrainJob "train" asks for example.com/gpu')]);
  expect(judge({ ...object, spec: { trainer: {} } })).toEqual([]);
});

test.each([
  'model', 'huggingface', 'lightgbm', 'onnx', 'paddle', 'pmml', 'pytorch', 'sklearn', 'tensorflow', 'triton', 'xgboost',
])('an InferenceService is judged by the resources of predictor.%s', framework => {
  const service = (resources: Fields): Fields => ({
    apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', metadata: { name: 'llm' }, spec: { predictor: { maxReplicas: 3, [framework]: { resources } } },
  });
  expect(judge(service({ limits: { 'example.com/gpu': '1' } }))).toEqual([expect.stringContaining('InferenceService "llm" asks for example.com/gpu')]);
  expect(judge(service({ requests: { cpu: '1' } }))).toEqual([]);
  expect(judge(service({ limits: { 'example.com/gpu': '2' } }), { oldObject: service({ limits: { 'example.com/gpu': '1' } }) })).toEqual([]);
});

test('an InferenceService is judged by the resources of its explainer, and by the label of the object', () => {
  const service = (metadata: Fields, predictor: Fields, art: Fields = {}): Fields => ({
    apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', metadata: { name: 'llm', ...metadata }, spec: { predictor, explainer: { art } },
  });
  expect(judge(service({}, {}, { resources: { limits: { 'example.com/gpu': '1' } } }))).toEqual([expect.stringContaining('InferenceService "llm" asks for example.com/gpu')]);
  expect(judge(service({}, podSpec({ templates: ['canary'] })))).toEqual([expect.stringContaining(`it is ${LABEL}=costly. Class canary is open for a canary only.`)]);
  expect(judge(service(labelled('safe'), podSpec({ templates: ['canary'] })))).toEqual([]);
});

test('the Deployment that KServe makes for a service passes, so that the service must be judged', () => {
  const deployment = workloadObject(WORKLOADS.find(({ kind }) => kind === 'Deployment') as never, 'llm-predictor', { spec: podSpec({ templates: ['closed'] }) });
  const made = { ...deployment, metadata: { ...deployment.metadata, ...ownedBy('InferenceService') } };
  const resource = { group: 'apps', version: 'v1', resource: 'deployments' };
  expect(judge(made, { resource, user: 'system:serviceaccount:kserve:kserve-controller-manager' })).toEqual([]);
  expect(judge(made, { resource, user: 'anna' })).toEqual([expect.stringContaining('Deployment "llm-predictor" asks for class closed')]);
});

test.each([
  ['spec.template', { template: { spec: podSpec({ templates: ['closed'] }) } }],
  ['spec.groups[].worker.template', { groups: [{}, { worker: { template: { spec: podSpec({ templates: ['closed'] }) } } }] }],
  ['spec.roles{}.template', { roles: { leader: {}, worker: { template: { spec: podSpec({ templates: ['closed'] }) } } } }],
  ['spec.templates[]', { templates: [{ spec: podSpec({ templates: ['closed'] }) }] }],
])('a further kind of workload is judged by its pod templates at %s', (path, spec) => {
  const further = doorPolicy({ workloads: [{ group: 'example.com', resource: 'trainings', templates: [path] }] });
  const object = { apiVersion: 'example.com/v1', kind: 'Training', metadata: { name: 'train' }, spec };
  expect(refusals(further, { object, params: ROUTING })).toEqual([expect.stringContaining('Training "train" asks for class closed by template closed')]);
  expect(further.spec.matchConstraints?.resourceRules).toContainEqual(expect.objectContaining({ apiGroups: ['example.com'], resources: ['trainings'] }));
});

test.each([
  ['spec.router', { router: podSpec({ templates: ['closed'] }) }],
  ['spec.roles[].pod', { roles: [{}, { pod: podSpec({ templates: ['closed'] }) }] }],
  ['spec.services{}.extraPodSpec', { services: { web: {}, worker: { extraPodSpec: podSpec({ templates: ['closed'] }) } } }],
  ['spec.pods[]', { pods: [podSpec({ templates: ['closed'] })] }],
])('a further kind of workload is judged by its pod specs at %s', (path, spec) => {
  const further = doorPolicy({ workloads: [{ group: 'example.com', resource: 'trainings', templates: [], podSpecs: [path, 'spec.absent'] }] });
  const object = { apiVersion: 'example.com/v1', kind: 'Training', metadata: { name: 'train' }, spec };
  expect(refusals(further, { object, params: ROUTING })).toEqual([expect.stringContaining('Training "train" asks for class closed by template closed')]);
  expect(refusals(further, { object: { ...object, spec: {} }, params: ROUTING })).toEqual([]);
});

test('without the label on the object the most careful of its pod templates counts', () => {
  const set = (labels: readonly string[]) => ({
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'train' },
    spec: { replicatedJobs: labels.map(label => ({ template: { spec: { template: { metadata: labelled(label), spec: podSpec({ templates: ['canary'] }) } } } })) },
  });
  expect(judge(set(['safe', 'safe']))).toEqual([]);
  expect(judge(set(['safe', 'costly']))).toEqual([expect.stringContaining('interruption=costly')]);
  expect(judge(set(['safe', 'forbidden']))).toEqual([expect.stringContaining('interruption=forbidden')]);
});

test('accounts of controllers can be told one by one', () => {
  const narrow = doorPolicy({ controllerAccounts: ['system:serviceaccount:ray:operator'] });
  const object = pod(podSpec({ templates: ['closed'] }), ownedBy('RayCluster'));
  const by = (user: string) => refusals(narrow, { object, params: ROUTING, user }).length;
  expect([by('system:serviceaccount:ray:operator'), by('system:serviceaccount:kube-system:job-controller'), by('system:kube-scheduler')]).toEqual([0, 0, 0]);
  expect(by('system:serviceaccount:other-tenant:runner')).toBe(1);
});

test('what is too large to be looked at is refused, not let in', () => {
  const resources = { limits: { 'example.com/nic': '1' } };
  const many = (count: number) => job({ containers: Array.from({ length: count }, (_, index) => ({ name: `c${index}`, resources })) });
  expect(judge(many(512))).toEqual([]);
  expect(judge(many(513))).toEqual([expect.stringContaining('Split it into several workloads.')]);
  expect(judge(many(600), { oldObject: many(550) })).toEqual([]);
  expect(judge(many(600), { oldObject: many(1) })).toEqual([expect.stringContaining('Split it')]);
});

test('full-size objects stay within what CEL may cost', () => {
  const message = 'x'.repeat(1024);
  const namespaces = Array.from({ length: 256 }, (_, index) => `n${index}`);
  const classes = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`class-${index}`, { door: 'Canary', namespaces, interruptions: ['safe'], message }]));
  const names = Array.from({ length: 64 }, (_, index) => `t${index}`);
  const templates = { [NAMESPACE]: fullText(names, Object.keys(classes)) };
  const params = { spec: { classes, templates, resources: { ...classes, 'example.com/r1': { door: 'Closed', message } } } };
  const limits = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`example.com/r${index}`, '1']));
  const spec = {
    resourceClaims: names.map(name => ({ name, resourceClaimTemplateName: name })),
    containers: names.map(name => ({ name, resources: { limits, requests: limits, claims: names.map(each => ({ name: each })) } })),
  };
  expect(judge(job(spec), { params })).toHaveLength(2);
  expect(judge(job(spec), { params, oldObject: job({ containers: [] }) })).toHaveLength(2);
  expect(judge(claim(Array.from({ length: 32 }, () => Array.from({ length: 8 }, (_, index) => `class-${index}`))), { params })).toHaveLength(1);
  const many = Array.from({ length: 512 }, (_, index) => `t${index}`);
  const far = { spec: { classes, templates: { [NAMESPACE]: fullText(many, Object.keys(classes)) } } };
  expect(judge(job({ resourceClaims: many.map(name => ({ name, resourceClaimTemplateName: name })) }), { params: far })).toHaveLength(1);
  const others = many.map(name => ({ name, resourceClaimTemplateName: `none-${name}` }));
  expect(judge(job({ resourceClaims: others }), { params: far })).toEqual([]);
  expect(judge(job({ resourceClaims: [...others, ...others].map((entry, index) => ({ ...entry, name: `c${index}` })) }), { params: far })).toEqual([expect.stringContaining('Split it')]);
});
