import { NIC_SETTINGS, strict } from 'cdk8s-dra/model';
import type { NicOfferSettings, NicSettings } from 'cdk8s-dra/model';
import type { Inventory } from '../../../src/devices/inventory.js';
import type { JsonObject } from '../../../src/devices/json.js';
import { NicBackend } from '../../../src/devices/nic/nic-backend.js';
import { claimFor, deviceNamed, failureOf, problemsOf, SIGNAL } from '../claim-for.js';
import { connectX } from '../trees/nic.js';
import { removeTrees, unpack } from '../trees/tree.js';
import type { Tree, UnpackedTree } from '../trees/tree.js';

afterAll(removeTrees);

const CONNECTX = { pciDevice: '15b3:101d' };
const NO_ROUTES = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const VIRTUAL: NicOfferSettings = { as: 'virtual-functions', match: CONNECTX };
const SHARED: NicOfferSettings = { as: 'shared-bandwidth', match: CONNECTX, bandwidth: { default: '10G', min: '1G', step: '1G' }, rate: 'sysfs' };
const FIRST = '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0';
const OTHER = '/sys/devices/pci0000:00/0000:00:1c.0/0000:01:00.0';
const VF0 = '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.2';

interface Started {
  readonly host: UnpackedTree;
  readonly backend: NicBackend;
  readonly inventory: Inventory;
}

async function start(tree: Tree, offers: readonly NicOfferSettings[], more: Partial<NicSettings> = {}): Promise<Started> {
  const host = unpack(tree);
  const backend = new NicBackend({ backend: 'nic', offers: [...offers], ...more }, { root: host.root, now: () => 0 });
  return { host, backend, inventory: await backend.discover(SIGNAL) };
}

function release(device: string, intent: JsonObject) {
  return { claimUid: 'c1', device, intent, adminAccess: false, last: true };
}

