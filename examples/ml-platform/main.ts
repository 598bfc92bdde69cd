import { ApiObject, Chart, Duration, Size } from 'cdk8s';
import {
  DaemonSeparation, DeviceConfig, DeviceConstraint, DevicePlatform, DeviceRequest, DeviceSelector, DriverProfile, Gate, KubernetesTarget,
  LegacyPath, MigrationGoal, MigrationPhase, NodeCount, NodeSelection, PlatformApp, PodDevices, ResourceClaimTemplate, RoutedDevices,
  RoutedFallback, StandardAttribute,
} from 'cdk8s-dra';
import * as kplus from 'cdk8s-plus-34';

const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.34') });
const platform = new DevicePlatform(app, 'platform');

// The drivers whose devices are offered. NVIDIA's and dranet are installed by their own charts; the example driver from here.
const nvidia = DriverProfile.nvidiaGpu({ driverVersion: '0.4' });
const nic = DriverProfile.dranet();
const example = DriverProfile.exampleGpu();
const fpga = DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' });

platform.addDriver('dra-example-driver', {
  driver: example,
  image: 'registry.k8s.io/dra-example-driver/dra-example-driver:v0.4.0',
  createNamespace: true,
  command: ['dra-example-kubeletplugin'],
  env: { DRIVER_NAME: example.driverName, DEVICE_PROFILE: 'gpu', NUM_DEVICES: '8', HEALTHCHECK_PORT: '51515' },
  healthPort: 51515,
  nodeLabels: { 'example.com/simulated': 'true' },
  surge: true,
});
// Runs on no node yet: it follows its pool, node by node, as they become DRA's.
platform.addDriver('fpga-driver', { driver: fpga, image: 'registry.example.com/fpga-driver:2', pool: 'fpga-crypto' });

// The device plugin of the FPGAs, as it was before, kept off nodes that are DRA's. NVIDIA's gets the values in dist.plan/a100/separation.
const plugin = new ApiObject(new Chart(app, '26-plugins', { namespace: 'fpga-system' }), 'fpga-device-plugin', {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'fpga-device-plugin' },
  spec: {
    selector: { matchLabels: { app: 'fpga-device-plugin' } },
    template: {
      metadata: { labels: { app: 'fpga-device-plugin' } },
      spec: { nodeSelector: { 'example.com/fpga': 'crypto' }, containers: [{ name: 'plugin', image: 'registry.example.com/fpga-device-plugin:5' }] },
    },
  },
});
DaemonSeparation.plugin(fpga).applyTo(plugin);

// What the platform team offers: needs, not hardware.
const gpuLarge = platform.addClass('gpu-large', {
  driver: nvidia,
  selectors: [nvidia.deviceType.oneOf('gpu'), nvidia.memory.atLeast('40Gi')],
});
const gpuTraining = platform.addClass('gpu-training', {
  driver: nvidia,
  selectors: [
    nvidia.deviceType.oneOf('gpu'),
    DeviceSelector.anyOf(
      nvidia.architecture.oneOf('Hopper', 'Blackwell'),
      DeviceSelector.allOf(nvidia.architecture.oneOf('Ampere'), nvidia.memory.atLeast('80Gi')),
    ),
  ],
});
const gpuSlice = platform.addClass('gpu-slice', {
  driver: nvidia,
  selectors: [nvidia.deviceType.oneOf('mig'), nvidia.memory.atLeast('9Gi'), nvidia.memory.lessThan('20Gi')],
});
const nicRdma = platform.addClass('nic-rdma', {
  driver: nic,
  selectors: [nic.rdma.isTrue(), DeviceSelector.noneOf(nic.isVirtual.isTrue())],
});
const fpgaCrypto = platform.addClass('fpga-crypto', {
  driver: fpga,
  selectors: [fpga.stringAttribute('shell').oneOf('crypto'), fpga.versionAttribute('shellVersion').atLeast('2.1.0')],
  config: [DeviceConfig.opaque({ driver: fpga, parameters: { apiVersion: 'fpga.example.com/v1', kind: 'Bitstream', name: 'aes-256-gcm' } })],
});
const simulated = platform.addClass('gpu-simulated', { driver: example });

