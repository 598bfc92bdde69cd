// Our check and the server, on the same objects: what one calls an error, the other refuses, and nothing else.
import { loadModel } from '../../../tools/load-model.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { sliceObject, withNode } from '../lib/hand-made-node.mjs';
import { collectionPath } from '../lib/objects.mjs';
import { removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect, NotApplicable } from '../lib/suite.mjs';

const { runRules } = await loadModel('rules/index.ts');
const { Target } = await loadModel('target/index.ts');

const object = (apiVersion, kind, fields) => ({ apiVersion, kind, metadata: { name: 'agreement' }, ...fields });
const container = resources => object('v1', 'Pod', { spec: { containers: [{ name: 'main', image: 'x', resources }] } });
const quota = key => object('v1', 'ResourceQuota', { spec: { hard: { [key]: '1' } } });
const deviceClass = spec => object('resource.k8s.io/v1', 'DeviceClass', { spec });
const daemonSet = updateStrategy =>
  object('apps/v1', 'DaemonSet', {
    spec: {
      selector: { matchLabels: { a: 'b' } },
      updateStrategy,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [{ name: 'main', image: 'x' }],
          volumes: [{ name: 'registry', hostPath: { path: '/var/lib/kubelet/plugins_registry' } }],
        },
      },
    },
  });
const rolling = rollingUpdate => daemonSet({ type: 'RollingUpdate', rollingUpdate });
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
const policy = spec => object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', { spec });
const validations = [{ expression: 'true' }];

const RESOURCES = ['gpu', 'storage', 'attachable-volumes-csi-x', 'hugepages-2Mi', 'cpu', 'nvidia.com/gpu', 'NVIDIA.com/gpu', 'nvidia.com/GPU'];
const MORE_RESOURCES = ['requests.nvidia.com/gpu', 'nvidia.com/gpu/large', 'nvidia.com/', '/gpu', 'kubernetes.io/gpu', `a.b/${'x'.repeat(64)}`];
const QUOTA_KEYS = [
  'gpu.deviceclass.resource.k8s.io',
  'gpu.deviceclass.resource.k8s.io/device',
  'gpu.deviceclass.resource.k8s.io/devices',
  'GPU.deviceclass.resource.k8s.io/devices',
  'requests.deviceclass.resource.kubernetes.io/gpu',
  'requests.nvidia.com/gpu',
  'limits.nvidia.com/gpu',
  'nvidia.com/gpu',
  'gpu',
  'storage',
  'services.loadbalancers',
  'requests.hugepages-2Mi',
  'limits.hugepages-2Mi',
  'limits.ephemeral-storage',
  'count/pods',
];

/** Objects by what they are about; each is tried alone. */
const OBJECTS = {
  'container-resources': [...RESOURCES, ...MORE_RESOURCES].map(name => container({ limits: { [name]: name === 'hugepages-2Mi' ? '2Mi' : '1', cpu: '1' } })),
  'quota-keys': QUOTA_KEYS.map(quota),
  'extended-resource-names': ['gpu', 'a.b/gpu', 'A.b/gpu', 'kubernetes.io/gpu', 'requests.a.b/gpu', 'a/b/c', 'a.b/'].map(extendedResourceName =>
    deviceClass({ selectors: [{ cel: { expression: 'device.driver == "a.b"' } }], extendedResourceName }),
  ),
  'daemon-set-updates': [
    rolling({ maxSurge: 1 }),
    rolling({ maxSurge: 1, maxUnavailable: 0 }),
    rolling({ maxSurge: '10%', maxUnavailable: '0%' }),
    rolling({ maxSurge: 0, maxUnavailable: 1 }),
    rolling({ maxUnavailable: 0 }),
    rolling({ maxSurge: 0, maxUnavailable: 0 }),
    rolling({ maxSurge: 1, maxUnavailable: 1 }),
    daemonSet({ type: 'OnDelete', rollingUpdate: { maxSurge: 1 } }),
  ],
  'policies': [
    policy({ matchConstraints: { resourceRules }, validations }),
    policy({ matchConstraints: { resourceRules }, auditAnnotations: [{ key: 'a', valueExpression: '"x"' }] }),
    policy({ matchConstraints: { resourceRules: [] }, validations }),
    policy({ matchConstraints: {}, validations }),
    policy({ validations }),
    policy({ matchConstraints: { resourceRules }, validations: [] }),
    policy({}),
  ],
  'selectors': [
    'device.driver == "a.b"',
    'device.driver == "a.b" && device.allowMultipleAllocations',
    'device.driver == "a.b" && has(device.attributes["a.b"].x) && device.attributes["a.b"].x.includes("y")',
    'device.driver == "a.b" && device.attributes["a.b"].?x.orValue(["y"]).exists(i, i == "y")',
    'device.driver',
    'device.drivers == "a.b"',
  ].map(expression => deviceClass({ selectors: [{ cel: { expression } }] })),
};

