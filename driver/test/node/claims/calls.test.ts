import { CDI, claimName, DATA, Machine, outcome } from './kit/agent-under-test.js';
import { disagreements, remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import { systemError } from './kit/steps.js';
import { settled } from './kit/test-clock.js';

const [a, b] = [claimName('aaa'), claimName('bbb')];

function machineWith(...names: readonly string[]): Machine {
  const machine = new Machine(new FakeHardware(inventoryOf(names.map((name) => device(name)))));
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.cluster.put(b, [{ device: 'gpu-1' }]);
  return machine;
}

test('every claim of a call is answered once, each for itself', async () => {
  const machine = machineWith('gpu-0', 'gpu-1');
  const agent = await machine.start();
  const signal = new AbortController().signal;
  const missing = claimName('ccc');
  const answers = await agent.claims.prepare([a, missing, b, a], signal);
  expect([...answers].map(([uid, answer]) => [uid, outcome(answer)])).toEqual([
    ['aaa', ['gpu-0']], ['ccc', 'DRA311 claim-gone: there is no claim vision/claim-ccc'], ['bbb', ['gpu-1']],
  ]);
  expect(await agent.claims.prepare([], signal)).toEqual(new Map());
  expect([...await agent.claims.unprepare([missing, b, a, b], signal)]).toEqual([['ccc', {}], ['bbb', {}], ['aaa', {}]]);
  expect(remains(machine, agent)).toEqual([]);
});

test('a repeated prepare of a finished claim reads nothing from the API server, writes nothing and touches nothing', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  const answer = await agent.prepare(a);
  const steps = agent.steps.taken.length;
  machine.cluster.isDown = true;
  machine.cluster.owner = 'device-plugin';
  for (let count = 0; count < 3; count++) expect(await agent.prepare(a)).toEqual(answer);
  expect(agent.steps.taken.slice(steps)).toEqual(Array(3).fill(`read ${CDI}/gpu.cdk8s-dra.dev-claim_aaa.json`));
  expect(agent.ended.slice(-3).map((event) => event.outcome)).toEqual(['repeated', 'repeated', 'repeated']);
});

test('a CDI file that is gone or changed is made anew by the next start and by the next prepare', async () => {
  const machine = machineWith('gpu-0');
  const path = `${CDI}/gpu.cdk8s-dra.dev-claim_aaa.json`;
  let agent = await machine.start();
  await agent.prepare(a);
  const text = machine.disk.text(path);
  machine.disk.delete(path);
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  expect(machine.disk.text(path)).toBe(text);
  machine.disk.set(path, '{"by": "somebody"}');
  await agent.claims.stop();
  agent = await machine.start();
  expect(machine.disk.text(path)).toBe(text);
});

test.each(['../../../etc/passwd', '..', '', 'a/b', 'AAA', 'a.b', 'x'.repeat(64), 'a\0b', '-a', 'ä'])('a UID that is none never becomes a path: %p', async (uid) => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  await settled();
  const steps = agent.steps.taken.length;
  expect(outcome(await agent.prepare({ ...a, uid }))).toMatch(/^DRA310 claim-name-wrong: UID /);
  expect(await agent.unprepare({ ...a, uid })).toEqual({});
  expect(agent.steps.taken).toHaveLength(steps);
});

test.each([['namespace', '../x'], ['name', ''], ['name', 'A'.repeat(300)], ['namespace', 'a b']])('a %s that is none is refused: %p', async (field, text) => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  expect(outcome(await agent.prepare({ ...a, [field]: text }))).toMatch(new RegExp(`^DRA310 claim-name-wrong: ${field} `));
});

test('one UID under two names is refused', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  await agent.prepare(a);
  expect(outcome(await agent.prepare({ ...a, name: 'other' }))).toBe('DRA310 claim-name-wrong: claim vision/other has the UID of claim vision/claim-aaa');
});