describe('virtual functions', () => {
  test('each is a device, with the speed and the root of its port', async () => {
    const { inventory } = await start(connectX(), [VIRTUAL]);

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices.map(({ name }) => name)).toEqual(['vf-0000-3b-00-2', 'vf-0000-3b-00-3', 'vf-0000-3b-00-4', 'vf-0000-3b-00-5']);
    expect(deviceNamed(inventory, 'vf-0000-3b-00-3')).toEqual({
      name: 'vf-0000-3b-00-3',
      identity: '15b3:101e@0000:3b:00.3',
      parts: ['pci-function-0000:3b:00.3'],
      attributes: {
        'type': { string: 'vf' },
        'physicalFunction': { string: '0000:3b:00.0' },
        'vfIndex': { int: 1 },
        'physicalInterface': { string: 'ens1f0np0' },
        'linkType': { string: 'ethernet' },
        'speedMbps': { int: 100_000 },
        'rdma': { bool: true },
        'kernelDriver': { string: 'mlx5_core' },
        'pciVendor': { string: '15b3' },
        'pciDevice': { string: '101e' },
        'resource.kubernetes.io/pciBusID': { string: '0000:3b:00.3' },
        'resource.kubernetes.io/pcieRoot': { string: 'pci0000:3a' },
        'resource.kubernetes.io/numaNode': { int: 0 },
      },
      capacity: {},
      deviceNodes: [],
    });
  });

  test('a container gets the RDMA nodes and the address; the interface is for whoever moves it', async () => {
    const { backend, inventory } = await start(connectX(), [VIRTUAL]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-3'), {
      config: [{ apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig', interfaceName: 'net1' }],
    });
    const intent = backend.plan(claim);

    expect(intent).toEqual({ function: '0000:3b:00.3', nodes: [], rdma: 'auto', interfaceName: 'net1' });
    expect(await backend.prepare(claim, intent, SIGNAL)).toEqual({
      edits: {
        env: ['CDK8S_DRA_NIC_VF_0000_3B_00_3=0000:3b:00.3'],
        deviceNodes: ['/dev/infiniband/uverbs3', '/dev/infiniband/umad3', '/dev/infiniband/rdma_cm'].map((path) => ({ path })),
      },
      vendorCdiDevices: [],
      state: { interface: 'ens1f0v1', hardwareAddress: '02:00:00:00:00:01' },
      networkData: { interfaceName: 'net1', hardwareAddress: '02:00:00:00:00:01' },
    });
    await backend.unprepare(release('vf-0000-3b-00-3', intent));
  });

  test('without RDMA a container gets none of its nodes', async () => {
    const { backend, inventory } = await start(connectX(), [{ ...VIRTUAL, rdma: 'none' }]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-3'));

    expect((await backend.prepare(claim, backend.plan(claim), SIGNAL)).edits).toEqual({ env: ['CDK8S_DRA_NIC_VF_0000_3B_00_3=0000:3b:00.3'] });
  });

  test('one that is bound to vfio-pci is given by its IOMMU group', async () => {
    const { backend, inventory } = await start(connectX({ virtualDriver: 'vfio-pci' }), [VIRTUAL]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-2'));

    expect(claim.device).toMatchObject({ attributes: { kernelDriver: { string: 'vfio-pci' }, rdma: { bool: false } }, deviceNodes: ['/dev/vfio/vfio', '/dev/vfio/70'] });
    expect((await backend.prepare(claim, backend.plan(claim), SIGNAL)).edits.deviceNodes).toEqual([{ path: '/dev/vfio/vfio' }, { path: '/dev/vfio/70' }]);
  });

  // C-136: a device in use must not vanish from the inventory, nor change in it.
  test('what a pod has taken out of sight stays in the inventory as it was', async () => {
    const { host, backend, inventory } = await start(connectX(), [VIRTUAL]);
    for (const path of [`${VF0}/net`, `${VF0}/infiniband`]) host.remove(path);

    expect(await backend.discover(SIGNAL)).toEqual(inventory);
  });

  test('an interface that another pod still has fails as retryable', async () => {
    const { host, backend, inventory } = await start(connectX(), [VIRTUAL]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-2'));
    const intent = backend.plan(claim);
    for (const path of [`${VF0}/net`, `${VF0}/infiniband`]) host.remove(path);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA343', failureClass: 'retryable', message: expect.stringContaining('a pod may still have it') });
  });

  test.each<[string, Parameters<Tree['with']>[0], Partial<NicOfferSettings>, string, string]>([
    ['no driver is bound', { [`${VF0}/driver`]: undefined }, {}, 'DRA343', 'no kernel driver is bound to it'],
    ['RDMA is required and missing', { [`${VF0}/infiniband`]: undefined }, { rdma: 'required' }, 'DRA344', 'it has no RDMA device'],
    ['it cannot be reset', { [`${VF0}/reset`]: undefined }, { scrub: 'function-reset' }, 'DRA344', 'it cannot be reset by itself'],
  ])('one is withheld, and nothing else, when %s', async (_, changes, offer, code, message) => {
    const { inventory } = await start(connectX().with(changes), [{ ...VIRTUAL, ...offer } as NicOfferSettings]);

    expect(inventory.devices).toHaveLength(3);
    expect(inventory.problems).toEqual([{ code, subject: 'vf-0000-3b-00-2', message: `vf-0000-3b-00-2 is not offered: ${message}${message.endsWith('device') ? ', which its offer requires' : message.endsWith('itself') ? ', as its offer wants' : ''}.` }]);
  });

  test.each<[string, Parameters<Tree['with']>[0], string, string]>([
    ['its group has another function', { '/sys/kernel/iommu_groups/70/devices/0000:3b:00.1': { kind: 'link', target: '../x' } }, 'DRA344', 'it shares the IOMMU group 70 with 0000:3b:00.1'],
    ['its group has no node', { '/dev/vfio/70': undefined }, 'DRA350', 'there is no device node /dev/vfio/70 on the host'],
    ['it is in no group', { [`${VF0}/iommu_group`]: undefined }, 'DRA344', 'it is bound to vfio-pci and in no IOMMU group'],
  ])('one for vfio is withheld, and nothing else, when %s', async (_, changes, code, message) => {
    const { inventory } = await start(connectX({ virtualDriver: 'vfio-pci' }).with(changes), [VIRTUAL]);

    expect([inventory.devices.length, inventory.problems]).toEqual([3, [{ code, subject: 'vf-0000-3b-00-2', message: `vf-0000-3b-00-2 is not offered: ${message}.` }]]);
  });

  // C-137
  test('a function is reset when it is given back, and a reset that fails needs a clean-up', async () => {
    const { host, backend, inventory } = await start(connectX(), [{ ...VIRTUAL, scrub: 'function-reset' }]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-2'));
    const intent = backend.plan(claim);
    await backend.prepare(claim, intent, SIGNAL);
    await backend.unprepare(release('vf-0000-3b-00-2', intent));
    expect(host.read(`${VF0}/reset`)).toBe('1');

    host.remove(`${VF0}/reset`);
    expect(await failureOf(() => backend.unprepare(release('vf-0000-3b-00-2', intent)))).toMatchObject({
      code: 'DRA359', failureClass: 'needs-cleanup', message: expect.stringContaining('the reset: /sys/bus/pci/devices/0000:3b:00.2/reset is not there'),
    });
    host.remove('/sys/bus/pci/devices/0000:3b:00.2');
    await backend.unprepare(release('vf-0000-3b-00-2', intent));
  });
});

describe('ports', () => {
  test('a port that nobody on the host needs is a device', async () => {
    const { backend, inventory } = await start(connectX(), [{ as: 'port', match: { interface: 'ens1f1*' } }]);

    expect(inventory).toMatchObject({
      problems: [],
      devices: [{ name: 'nic-0000-3b-00-1', parts: ['pci-slot-0000:3b:00'], attributes: { type: { string: 'port' }, interface: { string: 'ens1f1np1' }, rdma: { bool: true } } }],
    });
    const claim = claimFor(deviceNamed(inventory, 'nic-0000-3b-00-1'));
    expect(await backend.prepare(claim, backend.plan(claim), SIGNAL)).toMatchObject({ networkData: { hardwareAddress: 'b8:ce:f6:00:00:01' } });
  });

  test.each<[string, Parameters<Tree['with']>[0], string, string, string]>([
    ['carries the default route', {}, '0000:01:00.0', 'DRA347', 'the default route of the host goes through eno1'],
    ['has virtual functions', {}, '0000:3b:00.0', 'DRA346', 'it has 4 virtual functions, which live by it'],
    ['is part of a bond', { '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.1/net/ens1f1np1/master': { kind: 'folder' } }, '0000:3b:00.1', 'DRA347', 'ens1f1np1 is part of a bond or bridge of the host'],
    ['has no driver', { '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.1/driver': undefined }, '0000:3b:00.1', 'DRA343', 'no kernel driver is bound to it'],
    ['cannot be reset', { '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.1/reset': undefined }, '0000:3b:00.1', 'DRA344', 'it cannot be reset by itself, as its offer wants'],
  ])('one that %s is withheld', async (_, changes, address, code, message) => {
    const { inventory } = await start(connectX().with(changes), [{ as: 'port', match: { address }, scrub: 'function-reset' }]);
    const name = `nic-${address.replace(/[:.]/g, '-')}`;

    expect(inventory).toEqual({ devices: [], counterSets: [], problems: [{ code, subject: name, message: `${name} is not offered: ${message}.` }] });
  });

  test('the default route of IPv6 counts too', async () => {
    const zeros = '0'.repeat(32);
    const { inventory } = await start(connectX().with({
      '/proc/1/net/route': NO_ROUTES,
      '/proc/1/net/ipv6_route': `${zeros} 00 ${zeros} 00 fe80000000000000000000000000000a 00000400 00000001 00000000 00000003 eno1\n${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200 lo`,
    }), [{ as: 'port', match: { address: '0000:01:00.0' } }]);

    expect(problemsOf(inventory)).toEqual(['DRA347 nic-0000-01-00-0']);
  });

  test('the default route is found among the thousands of a large cluster', async () => {
    const routes = Array.from({ length: 5000 }, (_, index) => `eno1\t${(0x0a000000 + index).toString(16).toUpperCase()}\t0101A8C0\t0003\t0\t0\t0\t00FFFFFF\t0\t0\t0`.padEnd(127));
    const usual = 'eno1\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0'.padEnd(127);
    const { inventory } = await start(connectX().with({ '/proc/1/net/route': ['Iface\tDestination', ...routes, usual].join('\n') }), [{ as: 'port', match: { address: '0000:01:00.0' } }]);

    expect(inventory.devices).toEqual([]);
    expect(problemsOf(inventory)).toEqual(['DRA347 nic-0000-01-00-0']);
  });

  test.each<[string, Parameters<Tree['with']>[0]]>([
    ['cannot be read', { '/proc/1/net/route': { kind: 'folder' } }],
    ['of IPv6 cannot be read', { '/proc/1/net/route': NO_ROUTES, '/proc/1/net/ipv6_route': { kind: 'folder' } }],
    ['are not there, as the /proc of the host is not mounted', { '/proc/1/net/route': undefined }],
  ])('when the routes %s, any port may be the way to the host, and none is offered', async (_, changes) => {
    const { inventory } = await start(connectX().with(changes), [{ as: 'port', match: { address: '0000:01:00.0' } }, { as: 'port', match: { interface: 'ens1f1*' } }]);

    expect(inventory.devices).toEqual([]);
    expect(inventory.problems.filter(({ code }) => code === 'DRA347').map(({ message }) => message)).toEqual([
      'nic-0000-01-00-0 is not offered: whether the default route of the host goes through eno1 cannot be read from /proc/1/net below hostRoot.',
      'nic-0000-3b-00-1 is not offered: whether the default route of the host goes through ens1f1np1 cannot be read from /proc/1/net below hostRoot.',
    ]);
  });

  test('a host with no route of IPv4, and a kernel without IPv6, needs no port for them', async () => {
    const { inventory } = await start(connectX().with({ '/proc/1/net/route': NO_ROUTES }), [{ as: 'port', match: { address: '0000:01:00.0' } }]);

    expect(inventory).toMatchObject({ problems: [], devices: [{ name: 'nic-0000-01-00-0' }] });
  });

  test.each<[string, Parameters<Tree['with']>[0], string]>([
    ['is the second interface of its function', { [`${OTHER}/net/eno0/type`]: '1' }, 'the default route of the host goes through eno1'],
    ['lies on it with a VLAN', { [`${OTHER}/net/eno1/upper_eno1.7`]: { kind: 'folder' }, '/proc/1/net/route': 'Iface\tDestination\neno1.7\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0' }, 'eno1 carries eno1.7 of the host'],
  ])('a port is withheld when what has the default route %s', async (_, changes, message) => {
    const { inventory } = await start(connectX().with(changes), [{ as: 'port', match: { address: '0000:01:00.0' } }]);

    expect(inventory).toEqual({ devices: [], counterSets: [], problems: [{ code: 'DRA347', subject: 'nic-0000-01-00-0', message: `nic-0000-01-00-0 is not offered: ${message}.` }] });
  });
});

describe('shared bandwidth', () => {
  const shareId = (index: number): string => `00000000-0000-4000-8000-00000000000${index}`;

  test('a port is one device of which claims take bandwidth', async () => {
    const { inventory } = await start(connectX(), [{ ...SHARED, match: { interface: 'ens1f0*' } }]);

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices).toMatchObject([{
      name: 'nic-0000-3b-00-0',
      attributes: { type: { string: 'sharedPort' }, interface: { string: 'ens1f0np0' } },
      capacity: {
        bandwidth: { value: '100000M', requestPolicy: { default: '10G', validRange: { min: '1G', step: '1G' } } },
        shares: { value: '4', requestPolicy: { default: '1', validValues: ['1'] } },
      },
      allowMultipleAllocations: true,
      maxShares: 4,
    }]);
  });

  test('each share has a virtual function of its own, with its rate as the limit, lifted when it is given back', async () => {
    const { host, backend, inventory } = await start(connectX(), [{ ...SHARED, match: { interface: 'ens1f0*' } }]);
    const device = deviceNamed(inventory, 'nic-0000-3b-00-0');
    const intents: JsonObject[] = [];
    for (const [index, bandwidth] of ['10G', '2500M', '1G', '25G'].entries()) {
      const claim = claimFor(device, { shareId: shareId(index), consumedCapacity: { bandwidth, shares: '1' }, otherIntents: [...intents] });
      const intent = backend.plan(claim);
      intents.push(intent);
      await backend.prepare(claim, intent, SIGNAL);
    }
    const rates = () => [0, 1, 2, 3].map((index) => host.read(`${FIRST}/sriov/${index}/max_tx_rate`));

    expect(intents.map((intent) => intent.function)).toEqual(['0000:3b:00.2', '0000:3b:00.3', '0000:3b:00.4', '0000:3b:00.5']);
    expect(rates()).toEqual(['10000', '2500', '1000', '25000']);
    expect(await failureOf(() => backend.plan(claimFor(device, { shareId: shareId(4), consumedCapacity: { bandwidth: '1G' }, otherIntents: intents })))).toMatchObject({ code: 'DRA354', failureClass: 'retryable' });

    host.write(`${FIRST}/sriov/1/max_tx_rate`, '\n');
    await backend.unprepare({ ...release('nic-0000-3b-00-0', intents[1] ?? {}), last: false });
    expect(rates()[1]).toBe('0');
    const free = backend.plan(claimFor(device, { shareId: shareId(5), consumedCapacity: { bandwidth: '1G' }, otherIntents: intents.filter((_, index) => index !== 1) }));
    expect(free.function).toBe('0000:3b:00.3');
  });

  test('a limit that cannot be set fails as retryable, one that cannot be lifted needs a clean-up', async () => {
    const { backend, inventory } = await start(connectX({ rateFiles: false }), [{ ...SHARED, match: { interface: 'ens1f0*' } }]);
    const claim = claimFor(deviceNamed(inventory, 'nic-0000-3b-00-0'), { shareId: shareId(0), consumedCapacity: { bandwidth: '10G' } });
    const intent = backend.plan(claim);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA355', failureClass: 'retryable', message: expect.stringContaining('let the CNI plugin set it: rate: hand-over') });
    expect(await failureOf(() => backend.unprepare(release('nic-0000-3b-00-0', intent)))).toMatchObject({ code: 'DRA359', failureClass: 'needs-cleanup' });
  });

  test('a limit that is handed over stands in the environment, and nothing is written', async () => {
    const { host, backend, inventory } = await start(connectX(), [{ ...SHARED, rate: 'hand-over', match: { interface: 'ens1f0*' } }]);
    const claim = claimFor(deviceNamed(inventory, 'nic-0000-3b-00-0'), { shareId: shareId(0), consumedCapacity: { bandwidth: '10G' } });
    const intent = backend.plan(claim);

    expect((await backend.prepare(claim, intent, SIGNAL)).edits.env).toEqual(['CDK8S_DRA_NIC_NIC_0000_3B_00_0=0000:3b:00.2', 'CDK8S_DRA_NIC_NIC_0000_3B_00_0_MAX_TX_RATE_MBPS=10000']);
    await backend.unprepare(release('nic-0000-3b-00-0', intent));
    expect(host.read(`${FIRST}/sriov/0/max_tx_rate`)).toBe('0');
  });

  test.each([['no share', undefined, '10G'], ['no bandwidth', shareId(0), undefined], ['less than a megabit', shareId(0), '1k']])('an allocation of %s is refused for good', async (_, id, bandwidth) => {
    const { backend, inventory } = await start(connectX(), [{ ...SHARED, match: { interface: 'ens1f0*' } }]);
    const claim = claimFor(deviceNamed(inventory, 'nic-0000-3b-00-0'), { ...(id && { shareId: id }), consumedCapacity: bandwidth === undefined ? {} : { bandwidth } });

    expect(await failureOf(() => backend.plan(claim))).toMatchObject({ code: 'DRA353', failureClass: 'terminal' });
  });

  test('monitoring beside a pod that has the function needs no interface and resets nothing', async () => {
    const { host, backend, inventory } = await start(connectX(), [{ ...VIRTUAL, scrub: 'function-reset' }]);
    const claim = claimFor(deviceNamed(inventory, 'vf-0000-3b-00-2'), { adminAccess: true });
    const intent = backend.plan(claim);
    for (const path of [`${VF0}/net`, `${VF0}/infiniband`]) host.remove(path);

    expect((await backend.prepare(claim, intent, SIGNAL)).edits).toEqual({ env: ['CDK8S_DRA_NIC_VF_0000_3B_00_2=0000:3b:00.2'] });
    await backend.unprepare({ ...release('vf-0000-3b-00-2', intent), adminAccess: true, last: false });
    expect(host.read(`${VF0}/reset`)).toBe('');
  });

  test('monitoring of a shared port gets no function and sets no limit', async () => {
    const { host, backend, inventory } = await start(connectX(), [{ ...SHARED, match: { interface: 'ens1f0*' } }]);
    const claim = claimFor(deviceNamed(inventory, 'nic-0000-3b-00-0'), { adminAccess: true });
    const intent = backend.plan(claim);

    expect((await backend.prepare(claim, intent, SIGNAL)).edits).toEqual({ env: ['CDK8S_DRA_NIC_NIC_0000_3B_00_0='] });
    await backend.unprepare({ ...release('nic-0000-3b-00-0', intent), adminAccess: true, last: false });
    expect(host.read(`${FIRST}/sriov/0/max_tx_rate`)).toBe('0');
  });

  test('without link and without a total the bandwidth is not known; with one it does not depend on the link', async () => {
    const down = connectX().with({ [`${FIRST}/net/ens1f0np0/speed`]: '-1', [`${FIRST}/infiniband/mlx5_0/ports/1/rate`]: undefined });
    const unknown = await start(down, [{ ...SHARED, match: { interface: 'ens1f0*' } }]);
    const known = await start(down, [{ ...SHARED, match: { interface: 'ens1f0*' }, bandwidth: { total: '100G', default: '10G', min: '1G' } }]);

    expect([unknown.inventory.devices, problemsOf(unknown.inventory)]).toEqual([[], ['DRA343 nic-0000-3b-00-0']]);
    expect(known.inventory.devices[0]?.capacity.bandwidth?.value).toBe('100G');
    expect(known.inventory.devices[0]?.attributes.speedMbps).toBeUndefined();
  });

  test('maxShares limits shares below the number of functions', async () => {
    const { inventory } = await start(connectX(), [{ ...SHARED, maxShares: 2, match: { interface: 'ens1f0*' } }]);

    expect(inventory.devices[0]).toMatchObject({ maxShares: 2, capacity: { shares: { value: '2' } } });
  });
});

test('what no offer fits is left alone, and the first that fits counts', async () => {
  const { inventory } = await start(connectX(), [{ as: 'port', match: { interface: 'ens1f1*' } }, VIRTUAL]);

  expect(inventory.devices.map(({ name }) => name)).toEqual(['vf-0000-3b-00-2', 'vf-0000-3b-00-3', 'vf-0000-3b-00-4', 'vf-0000-3b-00-5', 'nic-0000-3b-00-1']);
});

test('a virtio interface is found one folder deeper', async () => {
  const tree = connectX();
  const folder = tree.pci('0000:00:03.0', 'pci0000:00', { vendor: '1af4', device: '1041', class: '020000', driver: 'virtio-pci' });
  tree.files(`${folder}/virtio1/net/eth1`, { address: '52:54:00:00:00:01', type: '1', speed: '-1', carrier: '1' });
  const { inventory } = await start(tree, [{ as: 'port', match: { interface: 'eth1' } }]);

  expect(inventory.devices.map(({ name, attributes }) => [name, attributes.interface, attributes.speedMbps])).toEqual([['nic-0000-00-03-0', { string: 'eth1' }, undefined]]);
});

test('health is that of the port: link, bus, and the RDMA port where the interface is out of sight', async () => {
  const { host, backend, inventory } = await start(connectX(), [VIRTUAL]);
  const read = async () => (await backend.health(inventory, SIGNAL)).map(({ health, code }) => code ?? health);

  expect(await read()).toEqual(['healthy', 'healthy', 'healthy', 'healthy']);
  host.write(`${FIRST}/net/ens1f0np0/carrier`, '0\n');
  expect(await read()).toEqual(['DRA360', 'DRA360', 'DRA360', 'DRA360']);
  host.remove(`${FIRST}/net`);
  expect(await read()).toEqual(['healthy', 'healthy', 'healthy', 'healthy']);
  host.write(`${FIRST}/infiniband/mlx5_0/ports/1/state`, '1: DOWN\n');
  expect(await read()).toEqual(['DRA360', 'DRA360', 'DRA360', 'DRA360']);
  host.remove(`${FIRST}/infiniband`);
  host.remove('/sys/bus/pci/devices/0000:3b:00.4');
  expect(await read()).toEqual(['unknown', 'unknown', 'DRA352', 'unknown']);
  host.write(`${FIRST}/aer_dev_fatal`, 'TOTAL_ERR_FATAL 2\n');
  expect(await read()).toEqual(['DRA361', 'DRA361', 'DRA352', 'DRA361']);
});

test.each<[string, object, string]>([
  ['no offers', { offers: [] }, 'must be at least 1 entries long'],
  ['an offer of everything', { offers: [{ as: 'port', match: {} }] }, 'must say something'],
  ['an offer of another kind', { offers: [{ as: 'vf', match: CONNECTX }] }, 'must be one of "virtual-functions", "port", "shared-bandwidth"'],
  ['bandwidth of whole functions', { offers: [{ ...VIRTUAL, bandwidth: { default: '1G', min: '1G' } }] }, 'is not a field here'],
  ['no way to limit', { offers: [{ ...SHARED, rate: undefined }] }, 'must be one of "sysfs", "hand-over", but is missing'],
])('the settings are refused with %s', (_, settings, message) => {
  const decoded = strict.decode(NIC_SETTINGS, { backend: 'nic', ...settings });

  expect('problems' in decoded && decoded.problems.map(({ rule }) => rule)).toEqual([expect.stringContaining(message)]);
});
