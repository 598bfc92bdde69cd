import type { GpuSettings } from 'cdk8s-dra/model';
import { GpuBackend } from '../../../src/devices/gpu/gpu-backend.js';
import type { Inventory } from '../../../src/devices/inventory.js';
import { deviceNamed, problemsOf, SIGNAL } from '../claim-for.js';
import { amdMi210, amdMi300xCpx } from '../trees/amd.js';
import { intelFlex } from '../trees/intel.js';
import { cdiFile, H100_ADDRESSES, nvidiaH100, uuidOf } from '../trees/nvidia.js';
import { removeTrees, Tree, unpack } from '../trees/tree.js';

afterAll(removeTrees);

const MIG = [[7, 0, 66, 67], [9, 0, 84, 85]] as const;

function discover(tree: Tree, settings: Partial<GpuSettings> = {}): Promise<Inventory> {
  return new GpuBackend({ backend: 'gpu', ...settings }, { root: unpack(tree).root, now: () => 0 }).discover(SIGNAL);
}

describe('NVIDIA', () => {
  test('whole GPUs: identity, standard attributes and nodes, in the order of the bus', async () => {
    const inventory = await discover(nvidiaH100());

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices.map(({ name, identity }) => [name, identity])).toEqual(
      H100_ADDRESSES.map((address, index) => [`gpu-${address.replace(/[:.]/g, '-')}`, uuidOf(index)]),
    );
    expect(inventory.devices[4]).toEqual({
      name: 'gpu-0000-9d-00-0',
      identity: 'GPU-44444444-1234-5678-9abc-000000000004',
      parts: ['pci-slot-0000:9d:00'],
      attributes: {
        'type': { string: 'gpu' },
        'vendor': { string: 'nvidia' },
        'productName': { string: 'NVIDIA H100 80GB HBM3' },
        'uuid': { string: 'GPU-44444444-1234-5678-9abc-000000000004' },
        'driverVersion': { version: '535.104.5' },
        'pciVendor': { string: '10de' },
        'pciDevice': { string: '2330' },
        'resource.kubernetes.io/pciBusID': { string: '0000:9d:00.0' },
        'resource.kubernetes.io/pcieRoot': { string: 'pci0000:9a' },
        'resource.kubernetes.io/numaNode': { int: 1 },
      },
      capacity: {},
      deviceNodes: ['/dev/nvidia4'],
    });
  });

  test('the same hardware gives the same inventory on another agent', async () => {
    expect(await discover(nvidiaH100())).toEqual(await discover(nvidiaH100()));
  });

  test('what the kernel driver does not tell comes from the settings', async () => {
    const { devices } = await discover(nvidiaH100(2), {
      products: [
        { match: { address: '0000:43:*' }, memory: '80Gi', attributes: { architecture: { string: 'Hopper' } } },
        { match: { product: '*H100*' }, memory: '79Gi' },
      ],
    });

    expect(devices.map(({ capacity, attributes }) => [capacity.memory?.value, attributes.architecture])).toEqual([['79Gi', undefined], ['80Gi', { string: 'Hopper' }]]);
  });

  test('MIG devices that the settings describe take from the counters of their card', async () => {
    const { devices, counterSets, problems } = await discover(nvidiaH100(1, { mig: MIG }), {
      partitions: [{
        match: { pciDevice: '10de:2330' },
        counters: { memory: '80Gi', slices: '7' },
        fixed: [7, 9].map((gpuInstance) => ({ gpuInstance, computeInstance: 0, profile: '1g.10gb', memory: '10Gi', counters: { memory: '10Gi', slices: '1' } })),
      }],
    });

    expect(problems).toEqual([]);
    expect(counterSets).toEqual([{ name: 'gpu-0000-1b-00-0', counters: { memory: { value: '80Gi' }, slices: { value: '7' } } }]);
    expect(devices.map(({ name, identity }) => [name, identity])).toEqual([
      ['gpu-0000-1b-00-0-gi7-ci0', `${uuidOf(0)}/gi7/ci0`], ['gpu-0000-1b-00-0-gi9-ci0', `${uuidOf(0)}/gi9/ci0`],
    ]);
    expect(devices[1]).toMatchObject({
      parts: ['pci-slot-0000:1b:00'],
      attributes: { type: { string: 'partition' }, profile: { string: '1g.10gb' }, gpuInstance: { int: 9 }, computeInstance: { int: 0 } },
      capacity: { memory: { value: '10Gi' } },
      consumesCounters: [{ counterSet: 'gpu-0000-1b-00-0', counters: { memory: { value: '10Gi' }, slices: { value: '1' } } }],
      deviceNodes: ['/dev/nvidia0', '/dev/nvidia-caps/nvidia-cap84', '/dev/nvidia-caps/nvidia-cap85'],
    });
  });

  test('with discovered: true MIG devices are offered as they are', async () => {
    const { devices, counterSets, problems } = await discover(nvidiaH100(1, { mig: MIG }), { partitions: [{ match: {}, discovered: true }] });

    expect([devices.map(({ name }) => name), counterSets, problems]).toEqual([['gpu-0000-1b-00-0-gi7-ci0', 'gpu-0000-1b-00-0-gi9-ci0'], [], []]);
    expect(deviceNamed({ devices, counterSets, problems }, 'gpu-0000-1b-00-0-gi7-ci0').attributes.profile).toBeUndefined();
  });

  // C-098
  test('a card with MIG devices that nobody described is withheld with the reason', async () => {
    expect(await discover(nvidiaH100(1, { mig: MIG }))).toEqual({
      devices: [],
      counterSets: [],
      problems: [{
        code: 'DRA346',
        subject: 'gpu-0000-1b-00-0',
        message: 'gpu-0000-1b-00-0 is not offered: it has MIG devices (GPU instance/compute instance 7/0, 9/0) that the settings do not describe. Remove them, or add an entry to partitions.',
      }],
    });
  });

  test('of a card whose MIG devices differ from the settings only those that agree are offered', async () => {
    const inventory = await discover(nvidiaH100(1, { mig: MIG }), {
      partitions: [{ match: {}, fixed: [{ gpuInstance: 7, computeInstance: 0, profile: '1g.10gb' }, { gpuInstance: 1, computeInstance: 0, profile: '3g.40gb' }] }],
    });

    expect(inventory.devices.map(({ name }) => name)).toEqual(['gpu-0000-1b-00-0-gi7-ci0']);
    expect(inventory.problems.map(({ code, message }) => [code, message])).toEqual([
      ['DRA346', 'A MIG device of gpu-0000-1b-00-0 (GPU instance 9, compute instance 0) is not offered: the settings do not describe it.'],
      ['DRA346', 'The MIG device 3g.40gb (GPU instance 1, compute instance 0) that the settings describe is not on gpu-0000-1b-00-0.'],
    ]);
  });

  // C-098: after the mode was changed the CDI file still has the old device, or none.
  test('a card whose CDI file is from before a change of its mode is withheld', async () => {
    const whole = await discover(nvidiaH100(1).with({ '/etc/cdi/nvidia.yaml': cdiFile(1, { mig: MIG }) }));
    const partitioned = await discover(nvidiaH100(1, { mig: MIG }).with({ '/etc/cdi/nvidia.yaml': cdiFile(1, {}) }), { partitions: [{ match: {}, discovered: true }] });

    expect(problemsOf(whole)).toEqual(['DRA351 gpu-0000-1b-00-0']);
    expect(problemsOf(partitioned)).toEqual(['DRA351 gpu-0000-1b-00-0-gi7-ci0', 'DRA351 gpu-0000-1b-00-0-gi9-ci0']);
    expect([...whole.devices, ...partitioned.devices]).toEqual([]);
  });

  const folder = '/sys/devices/pci0000:18/0000:18:01.0/0000:19:00.0/0000:1a:00.0/0000:1b:00.0';
  const information = `/proc/driver/nvidia/gpus/${H100_ADDRESSES[0] ?? ''}/information`;
  const said = (uuid: string): string => `Model: NVIDIA H100 80GB HBM3\n${uuid}Device Minor: 0`;
  const uuid = `GPU UUID: ${uuidOf(0)}\n`;

  test.each<[string, Parameters<Tree['with']>[0], string, string]>([
    // C-097
    ['the kernel driver is not loaded', { [`/proc/driver/nvidia/gpus/${H100_ADDRESSES[0] ?? ''}`]: undefined }, 'DRA343', 'the kernel driver nvidia does not know it'],
    ['another driver has it', { [`${folder}/driver`]: { kind: 'link', target: '../../bus/vfio-pci' }, [`${folder}/../../bus/vfio-pci`]: { kind: 'folder' } }, 'DRA343', 'bound to vfio-pci'],
    ['its UUID has question marks', { [information]: said('GPU UUID: GPU-????????-????-????-????-????????????\n') }, 'DRA343', 'its UUID is not known before its first use'],
    ['its UUID is missing', { [information]: said('') }, 'DRA343', 'its UUID is not known before its first use'],
    ['its minor is missing', { [information]: `Model: x\n${uuid}` }, 'DRA344', 'does not say the number of its device node'],
    ['it is excluded', { [information]: `${said(uuid)}\nGPU Excluded: Yes` }, 'DRA347', 'was told to exclude it'],
    ['its information is binary', { [information]: { kind: 'file', content: Buffer.from([0xc3, 0x28]) } }, 'DRA343', 'does not know it'],
    ['its node is missing', { '/dev/nvidia0': undefined }, 'DRA350', 'there is no device node /dev/nvidia0'],
    ['its node is no device', { '/dev/nvidia0': 'a plain file' }, 'DRA350', 'there is no device node /dev/nvidia0'],
    ['there is no CDI file', { '/etc/cdi': undefined }, 'DRA351', 'no CDI file has a device of nvidia.com/gpu for it alone'],
    ['the CDI file is half written', { '/etc/cdi/nvidia.yaml': 'cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n- name: "0"\n  containerEdits: {dev' }, 'DRA351', 'no CDI file'],
    // C-100
    ['the CDI devices are empty', { '/etc/cdi/nvidia.yaml': 'kind: nvidia.com/gpu\ndevices:\n- {name: "0", containerEdits: {}}' }, 'DRA351', 'no CDI file'],
    ['only `all` has it', { '/etc/cdi/nvidia.yaml': 'kind: nvidia.com/gpu\ndevices:\n- {name: all, containerEdits: {deviceNodes: [{path: /dev/nvidia0}]}}' }, 'DRA351', 'no CDI file'],
    ['two files of a folder define it', { '/etc/cdi/second.yaml': cdiFile(1, {}) }, 'DRA351', 'no CDI file'],
  ])('it is withheld, and nothing else, when %s', async (_, changes, code, why) => {
    const inventory = await discover(nvidiaH100(2).with(changes));
    const problem = inventory.problems.find(({ subject }) => subject === 'gpu-0000-1b-00-0');

    expect(problem).toEqual({ code, subject: 'gpu-0000-1b-00-0', message: expect.stringContaining(why) });
    if (!Object.keys(changes).some((path) => path.startsWith('/etc/cdi'))) expect(inventory.devices.map(({ name }) => name)).toEqual(['gpu-0000-43-00-0']);
  });

  // C-101
  test.each([
    ['a NUMA node', `${folder}/numa_node`, 'resource.kubernetes.io/numaNode'], ['a version', '/proc/driver/nvidia/version', 'driverVersion'],
  ])('without %s the GPU is offered without that attribute', async (_, path, attribute) => {
    for (const change of [undefined, '', 'nonsense', '-1']) {
      const { devices } = await discover(nvidiaH100(1).with({ [path]: change }));
      expect([devices.length, devices[0]?.attributes[attribute]]).toEqual([1, undefined]);
    }
  });

  test('a product name too long for an attribute is left out and reported', async () => {
    const { devices, problems } = await discover(nvidiaH100(1).with({ [information]: `Model: ${'x'.repeat(65)}\n${uuid}Device Minor: 0` }));

    expect(devices[0]?.attributes.productName).toBeUndefined();
    expect(problems).toMatchObject([{ code: 'DRA345', subject: 'gpu-0000-1b-00-0' }]);
  });

  test('the CDI file of a later folder counts', async () => {
    const { devices } = await discover(nvidiaH100(1).with({
      '/var/run/cdi/nvidia.json': JSON.stringify({
        kind: 'nvidia.com/gpu', devices: [{ name: '0', containerEdits: { deviceNodes: [{ path: '/dev/nvidia0', hostPath: '/run/nvidia/driver/dev/nvidia0' }] } }],
      }),
      '/run/nvidia/driver/dev/nvidia0': 'device node c 195:0',
    }));

    expect(devices[0]?.deviceNodes).toEqual(['/run/nvidia/driver/dev/nvidia0']);
  });
});

