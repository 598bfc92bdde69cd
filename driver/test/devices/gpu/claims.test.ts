import { GPU_SETTINGS, strict } from 'cdk8s-dra/model';
import type { GpuSettings } from 'cdk8s-dra/model';
import { GpuBackend } from '../../../src/devices/gpu/gpu-backend.js';
import { claimFor, deviceNamed, failureOf, SIGNAL } from '../claim-for.js';
import { amdMi210 } from '../trees/amd.js';
import { intelFlex } from '../trees/intel.js';
import { cdiFile, H100_ADDRESSES, nvidiaH100, uuidOf } from '../trees/nvidia.js';
import { removeTrees, unpack } from '../trees/tree.js';
import type { Tree, UnpackedTree } from '../trees/tree.js';

afterAll(removeTrees);

let now = 0;

async function start(tree: Tree, settings: Partial<GpuSettings> = {}) {
  const host = unpack(tree);
  const backend = new GpuBackend({ backend: 'gpu', ...settings }, { root: host.root, now: () => now });
  return { host, backend, inventory: await backend.discover(SIGNAL) };
}

const NVIDIA = 'gpu-0000-1b-00-0';
const AMD = 'gpu-0000-63-00-0';
const CONFIG = { apiVersion: 'gpu.cdk8s-dra.dev/v1alpha1', kind: 'GpuConfig' };

test.each(['index', 'uuid'] as const)('a GPU of NVIDIA is the device of the vendor\'s CDI file, named by %s', async (cdiNames) => {
  const { backend, inventory } = await start(nvidiaH100(2, { cdiNames }));
  const claim = claimFor(deviceNamed(inventory, 'gpu-0000-43-00-0'));
  const intent = backend.plan(claim);
  const id = `nvidia.com/gpu=${cdiNames === 'uuid' ? uuidOf(1) : 1}`;

  expect(intent).toEqual({ access: { vendor: 'nvidia', address: '0000:43:00.0', uuid: uuidOf(1), minor: 1 } });
  const prepared = await backend.prepare(claim, intent, SIGNAL);
  expect(prepared).toEqual({ edits: {}, vendorCdiDevices: [id], state: { vendorCdiDevice: id } });
  expect(await backend.prepare(claim, intent, SIGNAL)).toEqual(prepared);
});

test('a MIG device is its own CDI device', async () => {
  const mig = [[7, 0, 66, 67], [9, 0, 84, 85]] as const;
  const { backend, inventory } = await start(nvidiaH100(1, { mig }), { partitions: [{ match: {}, discovered: true }] });
  const claim = claimFor(deviceNamed(inventory, `${NVIDIA}-gi9-ci0`));

  expect(await backend.prepare(claim, backend.plan(claim), SIGNAL)).toMatchObject({ vendorCdiDevices: ['nvidia.com/gpu=0:1'] });
});

test('the record is enough: another agent prepares without having looked', async () => {
  const { host, backend, inventory } = await start(nvidiaH100(1));
  const claim = claimFor(deviceNamed(inventory, NVIDIA));
  const intent = JSON.parse(JSON.stringify(backend.plan(claim)));
  const another = new GpuBackend({ backend: 'gpu' }, { root: host.root, now: () => 0 });

  expect(await another.prepare(claim, intent, SIGNAL)).toMatchObject({ vendorCdiDevices: ['nvidia.com/gpu=0'] });
  await another.unprepare({ claimUid: claim.claim.uid, device: NVIDIA, intent, adminAccess: false, last: true });
});

test.each<[string, (host: UnpackedTree) => void, string, string]>([
  // C-008: nodes that the CDI file promises do not exist yet.
  ['the GPU\'s node is missing', (host) => host.remove('/dev/nvidia0'), 'DRA350', 'there is no device node /dev/nvidia0 on the host'],
  ['a common node is missing', (host) => host.remove('/dev/nvidia-uvm'), 'DRA350', 'there is no device node /dev/nvidia-uvm on the host'],
  // C-100
  ['the CDI file is gone', (host) => host.remove('/etc/cdi'), 'DRA351', 'no CDI file describes gpu-0000-1b-00-0'],
  ['the CDI file names no libraries', (host) => host.write('/etc/cdi/nvidia.yaml', cdiFile(1, {}).replace(/ {2}mounts:[\s\S]*/, '')), 'DRA351', '/etc/cdi/nvidia.yaml gives nvidia.com/gpu=0 no files of the driver'],
  ['the driver lost it', (host) => host.remove(`/proc/driver/nvidia/gpus/${H100_ADDRESSES[0] ?? ''}`), 'DRA352', 'is not at 0000:1b:00.0 any more'],
  ['another GPU is in its place', (host) => host.write(`/proc/driver/nvidia/gpus/${H100_ADDRESSES[0] ?? ''}/information`, `GPU UUID: ${uuidOf(5)}`), 'DRA352', `${uuidOf(5)} is there now instead of ${uuidOf(0)}`],
])('prepare fails as retryable while %s, and works when it is mended', async (_, damage, code, message) => {
  const tree = nvidiaH100(1);
  const { host, backend, inventory } = await start(tree);
  const claim = claimFor(deviceNamed(inventory, NVIDIA));
  const intent = backend.plan(claim);
  damage(host);

  expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({
    code, failureClass: 'retryable', message: expect.stringContaining(message), details: { devices: [NVIDIA] },
  });
  for (const [path, entry] of tree.entries) if (entry.kind === 'file' && !path.startsWith('/sys')) host.write(path, String(entry.content));
  expect(await backend.prepare(claim, intent, SIGNAL)).toMatchObject({ vendorCdiDevices: ['nvidia.com/gpu=0'] });
});

