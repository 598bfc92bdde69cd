import { App, Chart, Testing } from 'cdk8s';
import {
  AgentDevices, DeviceAttributeValue, DriverProfile, FpgaKind, FpgaLoader, GpuVendor, NicOffer, NicScrub, NodeAgent, RateLimiter, RdmaUse,
  ShareEnforcement,
} from 'cdk8s-dra';
import type { FpgaDevicesProps, FpgaImage, GpuDevicesProps, GpuSharing, HardwareMatch, NodeAgentProps, SharedAmount } from 'cdk8s-dra';
import * as fc from 'fast-check';

import { parseConfiguration } from '../../../src/node/config/read-configuration.js';

const HEAD = { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'NodeAgentConfiguration', driverName: 'x.cdk8s-dra.dev', family: 'x' };
const DRIVER = DriverProfile.custom({ driverName: HEAD.driverName, family: HEAD.family });

/** The configuration file that the construct emits, or its refusal. */
function emitted(props: Partial<NodeAgentProps>): string {
  const chart = new Chart(new App(), 'chart', { namespace: 'agents' });
  new NodeAgent(chart, 'agent', { driver: DRIVER, image: 'agent:1', ...props });
  const { data } = Testing.synth(chart).find(({ kind }) => kind === 'ConfigMap') as { readonly data: { readonly 'agent.yaml': string } };
  return data['agent.yaml'];
}

/** What the construct would write of devices, if it were not asked whether they are right. */
function section(devices: AgentDevices): unknown {
  return (devices as unknown as { readonly _section: unknown })._section;
}

const IMAGE: FpgaImage = { id: 'blank', file: 'blank.gbs', sha256: '0'.repeat(64), shells: ['*'], safe: true };
const HALVES = { compute: { value: '100', defaultAmount: '50', min: '50' } };
const MLX5 = { driver: 'mlx5_core' };

const gpu = AgentDevices.gpu.bind(AgentDevices);
const share = (props: Partial<GpuSharing>): AgentDevices => gpu({
  sharing: [{ match: {}, maxShares: 2, enforcement: ShareEnforcement.NONE, ...props }],
});
const memory = (amount: SharedAmount): AgentDevices => share({ capacity: { memory: amount } });
const images = (image: Partial<FpgaImage>, props: Partial<FpgaDevicesProps> = {}): AgentDevices => AgentDevices.fpga({
  images: { folder: '/lib/firmware/fpga', allowed: [{ ...IMAGE, ...image }] }, programming: { manager: { by: FpgaLoader.MANAGER } }, ...props,
});
const offer = (match: HardwareMatch): AgentDevices => AgentDevices.nic({ offers: [NicOffer.port({ match })] });
const bandwidth = (amount: SharedAmount, maxShares?: number): AgentDevices => AgentDevices.nic({
  offers: [NicOffer.sharedBandwidth({
    match: MLX5, rate: RateLimiter.HAND_OVER, bandwidth: amount, ...(maxShares === undefined ? {} : { maxShares }),
  })],
});
const simulated = (...fleet: unknown[]): AgentDevices => AgentDevices.simulated({ fleet });

