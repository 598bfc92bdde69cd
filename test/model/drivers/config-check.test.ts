import * as fc from 'fast-check';
import { configProblems, DRIVER_PROFILES, profileById } from '../../../src/model/drivers';
import type { DriverProfileFacts, DriverSettings } from '../../../src/model/drivers';

const NVIDIA = { apiVersion: 'resource.nvidia.com/v1beta1' };
const SRIOV = { apiVersion: 'sriovnetwork.k8snetworkplumbingwg.io/v1alpha1', kind: 'VfConfig' };

function profile(id: string): DriverProfileFacts {
  const facts = profileById(id);
  if (facts === undefined) throw new Error(`no profile ${id}`);
  return facts;
}

function found(id: string, parameters: unknown, settings?: DriverSettings): string[] {
  return configProblems(profile(id), parameters, settings).map(problem => `${problem.path}: ${problem.rule}`);
}

const gpu = (sharing: unknown) => ({ ...NVIDIA, kind: 'GpuConfig', sharing });
const mig = (sharing: unknown) => ({ ...NVIDIA, kind: 'MigDeviceConfig', sharing });

describe('configs without a fault', () => {
  test.each<[string, string, unknown]>([
    ['a GpuConfig without sharing', 'nvidia-gpu', { ...NVIDIA, kind: 'GpuConfig' }],
    ['time slices of default length', 'nvidia-gpu', gpu({ strategy: 'TimeSlicing' })],
    ['long time slices', 'nvidia-gpu', gpu({ strategy: 'TimeSlicing', timeSlicingConfig: { interval: 'Long' } })],
    ['MPS with limits', 'nvidia-gpu', gpu({
      strategy: 'MPS',
      mpsConfig: {
        defaultActiveThreadPercentage: 50,
        defaultPinnedDeviceMemoryLimit: '10Gi',
        defaultPerDevicePinnedMemoryLimit: { 0: '5Gi' },
        multiUser: true,
      },
    })],
    ['MPS on a MIG device', 'nvidia-gpu', mig({ strategy: 'MPS' })],
    ['a null field', 'nvidia-gpu', gpu(null)],
    ['a VfioDeviceConfig', 'nvidia-gpu', { ...NVIDIA, kind: 'VfioDeviceConfig', iommu: { backendPolicy: 'PreferIommuFD', enableAPIDevice: true } }],
    ['a channel config', 'nvidia-compute-domain', { ...NVIDIA, kind: 'ComputeDomainChannelConfig', domainID: 'a1b2', allocationMode: 'All' }],
    ['an empty network config', 'dranet', {}],
    ['a full network config', 'dranet', {
      interface: { name: 'net0', addresses: ['192.0.2.10/24', '2001:db8::1/64'], mtu: 9000, hardwareAddr: '02:42:ac:11:00:02', arpIgnore: 8 },
      routes: [{ destination: '198.51.100.0/24', gateway: '192.0.2.1' }, { destination: '203.0.113.0/24', scope: 253 }],
      rules: [{ priority: 32767, source: '192.0.2.0/24', table: 100 }],
      neighbors: [{ destination: '192.0.2.1', hardwareAddr: '02:42:ac:11:00:01' }],
      ethtool: { features: { 'tcp-segmentation-offload': false } },
    }],
    [
      'empty texts where nothing is demanded',
      'dranet',
      { profile: '', interface: { name: '' }, routes: [{ destination: '198.51.100.0/24', gateway: '', scope: 253 }] },
    ],
    ['a MAC address with dots', 'dranet', { interface: { hardwareAddr: '0242.ac11.0002' } }],
    ['dhcp with an empty list of addresses', 'dranet', { interface: { dhcp: true, addresses: [] } }],
    ['a VfConfig', 'sriov', { ...SRIOV, driver: 'vfio-pci', addVhostMount: true, netAttachDefName: 'port1' }],
    [
      'an example GpuConfig',
      'example-gpu',
      {
        apiVersion: 'gpu.resource.example.com/v1alpha1',
        kind: 'GpuConfig',
        sharing: { strategy: 'SpacePartitioning', spacePartitioningConfig: { partitionCount: 10 } },
      },
    ],
    ['bursts', 'example-net', { apiVersion: 'net.resource.example.com/v1alpha1', kind: 'NetConfig', bwBurst: { ingressBurst: 8, egressBurst: 0 } }],
    ['a set of CPUs', 'dra-cpu', { apiVersion: 'v1alpha1', cpuConfig: { cpuset: '0-3,5' } }],
  ])('%s', (_name, id, parameters) => {
    expect(found(id, parameters)).toEqual([]);
  });
});

