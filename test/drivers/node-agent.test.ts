import { App, Chart, Testing } from 'cdk8s';
import { parse } from 'yaml';
import {
  AgentDevices, DeviceNodeReportCrd, DriverProfile, FpgaLoader, GpuVendor, KubernetesTarget, NicOffer, NicScrub, NodeAgent, RateLimiter,
  ShareEnforcement, type NodeAgentProps,
} from '../../src';

const gpu = DriverProfile.agentGpu();

/** The agent's driver of the devices; a witness watches GPUs. */
function ownDriver({ devices }: Partial<NodeAgentProps>) {
  switch (devices?._section.backend) {
    case 'fpga': return DriverProfile.agentFpga();
    case 'nic': return DriverProfile.agentNic();
    case 'simulated': return DriverProfile.agentSim();
    default: return gpu;
  }
}

function agent(props: Partial<NodeAgentProps> = {}, version = '1.36'): any[] {
  const app = new App();
  KubernetesTarget.of(version).applyTo(app);
  const scope = new Chart(app, 'chart', { namespace: 'agents' });
  new NodeAgent(scope, 'gpu-agent', { driver: ownDriver(props), image: 'registry.example.com/agent:1', ...props });
  return Testing.synth(scope);
}

const one = (objects: any[], kind: string) => objects.find(object => object.kind === kind);
const pod = (objects: any[]) => one(objects, 'DaemonSet').spec.template.spec;
const configuration = (objects: any[]) => parse(one(objects, 'ConfigMap').data['agent.yaml']) as any;

const DEVICES = AgentDevices.gpu();
const HALVES = { compute: { value: '100', defaultAmount: '50', min: '50' } };
const BLANK = { id: 'blank', file: 'blank.gbs', sha256: '0'.repeat(64), shells: ['*'], safe: true };

describe('a witness', () => {
  const objects = agent();

  test('reads nodes and writes reports, and nothing else', () => {
    expect(one(objects, 'ClusterRole').rules).toEqual([
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['cdk8s-dra.dev'], resources: ['devicenodereports'], verbs: ['create'] },
      { apiGroups: ['cdk8s-dra.dev'], resources: ['devicenodereports/status'], verbs: ['patch'] },
    ]);
  });

  test('writes nowhere on the host', () => {
    expect(pod(objects).containers[0].volumeMounts.filter((mount: any) => !mount.readOnly)).toEqual([]);
  });

  test('is bound to reports about its own node', () => {
    expect(objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy').map(({ metadata }) => metadata.name)).toEqual(['gpu-agent-own-reports']);
  });

  test('has no devices in its configuration', () => {
    expect(configuration(objects)).toMatchObject({ driverName: 'gpu.cdk8s-dra.dev', family: 'gpu', roles: ['witness'] });
    expect(configuration(objects)).not.toHaveProperty('devices');
  });
});

