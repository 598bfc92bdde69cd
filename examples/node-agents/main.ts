import { ApiObject, type Chart } from 'cdk8s';
import {
  AgentConfig, AgentDevices, CapacityRequest, DeviceConstraint, DevicePlatform, DeviceRequest, DriverProfile, FpgaKind, FpgaLoader, KubernetesTarget,
  NicOffer, NicScrub, PlatformApp, PodDevices, RateLimiter, RdmaUse, ResourceClaimTemplate, StandardAttribute,
} from 'cdk8s-dra';

// 1.36 is the first version in which shares of a device are on by default.
const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.36') });
const platform = new DevicePlatform(app, 'platform');

const image = 'registry.example.com/cdk8s-dra-node-agent:0.0.0'; // npm run image
const fpga = DriverProfile.agentFpga();
const nic = DriverProfile.agentNic();
const nvidia = DriverProfile.nvidiaGpu();

// FPGA boards that boot with the platform's shell. Tenants name an image of this list; between two of them the blank one is loaded.
platform.addNodeAgent('fpga-agent', {
  driver: fpga,
  image,
  pool: 'crypto',
  createNamespace: true,
  tolerations: [{ key: 'example.com/fpga', effect: 'NoSchedule' }],
  devices: AgentDevices.fpga({
    kinds: [FpgaKind.MANAGER],
    images: {
      folder: '/lib/firmware/dra',
      allowed: [
        {
          id: 'aes-gcm',
          file: 'aes-gcm-2.1.bin',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          shells: ['Xilinx ZynqMP FPGA Manager'],
        },
        {
          id: 'blank',
          file: 'blank.bin',
          sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
          shells: ['*'],
          safe: true,
        },
      ],
    },
    programming: { manager: { by: FpgaLoader.MANAGER, flags: '0' } },
    managerNodes: ['/dev/uio0'],
  }),
});

// Network cards: of the storage ports claims take bandwidth, of the others each virtual function is a device.
platform.addNodeAgent('nic-agent', {
  driver: nic,
  image,
  pool: 'fast-net',
  podMonitor: true,
  devices: AgentDevices.nic({
    offers: [
      NicOffer.sharedBandwidth({
        match: { pciDevice: '15b3:1021', interfaceName: 'storage*' },
        rate: RateLimiter.HAND_OVER, // the CNI plugin sets the limit
        bandwidth: { value: '400G', defaultAmount: '10G', min: '1G', step: '1G' },
        scrub: NicScrub.FUNCTION_RESET,
      }),
      NicOffer.virtualFunctions({ match: { pciDevice: '15b3:1021' }, rdma: RdmaUse.REQUIRED, scrub: NicScrub.FUNCTION_RESET }),
    ],
  }),
});

// GPUs belong to NVIDIA's driver, installed by its own chart. The witness reports who holds them, claims and device plugin alike.
platform.addNodeAgent('gpu-witness', { driver: nvidia, image, pool: 'h100', tolerations: [{ key: 'nvidia.com/gpu', effect: 'NoSchedule' }] });

const aes = platform.addClass('fpga-aes-gcm', {
  driver: fpga,
  selectors: [fpga.boolAttribute('image_aes_gcm').isTrue()],
  config: [AgentConfig.fpga({ image: 'aes-gcm' })],
});
const storage = platform.addClass('nic-storage', { driver: nic, selectors: [nic.deviceType.oneOf('sharedPort')] });
const rdma = platform.addClass('nic-rdma', { driver: nic, selectors: [nic.deviceType.oneOf('vf'), nic.rdma.isTrue()] });
const gpu = platform.addClass('gpu', { driver: nvidia, selectors: [nvidia.deviceType.oneOf('gpu')] });

// Team payments seals records on an FPGA that holds its image.
const payments = platform.teamChart('payments');
const sealer = new ResourceClaimTemplate(payments, 'sealer', { requests: [DeviceRequest.exactly('fpga', { deviceClass: aes })] });
PodDevices.of(job(payments, 'seal')).addClaim('fpga', sealer, { containers: ['main'] });

// Team vision reads its data over 40 Gbit/s of a storage port, and trains with a GPU of NVIDIA's driver and a function of ours on one PCIe root.
const vision = platform.teamChart('vision');
const fast = new ResourceClaimTemplate(vision, 'storage-40g', {
  requests: [DeviceRequest.exactly('port', { deviceClass: storage, capacity: [CapacityRequest.of('bandwidth', '40G')] })],
});
PodDevices.of(job(vision, 'ingest')).addClaim('storage', fast, { containers: ['main'] });

const pair = new ResourceClaimTemplate(vision, 'gpu-with-nic', {
  requests: [DeviceRequest.exactly('gpu', { deviceClass: gpu }), DeviceRequest.exactly('nic', { deviceClass: rdma })],
  constraints: [DeviceConstraint.matchAttribute(StandardAttribute.PCIE_ROOT, 'gpu', 'nic')],
});
PodDevices.of(job(vision, 'train')).addClaim('pair', pair, { containers: ['main'] });

app.synth();

function job(team: Chart, name: string): ApiObject {
  const containers = [{ name: 'main', image: `registry.example.com/${team.namespace}/${name}:1` }];
  return new ApiObject(team, name, {
    apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  });
}