describe('configs with a fault', () => {
  test.each<[string, string, unknown, string[]]>([
    ['no object', 'nvidia-gpu', 'GpuConfig', [': must be a JSON object']],
    ['a list', 'nvidia-gpu', [], [': must be a JSON object']],
    ['null', 'dranet', null, [': must be a JSON object']],
    ['no apiVersion', 'nvidia-gpu', { kind: 'GpuConfig' }, ['apiVersion: must be "resource.nvidia.com/v1beta1", but is missing']],
    [
      'another version',
      'nvidia-gpu',
      { apiVersion: 'resource.nvidia.com/v1', kind: 'GpuConfig' },
      ['apiVersion: must be "resource.nvidia.com/v1beta1", got "resource.nvidia.com/v1"'],
    ],
    [
      'an unknown kind',
      'nvidia-gpu',
      { ...NVIDIA, kind: 'GPUConfig' },
      ['kind: must be one of "GpuConfig", "MigDeviceConfig", "VfioDeviceConfig", got "GPUConfig"'],
    ],
    [
      'an unknown field',
      'nvidia-gpu',
      { ...NVIDIA, kind: 'GpuConfig', shares: 4 },
      ['shares: must be a field that gpu.nvidia.com knows; it refuses the claim on the node'],
    ],
    [
      'a field that the driver drops',
      'dra-cpu',
      { apiVersion: 'v1alpha1', kind: 'Config', cpuConfig: { cpuset: '1' } },
      ['kind: must be a field that dra.cpu knows; it drops it without a word'],
    ],
    ['an unknown strategy', 'nvidia-gpu', gpu({ strategy: 'mps' }), ['sharing.strategy: must be one of "TimeSlicing", "MPS", got "mps"']],
    ['no strategy', 'nvidia-gpu', gpu({}), ['sharing.strategy: must be set']],
    [
      'MPS settings for time slices',
      'nvidia-gpu',
      gpu({ strategy: 'TimeSlicing', mpsConfig: {} }),
      ['sharing.mpsConfig: must not be set with strategy TimeSlicing'],
    ],
    [
      'time slice settings for MPS',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', timeSlicingConfig: { interval: 'Short' } }),
      ['sharing.timeSlicingConfig: must not be set with strategy MPS'],
    ],
    [
      'time slice settings for MIG',
      'nvidia-gpu',
      mig({ strategy: 'TimeSlicing', timeSlicingConfig: { interval: 'Short' } }),
      ['sharing.timeSlicingConfig: must be a field that gpu.nvidia.com knows; it refuses the claim on the node'],
    ],
    [
      'time slices without an interval',
      'nvidia-gpu',
      gpu({ strategy: 'TimeSlicing', timeSlicingConfig: {} }),
      ['sharing.timeSlicingConfig.interval: must be set'],
    ],
    [
      'an unknown interval',
      'nvidia-gpu',
      gpu({ strategy: 'TimeSlicing', timeSlicingConfig: { interval: 'Tiny' } }),
      ['sharing.timeSlicingConfig.interval: must be one of "Default", "Short", "Medium", "Long", got "Tiny"'],
    ],
    [
      '101 percent',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { defaultActiveThreadPercentage: 101 } }),
      ['sharing.mpsConfig.defaultActiveThreadPercentage: must be at most 100, got 101'],
    ],
    [
      'a negative percentage',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { defaultActiveThreadPercentage: -1 } }),
      ['sharing.mpsConfig.defaultActiveThreadPercentage: must be at least 0, got -1'],
    ],
    [
      'a percentage in quotes',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { defaultActiveThreadPercentage: '50' } }),
      ['sharing.mpsConfig.defaultActiveThreadPercentage: must be a whole number, got "50"'],
    ],
    [
      'a limit below one mebibyte',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { defaultPinnedDeviceMemoryLimit: '1000k' } }),
      ['sharing.mpsConfig.defaultPinnedDeviceMemoryLimit: must be at least 1Mi, got "1000k"'],
    ],
    [
      'a limit per device that is no quantity',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { defaultPerDevicePinnedMemoryLimit: { 0: 'much' } } }),
      ['sharing.mpsConfig.defaultPerDevicePinnedMemoryLimit.0: must be a quantity'],
    ],
    [
      'a text for a switch',
      'nvidia-gpu',
      gpu({ strategy: 'MPS', mpsConfig: { multiUser: 'yes' } }),
      ['sharing.mpsConfig.multiUser: must be true or false, got "yes"'],
    ],
    ['a text for an object', 'nvidia-gpu', gpu('MPS'), ['sharing: must be an object, got "MPS"']],
    [
      'an unknown IOMMU policy',
      'nvidia-gpu',
      { ...NVIDIA, kind: 'VfioDeviceConfig', iommu: { backendPolicy: 'IommuFD' } },
      ['iommu.backendPolicy: must be one of "LegacyOnly", "PreferIommuFD", got "IommuFD"'],
    ],
    ['an empty domain', 'nvidia-compute-domain', { ...NVIDIA, kind: 'ComputeDomainDaemonConfig', domainID: '' }, ['domainID: must not be empty']],
    ['dhcp with addresses', 'dranet', { interface: { dhcp: true, addresses: ['192.0.2.1/24'] } }, ['interface.addresses: must not be set with dhcp']],
    [
      'an address without prefix length',
      'dranet',
      { interface: { addresses: ['192.0.2.1'] } },
      ['interface.addresses[0]: must be an address with a prefix length such as 192.0.2.1/24, got "192.0.2.1"'],
    ],
    [
      'a long interface name',
      'dranet',
      { interface: { name: 'a-very-long-name' } },
      ['interface.name: must be at most 15 characters long, got "a-very-long-name"'],
    ],
    [
      'a slash in an interface name',
      'dranet',
      { interface: { name: 'eth/0' } },
      ['interface.name: must be letters, digits, "-", "_" and ".", got "eth/0"'],
    ],
    ['an interface named ..', 'dranet', { interface: { name: '..' } }, ['interface.name: must be letters, digits, "-", "_" and ".", got ".."']],
    ['arpIgnore 4', 'dranet', { interface: { arpIgnore: 4 } }, ['interface.arpIgnore: must be one of "0", "1", "2", "3", "8", got 4']],
    ['a VRF without a name', 'dranet', { interface: { vrf: {} } }, ['interface.vrf.name: must be set']],
    [
      'a reserved table',
      'dranet',
      { interface: { vrf: { name: 'vrf0', table: 254 } } },
      ['interface.vrf.table: must not be 254, a table that Linux keeps for itself'],
    ],
    ['rules with a VRF', 'dranet', { interface: { vrf: { name: 'vrf0' } }, rules: [{ table: 1 }] }, ['rules: must not be set with interface.vrf']],
    ['a route without gateway', 'dranet', { routes: [{ destination: '198.51.100.0/24' }] }, ['routes[0].gateway: must be set unless scope is 253']],
    ['a neighbour that is a list', 'dranet', { neighbors: [[]] }, ['neighbors[0]: must be an object, got []']],
    [
      'a field in another case',
      'dranet',
      { interface: { MTU: 1500 } },
      ['interface.MTU: must be a field that dra.net knows; it refuses the claim on the node'],
    ],
    [
      'a kind on a config without one',
      'dranet',
      { kind: 'NetworkConfig' },
      ['kind: must be a field that dra.net knows; it refuses the claim on the node'],
    ],
    [
      'an unknown field of a VF',
      'sriov',
      { ...SRIOV, vlan: 5 },
      ['vlan: must be a field that sriovnetwork.k8snetworkplumbingwg.io knows; it refuses the claim on the node'],
    ],
    [
      'any field of an empty kind',
      'amd-gpu',
      { apiVersion: 'gpu.resource.amd.com/v1alpha1', kind: 'GpuConfig', sharing: {} },
      ['sharing: must be a field that gpu.amd.com knows; it refuses the claim on the node'],
    ],
    [
      'CPUs in words',
      'dra-cpu',
      { apiVersion: 'v1alpha1', cpuConfig: { cpuset: 'all' } },
      ['cpuConfig.cpuset: must be a list of CPUs such as 0-3,5, got "all"'],
    ],
  ])('%s', (_name, id, parameters, problems) => {
    expect(found(id, parameters)).toEqual(problems);
  });

  test('are named with the nearest right spelling', () => {
    const help = (parameters: unknown) => configProblems(profile('nvidia-gpu'), parameters)[0].help;

    expect(help({ ...NVIDIA, kind: 'GPUConfig' })).toBe("Did you mean 'GpuConfig'?");
    expect(help({ ...NVIDIA, kind: 'GpuConfig', sharin: {} })).toBe("Did you mean 'sharing'?");
    expect(help(gpu({ strategy: 'TimeSlcing' }))).toBe("Did you mean 'TimeSlicing'?");
  });

  test('are all reported, in the order of the path', () => {
    expect(found('nvidia-gpu', gpu({ strategy: 'MPS', mpsConfig: { multiUser: 1, pinned: 1 } }))).toEqual([
      'sharing.mpsConfig.pinned: must be a field that gpu.nvidia.com knows; it refuses the claim on the node',
      'sharing.mpsConfig.multiUser: must be true or false, got 1',
    ]);
  });
});