describe('a driver', () => {
  const objects = agent({ devices: DEVICES });

  test('may publish, read claims and write events beside that', () => {
    expect(one(objects, 'ClusterRole').rules.map(({ resources, verbs }: any) => `${resources}: ${verbs}`)).toEqual([
      'resourceclaims: get',
      'resourceslices: create,delete,get,list,patch,update,watch',
      'nodes: get',
      'events: create,patch',
      'nodes: list,watch',
      'devicenodereports: create',
      'devicenodereports/status: patch',
    ]);
  });

  test('policies are bound to the account that the same construct makes', () => {
    const { namespace, name } = one(objects, 'ServiceAccount').metadata;
    const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');

    expect(policies.map(({ metadata }) => metadata.name)).toEqual(['gpu-agent-own-slices', 'gpu-agent-own-reports']);
    for (const { spec } of policies) expect(spec.matchConditions[0].expression).toBe(`request.userInfo.username == "system:serviceaccount:${namespace}:${name}"`);
  });

  test('is unprivileged, without a capability, on a read-only root', () => {
    expect(pod(objects).containers[0].securityContext).toEqual({
      runAsUser: 0, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true, seccompProfile: { type: 'RuntimeDefault' },
    });
  });

  test('writes into three folders of the host, and none of them is another driver\'s', () => {
    const writable = pod(objects).containers[0].volumeMounts.filter((mount: any) => !mount.readOnly).map(({ mountPath }: any) => mountPath);

    expect(writable).toEqual(['/var/lib/kubelet/plugins_registry', '/var/lib/kubelet/plugins/gpu.cdk8s-dra.dev', '/var/run/cdi']);
  });

  test('updates without a gap, and never goes for a full node', () => {
    expect(one(objects, 'DaemonSet').spec.updateStrategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
    expect(pod(objects).priorityClassName).toBe('system-node-critical');
  });

  test('runs on the nodes of its family\'s pools, in handover too', () => {
    const { affinity, tolerations } = pod(objects);

    expect(affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms).toEqual([
      { matchExpressions: [{ key: 'cdk8s-dra.dev/gpu-pool', operator: 'Exists' }] },
    ]);
    expect(tolerations).toEqual([{ key: 'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-gpu', operator: 'Exists' }]);
  });
});

test('a pool is the value of the label', () => {
  const [term] = pod(agent({ pool: 'a100', nodeLabels: { zone: 'b' } })).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;

  expect(term.matchExpressions).toEqual([
    { key: 'cdk8s-dra.dev/gpu-pool', operator: 'In', values: ['a100'] }, { key: 'zone', operator: 'In', values: ['b'] },
  ]);
});

test('roots of kubelet and CDI move folders, mounts and configuration', () => {
  const objects = agent({ devices: AgentDevices.fpga(), kubeletRoot: '/var/lib/k0s/kubelet/', cdiRoot: '/etc/cdi' });

  expect(JSON.stringify(objects)).not.toMatch(/\/var\/lib\/kubelet|\/var\/run\/cdi/);
  expect(configuration(objects)).toMatchObject({ kubeletRoot: '/var/lib/k0s/kubelet', cdiRoot: '/etc/cdi' });
});

test('the order in which a language passes properties changes nothing', () => {
  const emitted = (devices: AgentDevices) => one(agent({ devices }), 'ConfigMap').data['agent.yaml'];

  expect(emitted(AgentDevices.gpu({ reserve: 1, order: ['gpu-1'], sharing: [{ maxShares: 2, match: {}, enforcement: ShareEnforcement.NONE }] })))
    .toBe(emitted(AgentDevices.gpu({ sharing: [{ enforcement: ShareEnforcement.NONE, match: {}, maxShares: 2 }], order: ['gpu-1'], reserve: 1 })));
});

test('a change of the configuration is a change of the pods', () => {
  const hash = (props: Partial<NodeAgentProps>) => one(agent(props), 'DaemonSet').spec.template.metadata.annotations['cdk8s-dra.dev/configuration'];

  expect(hash({ devices: DEVICES })).toBe(hash({ devices: AgentDevices.gpu({}) }));
  expect(hash({ devices: DEVICES })).not.toBe(hash({ devices: AgentDevices.gpu({ reserve: 1 }) }));
});

test.each([
  ['GPUs are read only', AgentDevices.gpu(), false, undefined],
  ['an FPGA without images is read only', AgentDevices.fpga(), false, undefined],
  ['an FPGA with images is programmed through sysfs', AgentDevices.fpga({
    images: { folder: '/lib/firmware/fpga', allowed: [BLANK] }, programming: { manager: { by: FpgaLoader.MANAGER } },
  }), true, undefined],
  ['virtual functions are read only', AgentDevices.nic({ offers: [NicOffer.virtualFunctions({ match: { driver: 'mlx5_core' } })] }), false, undefined],
  ['a reset of a function is a file and no network administration', AgentDevices.nic({
    offers: [NicOffer.port({ match: { driver: 'ice' }, scrub: NicScrub.FUNCTION_RESET })],
  }), true, undefined],
  ['a rate limit is network administration', AgentDevices.nic({
    offers: [NicOffer.sharedBandwidth({ match: { driver: 'mlx5_core' }, rate: RateLimiter.SYSFS, bandwidth: { defaultAmount: '1G', min: '1G' } })],
  }), true, ['NET_ADMIN']],
])('%s', (_, devices, writesSys, capabilities) => {
  const { volumeMounts, securityContext } = pod(agent({ devices })).containers[0];

  expect(volumeMounts.find(({ name }: any) => name === 'host-sys').readOnly !== true).toBe(writesSys);
  expect(securityContext.capabilities.add).toEqual(capabilities);
});

// Device nodes of the host are out of reach otherwise, whatever is mounted: the kernel refuses to open them.
test('an FPGA that a program loads is the one reason for a privileged container', () => {
  const devices = AgentDevices.fpga({
    images: { folder: '/opt/images', allowed: [BLANK] },
    programming: { dfl: { by: FpgaLoader.COMMAND, command: ['fpgaconf', '{file}'] } },
  });
  const { securityContext, volumeMounts } = pod(agent({ devices })).containers[0];

  expect(securityContext).toEqual({ runAsUser: 0, readOnlyRootFilesystem: true, privileged: true });
  expect(volumeMounts.find(({ name }: any) => name === 'host-sys').readOnly).toBe(true);
});

// C-092: what the agent looks for must be there, at one place, on systems with other folders too.
test.each<[string, AgentDevices, string[]]>([
  ['CDI files of GPUs, by default', AgentDevices.gpu(), ['/etc/cdi', '/var/run/cdi']],
  ['CDI files of GPUs, elsewhere', AgentDevices.gpu({ cdiFolders: ['/var/run/cdi/', '/run/nvidia/cdi'] }), ['/var/run/cdi', '/run/nvidia/cdi']],
  ['daemons of MPS', AgentDevices.gpu({
    cdiFolders: ['/etc/cdi'],
    sharing: [
      { match: {}, maxShares: 2, enforcement: ShareEnforcement.MPS, capacity: HALVES, mps: { pipeDirectory: '/run/mps/{address}' } },
      { match: {}, maxShares: 2, enforcement: ShareEnforcement.MPS, capacity: HALVES, mps: { pipeDirectory: '/run/mps/pipe-{address}/0' } },
      { match: {}, maxShares: 2, enforcement: ShareEnforcement.MPS, capacity: HALVES, mps: { pipeDirectory: '/tmp/nvidia-mps' } },
    ],
  }), ['/etc/cdi', '/run/mps', '/tmp/nvidia-mps']],
  ['images of FPGAs', AgentDevices.fpga({
    images: { folder: '/lib/firmware/fpga', allowed: [BLANK] }, programming: { manager: { by: FpgaLoader.MANAGER } },
  }), ['/lib/firmware/fpga']],
  ['nothing more for network functions', AgentDevices.nic({ offers: [NicOffer.port({ match: { driver: 'ice' } })] }), []],
])('the container sees %s', (_, devices, folders) => {
  const { containers: [{ volumeMounts }], volumes } = pod(agent({ devices, cdiRoot: '/etc/cdi' }));
  const seen = volumeMounts.filter(({ name }: any) => /^host-\d/.test(name));

  expect(seen.map(({ mountPath, readOnly }: any) => [mountPath, readOnly])).toEqual(folders.map(folder => [`/host${folder}`, true]));
  expect(seen.map(({ name }: any) => volumes.find((volume: any) => volume.name === name).hostPath.path)).toEqual(folders);
  expect(new Set(volumeMounts.map(({ mountPath }: any) => mountPath)).size).toBe(volumeMounts.length);
});

test('properties become the fields that the agent reads', () => {
  const devices = AgentDevices.gpu({
    vendors: [GpuVendor.NVIDIA],
    sharing: [{
      match: { product: 'NVIDIA L40S' },
      maxShares: 4,
      enforcement: ShareEnforcement.MPS,
      mps: { pipeDirectory: '/run/mps/{address}' },
      capacity: { memory: { defaultAmount: '8Gi', min: '4Gi', step: '4Gi' } },
    }],
    partitions: [{ match: {}, fixedPartitions: [{ gpuInstance: 1, computeInstance: 0, profile: '1g.10gb' }] }],
  });

  expect(configuration(agent({ devices })).devices).toEqual({
    backend: 'gpu',
    vendors: ['nvidia'],
    sharing: [{
      match: { product: 'NVIDIA L40S' },
      maxShares: 4,
      enforcement: 'mps',
      mps: { pipeDirectory: '/run/mps/{address}' },
      capacity: { memory: { default: '8Gi', min: '4Gi', step: '4Gi' } },
    }],
    partitions: [{ match: {}, fixed: [{ gpuInstance: 1, computeInstance: 0, profile: '1g.10gb' }] }],
  });
});

test.each<[string, Partial<NodeAgentProps>, string]>([
  ['an agent under the name of somebody else\'s driver', { driver: DriverProfile.nvidiaGpu(), devices: DEVICES },
    '\'driver\' must be the agent\'s own where it offers devices, got gpu.nvidia.com, which is another project\'s. Take DriverProfile.agentGpu(), or'],
  ['an agent whose driver is of other hardware', { driver: DriverProfile.agentGpu(), devices: AgentDevices.fpga() },
    '\'driver\' must fit the devices, which are of backend fpga, got gpu.cdk8s-dra.dev. Take DriverProfile.agentFpga(), or'],
  ['no image', { image: '' }, '\'image\' must be an image without spaces, got "". Write for example registry.example.com/agent:1.'],
  ['a pool that no node can be in', { pool: 'Fast Net' }, '\'pool\' must be a label value'],
  ['an empty pool', { pool: '' }, '\'pool\' must be the value of the node label of a pool, got "". Leave it out'],
  ['labels that no node can have', { nodeLabels: { 'a b': 'c' } }, '\'nodeLabels\' must be a label key'],
  ['label values that no node can have', { nodeLabels: { zone: 'b c' } }, '\'nodeLabels.zone\' must be a label value'],
])('%s is refused', (_, props, message) => {
  expect(() => agent(props)).toThrow(message);
});

test('a witness watches any driver, and a name of one\'s own may offer any devices', () => {
  expect(() => agent({ driver: DriverProfile.nvidiaGpu() })).not.toThrow();
  expect(() => agent({ driver: DriverProfile.custom({ driverName: 'cards.example.com', family: 'fpga' }), devices: AgentDevices.fpga() })).not.toThrow();
});

test('an agent that would do nothing is refused', () => {
  expect(() => agent({ witness: false })).toThrow('[chart/gpu-agent] A node agent must offer devices or be a witness, got neither.');
});

test('the CRD of reports is never pruned', () => {
  const scope = new Chart(new App(), 'crds');
  new DeviceNodeReportCrd(scope, 'reports');

  expect(Testing.synth(scope)[0].metadata).toMatchObject({
    name: 'devicenodereports.cdk8s-dra.dev', annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' },
  });
});
