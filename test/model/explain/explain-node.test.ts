import { CASES, viewOf } from './case-file';
import type { ExplainCase } from './case-file';
import { explainNode, explainPod } from '../../../src/model/explain';
import type { NodeExplanation } from '../../../src/model/explain';
import { failureOf } from '../../../src/model/failures';
import { Target } from '../../../src/model/target';

function onNode(file: string, node: string): NodeExplanation | undefined {
  return answers(CASES.find(one => one.file === `${file}.yaml`) as ExplainCase).find(answer => answer.node === node);
}

function answers({ objects, pod, kubernetes, gates, server }: ExplainCase): readonly NodeExplanation[] {
  const view = viewOf(objects, server);
  const [namespace, name] = pod.split('/');
  return view.all('Node').flatMap(node => explainNode(view, namespace, name, node.name, Target.parse(kubernetes, gates)) ?? []);
}

const ALL = CASES.map(one => ({ one, nodes: answers(one) }));

test.each(ALL.map(({ one, nodes }) => [one.file, one, nodes] as const))('%s: nodes take the pod when it fits, and each says why not otherwise', (_, one, nodes) => {
  const view = viewOf(one.objects, one.server);
  const [namespace, name] = one.pod.split('/');
  const cause = failureOf(explainPod(view, namespace, name, Target.parse(one.kubernetes, one.gates))?.cause ?? '').name;

  const waits = ['pod-fits', 'scheduler-not-woken', 'scheduler-defect', 'claim-refused'].includes(cause);
  const fitting = nodes.filter(({ fits }) => fits);
  if (['pod-fits', 'scheduler-not-woken'].includes(cause)) expect(fitting).not.toEqual([]);
  // An error at one node ends the attempt for those that would do.
  const hasError = nodes.some(({ error }) => error !== undefined);
  if (!waits && !hasError) expect(fitting.map(({ node }) => node)).toEqual([]);
  for (const { fits, objections, requests, conflicts, error, others } of nodes) {
    const isShort = requests.some(({ wanted, free }) => free < Math.max(1, wanted));
    if (!fits) expect([...objections, ...conflicts, ...(error === undefined ? [] : [error]), ...others].length > 0 || isShort).toBe(true);
    for (const { device, state, because } of requests.flatMap(({ devices }) => devices)) expect([device, state === 'free' || because !== '']).toEqual([device, true]);
  }
});

test('every state of a device is told in some case', () => {
  const requests = ALL.flatMap(({ nodes }) => nodes.flatMap(one => one.requests));
  const states = new Set(requests.flatMap(({ devices }) => devices.map(({ state }) => state)));

  expect([...states].sort()).toEqual(['capacity', 'class', 'constraint', 'counters', 'free', 'in-use', 'pool-incomplete', 'pool-invalid', 'selector', 'taint']);
});

test.each<[string, string, string, string]>([
  ['in-use-both', 'n0', 'in-use', 'held by claim ml/'],
  ['selector-quantity', 'n0', 'selector', 'fails selector 0 of request g (memory is '],
  ['device-taint', 'n0', 'taint', 'is not tolerated'],
  ['counters', 'n0', 'counters', 'needs '],
  ['capacity', 'n0', 'capacity', 'is asked'],
  ['invalid-pool', 'n0', 'pool-invalid', 'duplicate device name gpu-0'],
  ['incomplete-pool', 'n0', 'pool-incomplete', 'slices are there'],
  ['bug-all-mode-foreign-pool', 'n0', 'class', 'fails selector 0 of class gpu (device.driver == "gpu.acme.io")'],
])('%s: a device of %s is %s', (file, node, state, because) => {
  const devices = onNode(file, node)?.requests.flatMap(request => request.devices) ?? [];

  expect(devices).toContainEqual({ device: expect.any(String) as string, state, because: expect.stringContaining(because) as string });
});

test('what is wrong with the node itself comes with the way out', () => {
  expect(onNode('node-cordoned', 'n0')?.objections).toEqual([{ rule: 'cordoned', because: 'cordoned', help: 'uncordon the node' }]);
});

test('an error of the scheduler at the node, and mistakes of upstream behind it, are told', () => {
  expect(onNode('bug-all-mode-foreign-pool', 'n0')).toMatchObject({ fits: false, error: expect.stringContaining('asks for all devices, but') as string, knownBugs: [{ id: 'all-mode-foreign-pool' }] });
});

test('a node or a pod that is not there has no answer', () => {
  const view = viewOf([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' } }]);

  expect(explainNode(view, 'ml', 'p', 'm', Target.of('1.36'))).toBeUndefined();
  expect(explainNode(view, 'ml', 'q', 'n', Target.of('1.36'))).toBeUndefined();
});

test('of thousands of devices the first are listed, and the rest is counted', () => {
  const devices = Array.from({ length: 2500 }, (_, i) => ({ name: `d${i}` }));
  const view = viewOf([
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' }, spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] } },
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'c', namespace: 'ml' }, spec: { devices: { requests: [{ name: 'g', exactly: { deviceClassName: 'c' } }] } } },
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'c' }, spec: { selectors: [{ cel: { expression: 'false' } }] } },
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 's' }, spec: { driver: 'd', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices } },
  ]);
  const answer = explainNode(view, 'ml', 'p', 'n', Target.of('1.36'));

  expect(answer?.requests[0].devices).toHaveLength(2000);
  expect(answer?.unknown).toContain('500 of 2500 devices: not listed');
});
