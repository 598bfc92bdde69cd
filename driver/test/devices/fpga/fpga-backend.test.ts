import { createHash } from 'node:crypto';
import { FPGA_SETTINGS, strict } from 'cdk8s-dra/model';
import type { FpgaSettings } from 'cdk8s-dra/model';

import { FpgaBackend } from '../../../src/devices/fpga/fpga-backend.js';
import type { RunProgram } from '../../../src/devices/fpga/run-program.js';
import { runProgram } from '../../../src/devices/fpga/run-program.js';
import type { Inventory } from '../../../src/devices/inventory.js';
import type { JsonObject } from '../../../src/devices/json.js';
import { claimFor, deviceNamed, failureOf, problemsOf, SIGNAL } from '../claim-for.js';
import { COMPRESSION, DFL_SHELL, dflCards, LOOPBACK, xrtCards, zynqManager } from '../trees/fpga.js';
import { removeTrees, Tree, unpack } from '../trees/tree.js';
import type { UnpackedTree } from '../trees/tree.js';

afterAll(removeTrees);

const PORT = 'fpga-0000-5e-00-0-port-0';
const PORT_FOLDER = '/sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00.0/fpga_region/region0/dfl-port.0';
const FOLDER = '/lib/firmware/dra';

function image(id: string, more: object = {}): NonNullable<FpgaSettings['images']>['allowed'][number] {
  return { id, file: `${id}.gbs`, sha256: createHash('sha256').update(`image ${id}`).digest('hex'), shells: [DFL_SHELL], ...more };
}

const IMAGES = [image('compression', { functionId: COMPRESSION }), image('broken'), image('blank', { functionId: LOOPBACK, safe: true })];

const DFL: FpgaSettings = {
  backend: 'fpga',
  images: { folder: FOLDER, allowed: IMAGES },
  programming: { dfl: { by: 'command', command: ['/usr/bin/fpgaconf', '--bus', '{address}', '--port={port}', '{file}'], timeoutSeconds: 30 } },
};

function withImages(tree: Tree): Tree {
  for (const { id, file } of IMAGES) tree.file(`${FOLDER}/${file}`, Buffer.from(`image ${id}`));
  return tree;
}

interface Started {
  readonly host: UnpackedTree;
  readonly backend: FpgaBackend;
  readonly inventory: Inventory;
  /** Images that the pretended tool was told to load, in order. */
  readonly loaded: string[];
}

/** A tool that writes the function's id as the hardware would, another one where a test says so, and fails for images that a test names. */
async function start(
  tree: Tree, settings: FpgaSettings, failing: readonly string[] = [], wrong: { readonly [image: string]: string } = {},
): Promise<Started> {
  const host = unpack(tree);
  const loaded: string[] = [];
  const run: RunProgram = async (command) => {
    const file = command.at(-1)?.split('/').at(-1)?.replace('.gbs', '') ?? '';
    loaded.push(file);
    // As when the configuration ends half-way.
    host.write(`${PORT_FOLDER}/afu_id`, '00000000000000000000000000000000\n');
    if (failing.includes(file)) throw new Error(`fpgaconf ended with 1: cannot load ${file}`);
    const functionId = wrong[file] ?? settings.images?.allowed.find(({ id }) => id === file)?.functionId;
    if (functionId !== undefined) host.write(`${PORT_FOLDER}/afu_id`, `${functionId}\n`);
  };
  const backend = new FpgaBackend(settings, { root: host.root, now: () => 0 }, run);
  return { host, backend, inventory: await backend.discover(SIGNAL), loaded };
}

