import { check, documents, found, manifestsOf, textOf } from './check';
import { formatPath } from '../../../src/model/manifests/manifest';
import { runRules } from '../../../src/model/rules';
import { Target } from '../../../src/model/target';
import { ClusterView } from '../../../src/model/view';

const OWNER = 'cdk8s-dra.dev/gpu-owner';

function migration(name: string, fields: object = {}): string {
  return JSON.stringify({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceMigration',
    metadata: { name },
    spec: {
      family: 'gpu',
      driver: 'gpu.nvidia.com',
      nodes: { matchLabels: { type: name } },
      deviceClassNames: ['gpu.nvidia.com'],
      legacy: { resources: [{ name: 'nvidia.com/gpu' }] },
      phase: 'Canary',
      canary: { nodes: 2, namespaces: ['sandbox'] },
      expand: { legacyFloor: 1 },
      ...fields,
    },
  });
}

/** A DaemonSet with the kubelet's folder of plugins or of drivers. */
function daemonSet(name: string, folder: 'device-plugins' | 'plugins_registry', spec: object, template: object = {}): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: { app: name } },
      updateStrategy: { type: 'OnDelete' },
      template: {
        metadata: { labels: { app: name }, ...template },
        spec: {
          containers: [{ name: 'main', image: 'x', args: ['--driver=gpu.nvidia.com', '--resource=nvidia.com/gpu'] }],
          volumes: [{ name: 'sockets', hostPath: { path: `/var/lib/kubelet/${folder}` } }],
          ...spec,
        },
      },
    },
  });
}

function affinity(operator: string, ...values: string[]): object {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: OWNER, operator, values }] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

const PLUGIN = daemonSet('plugin', 'device-plugins', affinity('NotIn', 'handover', 'dra'));
const DRIVER = daemonSet('driver', 'plugins_registry', affinity('In', 'dra'));

// C-010: three pools of one synth, plugin only, canary and moved; the two stacks never meet.
describe('daemons', () => {
  const pools = documents(migration('a', { phase: 'Legacy' }), migration('b'), migration('c', { phase: 'PluginRemoved' }));
  test.each<[string, string[], string[]]>([
    ['both stacks keep to the owner label', [PLUGIN, DRIVER], []],
    ['installed elsewhere, both are taken to keep to it', [], []],
    ['a plugin without the affinity, the driver elsewhere', [daemonSet('plugin', 'device-plugins', {})], ['DRA412 warning', 'DRA412 error', 'DRA412 error']],
    ['a plugin that also runs in handover', [daemonSet('plugin', 'device-plugins', affinity('NotIn', 'dra')), DRIVER], ['DRA412 warning', 'DRA412 error', 'DRA412 error']],
    ['a driver without the affinity, the plugin elsewhere', [daemonSet('driver', 'plugins_registry', {})], ['DRA412 warning', 'DRA412 error', 'DRA412 error']],
    ['a driver that is tied to one type of node', [PLUGIN, daemonSet('driver', 'plugins_registry', { nodeSelector: { type: 'b' } })], ['DRA412 error']],
    ['a plugin by node selector on another type', [daemonSet('plugin', 'device-plugins', { nodeSelector: { type: 'z' } }), DRIVER], []],
    ['our own agent, which is silent unless the label says dra', [PLUGIN, daemonSet('agent', 'plugins_registry', {}, { annotations: { 'cdk8s-dra.dev/configuration': 'x' } })], []],
    ['a CSI driver with the same folder', [PLUGIN, DRIVER, daemonSet('csi', 'plugins_registry', { containers: [{ name: 'csi', image: 'x', args: ['--driver=csi.example.com'] }] })], []],
    ['a driver of nearly the same name', [PLUGIN, DRIVER, daemonSet('near', 'plugins_registry', { containers: [{ name: 'x', image: 'x', args: ['--driver=nogpu.nvidia.com'] }] })], []],
  ])('%s', (_, daemons, expected) => {
    expect(found(documents(pools, ...daemons)).filter(one => one.startsWith('DRA4')).map(one => one.split(' ').slice(0, 2).join(' ')).sort())
      .toEqual([...expected].sort());
  });

  test('the story stands at the DaemonSet that leaves the contract', () => {
    const [finding] = check(documents(migration('b'), daemonSet('plugin', 'device-plugins', {}), DRIVER)).filter(({ code }) => code === 'DRA412');
    expect(finding.manifest?.value.kind).toBe('DaemonSet');
    expect(finding.path).toEqual(['spec', 'template', 'spec']);
    expect(finding.message).toBe('DaemonSet kube-system/plugin and DaemonSet kube-system/driver can both serve one node of migration b, e.g. one with type=b. '
      + `(1) The node has ${OWNER}=dra. (2) DaemonSet kube-system/plugin selects it and offers its devices as an extended resource. `
      + '(3) DaemonSet kube-system/driver selects it too and publishes its devices as gpu.nvidia.com. (4) Each gives the same device to another pod.');
  });
});