describe('reading', () => {
  test('a claim that was made anew under its name is refused', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start();
    machine.cluster.put({ ...a, uid: 'other' }, [{ device: 'gpu-0' }]);
    machine.cluster.claims.set('vision/claim-aaa', { metadata: { uid: 'other' } });
    expect(outcome(await agent.prepare(a))).toBe('DRA312 claim-replaced: claim vision/claim-aaa has the UID other, not aaa');
    expect(agent.ended.at(-1)).toMatchObject({ outcome: 'terminal' });
  });

  test.each([undefined, 'device-plugin', 'handover', 'DRA', ''])('an owner label %p is a refusal of anything new', async (owner) => {
    const machine = machineWith('gpu-0', 'gpu-1');
    const agent = await machine.start();
    expect(outcome(await agent.prepare(b))).toEqual(['gpu-1']);
    machine.cluster.owner = owner;
    expect(outcome(await agent.prepare(a))).toBe('DRA304 owner-not-dra: the owner of gpu devices on node node-1 is not dra');
    expect(await agent.unprepare(b)).toEqual({});
    expect(remains(machine, agent)).toEqual([]);
  });

  test('an API server that comes back within the time of a call is no failure', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start();
    machine.cluster.isDown = true;
    const answer = agent.prepare(a);
    await machine.clock.advance(3000);
    machine.cluster.isDown = false;
    expect(outcome(await agent.inTime(answer))).toEqual(['gpu-0']);
  });

  test('one that stays away is a failure for now, in time for kubelet', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start();
    machine.cluster.isDown = true;
    const begun = machine.clock.monotonic();
    expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA301 api-silent: cannot read the (claim|node): connect ECONNREFUSED$/);
    expect(machine.clock.monotonic() - begun).toBeLessThanOrEqual(10_100);
    expect(remains(machine, agent)).toEqual([]);
  });

  test('one that never answers is given up', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('get ') ? new Promise<never>(() => undefined) : undefined });
    expect(outcome(await agent.inTime(agent.prepare(a)))).toBe('DRA301 api-silent: no answer within 10 s');
  });

  test('one that refuses is not asked again', async () => {
    const machine = machineWith('gpu-0');
    machine.cluster.status = 403;
    const agent = await machine.start();
    expect(outcome(await agent.prepare(a))).toMatch(/^DRA302 api-refuses: the (claim|node) may not be read: status 403$/);
    expect(machine.cluster.reads).toBe(2);
  });

  test('claim and node are read at the same time', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('get ') ? machine.clock.sleep(100) : undefined });
    const answer = agent.prepare(a);
    await machine.clock.advance(100);
    expect(outcome(await answer)).toEqual(['gpu-0']);
    expect(machine.clock.monotonic()).toBe(100);
  });
});

describe('giving up', () => {
  test('a call that is given up before its commit point leaves nothing', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('get ') ? machine.clock.sleep(1000) : undefined });
    const signal = new AbortController();
    const answer = agent.prepare(a, signal.signal);
    await machine.clock.advance(500);
    signal.abort();
    expect(outcome(await answer)).toMatch(/^DRA319 call-overtaken/);
    await machine.clock.advance(2000);
    expect(machine.hardware.prepares).toBe(0);
    expect(remains(machine, agent)).toEqual([]);
  });

  test('a call that is given up after it is finished all the same', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('hardware') ? machine.clock.sleep(1000) : undefined });
    const signal = new AbortController();
    const answer = agent.prepare(a, signal.signal);
    await machine.clock.advance(500);
    signal.abort();
    expect(outcome(await agent.inTime(answer))).toEqual(['gpu-0']);
    expect(disagreements(machine, agent)).toEqual([]);
  });

  test('a call that waits behind another is answered when it is given up, and the other goes on', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('hardware') ? machine.clock.sleep(2000) : undefined });
    const first = agent.prepare(a);
    const signal = new AbortController();
    const second = agent.prepare(a, signal.signal);
    await machine.clock.advance(1000);
    signal.abort();
    expect(outcome(await second)).toMatch(/^DRA319/);
    expect(outcome(await agent.inTime(first))).toEqual(['gpu-0']);
  });

  test('giving back overtakes what arrived before it and nothing else', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start({ pace: async (step) => step.startsWith('get ') ? machine.clock.sleep(1000) : undefined });
    const calls = [agent.prepare(a), agent.unprepare(a), agent.prepare(a)] as const;
    const [before, back, after] = (await agent.inTime(Promise.all(calls)))!;
    expect(outcome(before)).toMatch(/^DRA319/);
    expect(back).toEqual({});
    expect(outcome(after)).toEqual(['gpu-0']);
    expect(machine.hardware.prepares).toBe(1);
  });

  test('devices whose turn has not come are not begun for a claim that is wanted back', async () => {
    const machine = new Machine(new FakeHardware(inventoryOf(['gpu-0', 'gpu-1', 'gpu-2'].map((name) => device(name, { parts: ['card-0'] })))));
    machine.cluster.put(a, ['gpu-0', 'gpu-1', 'gpu-2'].map((name) => ({ device: name })));
    const agent = await machine.start({ pace: async (step) => step.startsWith('hardware bind') ? machine.clock.sleep(1000) : undefined });
    const prepare = agent.prepare(a);
    await machine.clock.advance(500);
    const back = agent.unprepare(a);
    expect(outcome(await agent.inTime(prepare))).toMatch(/^DRA319/);
    expect(await agent.inTime(back)).toEqual({});
    expect(machine.hardware.prepares).toBe(1);
    expect(remains(machine, agent)).toEqual([]);
  });
});

const WRITES = /^(create|write|fdatasync|rename|remove|syncFolder) /;

