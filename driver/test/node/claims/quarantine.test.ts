import { CDI, claimName, DATA, Machine, outcome } from './kit/agent-under-test.js';
import type { Agent } from './kit/agent-under-test.js';
import { claimFiles, disagreements, remains } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';
import { settled } from './kit/test-clock.js';
import { FORMAT_1 } from '../../../src/node/claims/record/record-format-1.js';
import { RecordCodec } from '../../../src/node/claims/record/record-format.js';

const MINUTE = 60_000;
const [a, b, c] = [claimName('aaa'), claimName('bbb'), claimName('ccc')];
const RECORD_A = `${DATA}/claims/aaa.json`;
const CDI_A = `${CDI}/gpu.cdk8s-dra.dev-claim_aaa.json`;
const SHARE = '11111111-1111-4111-8111-111111111111';

/** Two claims prepared, and the agent gone. */
async function machineWithClaims(): Promise<Machine> {
  const machine = new Machine(new FakeHardware(inventoryOf([device('gpu-0'), device('gpu-1'), device('gpu-2')])));
  machine.cluster.put(a, [{ device: 'gpu-0' }]);
  machine.cluster.put(b, [{ device: 'gpu-1' }]);
  machine.cluster.put(c, [{ device: 'gpu-0' }]);
  const agent = await machine.start();
  expect([outcome(await agent.prepare(a)), outcome(await agent.prepare(b))]).toEqual([['gpu-0'], ['gpu-1']]);
  await agent.claims.stop();
  return machine;
}

function isolated(agent: Agent): readonly string[] {
  return agent.claims.isolations.current.map(({ device: name, code }) => `${name} ${code}`);
}

/** A record that a newer agent wrote. */
function newer(text: string): string {
  const record = new RecordCodec().decode(Buffer.from(text), 'aaa');
  if (!('record' in record)) throw new Error('no record');
  return new RecordCodec([{ ...FORMAT_1, format: 2 }]).encode(record.record, 2)!;
}

const DAMAGES: readonly (readonly [string, (text: string) => string, string])[] = [
  ['truncated', (text) => text.slice(0, 250), 'DRA331'],
  ['changed', (text) => text.replace('serial-gpu-0', 'serial-gpu-9'), 'DRA331'],
  ['empty', () => '', 'DRA331'],
  ['not a record', () => '{}\n', 'DRA331'],
  ['of a newer agent', newer, 'DRA332'],
];

// C-005
describe.each(DAMAGES)('a record that is %s', (_, damage, code) => {
  test('is set aside and told of; its device is held, its CDI file stays, and everything else goes on', async () => {
    const machine = await machineWithClaims();
    const text = damage(machine.disk.text(RECORD_A)!);
    machine.disk.set(RECORD_A, text);
    machine.cluster.isDown = true;
    const agent = await machine.start();
    await settled();

    expect(agent.codes).toContain(code);
    expect(claimFiles(machine.disk)).toEqual(['bbb.json']);
    expect(machine.disk.under(`${DATA}/quarantine`).map((file) => machine.disk.text(`${DATA}/quarantine/${file}`))).toEqual([text]);
    expect(machine.disk.text(CDI_A)).toContain('claim-aaa-gpu-0');
    expect(isolated(agent)).toEqual([`gpu-0 ${code}`]);
    expect(agent.claims.held.current).toContainEqual(expect.objectContaining({ device: 'gpu-0', claimUid: 'aaa', state: 'quarantined' }));

    machine.cluster.isDown = false;
    expect(outcome(await agent.prepare(c))).toMatch(new RegExp(`^DRA324 device-isolated: device gpu-0 .*${code}`));
    expect(await agent.unprepare(b)).toEqual({});
    expect(machine.hardware.violations).toEqual([]);
  });

  test('is made anew from the claim when kubelet asks for it, without touching what a container may be using', async () => {
    const machine = await machineWithClaims();
    machine.disk.set(RECORD_A, damage(machine.disk.text(RECORD_A)!));
    const agent = await machine.start();
    expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
    expect(machine.hardware.unprepares).toBe(0);
    expect(machine.disk.under(`${DATA}/quarantine`)).toEqual([]);
    await settled();
    expect(isolated(agent)).toEqual([]);
    expect(disagreements(machine, agent)).toEqual([]);
    expect(await agent.unprepare(a)).toEqual({});
    expect(await agent.unprepare(b)).toEqual({});
    expect(remains(machine, agent)).toEqual([]);
  });

  test('does not keep its pod from ending, and is cleaned up from what the claim says', async () => {
    const machine = await machineWithClaims();
    machine.disk.set(RECORD_A, damage(machine.disk.text(RECORD_A)!));
    const agent = await machine.start();
    expect(await agent.unprepare(a)).toEqual({});
    await settled();
    await settled();
    expect(isolated(agent)).toEqual([]);
    expect(Object.keys(machine.hardware.ready())).toEqual(['gpu-1']);
    expect(outcome(await agent.prepare(c))).toEqual(['gpu-0']);
    expect(disagreements(machine, agent)).toEqual([]);
  });

  test('stays aside when neither claim nor person tells what to do, over restarts, until the file is removed', async () => {
    const machine = await machineWithClaims();
    machine.disk.set(RECORD_A, damage(machine.disk.text(RECORD_A)!));
    machine.cluster.delete(a);
    let agent = await machine.start();
    expect(await agent.unprepare(a)).toEqual({});
    await machine.clock.advance(20 * MINUTE);
    await agent.claims.stop();
    agent = await machine.start();
    await settled();
    expect(isolated(agent)).toEqual([`gpu-0 ${code}`]);

    const [file] = machine.disk.under(`${DATA}/quarantine`);
    machine.disk.delete(`${DATA}/quarantine/${file}`);
    await machine.clock.advance(2 * MINUTE);
    expect(isolated(agent)).toEqual([]);
  });
});

