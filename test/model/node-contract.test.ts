import { agentMode, handoverTaint, ownerLabel, poolLabel, publishAnnotation } from '../../src/model/node-contract';

test('the names on nodes are contract', () => {
  expect([poolLabel('gpu'), ownerLabel('gpu'), publishAnnotation('gpu'), handoverTaint('gpu')]).toEqual([
    'cdk8s-dra.dev/gpu-pool',
    'cdk8s-dra.dev/gpu-owner',
    'cdk8s-dra.dev/gpu-publish',
    'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-gpu',
  ]);
});

test.each([
  ['dra', undefined, 'active'],
  ['dra', 'on', 'active'],
  ['dra', 'frozen', 'frozen'],
  ['dra', 'Frozen', 'frozen'],
  ['dra', '', 'frozen'],
  ['device-plugin', undefined, 'observe'],
  ['handover', 'on', 'observe'],
  ['DRA', 'on', 'observe'],
  [undefined, undefined, 'observe'],
  [undefined, 'frozen', 'observe'],
])('owner %s with publish %s: the agent is %s', (owner, publish, mode) => {
  const node = {
    ...(owner === undefined ? {} : { labels: { 'cdk8s-dra.dev/gpu-owner': owner } }),
    ...(publish === undefined ? {} : { annotations: { 'cdk8s-dra.dev/gpu-publish': publish } }),
  };

  expect(agentMode('gpu', node)).toBe(mode);
});

test('the marks of another family do not count', () => {
  expect(agentMode('nic', { labels: { 'cdk8s-dra.dev/gpu-owner': 'dra' } })).toBe('observe');
});