const counters = [{ counterSet: 's', counters: { c: { value: '1' } } }];
const partitions = (devices, partitionTypeAttribute = 'a.b/profile') =>
  object('resource.k8s.io/v1', 'ResourceSlice', {
    spec: { driver: 'a.b', nodeName: 'absent.invalid', pool: { name: 'p', generation: 1, resourceSliceCount: 2 }, partitionTypeAttribute, devices },
  });
const derived = (attribute, constraints, requests = ['gpu']) =>
  object('resource.k8s.io/v1', 'ResourceClaim', {
    spec: {
      devices: {
        requests: requests.map((name, index) => ({
          name,
          exactly: {
            deviceClassName: 'gpu.nvidia.com',
            allocationMode: 'ExactCount',
            count: 1,
            ...(index === 0 ? { derivedAttributes: [{ name: 'derived/size', expression: 'device.driver', ...attribute }] } : {}),
          },
        })),
        constraints,
      },
    },
  });
const match = (matchAttribute, ...requests) => ({ matchAttribute, ...(requests.length > 0 ? { requests } : {}) });

/** Objects for alpha features, by the gate that they need. */
const ALPHA = {
  DRADerivedAttributes: [
    derived({}, [match('derived/size')]),
    derived({}, [match('derived/size', 'gpu')]),
    derived({}, [{ distinctAttribute: 'derived/size' }]),
    derived({}, [match('derived/size', 'nic')], ['gpu', 'nic']),
    derived({}, [match('derived/other')]),
    derived({}, []),
    derived({ name: 'size' }, [match('a.b/size')]),
    derived({ expression: 'device' }, [match('derived/size')]),
    derived({ expression: 'device.driver == "a"' }, [match('derived/size')]),
    derived({ expression: '[device.driver]' }, [match('derived/size')]),
    derived({ expression: 'semver("1.2.3")' }, [match('derived/size')]),
  ],
  DRAPartitionableDevicesType: [
    partitions([{ name: 'd', consumesCounters: counters, attributes: { profile: { string: 'x' } } }]),
    partitions([{ name: 'd', consumesCounters: counters, attributes: { 'a.b/profile': { string: 'x' } } }]),
    partitions([{ name: 'd', consumesCounters: counters, attributes: { profile: { int: 1 } } }]),
    partitions([{ name: 'd', consumesCounters: counters }, { name: 'e', attributes: { profile: { string: 'x' } } }]),
    partitions([{ name: 'd', consumesCounters: counters, attributes: { profile: { string: 'x' } } }, { name: 'e' }]),
    partitions([{ name: 'd', attributes: { profile: { string: 'x' } } }]),
    partitions([{ name: 'd', consumesCounters: counters, attributes: { profile: { string: 'x' } } }], 'profile'),
  ],
};

export const contracts = [
  ...Object.entries(OBJECTS).map(([id, objects]) => ({
    id,
    text: `Check and server agree on ${id.replaceAll('-', ' ')}`,
    where: 'live',
    run: cluster => agree(cluster, objects),
  })),
  ...Object.entries(ALPHA).map(([gate, objects]) => ({
    id: gate,
    text: `Check and server agree on what stands behind ${gate}`,
    where: 'live',
    since: '1.37',
    run: cluster => {
      if (!targetOf(cluster).enabled(gate)) throw new NotApplicable(`needs --feature-gates ${gate}=true`);
      return agree(cluster, objects);
    },
  })),
  {
    id: 'toleration-without-effect',
    text: 'A toleration without effect lets a pod on a device with a NoExecute taint, and does not keep it there',
    where: 'lab',
    since: '1.36',
    run: tolerationWithoutEffect,
  },
];

