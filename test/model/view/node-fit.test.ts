import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { handoverTaint } from '../../../src/model/node-contract';
import { ClusterView, PodDemand } from '../../../src/model/view';
import type { NodeObjection, NodeRule } from '../../../src/model/view';

const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n0', labels: { zone: 'a' } }, status: { allocatable: { 'cpu': '4', 'memory': '8Gi', 'pods': '2', 'acme.io/gpu': '1' } } };

function rules(spec: JsonObject, node: JsonObject = {}, others: readonly JsonObject[] = [], devices: readonly string[] = []): readonly NodeRule[] {
  return objections(spec, node, others, devices).map(({ rule }) => rule);
}

function objections(
  spec: JsonObject, node: JsonObject = {}, others: readonly JsonObject[] = [], devices: readonly string[] = [],
): readonly NodeObjection[] {
  const view = new ClusterView();
  view.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml', uid: 'u' }, spec });
  view.put({ ...NODE, ...node });
  others.forEach((other, i) => view.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `other-${i}`, namespace: 'ml', uid: `o${i}` }, spec: { nodeName: 'n0', ...other } }));
  const [pod] = view.all('Pod').filter(({ name }) => name === 'p');
  return new PodDemand(view, pod, new Set(devices)).objectionsTo(view.all('Node')[0]);
}

const asks = (requests: JsonObject): JsonObject => ({ containers: [{ resources: { requests } }] });
const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const taint = (effect: string): JsonObject => ({ spec: { taints: [{ key: 'k', value: 'v', effect }] } });

test.each<[string, JsonObject, JsonObject, readonly JsonObject[], readonly NodeRule[]]>([
  ['nothing is wrong', asks({ cpu: '4' }), {}, [], []],
  ['the node is cordoned', {}, { spec: { unschedulable: true } }, [], ['cordoned']],
  ['the cordon is tolerated', { tolerations: [{ operator: 'Exists' }] }, { spec: { unschedulable: true } }, [], []],
  ['the node is tainted', {}, taint('NoSchedule'), [], ['taint']],
  ['the taint only prefers others', {}, taint('PreferNoSchedule'), [], []],
  ['the taint is tolerated by value', { tolerations: [{ key: 'k', value: 'v' }] }, taint('NoExecute'), [], []],
  ['another value is tolerated', { tolerations: [{ key: 'k', value: 'w' }] }, taint('NoExecute'), [], ['taint']],
  ['another effect is tolerated', { tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }] }, taint('NoExecute'), [], ['taint']],
  ['a label is missing', { nodeSelector: { zone: 'b' } }, {}, [], ['affinity']],
  ['the affinity admits another zone', affinity('In', ['b']), {}, [], ['affinity']],
  ['the affinity admits the zone', affinity('In', ['a']), {}, [], []],
  ['the affinity cannot be read', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: 'x' } } } }, {}, [], ['affinity']],
  ['a label is missing, and the affinity admits another zone', { nodeSelector: { disk: 'ssd' }, ...affinity('In', ['b']) }, {}, [], ['affinity', 'affinity']],
  ['one term of the affinity cannot be read and another admits the node', terms([['zone', 'Gt', 'x'], ['zone', 'In', 'a']]), {}, [], []],
  ['one term of the affinity cannot be read and another does not admit the node', terms([['zone', 'Gt', 'x'], ['zone', 'In', 'b']]), {}, [], ['affinity']],
  ['the affinity has an empty term only', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } } } }, {}, [], ['affinity']],
  ['the taint of a cordon that is lifted is left', {}, { spec: { taints: [CORDON] } }, [], ['taint']],
  ['a cordon with its taint is told once', {}, { spec: { unschedulable: true, taints: [CORDON] } }, [], ['cordoned']],
  ['a cordon and a taint', {}, { spec: { unschedulable: true, taints: [CORDON, { key: 'k', effect: 'NoSchedule' }] } }, [], ['cordoned', 'taint']],
  ['CPU is short', asks({ cpu: '3' }), {}, [asks({ cpu: '1500m' })], ['resources']],
  ['memory is short', asks({ memory: '9Gi' }), {}, [], ['resources']],
  ['the places for pods are taken', {}, {}, [{}, {}], ['resources']],
  ['a device plugin has given its devices away', asks({ 'acme.io/gpu': '1' }), {}, [asks({ 'acme.io/gpu': '1' })], ['resources']],
  ['an init container asks for more than all containers', { containers: [{ resources: { requests: { cpu: '1' } } }], initContainers: [{ resources: { requests: { cpu: '5' } } }] }, {}, [], ['resources']],
  ['a sidecar counts beside the containers', { containers: [{ resources: { requests: { cpu: '3' } } }], initContainers: [{ restartPolicy: 'Always', resources: { requests: { cpu: '2' } } }] }, {}, [], ['resources']],
  ['the overhead counts', { ...asks({ cpu: '4' }), overhead: { cpu: '1m' } }, {}, [], ['resources']],
  ['several things are wrong', { ...asks({ cpu: '5' }), nodeSelector: { zone: 'b' } }, { spec: { unschedulable: true } }, [], ['cordoned', 'affinity', 'resources']],
])('%s', (_, spec, node, others, expected) => {
  expect(rules(spec, node, others)).toEqual(expected);
});