function config(wanted: string): JsonObject {
  return { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig', image: wanted };
}

function release(intent: JsonObject, last = true) {
  return { claimUid: 'c1', device: PORT, intent, adminAccess: false, last };
}

describe('discovery', () => {
  test('ports of DFL cards with shell, function and the images for them', async () => {
    const { inventory } = await start(withImages(dflCards()), DFL);

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices.map(({ name, parts }) => [name, parts])).toEqual([
      ['fpga-0000-5e-00-0-port-0', ['pci-slot-0000:5e:00']], ['fpga-0000-5e-00-0-port-1', ['pci-slot-0000:5e:00']], ['fpga-0000-af-00-0-port-0', ['pci-slot-0000:af:00']],
    ]);
    expect(deviceNamed(inventory, PORT)).toEqual({
      name: PORT,
      identity: '8086:09c4@0000:5e:00.0/port0',
      parts: ['pci-slot-0000:5e:00'],
      attributes: {
        'type': { string: 'dfl' },
        'shellId': { string: DFL_SHELL },
        // C-149
        'shellVersion': { version: '1.2.3' },
        'programmable': { bool: true },
        'bitstreamId': { string: '0x12300200323e9a3' },
        'port': { string: '0' },
        'pciVendor': { string: '8086' },
        'pciDevice': { string: '09c4' },
        'resource.kubernetes.io/pciBusID': { string: '0000:5e:00.0' },
        'resource.kubernetes.io/pcieRoot': { string: 'pci0000:5d' },
        'resource.kubernetes.io/numaNode': { int: 0 },
        'image_compression': { bool: true },
        'image_broken': { bool: true },
      },
      capacity: {},
      deviceNodes: ['/dev/dfl-port.0'],
    });
  });

  test('without images an FPGA has the function that is in it', async () => {
    const { inventory } = await start(dflCards(), { backend: 'fpga' });

    expect(deviceNamed(inventory, PORT).attributes).toMatchObject({ programmable: { bool: false }, functionId: { string: LOOPBACK } });
  });

  test('XRT cards: the user function is the device, the management function never is', async () => {
    const { inventory } = await start(xrtCards(), { backend: 'fpga' });

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices.map(({ name, identity }) => [name, identity])).toEqual([
      ['fpga-0000-00-1e-0', '10ee:5001@0000:00:1e.0'], ['fpga-0000-3b-00-1', '2130048BF083@0000:3b:00.1'],
    ]);
    expect(deviceNamed(inventory, 'fpga-0000-3b-00-1')).toMatchObject({
      parts: ['pci-slot-0000:3b:00'],
      attributes: {
        type: { string: 'xrt' },
        shellId: { string: 'xilinx_u250_gen3x16_xdma_shell_4_1' },
        shellVersion: { version: '1.0.0' },
        interfaceId: { string: '0b1a2c3d4e5f60718293a4b5c6d7e8f9' },
        functionId: { string: '4c1b9b2e-3c6f-4d0a-9f6e-1a2b3c4d5e6f' },
      },
      deviceNodes: ['/dev/dri/renderD128'],
    });
  });

  test('an FPGA manager by itself is one device', async () => {
    const { inventory } = await start(zynqManager(), { backend: 'fpga', managerNodes: ['/dev/uio0'], attributes: { board: { string: 'zcu102' } } });

    expect(inventory).toMatchObject({
      problems: [],
      devices: [{
        name: 'fpga-fpga0',
        identity: 'platform/firmware:zynqmp-firmware/firmware:zynqmp-firmware:pcap/fpga_manager/fpga0',
        parts: ['fpga-fpga0'],
        deviceNodes: ['/dev/uio0'],
        attributes: { type: { string: 'manager' }, shellId: { string: 'Xilinx ZynqMP FPGA Manager' }, programmable: { bool: false }, board: { string: 'zcu102' } },
      }],
    });
  });

  test.each<[string, Tree, string[], string[]]>([
    ['a port does not say its number', dflCards().with({ [`${PORT_FOLDER}/id`]: undefined }), [`DRA344 ${PORT_FOLDER}`], ['fpga-0000-5e-00-0-port-1', 'fpga-0000-af-00-0-port-0']],
    ['a port has no node', dflCards().with({ '/dev/dfl-port.0': undefined }), [`DRA350 ${PORT}`], ['fpga-0000-5e-00-0-port-1', 'fpga-0000-af-00-0-port-0']],
    // C-097: after a reset the shell shows itself only after a while.
    ['a shell is not there yet', xrtCards().with({ '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.1/rom.u.47185920': undefined }), ['DRA343 fpga-0000-3b-00-1'], ['fpga-0000-00-1e-0']],
    ['xocl made no render node', xrtCards().with({ '/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.1/drm': undefined }), ['DRA343 fpga-0000-3b-00-1'], ['fpga-0000-00-1e-0']],
  ])('an FPGA is withheld, and nothing else, when %s', async (_, tree, problems, names) => {
    const { inventory } = await start(tree, { backend: 'fpga' });

    expect([problemsOf(inventory), inventory.devices.map(({ name }) => name)]).toEqual([problems, names]);
  });

  // C-101
  test('without an engine, a shell or a function those facts are missing, and never empty', async () => {
    const { inventory } = await start(dflCards().with({
      [`${PORT_FOLDER}/afu_id`]: '', '/sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00.0/fpga_region/region0/dfl-fme.0': undefined,
    }), { backend: 'fpga' });

    expect(Object.keys(deviceNamed(inventory, PORT).attributes)).toEqual([
      'type', 'programmable', 'port', 'pciVendor', 'pciDevice', 'resource.kubernetes.io/pciBusID', 'resource.kubernetes.io/pcieRoot', 'resource.kubernetes.io/numaNode',
    ]);
  });

  test('images without a safe one for the same shell make no FPGA programmable, and the reason is told', async () => {
    const { inventory } = await start(withImages(dflCards()), {
      ...DFL, images: { folder: FOLDER, allowed: [IMAGES[0] ?? image('x'), image('blank', { safe: true, shells: ['another'] })] },
    });

    expect(deviceNamed(inventory, PORT).attributes.programmable).toEqual({ bool: false });
    expect(inventory.problems).toHaveLength(3);
    expect(inventory.problems[0]).toMatchObject({ code: 'DRA356', subject: PORT, message: expect.stringContaining(`no safe image is for its shell ${DFL_SHELL}`) });
  });

  test('kinds that the settings leave out are left alone, and a host without FPGAs is no problem', async () => {
    expect((await start(dflCards(), { backend: 'fpga', kinds: ['xrt'] })).inventory.devices).toEqual([]);
    expect((await start(new Tree().folder('/sys/bus'), { backend: 'fpga' })).inventory).toEqual({ devices: [], counterSets: [], problems: [] });
    await expect(start(new Tree().folder('/proc'), { backend: 'fpga' })).rejects.toMatchObject({ code: 'DRA342', failureClass: 'retryable' });
  });
});