describe('AMD', () => {
  test('whole GPUs', async () => {
    const inventory = await discover(amdMi210());

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices).toHaveLength(2);
    expect(deviceNamed(inventory, 'gpu-0000-63-00-0')).toEqual({
      name: 'gpu-0000-63-00-0',
      identity: '19019d7f6b7d0e66',
      parts: ['pci-slot-0000:63:00'],
      attributes: {
        'type': { string: 'gpu' },
        'vendor': { string: 'amd' },
        'productName': { string: 'AMD INSTINCT MI210' },
        'uuid': { string: '19019d7f6b7d0e66' },
        'gfx': { string: 'gfx90a' },
        'computeUnits': { int: 104 },
        'xgmiHive': { string: 'aefdf8293fefa6b7' },
        'driverVersion': { version: '6.10.5' },
        'pciVendor': { string: '1002' },
        'pciDevice': { string: '740f' },
        'resource.kubernetes.io/pciBusID': { string: '0000:63:00.0' },
        'resource.kubernetes.io/pcieRoot': { string: 'pci0000:60' },
        'resource.kubernetes.io/numaNode': { int: 0 },
      },
      capacity: { memory: { value: '68702699520' } },
      deviceNodes: ['/dev/kfd', '/dev/dri/renderD128'],
    });
  });

  test('the partitions of a card in mode CPX', async () => {
    const inventory = await discover(amdMi300xCpx());

    expect(inventory.problems).toEqual([]);
    expect(inventory.counterSets).toEqual([{ name: 'gpu-0000-05-00-0', counters: { partitions: { value: '8' } } }]);
    expect(inventory.devices.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, index) => `gpu-0000-05-00-0-p${index}`));
    expect(deviceNamed(inventory, 'gpu-0000-05-00-0-p3')).toMatchObject({
      identity: 'e3aa4ff1a3f1a311/p3',
      parts: ['pci-slot-0000:05:00'],
      attributes: { type: { string: 'partition' }, gfx: { string: 'gfx942' }, computeUnits: { int: 38 }, computePartition: { string: 'cpx' }, memoryPartition: { string: 'nps1' }, partition: { int: 3 } },
      capacity: { memory: { value: '25767706624' } },
      consumesCounters: [{ counterSet: 'gpu-0000-05-00-0', counters: { partitions: { value: '1' } } }],
      deviceNodes: ['/dev/kfd', '/dev/dri/renderD131'],
    });
  });

  const folder = '/sys/devices/pci0000:60/0000:60:03.1/0000:61:00.0/0000:62:00.0/0000:63:00.0';
  test.each<[string, Parameters<Tree['with']>[0], string]>([
    ['amdgpu is not bound', { [`${folder}/driver`]: undefined }, 'DRA343'],
    ['there is no render node in sysfs', { [`${folder}/drm/renderD128`]: undefined }, 'DRA344'],
    ['there is no render node in /dev', { '/dev/dri/renderD128': undefined }, 'DRA350'],
    ['the compute topology does not have it', { '/sys/class/kfd/kfd/topology/nodes/2/properties': undefined }, 'DRA344'],
    ['a change of its mode is not done', { [`${folder}/current_compute_partition`]: 'CPX' }, 'DRA346'],
  ])('a GPU is withheld, and nothing else, when %s', async (_, changes, code) => {
    const inventory = await discover(amdMi210().with(changes));

    expect(problemsOf(inventory)).toEqual([`${code} gpu-0000-63-00-0`]);
    expect(inventory.devices.map(({ name }) => name)).toEqual(['gpu-0000-43-00-0']);
  });

  test('without /dev/kfd no GPU of AMD is offered', async () => {
    const inventory = await discover(amdMi210().with({ '/dev/kfd': undefined }));

    expect([inventory.devices, problemsOf(inventory)]).toEqual([[], ['DRA350 gpu-0000-43-00-0', 'DRA350 gpu-0000-63-00-0']]);
  });

  // The field case of ROCm/k8s-gpu-dra-driver#7: C-101.
  test('a card that shows partitions with a gap is withheld', async () => {
    const inventory = await discover(amdMi300xCpx().with({ '/sys/class/kfd/kfd/topology/nodes/4/properties': undefined }));

    expect(inventory.devices).toEqual([]);
    expect(inventory.problems).toMatchObject([{ code: 'DRA344', message: expect.stringContaining('the compute topology shows partitions 0, 1, 3, 4, 5, 6, 7 of it') }]);
  });

  test('without a product name, ids or sizes those facts are missing, and never empty', async () => {
    const { devices } = await discover(amdMi210().with({
      [`${folder}/product_name`]: '',
      [`${folder}/mem_info_vram_total`]: '0',
      [`${folder}/unique_id`]: undefined,
      '/sys/class/kfd/kfd/topology/nodes/2/properties': 'simd_count 416\nlocation_id 25344\ndomain 0\ndrm_render_minor 128\nunique_id 0\nhive_id 0\ngfx_target_version 0',
    }));
    const device = devices.find(({ name }) => name === 'gpu-0000-63-00-0');

    expect([device?.identity, device?.capacity]).toEqual(['1002:740f@0000:63:00.0', {}]);
    expect(Object.keys(device?.attributes ?? {})).toEqual([
      'type', 'vendor', 'driverVersion', 'pciVendor', 'pciDevice', 'resource.kubernetes.io/pciBusID', 'resource.kubernetes.io/pcieRoot', 'resource.kubernetes.io/numaNode',
    ]);
  });
});