test('every taint and label that is in the way is told at once', () => {
  const taints = [{ key: 'a', value: 'b', effect: 'NoSchedule' }, { key: 'c', effect: 'NoExecute' }, { key: 'd', effect: 'PreferNoSchedule' }];

  expect(objections({ nodeSelector: { zone: 'b', rack: '1' } }, { spec: { taints } })).toEqual([
    { rule: 'taint', detail: 'tainted a=b:NoSchedule, c:NoExecute', remedy: 'tolerate the node taints a=b:NoSchedule, c:NoExecute in the pod, or remove them from the node' },
    { rule: 'affinity', detail: "without the labels rack=1, zone=b of the pod's nodeSelector", remedy: "label the node with rack=1, zone=b, or drop them from the pod's nodeSelector" },
  ]);
  expect(objections({ tolerations: [{ key: 'a', operator: 'Exists' }] }, { spec: { taints } }).map(({ detail }) => detail)).toEqual(['tainted c:NoExecute']);
});

test.each([
  ['node.kubernetes.io/not-ready', 'make the node ready (its kubelet says why it is not)'],
  ['node.kubernetes.io/disk-pressure', 'free disk space on the node'],
  ['node.kubernetes.io/unschedulable', 'wait until Kubernetes takes the taint of the cordon off, which is lifted already'],
  ['example.com/own', 'tolerate the node taint example.com/own:NoSchedule in the pod, or remove it from the node'],
])('nobody is told to tolerate or to remove a taint that Kubernetes keeps by the state of the node: %s', (key, remedy) => {
  expect(objections({}, { spec: { taints: [{ key, effect: 'NoSchedule' }] } })).toEqual([{ rule: 'taint', detail: `tainted ${key}:NoSchedule`, remedy }]);
});

test('a taint that Kubernetes keeps and one of somebody else both have to go', () => {
  const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }, { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }, { key: 'k', effect: 'NoSchedule' }];

  expect(objections({}, { spec: { taints } })[0].remedy)
    .toBe('make the node ready (its kubelet says why it is not), and tolerate the node taint k:NoSchedule in the pod, or remove it from the node');
});

test('a taint beside that of a handover is told too', () => {
  const taints = [{ key: `${handoverTaint('gpu')}`, effect: 'NoSchedule' }, { key: 'k', effect: 'NoSchedule' }];

  const [{ detail, remedy }] = objections({}, { spec: { taints } });
  expect(detail).toContain(`in handover (tainted ${handoverTaint('gpu')}:NoSchedule, k:NoSchedule)`);
  expect(remedy).toBe('let the handover of the node end, and tolerate the node taint k:NoSchedule in the pod, or remove it from the node');
});

test('an affinity says what it asks for, unless that is long', () => {
  expect(objections(affinity('In', ['b', 'c']))[0].detail).toBe('outside the required node affinity of the pod (zone In b, c)');
  expect(objections(affinity('In', Array.from({ length: 90 }, (_, i) => `b${i}`)))[0].detail).toBe('outside the required node affinity of the pod');
});

test('a resource that devices answer is no shortage where the node does not offer it, and one where it does', () => {
  const spec = asks({ 'acme.io/gpu': '2', 'other.io/x': '1' });

  expect(rules(spec, {}, [], ['acme.io/gpu', 'other.io/x'])).toEqual(['resources']);
  expect(rules(asks({ 'other.io/x': '1' }), {}, [], ['other.io/x'])).toEqual([]);
});

function affinity(operator: string, values: readonly string[]): JsonObject {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'zone', operator, values }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

/** An affinity of one condition a term. */
function terms(conditions: readonly (readonly [string, string, string])[]): JsonObject {
  const nodeSelectorTerms = conditions.map(([key, operator, value]) => ({ matchExpressions: [{ key, operator, values: [value] }] }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}
