import { claimName, CDI, Machine, outcome } from './kit/agent-under-test.js';
import { claimFiles } from './kit/agreement.js';
import { device, FakeHardware, inventoryOf } from './kit/fake-hardware.js';

function machineWith(...names: readonly string[]): Machine {
  return new Machine(new FakeHardware(inventoryOf(names.map((name) => device(name)))));
}

test('a claim gets its device, a record and a CDI file, and gives all three back', async () => {
  const machine = machineWith('gpu-0', 'gpu-1');
  const claim = claimName('uid-1');
  machine.cluster.put(claim, [{ device: 'gpu-0' }]);
  const agent = await machine.start();

  expect(await agent.prepare(claim)).toEqual({
    devices: [{ requestNames: ['gpu'], poolName: 'node-1', deviceName: 'gpu-0', cdiDeviceIds: ['gpu.cdk8s-dra.dev/claim=claim-uid-1-gpu-0'] }],
  });
  expect(machine.hardware.ready()).toEqual({ 'gpu-0': ['uid-1'] });
  expect(claimFiles(machine.disk)).toEqual(['uid-1.json']);
  expect(machine.disk.under(CDI)).toEqual(['gpu.cdk8s-dra.dev-claim_uid-1.json']);
  expect(agent.claims.held.current).toEqual([{ device: 'gpu-0', claimUid: 'uid-1', namespace: 'vision', name: 'claim-uid-1', state: 'prepared' }]);

  expect(await agent.unprepare(claim)).toEqual({});
  expect(machine.hardware.touched).toEqual([]);
  expect(claimFiles(machine.disk)).toEqual([]);
  expect(machine.disk.under(CDI)).toEqual([]);
  expect(outcome(await agent.prepare(claim))).toEqual(['gpu-0']);
  expect(machine.hardware.violations).toEqual([]);
});
