import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIMULATED_SETTINGS, strict } from 'cdk8s-dra/model';

import type { DeviceClaim } from '../../../src/devices/device-claim.js';
import { HostRoot } from '../../../src/devices/host/host-root.js';
import type { JsonObject } from '../../../src/devices/json.js';
import { SimulatedBackend } from '../../../src/devices/simulated/simulated-backend.js';
import { claimFor, failureOf, problemsOf, SIGNAL } from '../claim-for.js';
import { removeTrees, Tree, unpack } from '../trees/tree.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulated-'));
  mkdirSync(join(folder, 'switches'));
});

afterEach(() => rmSync(folder, { recursive: true }));
afterAll(removeTrees);

const GPUS = [{ name: 'gpu-{index}', count: 3, attributes: { model: { string: 'A100' }, slot: { int: '{index}' } }, capacity: { memory: { value: '40Gi' } } }];
const SHARED = [{ name: 'card', maxShares: 2, capacity: { memory: { value: '40Gi', default: '8Gi', min: '1Gi', step: '1Gi' } } }];

/** A backend on the same pretended hardware each time, as after a restart of the agent. */
function backend(fleet: unknown = GPUS, more: object = {}): SimulatedBackend {
  const decoded = strict.decode(SIMULATED_SETTINGS, { backend: 'simulated', fleet, stateFolder: join(folder, 'state'), switchFolder: join(folder, 'switches'), ...more });
  if ('problems' in decoded) throw new Error(JSON.stringify(decoded.problems));
  return new SimulatedBackend(decoded.value, { root: new HostRoot(folder), now: () => 0 });
}

function turn(name: string, content = ''): void {
  writeFileSync(join(folder, 'switches', name), content);
}

function turnOff(name: string): void {
  rmSync(join(folder, 'switches', name));
}

function state(device: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'state', `${device}.json`), 'utf8'));
}

async function claimOf(simulated: SimulatedBackend, uid: string, device = 'gpu-0', more: Partial<DeviceClaim> = {}) {
  const found = (await simulated.discover(SIGNAL)).devices.find(({ name }) => name === device);
  if (found === undefined) throw new Error(`no ${device}`);
  const claim = claimFor(found, { claim: { uid, namespace: 'ns', name: uid }, ...more });
  return { claim, intent: simulated.plan(claim) };
}

function release(uid: string, intent: JsonObject, device = 'gpu-0', shareId?: string) {
  return { claimUid: uid, device, intent, adminAccess: false, last: true, ...(shareId !== undefined && { shareId }) };
}