test('nothing can be read of a record, nor of its CDI file: every device that nobody is known to have is held', async () => {
  const machine = await machineWithClaims();
  machine.disk.set(RECORD_A, '');
  machine.disk.delete(CDI_A);
  const agent = await machine.start();
  await settled();
  expect(isolated(agent)).toEqual(['gpu-0 DRA331', 'gpu-2 DRA331']);
  // The claim tells what it was.
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  await settled();
  expect(isolated(agent)).toEqual([]);
});

test('after a reboot nothing of a damaged record is in use; what it names may still be unclean', async () => {
  const machine = await machineWithClaims();
  machine.disk.set(RECORD_A, machine.disk.text(RECORD_A)!.slice(0, 250));
  machine.disk.set(`${DATA}/claims/zzz.json`, '');
  machine.reboot();
  let agent = await machine.start();
  await settled();
  expect(isolated(agent)).toEqual(['gpu-0 DRA331']);
  await agent.claims.stop();
  agent = await machine.start();
  await settled();
  expect(isolated(agent)).toEqual(['gpu-0 DRA331']);
});

test('what a newer agent wrote is taken up again by a newer agent', async () => {
  const machine = await machineWithClaims();
  machine.disk.set(RECORD_A, newer(machine.disk.text(RECORD_A)!));
  const old = await machine.start();
  expect(claimFiles(machine.disk)).toEqual(['bbb.json']);
  await old.claims.stop();
  const agent = await machine.start({ formats: [FORMAT_1, { ...FORMAT_1, format: 2 }] });
  expect(claimFiles(machine.disk)).toEqual(['aaa.json', 'bbb.json']);
  expect(machine.disk.under(`${DATA}/quarantine`)).toEqual([]);
  expect(await agent.unprepare(a)).toEqual({});
  expect(Object.keys(machine.hardware.ready())).toEqual(['gpu-1']);
});

test('a damaged record of a share keeps its device from new shares, since which piece it has cannot be told', async () => {
  const gpu = device('gpu-0', { allowMultipleAllocations: true, capacity: { memory: { value: '40Gi' } } });
  const machine = new Machine(new FakeHardware(inventoryOf([gpu])));
  machine.cluster.put(a, [{ device: 'gpu-0', shareID: SHARE }]);
  const first = await machine.start();
  expect(outcome(await first.prepare(a))).toEqual(['gpu-0']);
  await first.claims.stop();
  machine.disk.set(RECORD_A, '');
  const agent = await machine.start();
  expect(outcome(await agent.prepare(a))).toMatch(/^DRA331 .*which share of device gpu-0 it has cannot be told/);
  expect(machine.hardware.ready()).toEqual({ 'gpu-0': [`aaa/${SHARE}`] });
});

test('the folder of records is lost while pods run: their CDI files still tell who has what', async () => {
  const machine = await machineWithClaims();
  machine.disk.wipe(DATA);
  const agent = await machine.start();
  await settled();
  expect(isolated(agent)).toEqual(['gpu-0 DRA331', 'gpu-1 DRA331']);
  expect(outcome(await agent.prepare(c))).toMatch(/^DRA324/);
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  expect(await agent.unprepare(b)).toEqual({});
  await settled();
  await settled();
  expect(machine.hardware.violations).toEqual([]);
  expect(machine.hardware.ready()).toEqual({ 'gpu-0': ['aaa'] });
  expect(disagreements(machine, agent)).toEqual([]);
});

test('a claim whose record is lost leaves nothing behind, though it is deleted as soon as kubelet has its answer', async () => {
  const machine = await machineWithClaims();
  machine.disk.wipe(DATA);
  const agent = await machine.start();
  for (const claim of [a, b]) {
    expect(await agent.unprepare(claim)).toEqual({});
    machine.cluster.delete(claim);
  }
  await settled();
  expect(remains(machine, agent)).toEqual([]);
});

test('files that are none of ours are left alone', async () => {
  const machine = await machineWithClaims();
  machine.disk.set(`${DATA}/claims/README`, 'by a person');
  machine.disk.set(`${CDI}/nvidia.yaml`, 'by a vendor');
  machine.disk.set(`${CDI}/gpu.cdk8s-dra.dev-other_x.json`, 'by a neighbour');
  const agent = await machine.start();
  for (const claim of [a, b]) expect(await agent.unprepare(claim)).toEqual({});
  expect(claimFiles(machine.disk)).toEqual(['README']);
  expect(machine.disk.under(CDI)).toEqual(['gpu.cdk8s-dra.dev-other_x.json', 'nvidia.yaml']);
});

test('a name that is none, a second record of a claim and half written files do no harm', async () => {
  const machine = await machineWithClaims();
  machine.disk.set(`${DATA}/claims/NOT A UID.json`, machine.disk.text(RECORD_A)!);
  machine.disk.set(`${DATA}/claims/aaa.releasing.json`, machine.disk.text(RECORD_A)!);
  machine.disk.set(`${DATA}/claims/.aaa.01234567.tmp`, '{"form');
  const agent = await machine.start();
  expect(claimFiles(machine.disk)).toEqual(['aaa.json', 'bbb.json']);
  expect(machine.disk.under(`${DATA}/quarantine`)).toHaveLength(2);
  expect(outcome(await agent.prepare(a))).toEqual(['gpu-0']);
  expect(machine.hardware.violations).toEqual([]);
});