// Both refuse: the construct by the name of its property, the agent by the name of its field.
test.each<[string, AgentDevices, string, string?]>([
  ['a reserve below zero', gpu({ reserve: -1 }), '\'devices.reserve\' must be at least 0, got -1. Choose more.'],
  ['half a device in reserve', gpu({ reserve: 0.5 }), '\'devices.reserve\' must be a whole number, got 0.5.'],
  ['an empty name in the order', gpu({ order: [''] }), '\'devices.order[0]\' must be at least 1 characters long, got "".'],
  ['no maker at all', gpu({ vendors: [] }), '\'devices.vendors\' must be at least 1 entries long, got [].'],
  ['a relative CDI folder', gpu({ cdiFolders: ['etc/cdi'] }), '\'devices.cdiFolders[0]\' must be an absolute path without \'..\', got "etc/cdi". Write it as it is on the host, from / on.'],
  ['a way out of a folder', gpu({ cdiFolders: ['/etc/../cdi'] }), '\'devices.cdiFolders[0]\' must be an absolute path without \'..\''],
  ['PCI ids in upper case', gpu({ products: [{ match: { pciDevice: '10DE:2330' } }] }), '\'devices.products[0].match.pciDevice\' must be vendor and device in four lower-case hexadecimal digits each'],
  ['GPUs by a network driver', gpu({ products: [{ match: MLX5 }] }), '\'devices.products[0].match.driver\' is not a field here. There are vendor, pciDevice, product, address.'],
  ['memory that is no quantity', gpu({ products: [{ match: {}, memory: '80GB' }] }), '\'devices.products[0].memory\' must be a quantity'],
  ['memory below zero', gpu({ products: [{ match: {}, memory: '-1Gi' }] }), '\'devices.products[0].memory\' must not be negative'],
  ['an attribute with a hyphen', gpu({ products: [{ match: {}, attributes: { 'board-rev': DeviceAttributeValue.text('a') } }] }), '\'devices.products[0].attributes.board-rev\' has a name that must'],
  ['an attribute of several texts', gpu({ products: [{ match: {}, attributes: { a: DeviceAttributeValue.texts('a') } }] }), '\'devices.products[0].attributes.a.strings\' is not a field here. Did you mean \'string\'?'],
  ['an attribute that is too long', gpu({ products: [{ match: {}, attributes: { a: DeviceAttributeValue.text('x'.repeat(65)) } }] }), '\'devices.products[0].attributes.a\' must'],
  ['a version with a v', gpu({ products: [{ match: {}, attributes: { a: DeviceAttributeValue.version('v1') } }] }), '\'devices.products[0].attributes.a\' must'],
  ['partitions both fixed and discovered', gpu({ partitions: [{ match: {}, discovered: true, fixedPartitions: [] }] }), '\'devices.partitions[0]\' must have either discovered: true or fixed'],
  ['partitions that take from nothing', gpu({
    partitions: [{ match: {}, fixedPartitions: [{ gpuInstance: 1, computeInstance: 0, profile: '1g', counters: { memory: '1Gi' } }] }],
  }), '\'devices.partitions[0]\' must have counters of the card when a partition takes from them'],
  ['an instance below zero', gpu({ partitions: [{ match: {}, fixedPartitions: [{ gpuInstance: -1, computeInstance: 0, profile: '1g' }] }] }),
    '\'devices.partitions[0].fixedPartitions[0].gpuInstance\' must be at least 0', '\'devices.partitions[0].fixed[0].gpuInstance\' must be at least 0'],
  ['no share', share({ maxShares: 0 }), '\'devices.sharing[0].maxShares\' must be at least 1, got 0.'],
  ['too many shares', share({ maxShares: 1001 }), '\'devices.sharing[0].maxShares\' must be at most 1000, got 1001.'],
  ['MPS without a daemon', share({ enforcement: ShareEnforcement.MPS, capacity: HALVES }), '\'devices.sharing[0]\' must have mps exactly when enforcement is mps'],
  ['a daemon that nobody asks for', share({ mps: { pipeDirectory: '/run/mps' } }), '\'devices.sharing[0]\' must have mps exactly when enforcement is mps'],
  ['MPS that shares nothing', share({ enforcement: ShareEnforcement.MPS, mps: { pipeDirectory: '/run/mps' } }), '\'devices.sharing[0]\' must share memory or compute when MPS enforces it'],
  ['a relative daemon', share({ enforcement: ShareEnforcement.MPS, capacity: HALVES, mps: { pipeDirectory: 'run/mps' } }), '\'devices.sharing[0].mps.pipeDirectory\' must be an absolute path'],
  ['a capacity called shares', share({ capacity: { shares: { defaultAmount: '1', min: '1' } } }), '\'devices.sharing[0]\' must not name the capacity shares'],
  ['a share that is no quantity', memory({ defaultAmount: '8 GB', min: '4Gi' }), '\'devices.sharing[0].capacity.memory.defaultAmount\' must be', '\'devices.sharing[0].capacity.memory.default\' must be'],
  ['a share below the least', memory({ defaultAmount: '2Gi', min: '4Gi' }), '\'devices.sharing[0].capacity.memory\' must'],
  ['a share beyond the whole', memory({ value: '4Gi', defaultAmount: '8Gi', min: '1Gi' }), '\'devices.sharing[0].capacity.memory\' must'],
  ['a share between two steps', memory({ defaultAmount: '3Gi', min: '1Gi', step: '4Gi' }), '\'devices.sharing[0].capacity.memory\' must'],
  ['a step of nothing', memory({ defaultAmount: '1Gi', min: '1Gi', step: '0' }), '\'devices.sharing[0].capacity.memory\' must have a step greater than zero'],

  ['no image', AgentDevices.fpga({ images: { folder: '/images', allowed: [] }, programming: {} }), '\'devices.images.allowed\' must be at least 1 entries long, got [].'],
  ['images that nobody loads', AgentDevices.fpga({ images: { folder: '/images', allowed: [IMAGE] } }), 'devices\' must have images and programming together'],
  ['a loader without images', AgentDevices.fpga({ programming: { dfl: { by: FpgaLoader.COMMAND, command: ['load'] } } }), 'devices\' must have images and programming together'],
  ['no safe image', images({ safe: false }), 'devices\' must have a safe image among images.allowed'],
  ['an image twice', images({}, { images: { folder: '/lib/firmware/fpga', allowed: [IMAGE, IMAGE] } }), 'devices\' must have each image once, but has blank twice'],
  ['an image by a path', images({ file: '../blank.gbs' }), '\'devices.images.allowed[0].file\' must be the name of a file, without folders, got "../blank.gbs".'],
  ['half a checksum', images({ sha256: '0'.repeat(32) }), '\'devices.images.allowed[0].sha256\' must be a SHA-256 checksum in 64 lower-case hexadecimal digits'],
  ['an image for no shell', images({ shells: [] }), '\'devices.images.allowed[0].shells\' must be at least 1 entries long'],
  ['an id in upper case', images({ id: 'Blank' }), '\'devices.images.allowed[0].id\' must be a DNS label'],
  ['an id too long for an attribute', images({ id: 'x'.repeat(27) }), '\'devices.images.allowed[0].id\' must make an attribute image_'],
  ['a manager and images elsewhere', images({}, { images: { folder: '/opt/images', allowed: [IMAGE] } }), 'devices\' must keep images below /lib/firmware when an FPGA manager loads them'],
  ['a way for a kind that there is not', images({}, { programming: { dlf: { by: FpgaLoader.COMMAND, command: ['load'] } } }), '\'devices.programming.dlf\' is not a field here. Did you mean \'dfl\'?'],
  ['a command for the manager', images({}, { programming: { manager: { by: FpgaLoader.MANAGER, command: ['load'] } } }), '\'devices.programming.manager.command\' is not a field here. There are by, flags, timeoutSeconds.'],
  ['a command without a program', images({}, { programming: { dfl: { by: FpgaLoader.COMMAND } } }), '\'devices.programming.dfl.command\' must be a list, but is missing. Add it.'],
  ['flags that are none', images({}, { programming: { manager: { by: FpgaLoader.MANAGER, flags: '2' } } }), '\'devices.programming.manager.flags\' must be one of "0", "1", got "2".'],
  ['loading for hours', images({}, { programming: { manager: { by: FpgaLoader.MANAGER, timeoutSeconds: 3601 } } }), '\'devices.programming.manager.timeoutSeconds\' must be at most 3600, got 3601.'],
  ['no kind at all', AgentDevices.fpga({ kinds: [] }), '\'devices.kinds\' must be at least 1 entries long'],
  ['a device node that is none', AgentDevices.fpga({ managerNodes: ['uio0'] }), '\'devices.managerNodes[0]\' must be an absolute path'],

  ['no offer', AgentDevices.nic({ offers: [] }), '\'devices.offers\' must be at least 1 entries long'],
  ['an offer of everything', offer({}), '\'devices.offers[0].match\' must say something, got {}. Write pciDevice, driver, interface or address; a node must never give away all its ports by accident.'],
  ['an offer by maker', offer({ vendor: GpuVendor.NVIDIA }), '\'devices.offers[0].match.vendor\' is not a field here. There are pciDevice, driver, interface, address.'],
  ['an interface without a name', offer({ interfaceName: '' }), '\'devices.offers[0].match.interfaceName\' must be at least 1 characters long', '\'devices.offers[0].match.interface\' must be at least 1 characters long'],
  ['a port of no width', bandwidth({ value: 'fast', defaultAmount: '1G', min: '1G' }), '\'devices.offers[0].bandwidth.value\' must be', '\'devices.offers[0].bandwidth.total\' must be'],
  ['bandwidth below the least', bandwidth({ defaultAmount: '1M', min: '1G' }), '\'devices.offers[0].bandwidth\' must'],
  ['bandwidth beyond the port', bandwidth({ value: '10G', defaultAmount: '20G', min: '1G' }), '\'devices.offers[0].bandwidth\' must'],
  ['ports for nobody', bandwidth({ defaultAmount: '1G', min: '1G' }, 0), '\'devices.offers[0].maxShares\' must be at least 1, got 0.'],

  ['a fleet of no device', simulated({ name: 'gpu', count: 0 }), '\'devices.fleet[0].count\' must be at least 1, got 0.'],
  ['a fleet without a name', simulated({ nam: 'gpu' }), '\'devices.fleet[0].name\' must be a text, but is missing. Add it.'],
  ['a near miss', simulated({ name: 'gpu', cuont: 3 }), '\'devices.fleet[0].cuont\' is not a field here. Did you mean \'count\'?'],
  ['a word instead of a device', simulated('gpu'), '\'devices.fleet[0]\' must be an object, got "gpu".'],
  ['a capacity that is no quantity', simulated({ name: 'gpu', capacity: { memory: { value: '80GB' } } }), '\'devices.fleet[0].capacity.memory.value\' must be'],
  ['a variable that is none', simulated({ name: 'gpu', env: { 'MY-GPU': 'x' } }), '\'devices.fleet[0].env.MY-GPU\' has a name that must be the name of an environment variable'],
  ['slow for ever', AgentDevices.simulated({ fleet: [], prepareMilliseconds: 1e9 }), '\'devices.prepareMilliseconds\' must be at most 1000000'],
  ['a relative folder', AgentDevices.simulated({ fleet: [], stateFolder: 'state' }), '\'devices.stateFolder\' must be an absolute path'],
])('%s is refused at synth and by the agent', (_, devices, message, ofAgent = message) => {
  expect(() => emitted({ devices })).toThrow('[chart/agent] The agent would refuse its configuration:\n');
  expect(() => emitted({ devices })).toThrow(message);
  expect(() => parseConfiguration('agent.yaml', JSON.stringify({ ...HEAD, devices: section(devices) }))).toThrow(ofAgent);
});