// C-145: a choice for the whole cluster is what others have; here one pool moves and the next stays.
test('one pool moves, another of the same family stays, in one set of manifests', () => {
  expect(found(documents(migration('moved', { phase: 'PluginRemoved' }), migration('staying', { phase: 'Legacy' }), PLUGIN, DRIVER))).toEqual([]);
});

test.each<[string, object, string]>([
  ['a canary of no node', { canary: { nodes: 0, namespaces: ['sandbox', 'lab'] } }, 'spec.canary.nodes Migration a opens its classes to namespaces sandbox, lab in Canary and moves no node: canary.nodes is 0. A claim gets no device of this pool. Raise canary.nodes, or stay in Observe until nodes are to move.'],
  ['a share of none', { canary: { nodes: '0%', namespaces: ['sandbox'] } }, 'spec.canary.nodes Migration a opens its classes to namespaces sandbox in Canary and moves no node: canary.nodes is 0%. A claim gets no device of this pool. Raise canary.nodes, or stay in Observe until nodes are to move.'],
  ['a last step of none', { phase: 'Expand', expand: { steps: [0] } }, 'spec.expand.steps[0] Migration a opens its classes to all tenants in Expand and moves no node: expand.steps[0] is 0. A claim gets no device of this pool. Raise expand.steps[0], or stay in Canary until nodes are to move.'],
  ['a floor of all nodes', { expand: { legacyFloor: '100%' } }, 'spec.expand.legacyFloor Migration a opens its classes to namespaces sandbox in Canary and moves no node: expand.legacyFloor is 100%. A claim gets no device of this pool. Lower legacyFloor, or stay in Observe until nodes are to move.'],
])('%s is told where the door opens for it', (_, fields, expected) => {
  const told = check(migration('a', fields)).filter(({ code }) => code === 'DRA413');
  expect(told.map(({ severity, path, message, help }) => `${severity} ${formatPath(path)} ${message} ${help}`)).toEqual([`warning ${expected}`]);
});

test.each<[string, object]>([
  ['no door is open yet', { phase: 'Observe', canary: { nodes: 0, namespaces: ['sandbox'] } }],
  ['the canary is over', { phase: 'Expand', canary: { nodes: 0, namespaces: ['sandbox'] } }],
  ['a share of one percent is a node', { canary: { nodes: '1%', namespaces: ['sandbox'] } }],
  ['a later step moves some', { phase: 'Expand', expand: { steps: [0, 1] } }],
])('a number of none is no finding where %s', (_, fields) => {
  expect(found(migration('a', fields)).filter(one => one.startsWith('DRA413'))).toEqual([]);
});

// C-142: one name must not be on two classes, written or through the bridge.
test('a second class with the name that the bridge will write is refused', () => {
  const other = JSON.stringify({ apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'other' }, spec: { extendedResourceName: 'nvidia.com/gpu', selectors: [{ cel: { expression: 'device.driver == "gpu.nvidia.com"' } }] } });
  expect(found(documents(migration('a'), other), '1.36')).toEqual(['DRA414 error spec.extendedResourceName']);
});