async function agree(cluster, objects) {
  const target = targetOf(cluster);
  const wrong = [];
  for (const one of objects) {
    const errors = runRules([{ value: one, source: { name: 'agreement.yaml' } }], target).filter(({ severity }) => severity === 'error');
    const path = await collectionPath(cluster.api, { ...one, metadata: { ...one.metadata, namespace: 'default' } });
    const { status, body } = await cluster.api.request('POST', `${path}?dryRun=All&fieldValidation=Strict`, one);
    const refused = status >= 300;
    // What is dropped without a word is an error of ours and taken by the server.
    const ours = errors.filter(({ code }) => code !== 'DRA110');
    if (refused === ours.length > 0 || (errors.length > ours.length && !refused)) continue;
    const told = ours.map(({ code, message }) => `${code} ${message}`).join(' ') || 'nothing';
    wrong.push(`${JSON.stringify(one.spec)}\n  check: ${told}\n  server: ${refused ? body.message : 'takes it'}`);
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${objects.length} objects`;
}

function targetOf({ minor, state }) {
  return Target.parse(minor, state?.featureGates ?? '');
}

async function tolerationWithoutEffect(cluster) {
  if (!targetOf(cluster).enabled('DRADeviceTaints')) throw new NotApplicable('device taints are off');
  const driver = 'gpu.agreement.example.com';
  return withNode(cluster, 'agreement-node', async node => {
    const objects = [
      { ...deviceClass({ selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] }), metadata: { name: 'agreement-gpu' } },
      sliceObject({ name: 'agreement-slice', driver, node, devices: [{ name: 'gpu-0', taints: [{ key: 'example.com/sick', effect: 'NoExecute' }] }] }),
    ];
    for (const one of objects) await cluster.api.create(await collectionPath(cluster.api, one), one);
    try {
      return await withNamespace(cluster, 'agreement', async namespace => {
        const tried = [];
        for (const [name, effect, stays] of [['all-effects', undefined, false], ['no-execute', 'NoExecute', true]]) {
          await createTolerant(cluster, namespace, name, effect);
          const fate = await waitFor(`pod ${name} to be bound, and evicted or left`, () => fateOf(cluster, namespace, name, stays), { seconds: 60 });
          tried.push(`${name}: ${fate}`);
          await cluster.api.request('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
          await removeObjects(cluster, [{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name, namespace } }]);
        }
        return tried.join('; ');
      });
    } finally {
      await removeObjects(cluster, objects);
    }
  });
}

async function createTolerant({ api }, namespace, name, effect) {
  const toleration = { key: 'example.com/sick', operator: 'Exists', ...(effect === undefined ? {} : { effect }) };
  await api.create(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name },
    spec: {
      devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'agreement-gpu', allocationMode: 'ExactCount', count: 1, tolerations: [toleration] } }] },
    },
  });
  await api.create(`/api/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'x' }], resourceClaims: [{ name: 'gpu', resourceClaimName: name }] },
  });
}

/** Evicted means deleted here: no kubelet is there to end the pod, so it stays with a deletion time. */
async function fateOf({ api }, namespace, name, stays) {
  const { status, body: pod } = await api.request('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
  const bound = (pod.status?.conditions ?? []).find(({ type }) => type === 'PodScheduled' && status === 200);
  const evicted = status === 404 || pod.metadata?.deletionTimestamp !== undefined;
  if (evicted) {
    expect(!stays, `Pod ${name} was evicted although its toleration has the effect of the taint.`);
    return { done: 'scheduled, then evicted' };
  }
  // The eviction controller acts within a second; a pod that is left alone for five stays.
  const age = bound?.status === 'True' ? Date.now() - Date.parse(bound.lastTransitionTime) : 0;
  return stays && age > 5000 ? { done: 'scheduled, and left there' } : pod.status;
}
