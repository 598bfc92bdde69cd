import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { leaveDeadSocket } from './dead-socket.js';
import { FakeKubelet, socketsIn, until } from './fake-kubelet.js';
import type { ClaimName, ClaimService } from '../../../src/node/claim-service.js';
import { FollowedValue } from '../../../src/node/followed-value.js';
import { KubeletPlugin, RegistrationTimeoutError } from '../../../src/node/kubelet/kubelet-plugin.js';
import type { KubeletPluginOptions, RegistrationTimes } from '../../../src/node/kubelet/kubelet-plugin.js';
import { defaultDataFolder } from '../../../src/node/kubelet/socket-paths.js';
import { SocketInUseError } from '../../../src/node/kubelet/unix-socket.js';

const DRIVER = 'gpu.example.com';
const UIDS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const TIMES: RegistrationTimes = { deadline: 400, attempts: 3, loss: 100, regain: 50, grace: 2000 };

let root: string;
let kubelet: FakeKubelet;
let stops: (() => Promise<void>)[];

const empty: ClaimService = {
  prepare: (names) => Promise.resolve(new Map(names.map(({ uid }) => [uid, { devices: [] }]))),
  unprepare: (names) => Promise.resolve(new Map(names.map(({ uid }) => [uid, {}]))),
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'k'));
  kubelet = new FakeKubelet({ root });
  stops = [() => kubelet.stop()];
});

afterEach(async () => {
  for (const stop of stops) await stop();
  rmSync(root, { recursive: true });
});

function plugin(options: Partial<KubeletPluginOptions> = {}): KubeletPlugin {
  const { driverName = DRIVER } = options;
  const dataFolder = defaultDataFolder(root, driverName);
  const made = new KubeletPlugin({ kubeletRoot: root, dataFolder, driverName, claims: empty, times: TIMES, ...options });
  stops.push(() => made.stop());
  return made;
}

function claim(uid: string): ClaimName {
  return { uid, namespace: 'ml', name: uid };
}

test('kubelet registers the agent, whichever of them starts first', async () => {
  const first = plugin();
  await first.start();
  expect(first.registration.current).toEqual({ state: 'waiting', attempt: 1 });
  kubelet.start();
  await first.registered();
  expect(first.registration.current).toEqual({ state: 'registered' });

  const second = plugin({ driverName: 'nic.example.com' });
  await second.start();
  await second.registered();

  expect(kubelet.registered.map(({ name }) => name).sort()).toEqual([DRIVER, 'nic.example.com']);
});

test('kubelet can call from the moment it sees the registration socket', async () => {
  kubelet.start();
  const one = plugin();
  await one.start();
  await until('kubelet has it', () => kubelet.registered.length === 1);

  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: '' } } });
});

// C-089
test('when kubelet passes the first socket over, the agent makes another', async () => {
  kubelet.ignore = 1;
  kubelet.start();
  const one = plugin();
  await one.start();

  await one.registered();

  expect(kubelet.found).toEqual([one.paths.registration, one.paths.registration]);
});

// C-089
test('when kubelet needs more than its own second for the first question, it still registers the agent later', async () => {
  kubelet.delayBeforeRegistering = 1200;
  kubelet.start();
  const one = plugin({ times: { ...TIMES, deadline: 5000 } });
  await one.start();
  await sleep(1300);
  expect(one.registration.current.state).toBe('waiting');

  kubelet.delayBeforeRegistering = 0;
  await one.registered();

  expect(kubelet.registered).toHaveLength(1);
});

// C-016
test('an agent that kubelet never registers gives up with the paths, the rule and the way out', async () => {
  kubelet.ignore = 100;
  kubelet.start();
  const one = plugin({ times: { ...TIMES, deadline: 100 } });
  await one.start();

  const failure = await one.registered().catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(RegistrationTimeoutError);
  expect((failure as Error).message).toContain(`did not register the agent within 0.1 s, 3 times with new sockets (${one.paths.registration})`);
  expect((failure as Error).message).toContain('See whether kubeletRoot is the folder of this node\'s kubelet');
  expect(kubelet.found).toHaveLength(3);
  await expect(one.failed).rejects.toBe(failure);
});