test.each<[string, Partial<NodeAgentProps>, string]>([
  ['a relative kubelet root', { kubeletRoot: 'var/lib/kubelet' }, '\'kubeletRoot\' must be an absolute path'],
  ['a relative CDI root', { cdiRoot: 'cdi' }, '\'cdiRoot\' must be an absolute path'],
  ['a port beyond all ports', { metricsPort: 65536 }, '\'metricsPort\' must be at most 65535, got 65536.'],
])('%s is refused at synth', (_, props, message) => {
  expect(() => emitted(props)).toThrow(message);
});

test('all that is wrong is said at once', () => {
  expect(() => emitted({ cdiRoot: 'cdi', devices: gpu({ reserve: -1, vendors: [] }) }))
    .toThrow(/refuse its configuration:\n {2}'cdiRoot' .*\n {2}'devices\.reserve' .*\n {2}'devices\.vendors' .*$/);
});

test('names of the user\'s own stay as they are', () => {
  const file = emitted({
    devices: gpu({
      products: [{ match: {}, attributes: { interfaceName: DeviceAttributeValue.text('a'), constructor: DeviceAttributeValue.flag(true) } }],
      sharing: [{ match: {}, maxShares: 2, enforcement: ShareEnforcement.NONE, capacity: { defaultAmount: { defaultAmount: '1', min: '1' } } }],
    }),
  });

  expect(parseConfiguration('agent.yaml', file).devices).toMatchObject({
    products: [{ attributes: { interfaceName: { string: 'a' }, constructor: { bool: true } } }],
    sharing: [{ capacity: { defaultAmount: { default: '1', min: '1' } } }],
  });
});

