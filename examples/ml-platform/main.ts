import { Size } from 'cdk8s';
import {
  AllocationMode, DeviceConfig, DeviceConstraint, DevicePlatform, DeviceRequest, DeviceSelector, DriverProfile, KubernetesTarget, PlatformApp,
  PodDevices, ResourceClaim, ResourceClaimTemplate, StandardAttribute,
} from 'cdk8s-dra';
import * as kplus from 'cdk8s-plus-34';

const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.34') });
const platform = new DevicePlatform(app, 'platform');

// The drivers whose devices are offered. NVIDIA's and dranet are installed by their own charts; the example driver from here.
const nvidia = DriverProfile.nvidiaGpu();
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
  nodeLabels: { 'cdk8s-dra.dev/gpu-pool': 'simulated' },
  surge: true,
});

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

const worker = new kplus.Job(vision, 'embed', {
  metadata: { name: 'embed' },
  containers: [
    container('embed', 'registry.example.com/vision/embed:3'),
    container('metrics', 'registry.example.com/vision/metrics:1'),
  ],
});
PodDevices.of(worker).addClaim('pair', aligned, { containers: ['embed'] });

// Team ledger: cheap GPUs for notebooks, whichever there are, and an FPGA that two pods share.
const ledger = platform.teamChart('ledger');
const notebookGpu = new ResourceClaimTemplate(ledger, 'notebook-gpu', {
  requests: [DeviceRequest.firstAvailable('gpu', [
    { name: 'slice', deviceClass: gpuSlice },
    { name: 'whole', deviceClass: gpuLarge },
    { name: 'simulated', deviceClass: simulated, count: 2 },
  ])],
});
const notebook = new kplus.Deployment(ledger, 'notebook', {
  metadata: { name: 'notebook' }, replicas: 1, containers: [container('notebook', 'registry.example.com/ledger/notebook:12')],
});
PodDevices.of(notebook).addClaim('gpu', notebookGpu, { containers: ['notebook'], request: 'gpu' });

const sealer = new ResourceClaim(ledger, 'sealer-fpga', {
  requests: [DeviceRequest.exactly('fpga', { deviceClass: fpgaCrypto, allocationMode: AllocationMode.EXACT_COUNT })],
});
const seal = new kplus.Job(ledger, 'seal', { metadata: { name: 'seal' }, containers: [container('seal', 'registry.example.com/ledger/seal:2')] });
PodDevices.of(seal).addClaim('fpga', sealer, { containers: ['seal'] });

app.synth();