describe('Intel', () => {
  test('a GPU inside the processor, a card, and the virtual functions of a divided one', async () => {
    const inventory = await discover(intelFlex());

    expect(problemsOf(inventory)).toEqual(['DRA346 gpu-0000-12-00-0']);
    const facts = inventory.devices.map(({ name, attributes, parts }) => {
      const { type, integrated, physicalFunction } = attributes;
      return [name, type, integrated, physicalFunction, parts];
    });
    expect(facts).toEqual([
      ['gpu-0000-00-02-0', { string: 'gpu' }, { bool: true }, undefined, ['pci-slot-0000:00:02']],
      ['gpu-0000-0f-00-0', { string: 'gpu' }, { bool: false }, undefined, ['pci-slot-0000:0f:00']],
      ['gpu-0000-12-00-1', { string: 'virtualFunction' }, { bool: false }, { string: '0000:12:00.0' }, ['pci-slot-0000:12:00']],
      ['gpu-0000-12-00-2', { string: 'virtualFunction' }, { bool: false }, { string: '0000:12:00.0' }, ['pci-slot-0000:12:00']],
    ]);
    expect(deviceNamed(inventory, 'gpu-0000-0f-00-0')).toMatchObject({
      identity: '8086:56c0@0000:0f:00.0',
      capacity: { memory: { value: '15032385536' } },
      attributes: { 'kernelDriver': { string: 'i915' }, 'resource.kubernetes.io/pcieRoot': { string: 'pci0000:0c' } },
      deviceNodes: ['/dev/dri/renderD129'],
    });
  });

  const folder = '/sys/devices/pci0000:0c/0000:0c:01.0/0000:0d:00.0/0000:0e:01.0/0000:0f:00.0';
  test.each<[string, Parameters<Tree['with']>[0], string]>([
    ['no driver is bound', { [`${folder}/driver`]: undefined }, 'DRA343'],
    ['there is no render node in sysfs', { [`${folder}/drm/renderD129`]: undefined }, 'DRA344'],
    ['there is no render node in /dev', { '/dev/dri/renderD129': undefined }, 'DRA350'],
  ])('a GPU is withheld, and nothing else, when %s', async (_, changes, code) => {
    const inventory = await discover(intelFlex().with(changes));

    expect(problemsOf(inventory)).toEqual([`${code} gpu-0000-0f-00-0`, 'DRA346 gpu-0000-12-00-0']);
    expect(inventory.devices).toHaveLength(3);
  });
});

test('vendors that the settings leave out are left alone', async () => {
  const tree = nvidiaH100(1);
  for (const [path, entry] of amdMi210().entries) tree.entries.set(path, entry);

  expect((await discover(tree)).devices).toHaveLength(3);
  expect((await discover(tree, { vendors: ['amd'] })).devices.map(({ attributes }) => attributes.vendor)).toEqual([{ string: 'amd' }, { string: 'amd' }]);
});

test('a host without GPUs has no devices and no problems', async () => {
  expect(await discover(new Tree().folder('/sys/bus/pci/devices'))).toEqual({ devices: [], counterSets: [], problems: [] });
});

// C-097: that nothing can be seen does not mean that nothing is there.
test('a host whose bus cannot be read is a retryable failure', async () => {
  await expect(discover(new Tree().folder('/sys'))).rejects.toMatchObject({ code: 'DRA342', failureClass: 'retryable' });
});