// C-016
test('an agent that is killed and started again on the same paths within seconds is registered again', async () => {
  const first = plugin();
  mkdirSync(defaultDataFolder(root, DRIVER), { recursive: true });
  for (const path of Object.values(first.paths)) leaveDeadSocket(path);
  kubelet.start();
  await until('kubelet finds the dead socket', () => kubelet.found.length === 1);
  expect(kubelet.registered).toEqual([]);

  await first.start();
  await first.registered();
  await first.stop();
  const second = plugin();
  await second.start();
  await second.registered();

  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: '' } } });
});

test('what kubelet says against the agent is kept for people, and in the end', async () => {
  kubelet.refuseWith = 'endpoint already registered for DRA driver plugin';
  kubelet.start();
  const said: string[] = [];
  const one = plugin({ times: { ...TIMES, deadline: 150 }, log: (message) => said.push(message) });
  await one.start();

  await until('the refusal', () => 'refusal' in one.registration.current);
  expect(one.registration.current).toMatchObject({ state: 'waiting', refusal: 'endpoint already registered for DRA driver plugin' });
  await expect(one.registered()).rejects.toThrow('Kubelet said: endpoint already registered');

  expect(said).toContain('kubelet refuses the agent: endpoint already registered for DRA driver plugin');
});

test('a kubelet that comes back and refuses an agent that was registered is given new sockets', async () => {
  kubelet.start();
  const one = plugin({ times: { ...TIMES, deadline: 150 } });
  await one.start();
  await one.registered();
  await kubelet.stop();
  kubelet.refuseWith = 'endpoint already registered for DRA driver plugin';
  kubelet.start();
  await until('the refusal', () => 'refusal' in one.registration.current);
  // It does not look at these sockets again.
  kubelet.ignore = kubelet.found.length;
  kubelet.refuseWith = undefined;

  await until('kubelet has it again', () => kubelet.registered.length === 1);
  await until('the agent knows', () => one.registration.current.state === 'registered');
});

test('a kubelet that speaks no version of ours refuses, with both lists', async () => {
  kubelet = new FakeKubelet({ root, versions: ['v9.DRAPlugin'] });
  kubelet.start();
  const one = plugin();
  await one.start();

  await until('the refusal', () => 'refusal' in one.registration.current);

  expect(one.registration.current).toMatchObject({ refusal: expect.stringMatching(/v1\.DRAPlugin, v1beta1\.DRAPlugin.*v9\.DRAPlugin/) as string });
});

test('the versions are offered with v1 first, and health only by an agent that has it', async () => {
  kubelet = new FakeKubelet({ root, versions: ['v9.DRAPlugin'] });
  kubelet.start();
  const one = plugin({ health: new FollowedValue([]) });
  await one.start();

  await until('the refusal', () => 'refusal' in one.registration.current);

  expect(one.registration.current).toMatchObject({
    refusal: expect.stringContaining('(v1.DRAPlugin, v1beta1.DRAPlugin, v1.DRAResourceHealth, v1alpha1.DRAResourceHealth)') as string,
  });
});

test('a restart of kubelet is noticed, survived, and registered again on the same sockets', async () => {
  kubelet.start();
  const one = plugin({ times: { ...TIMES, deadline: 60_000 } });
  const states: string[] = [];
  one.registration.follow(({ state }) => states.push(state));
  await one.start();
  await one.registered();

  await kubelet.stop();
  await until('the loss', () => one.registration.current.state === 'lost');
  kubelet = new FakeKubelet({ root });
  kubelet.start();
  await until('the return', () => one.registration.current.state === 'registered');

  expect(states).toEqual(['waiting', 'registered', 'lost', 'registered']);
  expect(await kubelet.prepare(DRIVER, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: '' } } });
});

test('an agent that was registered once never gives up, and makes its sockets anew for a kubelet that overlooks them', async () => {
  kubelet.start();
  const one = plugin({ times: { ...TIMES, deadline: 50 } });
  await one.start();
  await one.registered();
  let isFailed = false;
  one.failed.catch(() => { isFailed = true; });

  await kubelet.stop();
  await until('the loss', () => one.registration.current.state === 'lost');
  kubelet = new FakeKubelet({ root });
  kubelet.ignore = 2;
  kubelet.start();
  await until('the return', () => one.registration.current.state === 'registered');

  expect(kubelet.found.length).toBeGreaterThanOrEqual(3);
  expect(isFailed).toBe(false);
});