// Words that YAML reads as something else, right ones and wrong ones.
const word = fc.constantFrom('gpu-*', '0000:3b:00.0', '0x10', '1e3', 'yes', 'null', '~', '007', '12:30:45', '- a', '# x', 'a: b', '{x}', '', ' ', 'ü', 'x'.repeat(254));
const path = fc.constantFrom('/etc/cdi', '/run/mps/{address}', '/a b', '/~', 'etc', '/a/../b', '/', '');
const amount = fc.constantFrom('1', '0', '4Gi', '8Gi', '1e3', '010', '100m', '1_000', '-1', '1GB', '', '40960Mi');
const small = fc.integer({ min: -1, max: 5 });
const attributeValue = fc.oneof(
  word.map((text) => DeviceAttributeValue.text(text)),
  small.map((whole) => DeviceAttributeValue.whole(whole)),
  word.map((version) => DeviceAttributeValue.version(version)),
);
const named = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> => fc.dictionary(fc.constantFrom('memory', 'compute', 'shares', 'interfaceName', 'example.com/a', 'a-b', 'yes', '1'), value, { maxKeys: 2 });
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(value, { maxLength: 2 });
const part = { requiredKeys: [] };
const match = fc.record<HardwareMatch>({ vendor: fc.constantFrom(...Object.values(GpuVendor)), pciDevice: fc.constantFrom('10de:2330', '1000:0001', '10DE:1'), product: word, address: word, driver: word, interfaceName: word }, part);
const order = { order: some(word), exclude: some(word), reserve: small };
const sharedAmount: fc.Arbitrary<SharedAmount> = fc.record({ value: amount, defaultAmount: amount, min: amount, max: amount, step: amount }, { requiredKeys: ['defaultAmount', 'min'] });

