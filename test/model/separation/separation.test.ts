import * as fc from 'fast-check';
import { DRIVER_PROFILES, profileById } from '../../../src/model/drivers';
import { ownerLabel } from '../../../src/model/node-contract';
import {
  adoptionText, driverSeparation, nodeTemplatesText, ownerRequirement, pluginSeparation, pluginSwitches, selectorText, separatedPod, switchMove,
} from '../../../src/model/separation';

const nvidia = profileById('nvidia-gpu')!;
const owner = ownerLabel('gpu');
const term = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] });
const required = (pod: any) => pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;

test('plugin and driver never select one owner, and a node without the label is the plugin\'s', () => {
  const selects = (side: 'plugin' | 'driver', value?: string) => {
    const { operator, values = [] } = ownerRequirement(side, 'gpu');
    return operator === 'In' ? value !== undefined && values.includes(value) : value === undefined || !values.includes(value);
  };
  const table = [undefined, 'device-plugin', 'handover', 'dra'].map(value => [value, selects('plugin', value), selects('driver', value)]);
  expect(table).toEqual([[undefined, true, false], ['device-plugin', true, false], ['handover', false, false], ['dra', false, true]]);
});

test('each alternative of an affinity gets the condition, and what is there stays', () => {
  const spec = {
    nodeSelector: { gpu: 'yes' },
    tolerations: [{ key: 'gpu', operator: 'Exists' }],
    affinity: { podAffinity: {}, nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a'), term('b')] } } },
    containers: [],
  };
  const condition = { key: owner, operator: 'NotIn', values: ['handover', 'dra'] };
  expect(separatedPod(spec, 'plugin', 'gpu')).toEqual({
    ...spec,
    affinity: {
      podAffinity: {},
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: ['a', 'b'].map(key => ({ matchExpressions: [...term(key).matchExpressions, condition] })),
        },
      },
    },
    tolerations: [{ key: 'gpu', operator: 'Exists' }, { key: 'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-gpu', operator: 'Exists' }],
  });
});

test('a pod without affinity gets one', () => {
  expect(required(separatedPod({ containers: [] }, 'driver', 'gpu'))).toEqual({ nodeSelectorTerms: [{ matchExpressions: [{ key: owner, operator: 'In', values: ['dra'] }] }] });
});

const pods = fc.record({
  containers: fc.constant([]),
  nodeSelector: fc.option(fc.constant({ a: 'b' }), { nil: undefined }),
  tolerations: fc.option(fc.array(fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constant('Exists') }), { maxLength: 2 }), { nil: undefined }),
  affinity: fc.option(fc.constant({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a'), {}] } } }), { nil: undefined }),
}, { requiredKeys: ['containers'] });

test('doing it twice changes nothing, and a term that selects no node goes on selecting none', () => {
  fc.assert(fc.property(pods, fc.constantFrom('plugin' as const, 'driver' as const), (pod, side) => {
    const once = separatedPod(pod, side, 'gpu');
    expect(separatedPod(once, side, 'gpu')).toEqual(once);
    const terms: any[] = required(once).nodeSelectorTerms;
    expect(terms.length).toBeGreaterThan(0);
    const conditional = (expressions: any[]) => expressions.length === 0 || expressions.some(({ key }) => key === owner);
    const unconditional = terms.filter(({ matchExpressions = [] }) => !conditional(matchExpressions));
    expect(unconditional).toEqual([]);
    expect(terms.filter(each => Object.keys(each).length === 0).length).toBe(pod.affinity === undefined ? 0 : 1);
  }));
});

test('a toleration of everything is enough', () => {
  expect(separatedPod({ containers: [], tolerations: [{ operator: 'Exists' }] }, 'plugin', 'gpu').tolerations).toEqual([{ operator: 'Exists' }]);
});

test('values for NVIDIA\'s charts: a list replaces the chart\'s own, so that it is repeated', () => {
  const handover = { key: 'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-gpu', operator: 'Exists' };
  const vendor = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
  const notDra = { key: owner, operator: 'NotIn', values: ['handover', 'dra'] };
  const nodes = [
    ['feature.node.kubernetes.io/pci-10de.present', 'true'], ['feature.node.kubernetes.io/cpu-model.vendor_id', 'NVIDIA'], ['nvidia.com/gpu.present', 'true'],
  ];
  expect(pluginSeparation(nvidia.legacy, nvidia.family).map(({ install, values }) => [install, values])).toEqual([
    ['chart', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: nodes.map(([key, value]) => ({ matchExpressions: [{ key, operator: 'In', values: [value] }, notDra] })),
          },
        },
      },
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, vendor, handover],
    }],
    ['gpu-operator', { daemonsets: { tolerations: [vendor, handover] } }],
  ]);
  expect(driverSeparation(nvidia).map(({ install, values }) => [install, values])).toEqual([['chart', {
    gpuResourcesEnabledOverride: true,
    kubeletPlugin: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: owner, operator: 'In', values: ['dra'] }] }] },
        },
      },
      tolerations: [vendor, handover],
    },
  }]]);
});

