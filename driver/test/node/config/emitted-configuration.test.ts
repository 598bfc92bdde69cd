import { App, Chart, Testing } from 'cdk8s';
import {
  AgentDevices, DeviceAttributeValue, DriverProfile, FpgaKind, FpgaLoader, GpuVendor, NicOffer, NicScrub, NodeAgent, RateLimiter, RdmaUse,
  ShareEnforcement,
} from 'cdk8s-dra';

import { parseConfiguration } from '../../../src/node/config/read-configuration.js';

/** Everything that the construct can say. */
const DEVICES: readonly (readonly [string, AgentDevices | undefined])[] = [
  ['a witness', undefined],
  ['gpu', AgentDevices.gpu()],
  ['gpu, full', AgentDevices.gpu({
    order: ['gpu-1'],
    exclude: ['0000:01:*'],
    reserve: 1,
    vendors: [GpuVendor.NVIDIA, GpuVendor.AMD, GpuVendor.INTEL],
    cdiFolders: ['/etc/cdi'],
    products: [{
      match: { product: '*H100 80GB*' },
      memory: '79Gi',
      attributes: {
        'architecture': DeviceAttributeValue.text('Hopper'),
        'example.com/slot': DeviceAttributeValue.whole(3),
        'liquid': DeviceAttributeValue.flag(true),
        'firmware': DeviceAttributeValue.version('1.2.3'),
      },
    }],
    sharing: [
      {
        match: { vendor: GpuVendor.NVIDIA, product: 'NVIDIA L40S', pciDevice: '10de:26b9', address: '0000:3b:*' },
        maxShares: 4,
        enforcement: ShareEnforcement.MPS,
        mps: { pipeDirectory: '/run/mps/{address}', shmDirectory: '/dev/shm/mps' },
        capacity: { memory: { value: '48Gi', defaultAmount: '8Gi', min: '4Gi', max: '24Gi', step: '4Gi' } },
      },
      { match: {}, maxShares: 2, enforcement: ShareEnforcement.NONE },
    ],
    partitions: [
      { match: { product: 'A' }, discovered: true, counters: { memory: '80Gi' } },
      {
        match: { product: 'B' },
        counters: { memory: '80Gi' },
        fixedPartitions: [{ gpuInstance: 1, computeInstance: 0, profile: '1g.10gb', memory: '10Gi', counters: { memory: '10Gi' }, attributes: { size: DeviceAttributeValue.text('s') } }],
      },
    ],
  })],
  ['fpga', AgentDevices.fpga()],
  ['fpga, full', AgentDevices.fpga({
    kinds: [FpgaKind.DFL, FpgaKind.XRT, FpgaKind.MANAGER],
    images: {
      folder: '/lib/firmware/fpga',
      allowed: [{ id: 'blank', file: 'blank.bin', sha256: '0'.repeat(64), shells: ['*'], safe: true, functionId: 'f' }],
    },
    programming: {
      manager: { by: FpgaLoader.MANAGER, flags: '1', timeoutSeconds: 30 },
      dfl: { by: FpgaLoader.COMMAND, command: ['fpgaconf', '{file}', '{address}'] },
    },
    managerNodes: ['/dev/uio0'],
    attributes: { board: DeviceAttributeValue.text('left') },
  })],
  ['nic, full', AgentDevices.nic({
    offers: [
      NicOffer.virtualFunctions({ match: { driver: 'mlx5_core' }, rdma: RdmaUse.REQUIRED, scrub: NicScrub.FUNCTION_RESET }),
      NicOffer.port({ match: { interfaceName: 'ens*', pciDevice: '15b3:1021', address: '*' } }),
      NicOffer.sharedBandwidth({
        match: { driver: 'ice' }, rate: RateLimiter.HAND_OVER, maxShares: 8, bandwidth: { value: '100G', defaultAmount: '10G', min: '1G', step: '1G' },
      }),
    ],
  })],
  ['simulated, full', AgentDevices.simulated({
    fleet: [{ name: 'gpu-{index}', count: 8, capacity: { memory: { value: '80Gi' } } }],
    prepareMilliseconds: 20,
    unprepareMilliseconds: 5,
    stateFolder: '/var/lib/kubelet/plugins/x/state',
    switchFolder: '/var/lib/kubelet/plugins/x/switches',
  })],
];

test.each(DEVICES)('what the construct emits for %s is a configuration that the agent takes', (_, devices) => {
  const chart = new Chart(new App(), 'chart', { namespace: 'agents' });
  new NodeAgent(chart, 'agent', {
    driver: DriverProfile.custom({ driverName: 'x.cdk8s-dra.dev', family: 'x' }), image: 'agent:1', ...(devices === undefined ? {} : { devices }),
  });
  const { data } = Testing.synth(chart).find(({ kind }) => kind === 'ConfigMap') as { readonly data: { readonly 'agent.yaml': string } };

  expect(parseConfiguration('agent.yaml', data['agent.yaml'])).toMatchObject({
    driverName: 'x.cdk8s-dra.dev', roles: devices === undefined ? ['witness'] : ['driver', 'witness'], hostRoot: '/host', http: { port: 9464 },
  });
});

test.each([[true], [false]])('a construct with writesClaimStatus %s makes an agent that writes it or does not', (writesClaimStatus) => {
  const chart = new Chart(new App(), 'chart', { namespace: 'agents' });
  new NodeAgent(chart, 'agent', {
    driver: DriverProfile.custom({ driverName: 'x.cdk8s-dra.dev', family: 'x' }), image: 'agent:1', devices: AgentDevices.simulated({ fleet: [{ name: 'gpu' }] }), writesClaimStatus,
  });
  const { data } = Testing.synth(chart).find(({ kind }) => kind === 'ConfigMap') as { readonly data: { readonly 'agent.yaml': string } };

  expect(parseConfiguration('agent.yaml', data['agent.yaml'])).toMatchObject({ claimStatus: writesClaimStatus });
});
