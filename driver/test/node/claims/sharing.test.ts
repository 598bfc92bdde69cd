import { claimName, Machine, outcome } from './kit/agent-under-test.js';
import { remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';

const CLAIMS = ['aaa', 'bbb', 'ccc'].map((uid) => claimName(uid));
const [a, b, c] = CLAIMS as [typeof CLAIMS[0], typeof CLAIMS[0], typeof CLAIMS[0]];
const share = (digit: number) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;

/** A device of which three claims have shares. */
function machine(): Machine {
  const made = new Machine(new FakeHardware(inventoryOf([device('gpu-0', { allowMultipleAllocations: true, capacity: { memory: { value: '30Gi' } } })])));
  for (const [index, claim] of CLAIMS.entries()) made.cluster.put(claim, [{ device: 'gpu-0', shareID: share(index + 1), consumedCapacity: { memory: '15Gi' } }]);
  return made;
}

test('shares are answered with their ids and a CDI device each, and the one too many is refused until one is given back', async () => {
  const made = machine();
  const agent = await made.start();
  expect(await agent.prepare(a)).toEqual({
    devices: [{ requestNames: ['gpu'], poolName: 'node-1', deviceName: 'gpu-0', shareId: share(1), cdiDeviceIds: [`gpu.cdk8s-dra.dev/claim=claim-aaa-gpu-0.${share(1)}`] }],
  });
  expect(outcome(await agent.prepare(b))).toEqual(['gpu-0']);
  expect(outcome(await agent.prepare(c))).toMatch(/^DRA321 capacity-oversold: device gpu-0 has 30Gi memory, of which 30Gi are taken by/);
  expect(await agent.unprepare(a)).toEqual({});
  expect(outcome(await agent.prepare(c))).toEqual(['gpu-0']);
});

test('two shares of one claim are two of everything', async () => {
  const made = machine();
  made.cluster.put(a, [1, 2].map((digit) => ({ device: 'gpu-0', shareID: share(digit), consumedCapacity: { memory: '15Gi' } })));
  const agent = await made.start();
  const answer = await agent.prepare(a);
  expect('devices' in answer && answer.devices.map(({ shareId, cdiDeviceIds }) => [shareId, cdiDeviceIds.length])).toEqual([[share(1), 1], [share(2), 1]]);
  expect(await agent.unprepare(a)).toEqual({});
  expect(remains(made, agent)).toEqual([]);
});

test('of shares that are given back at the same time one is the last, in whatever order their work is done', async () => {
  for (const turns of [0, 1, 3, 7]) {
    const made = machine();
    const agent = await made.start({
      pace: async () => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => { setImmediate(resolve); });
      },
    });
    for (const claim of [a, b]) expect(outcome(await agent.inTime(agent.prepare(claim)))).toEqual(['gpu-0']);
    await agent.inTime(Promise.all([agent.unprepare(a), agent.unprepare(b)]));
    expect([turns, remains(made, agent)]).toEqual([turns, []]);
  }
});

test('a capacity comes back only when the share is cleaned up', async () => {
  const made = machine();
  const agent = await made.start({ pace: async (step) => step.startsWith('hardware un') ? made.clock.sleep(1000) : undefined });
  for (const claim of [a, b]) expect(outcome(await agent.inTime(agent.prepare(claim)))).toEqual(['gpu-0']);
  const back = agent.unprepare(a);
  const wanted = agent.prepare(c);
  await made.clock.advance(2500);
  expect(made.hardware.ready()['gpu-0']).toHaveLength(2);
  expect(await agent.inTime(back)).toEqual({});
  expect(outcome(await agent.inTime(wanted))).toEqual(['gpu-0']);
  expect(made.hardware.violations).toEqual([]);
});

test('a share whose second try succeeded is in use: the end of another is not the last use', async () => {
  const made = machine();
  let failures = 1;
  const agent = await made.start({ fault: (step) => step.startsWith('hardware enable') && failures-- > 0 ? new Error('not yet') : undefined });
  const first = agent.prepare(a);
  expect(outcome(await agent.inTime(agent.prepare(b)))).toEqual(['gpu-0']);
  await made.clock.advance(50);
  const back = agent.unprepare(b);
  expect(outcome(await agent.inTime(first))).toEqual(['gpu-0']);
  expect(await agent.inTime(back)).toEqual({});
  expect(made.hardware.ready()).toEqual({ 'gpu-0': [`aaa/${share(1)}`] });
  expect(made.hardware.violations).toEqual([]);
});