test('every profile with a chart has values for it', () => {
  const without = DRIVER_PROFILES.filter(profile => profile.installs.length > 0 && driverSeparation(profile).length === 0).map(({ id }) => id);
  expect(without).toEqual([]);
});

test.each<['device-plugin' | 'handover' | 'dra', string | undefined, object]>([
  ['dra', 'true', { kind: 'set', value: 'false' }],
  ['handover', 'true', { kind: 'set', value: 'false' }],
  ['handover', 'false', { kind: 'none' }],
  ['device-plugin', 'false', { kind: 'set', value: 'true' }],
  ['device-plugin', 'true', { kind: 'none' }],
  ['dra', 'paused-for-driver-upgrade', { kind: 'wait' }],
  ['dra', 'custom_paused-for-driver-upgrade', { kind: 'wait' }],
  ['device-plugin', 'paused-for-mig-change', { kind: 'wait' }],
  ['dra', undefined, { kind: 'none' }],
])('owner %s with the operator\'s label %s', (to, value, expected) => {
  const [deploy, ...more] = pluginSwitches(nvidia.legacy);
  expect(more).toEqual([]);
  expect(switchMove(deploy, to, value === undefined ? {} : { [deploy.key]: value })).toMatchObject(expected);
});

test('selectors as kubectl takes them', () => {
  expect(selectorText({
    matchLabels: { b: '1', a: '2' },
    matchExpressions: [
      { key: 'c', operator: 'In', values: ['x', 'y'] }, { key: 'd', operator: 'NotIn', values: ['z'] }, { key: 'e', operator: 'Exists' }, { key: 'f', operator: 'DoesNotExist' },
    ],
  })).toBe('a=2,b=1,!f,c in (x, y),d notin (z),e');
});

const pool = {
  name: 'a100',
  spec: {
    family: 'gpu',
    driver: 'gpu.nvidia.com',
    nodes: { matchLabels: { type: 'p4d' } },
    deviceClassNames: ['large'],
    phase: 'Observe' as const,
    legacy: { resources: [{ name: 'nvidia.com/gpu' }] },
  },
};

test('adoption labels, looks, and then touches the plugin one node at a time', () => {
  const text = adoptionText(pool);
  const places = ['kubectl label nodes -l \'type=p4d\' cdk8s-dra.dev/gpu-pool=a100 cdk8s-dra.dev/gpu-owner=device-plugin', 'kubectl get nodes -l \'type=p4d\'', 'OnDelete',
    'cdk8s-dra.dev/gpu-owner NotIn (handover, dra)', '-l \'app=nvidia-device-plugin-daemonset\' --field-selector spec.nodeName=NODE', 'paused-'].map(part => text.indexOf(part));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(text).toContain('Its pods restart');
  expect(adoptionText({ ...pool, spec: { ...pool.spec, legacy: undefined } })).toContain('There is no device plugin');
});

test('templates of new nodes name the pool and not yet the owner', () => {
  const text = nodeTemplatesText(pool);
  for (const part of ['cdk8s-dra.dev/gpu-pool: a100', '--node-labels=cdk8s-dra.dev/gpu-pool=a100', '--labels cdk8s-dra.dev/gpu-pool=a100', 'value: cdk8s-dra.dev/gpu-pool=a100']) expect(text).toContain(part);
  expect(text.match(/gpu-owner/g)).toHaveLength(1);
});
