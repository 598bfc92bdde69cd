import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { ClusterView, PodDemand } from '../../../src/model/view';
import type { NodeRule } from '../../../src/model/view';

const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n0', labels: { zone: 'a' } }, status: { allocatable: { 'cpu': '4', 'memory': '8Gi', 'pods': '2', 'acme.io/gpu': '1' } } };

function rules(spec: JsonObject, node: JsonObject = {}, others: readonly JsonObject[] = [], devices: readonly string[] = []): readonly NodeRule[] {
  const view = new ClusterView();
  view.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml', uid: 'u' }, spec });
  view.put({ ...NODE, ...node });
  others.forEach((other, i) => view.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `other-${i}`, namespace: 'ml', uid: `o${i}` }, spec: { nodeName: 'n0', ...other } }));
  const [pod] = view.all('Pod').filter(({ name }) => name === 'p');
  return new PodDemand(view, pod, new Set(devices)).objectionsTo(view.all('Node')[0]).map(({ rule }) => rule);
}

const asks = (requests: JsonObject): JsonObject => ({ containers: [{ resources: { requests } }] });
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

test('a resource that devices answer is no shortage where the node does not offer it, and one where it does', () => {
  const spec = asks({ 'acme.io/gpu': '2', 'other.io/x': '1' });

  expect(rules(spec, {}, [], ['acme.io/gpu', 'other.io/x'])).toEqual(['resources']);
  expect(rules(asks({ 'other.io/x': '1' }), {}, [], ['other.io/x'])).toEqual([]);
});

function affinity(operator: string, values: readonly string[]): JsonObject {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'zone', operator, values }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}