const anyGpu: fc.Arbitrary<GpuDevicesProps> = fc.record({
  ...order,
  vendors: some(fc.constantFrom(...Object.values(GpuVendor))),
  cdiFolders: some(path),
  products: some(fc.record({ match, memory: amount, attributes: named(attributeValue) }, { requiredKeys: ['match'] })),
  partitions: some(fc.record({
    match,
    discovered: fc.boolean(),
    counters: named(amount),
    fixedPartitions: some(fc.record({ gpuInstance: small, computeInstance: small, profile: word, memory: amount, counters: named(amount) }, { requiredKeys: ['gpuInstance', 'computeInstance', 'profile'] })),
  }, { requiredKeys: ['match'] })),
  sharing: some(fc.record({
    match,
    maxShares: small,
    enforcement: fc.constantFrom(...Object.values(ShareEnforcement)),
    capacity: named(sharedAmount),
    mps: fc.record({ pipeDirectory: path, shmDirectory: path }, { requiredKeys: ['pipeDirectory'] }),
  }, { requiredKeys: ['match', 'maxShares', 'enforcement'] })),
}, part);

const anyFpga: fc.Arbitrary<FpgaDevicesProps> = fc.record({
  ...order,
  kinds: some(fc.constantFrom(...Object.values(FpgaKind))),
  images: fc.record({
    folder: fc.constantFrom('/lib/firmware/fpga', '/images'),
    allowed: some(fc.record({ id: word, file: fc.constantFrom('1.0', 'a.gbs', '../a'), sha256: fc.constantFrom('0'.repeat(64), '1'.repeat(64), 'x'), shells: some(word), functionId: word, safe: fc.boolean() }, { requiredKeys: ['id', 'file', 'sha256', 'shells'] })),
  }),
  programming: fc.dictionary(fc.constantFrom('dfl', 'xrt', 'manager', 'x'), fc.record({ by: fc.constantFrom(...Object.values(FpgaLoader)), command: some(word), flags: fc.constantFrom('0', '1', '2'), timeoutSeconds: small }, { requiredKeys: ['by'] }), { maxKeys: 2 }),
  managerNodes: some(path),
  attributes: named(attributeValue),
}, part);