test('GPUs of AMD and Intel are given by their nodes, the one for display on demand', async () => {
  const amd = await start(amdMi210());
  const intel = await start(intelFlex());
  const nodes = async ({ backend, inventory }: typeof amd, name: string, includeCardNode?: boolean): Promise<unknown> => {
    const claim = claimFor(deviceNamed(inventory, name), { config: includeCardNode === undefined ? [] : [{ ...CONFIG, includeCardNode }] });
    const { edits, vendorCdiDevices } = await backend.prepare(claim, backend.plan(claim), SIGNAL);
    return [edits.deviceNodes?.map(({ path }) => path), vendorCdiDevices];
  };

  expect(await nodes(amd, AMD)).toEqual([['/dev/kfd', '/dev/dri/renderD128'], []]);
  expect(await nodes(amd, AMD, true)).toEqual([['/dev/kfd', '/dev/dri/card1', '/dev/dri/renderD128'], []]);
  expect(await nodes(intel, 'gpu-0000-0f-00-0')).toEqual([['/dev/dri/renderD129'], []]);
  expect(await nodes(intel, 'gpu-0000-12-00-1', false)).toEqual([['/dev/dri/renderD131'], []]);
});

test('config of class, then of claim: the later one wins', async () => {
  const { backend, inventory } = await start(amdMi210());
  const plan = (...wanted: readonly boolean[]) => {
    const config = wanted.map((includeCardNode) => ({ ...CONFIG, includeCardNode }));
    return backend.plan(claimFor(deviceNamed(inventory, AMD), { config }));
  };

  expect(plan(true)).toMatchObject({ includeCardNode: true });
  expect(plan(true, false)).not.toHaveProperty('includeCardNode');
});