// C-031: five pods by the old name, three by claim; the way back leaves the claims without a path, and says so.
test('a rollback to Observe names the workloads by claim that lose their path, and none by the old name', () => {
  const workload = (name: string, resources: object, claims: object[]) => JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'sandbox', labels: { 'cdk8s-dra.dev/interruption': 'safe' } },
    spec: { template: { spec: { restartPolicy: 'Never', resourceClaims: claims, containers: [{ name: 'main', image: 'x', resources }] } } },
  });
  const template = JSON.stringify({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'gpu', namespace: 'sandbox' },
    spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.nvidia.com', allocationMode: 'ExactCount', count: 1 } }] } } },
  });
  const bridged = Array.from({ length: 5 }, (_, index) => workload(`bridge-${index}`, { limits: { 'nvidia.com/gpu': 1 } }, []));
  const claims = Array.from({ length: 3 }, (_, index) => workload(`claim-${index}`, { claims: [{ name: 'gpu' }] }, [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }]));
  const at = (phase: string) => check(documents(migration('a', { phase }), template, ...bridged, ...claims), '1.36').filter(({ code }) => code.startsWith('DRA4'));
  expect(at('Canary')).toEqual([]);
  const lost = at('Observe');
  expect(lost.map(({ code, severity, manifest }) => `${code} ${severity} ${(manifest?.value.metadata as { name: string }).name}`))
    .toEqual(['DRA416 error claim-0', 'DRA416 error claim-1', 'DRA416 error claim-2']);
  expect(lost[0].message).toContain('Until then ask for nvidia.com/gpu.');
});

test('a claim on nodes of the device plugin is told, and an alternative is not', () => {
  const onNodes = (request: object) => check(documents(
    migration('a', { phase: 'AllWorkloads' }),
    JSON.stringify({
      apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'gpu', namespace: 'sandbox' }, spec: { spec: { devices: { requests: [{ name: 'gpu', ...request }] } } },
    }),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'train', namespace: 'sandbox' },
      spec: {
        nodeSelector: { [OWNER]: 'device-plugin' },
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
        containers: [{ name: 'main', image: 'x', resources: { claims: [{ name: 'gpu' }] } }],
      },
    }),
  ), '1.36').filter(({ code }) => code === 'DRA416').map(({ severity, message }) => `${severity} ${message}`);
  const need = { deviceClassName: 'gpu.nvidia.com', allocationMode: 'ExactCount', count: 1 };

  expect(onNodes({ exactly: need })).toEqual([expect.stringContaining(`warning Pod sandbox/train asks for class gpu.nvidia.com, and its node selector or affinity leaves no node with ${OWNER}=dra`)]);
  expect(onNodes({ firstAvailable: [{ name: 'own', ...need }, { name: 'other', ...need, deviceClassName: 'other' }] })).toEqual([]);
});

// C-011: eight devices in the node's status and the same eight in a slice.
test('a snapshot with plugin and slices on one node is refused at the migration', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { type: 'a', [OWNER]: 'dra' } }, status: { allocatable: { 'nvidia.com/gpu': '8' } } };
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'n1' },
    spec: { driver: 'gpu.nvidia.com', nodeName: 'n1', pool: { name: 'n1' }, devices: Array.from({ length: 8 }, (_, index) => ({ name: `gpu-${index}` })) },
  };
  const snapshot = ClusterView.of([node, slice].map(value => ({ value, source: { name: 'snapshot.yaml' } })));
  const findings = runRules(manifestsOf(migration('a', { canary: { nodes: 1, namespaces: ['sandbox'] }, expand: {} })), Target.of('1.34'), { snapshot });
  expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['DRA430 error']);
  expect(findings[0].message).toContain('Node n1 of migration a offers its devices twice: 8 of nvidia.com/gpu, and 8 as gpu.nvidia.com.');
});