const anyOffer = fc.oneof(
  fc.record({ match, rdma: fc.constantFrom(...Object.values(RdmaUse)), scrub: fc.constantFrom(...Object.values(NicScrub)) }, { requiredKeys: ['match'] }).map((props) => NicOffer.virtualFunctions(props)),
  fc.record({ match, bandwidth: sharedAmount, rate: fc.constantFrom(...Object.values(RateLimiter)), maxShares: small }, { requiredKeys: ['match', 'bandwidth', 'rate'] }).map((props) => NicOffer.sharedBandwidth(props)),
);

const anySimulated = fc.record({
  ...order,
  fleet: some(fc.record({ name: word, count: small, attributes: named(fc.oneof(attributeValue, fc.constant({ int: '{index}' }))), capacity: named(fc.record({ value: amount, default: amount }, { requiredKeys: ['value'] })), env: named(word), maxShares: small }, { requiredKeys: ['name'] })),
  stateFolder: path,
}, { requiredKeys: ['fleet'] });

const anyDevices: fc.Arbitrary<AgentDevices> = fc.oneof(
  anyGpu.map((props) => AgentDevices.gpu(props)),
  anyFpga.map((props) => AgentDevices.fpga(props)),
  some(anyOffer).map((offers) => AgentDevices.nic({ offers })),
  anySimulated.map((props) => AgentDevices.simulated(props)),
);

/** One of each kind that is taken, whatever else is made up. */
const PLAIN = [
  AgentDevices.gpu(),
  AgentDevices.fpga(),
  AgentDevices.nic({ offers: [NicOffer.virtualFunctions({ match: { driver: 'mlx5_core' } })] }),
  AgentDevices.simulated({ fleet: [{ name: 'gpu' }] }),
];

test('whatever devices are described, the construct takes what the agent takes, and the agent reads what was written', () => {
  const taken = new Set<string>();
  let refused = 0;
  fc.assert(fc.property(anyDevices, (devices) => {
    let file: string;
    try {
      file = emitted({ devices });
    } catch (error) {
      expect((error as Error).message).toMatch(/^\[chart\/agent\] The agent would refuse its configuration:\n {2}'devices/);
      expect(() => parseConfiguration('agent.yaml', JSON.stringify({ ...HEAD, devices: section(devices) }))).toThrow();
      refused++;
      return;
    }
    expect(parseConfiguration('agent.yaml', file).devices).toEqual(section(devices));
    taken.add((section(devices) as { readonly backend: string }).backend);
  }), { numRuns: 2000, examples: PLAIN.map((devices): [AgentDevices] => [devices]) });

  expect([...taken].sort()).toEqual(['fpga', 'gpu', 'nic', 'simulated']);
  expect(refused).toBeGreaterThan(0);
});