describe('the fleet', () => {
  test('templates with a count', async () => {
    const inventory = await backend().discover(SIGNAL);

    expect(inventory.problems).toEqual([]);
    expect(inventory.devices.map(({ name }) => name)).toEqual(['gpu-0', 'gpu-1', 'gpu-2']);
    expect(inventory.devices[2]).toEqual({
      name: 'gpu-2', identity: 'gpu-2', parts: ['gpu-2'], attributes: { model: { string: 'A100' }, slot: { int: 2 } }, capacity: { memory: { value: '40Gi' } }, deviceNodes: [],
    });
  });

  test('partitions take from the counters of their card, and so does the whole', async () => {
    const { devices, counterSets, problems } = await backend([{
      name: 'card-{index}',
      count: 2,
      attributes: { model: { string: 'H100' } },
      capacity: { memory: { value: '80Gi' } },
      partitions: {
        counters: { memory: '80Gi', slices: 7 },
        profiles: [{ name: '1g', count: 2, counters: { memory: '10Gi', slices: 1 }, capacity: { memory: { value: '10Gi' } } }, { name: '3g', counters: { memory: '40Gi', slices: 3 } }],
      },
    }]).discover(SIGNAL);

    expect(problems).toEqual([]);
    expect(devices.map(({ name }) => name)).toEqual(['card-0', 'card-0-1g-0', 'card-0-1g-1', 'card-0-3g-0', 'card-1', 'card-1-1g-0', 'card-1-1g-1', 'card-1-3g-0']);
    expect(counterSets.map(({ name }) => name)).toEqual(['card-0', 'card-1']);
    expect(devices[5]).toEqual({
      name: 'card-1-1g-0',
      identity: 'card-1/1g/0',
      parts: ['card-1'],
      attributes: { model: { string: 'H100' }, profile: { string: '1g' } },
      capacity: { memory: { value: '10Gi' } },
      consumesCounters: [{ counterSet: 'card-1', counters: { memory: { value: '10Gi' }, slices: { value: '1' } } }],
      deviceNodes: [],
    });
    expect(devices[4]?.consumesCounters).toEqual([{ counterSet: 'card-1', counters: { memory: { value: '80Gi' }, slices: { value: '7' } } }]);
  });

  test('a template whose devices the API would refuse costs those devices only', async () => {
    const inventory = await backend([
      { name: 'Wrong-{index}' }, { name: 'twice' }, { name: 'twice' }, { name: 'good', attributes: { model: { string: 'x'.repeat(65) }, slot: { int: 'one' } } },
    ]).discover(SIGNAL);

    expect(inventory.devices.map(({ name, attributes }) => [name, attributes])).toEqual([['twice', {}], ['good', {}]]);
    expect(problemsOf(inventory)).toEqual(['DRA345 good', 'DRA345 good', 'DRA348 Wrong-0', 'DRA348 twice']);
  });

  test('order, exclude and reserve', async () => {
    const { devices } = await backend(GPUS, { order: ['gpu-2'], exclude: ['gpu-0'], reserve: 1 }).discover(SIGNAL);

    expect(devices.map(({ name }) => name)).toEqual(['gpu-2']);
  });

  test('an empty fleet is a fleet', async () => {
    expect(await backend([]).discover(SIGNAL)).toEqual({ devices: [], counterSets: [], problems: [] });
  });
});