test('a longest driver name with the UID of a pod is served', async () => {
  const driverName = `${'a'.repeat(51)}.example.com`;
  expect(root.length).toBeLessThanOrEqual('/var/lib/kubelet'.length);
  kubelet.start();
  const one = plugin({ driverName, podUid: UIDS[0], dataFolder: defaultDataFolder(root, driverName) });
  await one.start();
  await one.registered();

  expect(await kubelet.prepare(driverName, [claim('u1')])).toEqual({ claims: { u1: { devices: [], error: '' } } });
  await one.stop();
  expect([socketsIn(kubelet.registry), socketsIn(defaultDataFolder(root, driverName))]).toEqual([[], []]);
});

// C-095
test('during an update two agents serve, kubelet calls the newer, and the older again when the newer has gone', async () => {
  const calls: string[] = [];
  const named = (name: string): ClaimService => ({
    ...empty,
    prepare: (names, signal) => {
      calls.push(name);
      return empty.prepare(names, signal);
    },
  });
  kubelet.start();
  const older = plugin({ podUid: UIDS[0], claims: named('older') });
  await older.start();
  await older.registered();
  await kubelet.prepare(DRIVER, [claim('u1')]);
  const newer = plugin({ podUid: UIDS[1], claims: named('newer') });
  await newer.start();
  await newer.registered();
  await until('both connections', () => kubelet.connected.length === 2);
  await kubelet.prepare(DRIVER, [claim('u1')]);
  await newer.stop();
  await until('kubelet has let the newer go', () => kubelet.registered.length === 1);
  await kubelet.prepare(DRIVER, [claim('u1')]);

  expect(calls).toEqual(['older', 'newer', 'older']);
  expect(older.registration.current.state).toBe('registered');
});

test('an agent without the UID of its pod refuses to push another away', async () => {
  const first = plugin();
  await first.start();

  await expect(plugin().start()).rejects.toThrow(SocketInUseError);
});

test('when the registration socket cannot be made, the service socket goes again', async () => {
  const one = plugin();
  rmSync(kubelet.registry, { recursive: true });
  leaveDeadSocket(kubelet.registry);

  await expect(one.start()).rejects.toThrow();

  expect(socketsIn(defaultDataFolder(root, DRIVER))).toEqual([]);
});

test('at its end calls that changed something are answered, others are cancelled, streams end, and both sockets go', async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => { finish = resolve; });
  const claims: ClaimService = {
    ...empty,
    prepare: async (names, signal) => {
      if (names[0]?.uid === 'committed') await finished;
      else await new Promise((resolve) => { signal.addEventListener('abort', resolve); });
      return new Map(names.map(({ uid }) => [uid, uid === 'committed' ? { devices: [] } : { error: 'DRA319 given up' }]));
    },
  };
  kubelet.start();
  const one = plugin({ claims, health: new FollowedValue([]) });
  await one.start();
  await one.registered();
  const health = kubelet.watchHealth(DRIVER, 'v1');
  health.on('data', () => undefined).on('error', () => undefined);
  const committed = kubelet.prepare(DRIVER, [claim('committed')]);
  const waiting = kubelet.prepare(DRIVER, [claim('waiting')]);
  await sleep(50);

  const stopped = one.stop();
  expect((await waiting).claims.waiting?.error).toBe('DRA319 given up');
  expect(socketsIn(kubelet.registry)).not.toEqual([]);
  finish();
  expect((await committed).claims.committed?.error).toBe('');
  await stopped;

  expect(socketsIn(kubelet.registry)).toEqual([]);
  expect(socketsIn(defaultDataFolder(root, DRIVER))).toEqual([]);
  expect(one.registration.current).toEqual({ state: 'closed' });
});

test('a call that never ends is cut at the end of the grace time', async () => {
  const claims: ClaimService = { ...empty, prepare: () => new Promise(() => undefined) };
  kubelet.start();
  const one = plugin({ claims, times: { ...TIMES, grace: 100 } });
  await one.start();
  await one.registered();
  const hanging = kubelet.prepare(DRIVER, [claim('u1')]).catch((error: unknown) => error);
  await sleep(50);

  await one.stop();

  expect(await hanging).toBeInstanceOf(Error);
  expect(socketsIn(kubelet.registry)).toEqual([]);
});

test('an end before the start, twice, is no error', async () => {
  const one = plugin();

  await one.stop();
  await one.stop();

  expect(one.registration.current).toEqual({ state: 'closed' });
});