describe('the resource of a migration and the vendor of its driver', () => {
  const at = (driver: string, ...names: string[]) => check(migration('a', { driver, legacy: { resources: names.map(name => ({ name })) } })).filter(({ code }) => code === 'DRA424');

  test.each([
    ['gpu.nvidia.com', 'amd.com/gpu', 'such as nvidia.com/gpu; for amd.com/gpu the driver is gpu.amd.com.'],
    ['gpu.nvidia.com', 'gpu.intel.com/i915', 'such as nvidia.com/gpu; for gpu.intel.com/i915 the driver is gpu.intel.com.'],
    ['gpu.amd.com', 'nvidia.com/mig-1g.5gb', 'such as amd.com/gpu; for nvidia.com/mig-1g.5gb the driver is gpu.nvidia.com.'],
    ['gpu.intel.com', 'nvidia.com/gpu-a', 'such as gpu.intel.com/i915.'],
    ['gaudi.intel.com', 'google.com/tpu', 'advertises; for google.com/tpu the driver is tpu.google.com.'],
  ])('%s does not take over from %s', (driver, name, help) => {
    const [finding, ...more] = at(driver, name, 'example.com/gpu');
    expect(more).toEqual([]);
    expect([finding.severity, formatPath(finding.path)]).toEqual(['error', 'spec.legacy.resources[0].name']);
    expect(finding.help).toContain(help);
  });

  test.each([
    ['gpu.nvidia.com', ['nvidia.com/gpu', 'nvidia.com/mig-1g.5gb', 'nvidia.com/gpu.shared', 'nvidia.com/our-own-name']],
    ['gpu.nvidia.com', ['example.com/gpu', 'notamd.com/gpu', 'habana.ai/gaudi']],
    ['gpu.intel.com', ['gpu.intel.com/xe', 'intel.com/gpu']],
    ['gpu.cdk8s-dra.dev', ['nvidia.com/gpu', 'amd.com/gpu', 'gpu.intel.com/i915']],
    ['sriovnetwork.k8snetworkplumbingwg.io', ['intel.com/pool', 'nvidia.com/hostdev']],
    ['gpu.example.com', ['amd.com/gpu']],
  ])('%s may take over from %j', (driver, names) => {
    expect(at(driver, ...names)).toEqual([]);
  });
});

describe('what a migration names', () => {
  test.each<[string, string, string[]]>([
    ['a class that is nearly there', documents(migration('a', { deviceClassNames: ['gpu-lrage'] }), '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu-large}, spec: {selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]}}'), ['DRA420 error spec.deviceClassNames[0]']],
    ['a class that is nowhere', migration('a', { deviceClassNames: ['gpu-large'] }), ['DRA420 warning spec.deviceClassNames[0]']],
    ['a plugin in other letters', migration('a', { legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'nvidia/k8s-device-plugin' } }), ['DRA421 error spec.legacy.plugin']],
    ['a plugin by its DaemonSet', documents(migration('a', { legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'kube-system/plugin' } }), PLUGIN), []],
    ['an assumption about nobody', migration('a', { assumesDisjoint: ['b'] }), ['DRA410 warning spec.assumesDisjoint[0]']],
    ['a hold', '{apiVersion: cdk8s-dra.dev/v1alpha1, kind: DeviceHold, metadata: {name: a}, spec: {migration: a, level: Door, classes: [x], reason: y}}', ['DRA422 warning kind']],
    ['a hold as a cluster has it', '{apiVersion: cdk8s-dra.dev/v1alpha1, kind: DeviceHold, metadata: {name: a, uid: "1"}, spec: {migration: a, level: Door, classes: [x], reason: y}}', []],
  ])('%s', (_, yaml, expected) => {
    expect(found(yaml)).toEqual(expected);
  });

  test('a plugin by a DaemonSet that is not checked along is told how it counts', () => {
    const yaml = migration('a', { legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'kube-system/plugin' } });
    expect(textOf(yaml, 'DRA421')).toContain('check the DaemonSet of the plugin together with the migration and name it as namespace/name');
  });

  test('a plugin in other letters is told the right ones', () => {
    const [finding] = check(migration('a', { legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'nvidia/k8s-device-plugin' } }));
    expect(finding.help).toContain("Did you mean 'NVIDIA/k8s-device-plugin'?");
  });
});

test('a migration that its CRD refuses is told once, and nothing is proved about it', () => {
  const codes = check(documents(migration('a', { phase: 'Canry' }), migration('b', { nodes: { matchLabels: { type: 'a' } } }))).map(({ code }) => code);
  expect(codes).toEqual(['DRA115']);
});

test('a migration that is there but broken is not taken for removed, nor for new', () => {
  const runs = (before: string, after: string) => runRules(manifestsOf(after), Target.of('1.34'), { previous: manifestsOf(before) }).map(({ code }) => code);
  expect(runs(migration('a'), migration('a', { phase: 'Canry' }))).toEqual(['DRA115']);
  expect(runs(migration('a', { phase: 'Canry' }), migration('a'))).toEqual([]);
});