describe('claims', () => {
  test('a container sees its device, its nodes, mounts and configuration', async () => {
    const tree = unpack(new Tree().node('/dev/zero', 'c 1:5'));
    const decoded = strict.decode(SIMULATED_SETTINGS, {
      backend: 'simulated',
      fleet: [{
        name: 'gpu-{index}',
        identity: 'SIM-{index}',
        env: { SLOT: 'slot {index}' },
        mounts: [{ hostPath: '/opt/sim', containerPath: '/opt/sim{index}' }],
        deviceNodes: [{ path: '/dev/sim{index}', hostPath: '/dev/zero', permissions: 'rw' }],
      }],
    });
    if ('problems' in decoded) throw new Error('wrong settings');
    const simulated = new SimulatedBackend(decoded.value, { root: tree.root, now: () => 0 });
    const { claim, intent } = await claimOf(simulated, 'c1', 'gpu-0', {
      config: [
        { apiVersion: 'sim.cdk8s-dra.dev/v1alpha1', kind: 'SimulatedConfig', mode: 'fast', level: 1 }, { apiVersion: 'sim.cdk8s-dra.dev/v1alpha1', kind: 'SimulatedConfig', level: 2 },
      ],
    });

    expect(await simulated.prepare(claim, intent, SIGNAL)).toEqual({
      edits: {
        env: ['CDK8S_DRA_SIM_GPU_0=SIM-0', 'CDK8S_DRA_SIM_GPU_0_LEVEL=2', 'CDK8S_DRA_SIM_GPU_0_MODE=fast', 'SLOT=slot 0'],
        deviceNodes: [{ path: '/dev/sim0', hostPath: '/dev/zero', permissions: 'rw' }],
        mounts: [{ hostPath: '/opt/sim', containerPath: '/opt/sim0', options: ['ro', 'nosuid', 'nodev', 'bind'] }],
      },
      vendorCdiDevices: [],
      state: { identity: 'SIM-0' },
    });

    // C-008
    tree.remove('/dev/zero');
    expect(await failureOf(() => simulated.prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA350', failureClass: 'retryable' });
  });

  test('what is set up outlives the agent, and prepare again changes nothing', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    const first = await backend().prepare(claim, intent, SIGNAL);
    const before = state('gpu-0');

    expect(await backend().prepare(claim, intent, SIGNAL)).toEqual(first);
    expect([before, state('gpu-0')]).toEqual([[{ claimUid: 'c1' }], [{ claimUid: 'c1' }]]);
    await backend().unprepare(release('c1', intent));
    await backend().unprepare(release('c1', intent));
    expect(readdirSync(join(folder, 'state'))).toEqual([]);
  });

  test('a second claim on a device that is held is a mistake, and not hidden', async () => {
    const one = await claimOf(backend(), 'c1');
    const two = await claimOf(backend(), 'c2');
    await backend().prepare(one.claim, one.intent, SIGNAL);

    expect(await failureOf(() => backend().prepare(two.claim, two.intent, SIGNAL))).toMatchObject({ failureClass: 'needs-cleanup', message: 'gpu-0 is still set up for the claim c1.' });
    await backend().unprepare(release('c2', two.intent));
    expect(state('gpu-0')).toEqual([{ claimUid: 'c1' }]);
  });

  test('shares live side by side and go one by one; monitoring is not seen by the hardware', async () => {
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const shares = await Promise.all(ids.map(async (shareId, index) => claimOf(backend(SHARED), `c${index}`, 'card', { shareId, consumedCapacity: { memory: '8Gi' } })));
    for (const { claim, intent } of shares) await backend(SHARED).prepare(claim, intent, SIGNAL);
    const looking = await claimOf(backend(SHARED), 'c9', 'card', { adminAccess: true });
    await backend(SHARED).prepare(looking.claim, looking.intent, SIGNAL);
    await backend(SHARED).unprepare({ ...release('c9', looking.intent, 'card'), adminAccess: true });

    expect(state('card')).toEqual([{ claimUid: 'c0', shareId: ids[0] }, { claimUid: 'c1', shareId: ids[1] }]);
    await backend(SHARED).unprepare({ ...release('c0', shares[0]?.intent ?? {}, 'card', ids[0]), last: false });
    expect(state('card')).toEqual([{ claimUid: 'c1', shareId: ids[1] }]);
    expect(await failureOf(async () => claimOf(backend(SHARED), 'c3', 'card'))).toMatchObject({ code: 'DRA353', failureClass: 'terminal' });
  });

  test('without a folder it remembers as long as the agent lives', async () => {
    const simulated = backend(GPUS, { stateFolder: undefined });
    const one = await claimOf(simulated, 'c1');
    const two = await claimOf(simulated, 'c2');
    await simulated.prepare(one.claim, one.intent, SIGNAL);

    expect(await failureOf(() => simulated.prepare(two.claim, two.intent, SIGNAL))).toMatchObject({ failureClass: 'needs-cleanup' });
    await simulated.unprepare(release('c1', one.intent));
    await simulated.prepare(two.claim, two.intent, SIGNAL);
  });

  test('hardware time passes for different devices at once', async () => {
    const simulated = backend(GPUS, { prepareMilliseconds: 100, stateFolder: undefined, switchFolder: undefined });
    const claims = await Promise.all([0, 1, 2].map(async (index) => claimOf(simulated, `c${index}`, `gpu-${index}`)));
    const order: string[] = [];
    // Timers go off in the order of their time, however busy the machine is; one after the other the claims would take 300 ms.
    await Promise.all([
      new Promise<void>((resolve) => setTimeout(() => {
        order.push('50 ms');
        resolve();
      }, 50)),
      ...claims.map(async ({ claim, intent }) => {
        await simulated.prepare(claim, intent, SIGNAL);
        order.push('prepared');
      }),
      new Promise<void>((resolve) => setTimeout(() => {
        order.push('199 ms');
        resolve();
      }, 199)),
    ]);

    expect(order).toEqual(['50 ms', 'prepared', 'prepared', 'prepared', '199 ms']);
  });
});

describe('switches', () => {
  test('a failure so many times, then well', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    turn('gpu-0.fail-prepare', '2');

    for (let time = 0; time < 2; time++) expect(await failureOf(() => backend().prepare(claim, intent, SIGNAL))).toMatchObject({ code: 'DRA363', failureClass: 'retryable' });
    await backend().prepare(claim, intent, SIGNAL);
    expect(readdirSync(join(folder, 'switches'))).toEqual([]);
  });

  test('a refusal for good, for all devices, until it is taken away', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    turn('all.refuse-prepare');

    for (let time = 0; time < 3; time++) expect(await failureOf(() => backend().prepare(claim, intent, SIGNAL))).toMatchObject({ failureClass: 'terminal' });
    turnOff('all.refuse-prepare');
    await backend().prepare(claim, intent, SIGNAL);
  });

  // C-034: half-done work is completed by the next try, or undone.
  test('a failure half-way leaves the hardware begun, for the next try or the undo', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    turn('gpu-0.fail-half-prepare', '2');

    expect(await failureOf(() => backend().prepare(claim, intent, SIGNAL))).toMatchObject({ failureClass: 'retryable' });
    expect(state('gpu-0')).toEqual([{ claimUid: 'c1', half: true }]);
    expect(await failureOf(() => backend().prepare(claim, intent, SIGNAL))).toMatchObject({ failureClass: 'retryable' });
    await backend().prepare(claim, intent, SIGNAL);
    expect(state('gpu-0')).toEqual([{ claimUid: 'c1' }]);
    await backend().unprepare(release('c1', intent));

    turn('gpu-0.fail-half-prepare', '1');
    await failureOf(() => backend().prepare(claim, intent, SIGNAL));
    await backend().unprepare(release('c1', intent));
    expect(readdirSync(join(folder, 'state'))).toEqual([]);
  });

  test('a device that hangs goes on when it is let go, and heeds no abort meanwhile', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    turn('gpu-0.hang-prepare');
    const abort = new AbortController();
    let done = false;
    const work = backend().prepare(claim, intent, abort.signal).then(() => { done = true; });
    await new Promise((resolve) => setTimeout(resolve, 100));
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(false);
    turnOff('gpu-0.hang-prepare');
    await work;
    await expect(backend().prepare(claim, intent, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  // C-137
  test('a scrub that fails needs a clean-up and leaves the device held', async () => {
    const { claim, intent } = await claimOf(backend(), 'c1');
    await backend().prepare(claim, intent, SIGNAL);
    turn('gpu-0.fail-scrub');

    expect(await failureOf(() => backend().unprepare(release('c1', intent)))).toMatchObject({ code: 'DRA359', failureClass: 'needs-cleanup', details: { devices: ['gpu-0'] } });
    expect(state('gpu-0')).toEqual([{ claimUid: 'c1' }]);
    turnOff('gpu-0.fail-scrub');
    turn('gpu-0.fail-unprepare', '1');
    expect(await failureOf(() => backend().unprepare(release('c1', intent)))).toMatchObject({ failureClass: 'retryable' });
    await backend().unprepare(release('c1', intent));
  });

  test('devices vanish, are not ready, unhealthy or unknown', async () => {
    const simulated = backend();
    const inventory = await simulated.discover(SIGNAL);
    turn('gpu-0.vanish');
    turn('gpu-1.unhealthy', 'too hot');
    turn('gpu-2.unknown-health');

    expect(await simulated.health(inventory, SIGNAL)).toEqual([
      { device: 'gpu-0', health: 'unhealthy', code: 'DRA352', message: 'the switch vanish is on' },
      { device: 'gpu-1', health: 'unhealthy', code: 'DRA363', message: 'too hot' },
      { device: 'gpu-2', health: 'unknown' },
    ]);
    turn('gpu-1.not-ready');
    expect((await simulated.discover(SIGNAL)).devices.map(({ name }) => name)).toEqual(['gpu-2']);
    expect(problemsOf(await simulated.discover(SIGNAL))).toEqual(['DRA343 gpu-1']);
    turn('all.vanish');
    expect((await simulated.discover(SIGNAL)).devices).toEqual([]);
  });

  // C-097
  test('a look that fails is retryable, and works later', async () => {
    turn('all.fail-discover', '1');

    expect(await failureOf(() => backend().discover(SIGNAL))).toMatchObject({ code: 'DRA342', failureClass: 'retryable' });
    expect((await backend().discover(SIGNAL)).devices).toHaveLength(3);
  });

  test('files that are no switches, and a missing folder, are nothing', async () => {
    turn('README');
    turn('gpu-0.explode');
    expect((await backend().discover(SIGNAL)).devices).toHaveLength(3);
    expect((await backend(GPUS, { switchFolder: '/no/such/folder' }).discover(SIGNAL)).devices).toHaveLength(3);
  });
});