describe('programming', () => {
  test('an allowed image is loaded for the claim, and the safe one when it is given back', async () => {
    const { host, backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    const intent = backend.plan(claim);

    expect(intent).toMatchObject({ image: 'compression', safe: 'blank' });
    expect(loaded).toEqual([]);
    expect(await backend.prepare(claim, intent, SIGNAL)).toEqual({
      edits: { env: ['CDK8S_DRA_FPGA_FPGA_0000_5E_00_0_PORT_0=0000:5e:00.0'], deviceNodes: [{ path: '/dev/dfl-port.0' }] },
      vendorCdiDevices: [],
      state: { image: 'compression' },
    });
    expect([loaded, host.read(`${PORT_FOLDER}/afu_id`)]).toEqual([['compression'], COMPRESSION]);

    await backend.unprepare(release(intent));
    expect([loaded, host.read(`${PORT_FOLDER}/afu_id`)]).toEqual([['compression', 'blank'], LOOPBACK]);
  });

  test('the tool gets file, address and port, and no shell', async () => {
    const host = unpack(withImages(dflCards()));
    const commands: (readonly string[])[] = [];
    const backend = new FpgaBackend(DFL, { root: host.root, now: () => 0 }, async (command, timeoutMs) => {
      commands.push([...command, String(timeoutMs)]);
      host.write(`${PORT_FOLDER}/afu_id`, COMPRESSION);
    });
    const claim = claimFor(deviceNamed(await backend.discover(SIGNAL), PORT), { config: [config('compression')] });
    await backend.prepare(claim, backend.plan(claim), SIGNAL);

    expect(commands).toEqual([['/usr/bin/fpgaconf', '--bus', '0000:5e:00.0', '--port=0', `${host.folder}${FOLDER}/compression.gbs`, '30000']]);
  });

  test('prepare again changes nothing when the image is in it already', async () => {
    const { backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    const intent = backend.plan(claim);
    const first = await backend.prepare(claim, intent, SIGNAL);

    expect(await backend.prepare(claim, intent, SIGNAL)).toEqual(first);
    expect(loaded).toEqual(['compression']);
  });

  // C-034, C-035: what ended half-way is undone, and the next try starts clean.
  test('when programming fails half-way the safe image is loaded, and the next try works', async () => {
    const failing = ['compression'];
    const { host, backend, inventory, loaded } = await start(withImages(dflCards()), DFL, failing);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    const intent = backend.plan(claim);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({
      code: 'DRA358', failureClass: 'retryable', message: expect.stringMatching(/could not be programmed with compression: .*cannot load compression\. The safe image blank is in it again\.$/),
    });
    expect([loaded, host.read(`${PORT_FOLDER}/afu_id`)]).toEqual([['compression', 'blank'], LOOPBACK]);
    failing.pop();
    await backend.prepare(claim, intent, SIGNAL);
    expect(host.read(`${PORT_FOLDER}/afu_id`)).toBe(COMPRESSION);
  });

  test('an image whose function is another one afterwards is taken out again', async () => {
    const { host, backend, inventory } = await start(withImages(dflCards()), {
      ...DFL, images: { folder: FOLDER, allowed: [image('broken', { functionId: 'aaaa' }), image('blank', { functionId: LOOPBACK, safe: true })] },
    }, [], { broken: 'bbbb' });
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('broken')] });

    expect(await failureOf(() => backend.prepare(claim, backend.plan(claim), SIGNAL))).toMatchObject({
      code: 'DRA358', message: expect.stringContaining('it does not have the function aaaa afterwards'),
    });
    expect(host.read(`${PORT_FOLDER}/afu_id`)).toBe(LOOPBACK);
  });

  test('when not even the safe image can be loaded the device needs a clean-up', async () => {
    const { backend, inventory } = await start(withImages(dflCards()), DFL, ['compression', 'blank']);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });

    expect(await failureOf(() => backend.prepare(claim, backend.plan(claim), SIGNAL))).toMatchObject({
      code: 'DRA359', failureClass: 'needs-cleanup', message: expect.stringMatching(/compression.*; and the safe image blank could not be loaded/),
    });
  });

  // C-137
  test('a scrub that fails needs a clean-up, and may be tried again', async () => {
    const failing = ['blank'];
    const { host, backend, inventory } = await start(withImages(dflCards()), DFL, failing);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    const intent = backend.plan(claim);
    await backend.prepare(claim, intent, SIGNAL);

    expect(await failureOf(() => backend.unprepare(release(intent)))).toMatchObject({ code: 'DRA359', failureClass: 'needs-cleanup', details: { devices: [PORT] } });
    failing.pop();
    await backend.unprepare(release(intent));
    expect(host.read(`${PORT_FOLDER}/afu_id`)).toBe(LOOPBACK);
  });

  test('undo needs the record only, also of a prepare that never began and by an agent that never looked', async () => {
    const { host, backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const intent = backend.plan(claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] }));
    const another = new FpgaBackend(DFL, { root: host.root, now: () => 0 }, async () => host.write(`${PORT_FOLDER}/afu_id`, LOOPBACK));

    await another.unprepare(release(JSON.parse(JSON.stringify(intent)) as JsonObject));
    await another.unprepare(release(intent));
    expect([loaded, host.read(`${PORT_FOLDER}/afu_id`)]).toEqual([[], LOOPBACK]);
  });

  test('a claim without an image gets the safe one, and leaves it', async () => {
    const { backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const claim = claimFor(deviceNamed(inventory, PORT));
    const intent = backend.plan(claim);
    await backend.prepare(claim, intent, SIGNAL);
    expect(loaded).toEqual([]);

    await backend.unprepare(release(intent));
    expect(loaded).toEqual(['blank']);
  });

  test('a scrub waits for the last claim, and monitoring changes nothing', async () => {
    const { backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const device = deviceNamed(inventory, PORT);
    await backend.unprepare(release(backend.plan(claimFor(device)), false));
    const looking = claimFor(device, { adminAccess: true });
    const intent = backend.plan(looking);
    await backend.prepare(looking, intent, SIGNAL);
    await backend.unprepare(release(intent));

    expect(loaded).toEqual([]);
    expect(await failureOf(() => backend.plan(claimFor(device, { adminAccess: true, config: [config('compression')] })))).toMatchObject({ code: 'DRA356', failureClass: 'terminal' });
  });

  test.each([
    ['unknown', 'the images for it are compression, broken, blank'],
    ['compression.gbs', 'must be the id of an image'],
    ['../../etc/passwd', 'must be the id of an image'],
  ])('the image %j is refused for good', async (wanted, message) => {
    const { backend, inventory } = await start(withImages(dflCards()), DFL);

    expect(await failureOf(() => backend.plan(claimFor(deviceNamed(inventory, PORT), { config: [config(wanted)] })))).toMatchObject({
      failureClass: 'terminal', message: expect.stringContaining(message),
    });
  });

  test('an image for another shell is refused, and so is any for a fixed function', async () => {
    const settings = { ...DFL, images: { folder: FOLDER, allowed: [...IMAGES, image('other', { shells: ['another*'] })] } };
    const { backend, inventory } = await start(withImages(dflCards()), settings);
    const fixed = await start(dflCards(), { backend: 'fpga' });

    expect(await failureOf(() => backend.plan(claimFor(deviceNamed(inventory, PORT), { config: [config('other')] })))).toMatchObject({ code: 'DRA356' });
    expect(await failureOf(() => fixed.backend.plan(claimFor(deviceNamed(fixed.inventory, PORT), { config: [config('compression')] })))).toMatchObject({
      code: 'DRA356', message: expect.stringContaining('none, as it has a fixed function'),
    });
  });

  test.each<[string, (host: UnpackedTree) => void, string]>([
    ['is not there', (host) => host.remove(`${FOLDER}/compression.gbs`), '/lib/firmware/dra/compression.gbs is not there'],
    ['has another content', (host) => host.write(`${FOLDER}/compression.gbs`, 'image blank'), 'has the checksum'],
    ['is a folder', (host) => { host.remove(`${FOLDER}/compression.gbs`); host.write(`${FOLDER}/compression.gbs/x`, ''); }, 'is no plain file'],
    ['is a link', (host) => { host.remove(`${FOLDER}/compression.gbs`); host.link(`${FOLDER}/compression.gbs`, 'blank.gbs'); }, 'is no plain file'],
  ])('nothing is touched when the file %s, and it works when the file is right', async (_, damage, message) => {
    const { host, backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    const intent = backend.plan(claim);
    damage(host);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA357', failureClass: 'retryable', message: expect.stringContaining(message) });
    expect(loaded).toEqual([]);
    host.remove(`${FOLDER}/compression.gbs`);
    host.write(`${FOLDER}/compression.gbs`, 'image compression');
    await backend.prepare(claim, intent, SIGNAL);
    expect(loaded).toEqual(['compression']);
  });

  test('a safe image that left the settings cannot clean, and that is said', async () => {
    const { host, backend, inventory } = await start(withImages(dflCards()), DFL);
    const intent = backend.plan(claimFor(deviceNamed(inventory, PORT)));
    const another = new FpgaBackend({ backend: 'fpga' }, { root: host.root, now: () => 0 });

    expect(await failureOf(() => another.unprepare(release(intent)))).toMatchObject({ code: 'DRA359', failureClass: 'needs-cleanup', message: expect.stringContaining('its safe image blank is no longer in the settings') });
  });

  // C-008
  test('a node that is missing fails as retryable before anything is changed', async () => {
    const { host, backend, inventory, loaded } = await start(withImages(dflCards()), DFL);
    const claim = claimFor(deviceNamed(inventory, PORT), { config: [config('compression')] });
    host.remove('/dev/dfl-port.0');

    expect(await failureOf(() => backend.prepare(claim, backend.plan(claim), SIGNAL))).toMatchObject({ code: 'DRA350', failureClass: 'retryable' });
    expect(loaded).toEqual([]);
  });
});

describe('an FPGA manager that takes firmware names', () => {
  const manager = '/sys/devices/platform/firmware:zynqmp-firmware/firmware:zynqmp-firmware:pcap/fpga_manager/fpga0';
  const settings: FpgaSettings = {
    backend: 'fpga',
    images: { folder: FOLDER, allowed: [image('compression', { shells: ['Xilinx*'] }), image('blank', { shells: ['*'], safe: true })] },
    programming: { manager: { by: 'manager', flags: '1' } },
  };

  test('is given the name below /lib/firmware, after the flags', async () => {
    const { host, backend, inventory } = await start(withImages(zynqManager()), settings);
    const claim = claimFor(deviceNamed(inventory, 'fpga-fpga0'), { config: [config('compression')] });
    const intent = backend.plan(claim);
    await backend.prepare(claim, intent, SIGNAL);

    expect([host.read(`${manager}/flags`), host.read(`${manager}/firmware`)]).toEqual(['1', 'dra/compression.gbs']);
    await backend.unprepare({ ...release(intent), device: 'fpga-fpga0' });
    expect(host.read(`${manager}/firmware`)).toContain('dra/blank.gbs');
  });

  test.each([['write error', ''], ['operating', 'reconfig CRC error']])('an end in state %j with status %j is a failure', async (state, status) => {
    const { host, backend, inventory } = await start(withImages(zynqManager()), settings);
    const claim = claimFor(deviceNamed(inventory, 'fpga-fpga0'), { config: [config('compression')] });
    const intent = backend.plan(claim);
    host.write(`${manager}/state`, state);
    host.write(`${manager}/status`, status);

    expect(await failureOf(() => backend.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA359', failureClass: 'needs-cleanup' });
    expect(await backend.health(inventory, SIGNAL)).toMatchObject([{ health: 'unhealthy', code: 'DRA362', message: expect.stringContaining(status || state) }]);
  });
});

test('health: healthy, gone, without node, with bus errors', async () => {
  const { host, backend, inventory } = await start(dflCards(), { backend: 'fpga' });
  const read = async () => (await backend.health(inventory, SIGNAL)).map(({ health, code }) => code ?? health);

  expect(await read()).toEqual(['healthy', 'healthy', 'healthy']);
  host.remove('/dev/dfl-port.1');
  host.remove('/sys/bus/pci/devices/0000:af:00.0');
  host.write('/sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00.0/aer_dev_fatal', 'TOTAL_ERR_FATAL 1\n');
  expect(await read()).toEqual(['DRA361', 'DRA352', 'DRA352']);
});

describe('a program', () => {
  test('ends well, or with its last words', async () => {
    await runProgram(['sh', '-c', 'exit 0'], 5000);
    await expect(runProgram(['sh', '-c', 'echo first; echo last >&2; exit 3'], 5000)).rejects.toThrow('sh ended with 3: last');
    await expect(runProgram(['/no/such/program'], 5000)).rejects.toThrow('/no/such/program cannot be run');
  });

  test('is killed with all that it started when it takes too long, and nobody waits for who holds its output', async () => {
    const begun = performance.now();

    await expect(runProgram(['/bin/sh', '-c', 'sleep 20 & wait'], 200)).rejects.toThrow('/bin/sh was killed after 0.2 s');

    expect(performance.now() - begun).toBeLessThan(5000);
  }, 30_000);

  test('has ended when it ends, though something that it started goes on and holds its output', async () => {
    const begun = performance.now();

    await runProgram(['/bin/sh', '-c', 'sleep 20 & exit 0'], 10_000);

    expect(performance.now() - begun).toBeLessThan(5000);
  }, 30_000);

  test('is killed when it takes too long', async () => {
    await expect(runProgram(['sleep', '60'], 50)).rejects.toThrow('sleep was killed after 0.05 s');
  });

  test('sees nothing of the agent\'s environment', async () => {
    process.env.CDK8S_DRA_SECRET = 'x';
    await expect(runProgram(['sh', '-c', 'echo "[$CDK8S_DRA_SECRET]"; exit 1'], 5000)).rejects.toThrow('ended with 1: []');
    delete process.env.CDK8S_DRA_SECRET;
  });
});

test.each<[string, object, string]>([
  ['images without programming', { images: DFL.images }, 'must have images and programming together'],
  ['programming without images', { programming: DFL.programming }, 'must have images and programming together'],
  ['no safe image', { ...DFL, images: { folder: FOLDER, allowed: [image('a')] } }, 'must have a safe image'],
  ['an image twice', { ...DFL, images: { folder: FOLDER, allowed: [image('a', { safe: true }), image('a')] } }, 'must have each image once, but has a twice'],
  ['a file with folders', { ...DFL, images: { folder: FOLDER, allowed: [image('a', { safe: true, file: '../x' })] } }, 'must be the name of a file'],
  ['a relative folder', { ...DFL, images: { folder: 'images', allowed: IMAGES } }, 'must be an absolute path'],
  ['a folder with ..', { ...DFL, images: { folder: '/lib/firmware/../x', allowed: IMAGES } }, 'must be an absolute path'],
  ['a checksum too short', { ...DFL, images: { folder: FOLDER, allowed: [image('a', { safe: true, sha256: 'abc' })] } }, 'must be a SHA-256 checksum'],
  ['a manager and images elsewhere', { ...DFL, images: { folder: '/images', allowed: IMAGES }, programming: { manager: { by: 'manager' } } }, 'must keep images below /lib/firmware'],
  ['an id too long for an attribute', { ...DFL, images: { folder: FOLDER, allowed: [image('x'.repeat(27), { safe: true })] } }, 'must make an attribute image_'],
])('the settings are refused with %s', (_, settings, message) => {
  const decoded = strict.decode(FPGA_SETTINGS, { backend: 'fpga', ...settings });

  expect('problems' in decoded && decoded.problems.map(({ rule }) => rule)).toEqual([expect.stringContaining(message)]);
});