describe('the settings of the driver', () => {
  const mps = gpu({ strategy: 'MPS' });

  test('count only if they are given', () => {
    expect(found('nvidia-gpu', mps)).toEqual([]);
    expect(found('nvidia-gpu', mps, {})).toEqual(['sharing.strategy: must not be used while the driver\'s feature gate MPSSupport is off']);
    expect(found('nvidia-gpu', mps, { featureGates: { MPSSupport: true } })).toEqual([]);
  });

  test('a kind behind a gate needs the gate', () => {
    const vfio = { ...NVIDIA, kind: 'VfioDeviceConfig' };

    expect(found('nvidia-gpu', vfio, { featureGates: {} }))
      .toEqual([': must not be used while the driver\'s feature gate PassthroughSupport is off']);
    expect(found('nvidia-gpu', vfio, { featureGates: { PassthroughSupport: true } })).toEqual([]);
  });

  test('MPS and consumable shares exclude each other', () => {
    const settings = { featureGates: { MPSSupport: true, ConsumableShares: true }, sharedDevices: true };

    expect(found('nvidia-gpu', mps, settings)).toEqual(['sharing.strategy: must not be MPS while claims can share a device']);
    expect(found('nvidia-gpu', mig({ strategy: 'MPS' }), settings)).toEqual(['sharing.strategy: must not be MPS while claims can share a device']);
    expect(found('nvidia-gpu', gpu({ strategy: 'TimeSlicing' }), { ...settings, featureGates: { TimeSlicingSettings: true } })).toEqual([]);
  });
});

test('a driver whose config is not known has no findings', () => {
  for (const unknown of DRIVER_PROFILES.filter(candidate => candidate.config !== 'known')) {
    expect(configProblems(unknown, { apiVersion: 'v1', kind: 'Anything' })).toEqual([]);
  }
});

test('no JSON value makes the check throw, and each finding is a sentence with a rule', () => {
  const known = DRIVER_PROFILES.filter(candidate => candidate.config === 'known');
  fc.assert(fc.property(fc.constantFrom(...known), fc.nat(3), fc.jsonValue(), (candidate, index, value) => {
    const kind = candidate.configKinds[index % candidate.configKinds.length];
    const fields = Object.fromEntries(kind.fields.map(field => [field.name, value]));
    for (const given of [value, { apiVersion: kind.apiVersion, kind: kind.kind, ...fields }, { ...fields, toString: value }]) {
      for (const problem of configProblems(candidate, given, {})) {
        expect(problem.rule).toMatch(/^must /);
        expect(problem.help).toMatch(/[.?]$/);
      }
    }
  }));
});