// The pools that move from device plugins to DRA. Going on is the line with the phase; dist.plan says what it means.
platform.addPool('a100', {
  driver: nvidia,
  deviceClasses: [gpuLarge],
  nodes: NodeSelection.allOf(NodeSelection.labels({ 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }), NodeSelection.labelMissing('example.com/simulated')),
  legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
  phase: MigrationPhase.CANARY,
  canary: { nodes: NodeCount.absolute(2), namespaces: ['ledger', 'vision'] },
  expand: { steps: [NodeCount.percent(10), NodeCount.percent(50), NodeCount.percent(90)], topologyKey: 'topology.example.com/rack', legacyFloor: NodeCount.absolute(1) },
  gates: [
    Gate.allocationSuccess({ atLeast: 0.99, minimumSample: 200 }),
    Gate.capacityConverged({ holdsFor: Duration.minutes(30) }),
    Gate.startLatency({ atMost: 1.5, minimumSample: 50 }),
  ],
});
const fpgaPool = platform.addPool('fpga-crypto', {
  driver: fpga,
  deviceClasses: [fpgaCrypto],
  nodes: NodeSelection.labels({ 'example.com/fpga': 'crypto' }),
  legacy: LegacyPath.extendedResource('example.com/fpga-crypto', { plugin: 'fpga-system/fpga-device-plugin' }),
  phase: MigrationPhase.OBSERVE,
  canary: { nodes: NodeCount.absolute(1), namespaces: ['ledger'] },
});
platform.addPool('fast-net', {
  driver: nic,
  deviceClasses: [nicRdma],
  nodes: NodeSelection.allOf(NodeSelection.labels({ 'example.com/fast-net': 'true' }), NodeSelection.labelMissing('example.com/reserved')),
  legacy: LegacyPath.extendedResource('example.com/sriov_rdma', { plugin: 'k8snetworkplumbingwg/sriov-network-device-plugin' }),
  phase: MigrationPhase.ALL_WORKLOADS,
  canary: { nodes: NodeCount.percent(5), namespaces: ['vision'] },
  optimizeFor: MigrationGoal.THROUGHPUT,
});

// Team vision trains on whole nodes: eight equal GPUs, each with a NIC on its own PCIe root.
const vision = platform.teamChart('vision');
const trainer = new ResourceClaimTemplate(vision, 'trainer', {
  requests: [
    DeviceRequest.exactly('gpus', { deviceClass: gpuTraining, count: 8 }),
  ],
  constraints: [DeviceConstraint.matchAttribute(nvidia.productName, 'gpus')],
});
const aligned = new ResourceClaimTemplate(vision, 'gpu-with-nic', {
  requests: [
    DeviceRequest.exactly('gpu', { deviceClass: gpuLarge }),
    DeviceRequest.exactly('nic', { deviceClass: nicRdma }),
  ],
  constraints: [DeviceConstraint.matchAttribute(StandardAttribute.PCIE_ROOT, 'gpu', 'nic')],
});
const container = (name: string, image: string) => ({
  name, image, resources: { cpu: { request: kplus.Cpu.units(4) }, memory: { request: Size.gibibytes(16) } },
});
const training = new kplus.Job(vision, 'train-resnet', { metadata: { name: 'train-resnet' }, containers: [container('train', 'registry.example.com/vision/train:7')] });
PodDevices.of(training).addClaim('gpus', trainer, { containers: ['train'] });

// It starts over from its last batch, so that it may go to the canary.
const safe = { 'cdk8s-dra.dev/interruption': 'safe' };
const worker = new kplus.Job(vision, 'embed', {
  metadata: { name: 'embed', labels: safe },
  containers: [
    container('embed', 'registry.example.com/vision/embed:3'),
    container('metrics', 'registry.example.com/vision/metrics:1'),
  ],
});
PodDevices.of(worker).addClaim('pair', aligned, { containers: ['embed'] });

// Team ledger: cheap GPUs for notebooks, whichever there are, and an FPGA on whichever way its pool offers.
const ledger = platform.teamChart('ledger');
const notebookGpu = new ResourceClaimTemplate(ledger, 'notebook-gpu', {
  requests: [DeviceRequest.firstAvailable('gpu', [
    { name: 'slice', deviceClass: gpuSlice },
    { name: 'whole', deviceClass: gpuLarge },
    { name: 'simulated', deviceClass: simulated, count: 2 },
  ])],
});
const notebook = new kplus.Deployment(ledger, 'notebook', {
  metadata: { name: 'notebook', labels: safe }, replicas: 1, containers: [container('notebook', 'registry.example.com/ledger/notebook:12')],
});
PodDevices.of(notebook).addClaim('gpu', notebookGpu, { containers: ['notebook'], request: 'gpu' });

const sealer = new ResourceClaimTemplate(ledger, 'sealer-fpga', { requests: [DeviceRequest.exactly('fpga', { deviceClass: fpgaCrypto })] });
const seal = new kplus.Job(ledger, 'seal', { metadata: { name: 'seal' }, containers: [container('seal', 'registry.example.com/ledger/seal:2')] });
RoutedDevices.of(seal).addDevices('fpga', { pools: [fpgaPool], count: 1, claim: sealer, fallback: RoutedFallback.EXTENDED_RESOURCE });

app.synth();