describe.each(['ENOSPC', 'EROFS', 'EIO'])('a disk with %s', (code) => {
  test('takes no claim, touches no device, and is no matter once it is well', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start();
    agent.steps.fault = (step) => WRITES.test(step) ? systemError(code) : undefined;
    expect(outcome(await agent.prepare(a))).toMatch(new RegExp(`^DRA330 record-not-written: cannot write claims/aaa.json: .*\\(${code}\\)$`));
    expect(agent.ended.at(-1)).toMatchObject({ outcome: 'retryable' });
    expect(machine.hardware.prepares).toBe(0);
    agent.steps.fault = undefined;
    expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
    expect(disagreements(machine, agent)).toEqual([]);
  });

  test('that fails at any one write leaves nothing half done, whichever it is', async () => {
    const counting = await machineWith('gpu-0').start();
    await counting.prepare(a);
    await counting.unprepare(a);
    const writes = counting.steps.taken.filter((step) => WRITES.test(step)).length;
    expect(writes).toBeGreaterThan(15);
    for (let failAt = 0; failAt < writes; failAt++) {
      const machine = machineWith('gpu-0');
      let count = 0;
      const agent = await machine.start({ fault: (step) => WRITES.test(step) && count++ === failAt ? systemError(code) : undefined });
      const answers = [outcome(await agent.inTime(agent.prepare(a))), await agent.inTime(agent.unprepare(a)), await agent.inTime(agent.unprepare(a))];
      expect([failAt, answers[0]]).toEqual([failAt, expect.anything()]);
      expect([failAt, answers[2]]).toEqual([failAt, {}]);
      await machine.clock.advance(60_000);
      expect([failAt, remains(machine, agent).filter((text) => !text.includes('.tmp'))]).toEqual([failAt, []]);
      await agent.claims.stop();
      const next = await machine.start();
      expect([failAt, remains(machine, next)]).toEqual([failAt, []]);
      expect(outcome(await next.prepare(a))).toEqual(['gpu-0']);
    }
  });

  test('keeps a claim that cannot be given back, tells kubelet so, and gives it back once it is well', async () => {
    const machine = machineWith('gpu-0');
    const agent = await machine.start();
    await agent.prepare(a);
    agent.steps.fault = (step) => WRITES.test(step) ? systemError(code) : undefined;
    expect(await agent.unprepare(a)).toEqual({ error: expect.stringMatching(/^DRA330/) });
    expect(machine.hardware.unprepares).toBe(0);
    agent.steps.fault = undefined;
    expect(await agent.unprepare(a)).toEqual({});
    expect(remains(machine, agent)).toEqual([]);
  });

  test('is no reason not to start, to answer for what is prepared, and to say so', async () => {
    const machine = machineWith('gpu-0');
    const first = await machine.start();
    const answer = await first.prepare(a);
    await first.claims.stop();
    const agent = await machine.start({ fault: (step) => /^(create|write|rename|remove) /.test(step) ? systemError(code) : undefined });
    expect(await agent.prepare(a)).toEqual(answer);
  });
});

test('a full disk keeps nobody from giving back: the step needs no room', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  await agent.prepare(a);
  agent.steps.fault = (step) => /^(create|write) /.test(step) ? systemError('ENOSPC') : undefined;
  expect(await agent.unprepare(a)).toEqual({});
  expect(remains(machine, agent)).toEqual([]);
});

test('records that cannot be read keep the agent waiting, and it begins when they can', async () => {
  const machine = machineWith('gpu-0');
  let isBroken = true;
  const starting = machine.start({ fault: (step) => isBroken && step.startsWith(`list ${DATA}/claims`) ? systemError('EACCES') : undefined });
  await machine.clock.advance(10_000);
  isBroken = false;
  await machine.clock.advance(60_000);
  const agent = await starting;
  expect(agent.codes).toContain('DRA333');
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
});

test('a CDI folder that cannot be written fails the claim and undoes it', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  agent.steps.fault = (step) => step.startsWith(`create ${CDI}`) ? systemError('EROFS') : undefined;
  expect(outcome(await agent.prepare(a))).toBe('DRA334 cdi-not-written: cannot write the CDI file: the disk is read-only (EROFS)');
  agent.steps.fault = undefined;
  expect(remains(machine, agent)).toEqual([]);
});

test('a device that rests after failing again and again is isolated for a growing time, and success ends it', async () => {
  const machine = machineWith('gpu-0');
  const agent = await machine.start();
  agent.steps.fault = (step) => step.startsWith('hardware configure') ? new Error('no answer') : undefined;
  for (let count = 0; count < 3; count++) expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA338/);
  expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA324 device-isolated: .*DRA339 failed 3 claims one after another/);
  expect(agent.claims.isolations.current).toEqual([expect.objectContaining({ device: 'gpu-0', code: 'DRA339' })]);
  await machine.clock.advance(60_000);
  expect(agent.claims.isolations.current).toEqual([]);
  expect(outcome(await agent.inTime(agent.prepare(a)))).toMatch(/^DRA338/);
  await machine.clock.advance(60_000);
  expect(agent.claims.isolations.current).toHaveLength(1);
  await machine.clock.advance(60_000);
  agent.steps.fault = undefined;
  expect(outcome(await agent.inTime(agent.prepare(a)))).toEqual(['gpu-0']);
  expect(agent.claims.isolations.current).toEqual([]);
});