test('an abort is heeded before anything is done', async () => {
  const { backend, inventory } = await start(amdMi210());
  const claim = claimFor(deviceNamed(inventory, AMD));

  await expect(backend.prepare(claim, backend.plan(claim), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

test('a device that is gone cannot be planned', async () => {
  const { host, backend, inventory } = await start(amdMi210());
  const claim = claimFor(deviceNamed(inventory, AMD));
  host.remove('/sys/bus/pci/devices/0000:63:00.0');
  await backend.discover(SIGNAL);

  expect(await failureOf(() => backend.plan(claim))).toMatchObject({ code: 'DRA352', failureClass: 'retryable' });
});

describe('shares', () => {
  const sharing: GpuSettings['sharing'] = [{
    match: { product: '*H100*' },
    maxShares: 8,
    enforcement: 'mps',
    capacity: { memory: { value: '79Gi', default: '8Gi', min: '1Gi', step: '1Gi' }, compute: { value: '100', default: '25', min: '5', step: '5' } },
    mps: { pipeDirectory: '/run/mps/{address}', shmDirectory: '/run/mps/{address}/shm' },
  }];
  const shareId = '0e6f8a52-5f0b-4e5e-8f0c-0a1b2c3d4e5f';

  test('a shared GPU has amounts with a policy, and a number of shares that the scheduler knows', async () => {
    const { inventory } = await start(nvidiaH100(1), { sharing });

    expect(inventory.problems).toEqual([]);
    expect(deviceNamed(inventory, NVIDIA)).toMatchObject({
      allowMultipleAllocations: true,
      maxShares: 8,
      capacity: {
        memory: { value: '79Gi', requestPolicy: { default: '8Gi', validRange: { min: '1Gi', step: '1Gi' } } },
        compute: { value: '100', requestPolicy: { default: '25', validRange: { min: '5', step: '5' } } },
        shares: { value: '8', requestPolicy: { default: '1', validValues: ['1'] } },
      },
    });
  });

  test('a container is kept to its share by the MPS daemon of the card', async () => {
    const { host, backend, inventory } = await start(nvidiaH100(1), { sharing });
    const claim = claimFor(deviceNamed(inventory, NVIDIA), { shareId, consumedCapacity: { memory: '10Gi', compute: '50', shares: '1' } });
    const intent = backend.plan(claim);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA350', failureClass: 'retryable', message: expect.stringContaining('no MPS control daemon listens in /run/mps/0000:1b:00.0') });
    host.write('/run/mps/0000:1b:00.0/control', '');
    expect(await backend.prepare(claim, intent, SIGNAL)).toEqual({
      edits: {
        env: ['CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50', 'CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=10240M', 'CUDA_MPS_PIPE_DIRECTORY=/run/mps/0000:1b:00.0'],
        mounts: [
          { hostPath: '/run/mps/0000:1b:00.0', containerPath: '/run/mps/0000:1b:00.0', options: ['rw', 'nosuid', 'nodev', 'bind'] },
          { hostPath: '/run/mps/0000:1b:00.0/shm', containerPath: '/dev/shm', options: ['rw', 'nosuid', 'nodev', 'bind'] },
        ],
      },
      vendorCdiDevices: ['nvidia.com/gpu=0'],
      state: { vendorCdiDevice: 'nvidia.com/gpu=0' },
    });
  });

  test('without enforcement a share is an entry in the books', async () => {
    const { backend, inventory } = await start(amdMi210(), { sharing: [{ match: {}, maxShares: 2, enforcement: 'none', capacity: { memory: { default: '8Gi', min: '1Gi' } } }] });
    const device = deviceNamed(inventory, AMD);
    const claim = claimFor(device, { shareId, consumedCapacity: { memory: '8Gi', shares: '1' } });

    expect(device.capacity.memory).toEqual({ value: '68702699520', requestPolicy: { default: '8Gi', validRange: { min: '1Gi' } } });
    expect((await backend.prepare(claim, backend.plan(claim), SIGNAL)).edits).toEqual({ deviceNodes: [{ path: '/dev/kfd' }, { path: '/dev/dri/renderD128' }] });
  });

  test.each([
    ['no share', undefined, { memory: '10Gi' }, 'names no share'],
    ['more than there is', shareId, { memory: '80Gi' }, 'gives 80Gi memory of gpu-0000-1b-00-0, which has 79Gi'],
    ['nothing', shareId, { memory: '0' }, 'gives 0 memory'],
    ['less than a unit', shareId, { compute: '100m', memory: '512Ki' }, 'gives 512Ki memory'],
  ])('an allocation of %s is refused for good', async (_, id, amounts, message) => {
    const { backend, inventory } = await start(nvidiaH100(1), { sharing });
    const consumedCapacity = amounts as { readonly [name: string]: string };
    const claim = claimFor(deviceNamed(inventory, NVIDIA), { ...(id && { shareId: id }), consumedCapacity });

    expect(await failureOf(() => backend.plan(claim))).toMatchObject({ code: 'DRA353', failureClass: 'terminal', message: expect.stringContaining(message) });
  });

  test('a claim with admin access has no share and sees the whole', async () => {
    const { backend, inventory } = await start(nvidiaH100(1), { sharing });
    const claim = claimFor(deviceNamed(inventory, NVIDIA), { adminAccess: true });

    expect(await backend.prepare(claim, backend.plan(claim), SIGNAL)).toMatchObject({ edits: {}, vendorCdiDevices: ['nvidia.com/gpu=0'] });
  });

  test('memory to share must be known, and MPS is for NVIDIA', async () => {
    const unknown = await start(nvidiaH100(1), { sharing: [{ match: {}, maxShares: 2, enforcement: 'none', capacity: { memory: { default: '1Gi', min: '1Gi' } } }] });
    const amd = await start(amdMi210(), { sharing: sharing.map((entry) => ({ ...entry, match: {} })) });

    expect([unknown.inventory.devices, amd.inventory.devices]).toEqual([[], []]);
    expect(unknown.inventory.problems).toMatchObject([{ code: 'DRA348', message: expect.stringContaining('how much memory there is to share is not known') }]);
    expect(amd.inventory.problems).toMatchObject([{ code: 'DRA348', message: expect.stringContaining('MPS is for NVIDIA GPUs') }, { code: 'DRA348' }]);
  });

  test('MIG devices are not shared', async () => {
    const { inventory } = await start(nvidiaH100(1, { mig: [[7, 0, 66, 67]] }), { sharing, partitions: [{ match: {}, discovered: true }] });

    expect(inventory.devices.map(({ allowMultipleAllocations }) => allowMultipleAllocations)).toEqual([undefined]);
  });
});

describe('health', () => {
  test('healthy cards', async () => {
    for (const tree of [nvidiaH100(2), amdMi210(), intelFlex()]) {
      const { backend, inventory } = await start(tree);
      expect((await backend.health(inventory, SIGNAL)).map(({ health }) => health)).toEqual(inventory.devices.map(() => 'healthy'));
    }
  });

  const nvidia = '/sys/devices/pci0000:18/0000:18:01.0/0000:19:00.0/0000:1a:00.0/0000:1b:00.0';
  const amd = '/sys/devices/pci0000:60/0000:60:03.1/0000:61:00.0/0000:62:00.0/0000:63:00.0';
  test.each<[string, () => Tree, string, (host: UnpackedTree) => void, string]>([
    ['is gone from sysfs', () => nvidiaH100(2), NVIDIA, (host) => host.remove('/sys/bus/pci/devices/0000:1b:00.0'), 'DRA352'],
    ['fell off the bus', () => amdMi210(), AMD, (host) => host.write(`${amd}/config`, Buffer.alloc(64, 0xff)), 'DRA352'],
    ['was lost by its kernel driver', () => nvidiaH100(2), NVIDIA, (host) => host.remove('/proc/driver/nvidia/gpus/0000:1b:00.0'), 'DRA352'],
    ['had a fatal bus error', () => nvidiaH100(2), NVIDIA, (host) => host.write(`${nvidia}/aer_dev_fatal`, 'Data Link Protocol 1\nTOTAL_ERR_FATAL 1\n'), 'DRA361'],
    ['had an uncorrectable memory error', () => amdMi210(), AMD, (host) => host.write(`${amd}/ras/umc_err_count`, 'ue: 1\nce: 3\n'), 'DRA362'],
  ])('a card that %s is unhealthy, the other one is not', async (_, tree, name, damage, code) => {
    const { host, backend, inventory } = await start(tree());
    await backend.health(inventory, SIGNAL);
    damage(host);

    const readings = await backend.health(inventory, SIGNAL);
    expect(readings.find(({ device }) => device === name)).toMatchObject({ health: 'unhealthy', code });
    expect(readings.filter(({ health }) => health === 'healthy')).toHaveLength(inventory.devices.length - 1);
  });

  test('errors before the agent started are not news, and after ten quiet minutes a card is healthy again', async () => {
    const { host, backend, inventory } = await start(nvidiaH100(1).with({ [`${nvidia}/aer_dev_fatal`]: 'TOTAL_ERR_FATAL 5' }));
    const look = async () => (await backend.health(inventory, SIGNAL))[0]?.health;

    expect(await look()).toBe('healthy');
    host.write(`${nvidia}/aer_dev_fatal`, 'TOTAL_ERR_FATAL 6\n');
    expect(await look()).toBe('unhealthy');
    now += 11 * 60_000;
    expect(await look()).toBe('healthy');
  });

  test('what sysfs does not tell is unknown', async () => {
    const { backend, inventory } = await start(amdMi210().with({ [`${amd}/config`]: undefined }));

    expect((await backend.health(inventory, SIGNAL)).find(({ device }) => device === AMD)).toEqual({ device: AMD, health: 'unknown' });
  });
});

test.each<[string, unknown, string]>([
  ['sharing without a daemon', { sharing: [{ match: {}, maxShares: 2, enforcement: 'mps', capacity: { memory: { default: '1Gi', min: '1Gi' } } }] }, 'must have mps exactly when enforcement is mps'],
  ['a daemon without enforcement', { sharing: [{ match: {}, maxShares: 2, enforcement: 'none', mps: { pipeDirectory: '/run/mps' } }] }, 'must have mps exactly when enforcement is mps'],
  ['MPS that shares nothing', { sharing: [{ match: {}, maxShares: 2, enforcement: 'mps', mps: { pipeDirectory: '/run/mps' } }] }, 'must share memory or compute when MPS enforces it'],
  ['a capacity called shares', { sharing: [{ match: {}, maxShares: 2, enforcement: 'none', capacity: { shares: { default: '1', min: '1' } } }] }, 'must not name the capacity shares'],
  ['partitions both fixed and discovered', { partitions: [{ match: {}, discovered: true, fixed: [] }] }, 'must have either discovered: true or fixed'],
  ['partitions neither fixed nor discovered', { partitions: [{ match: {} }] }, 'must have either discovered: true or fixed'],
  ['partitions that take from nothing', { partitions: [{ match: {}, fixed: [{ gpuInstance: 1, computeInstance: 0, profile: 'x', counters: { a: '1' } }] }] }, 'must have counters of the card'],
  ['PCI ids in upper case', { products: [{ match: { pciDevice: '10DE:2330' } }] }, 'must be vendor and device in four lower-case hexadecimal digits each'],
  ['an unknown vendor', { vendors: ['matrox'] }, 'must be one of "nvidia", "amd", "intel", got "matrox"'],
])('the settings are refused with %s', (_, settings, message) => {
  const decoded = strict.decode(GPU_SETTINGS, { backend: 'gpu', ...settings as object });

  expect('problems' in decoded && decoded.problems.map(({ rule }) => rule)).toEqual([expect.stringContaining(message)]);
});
