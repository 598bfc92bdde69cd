import type { ClaimEvent } from '../../../src/node/claims/claim-observer.js';
import { agentLog } from '../../../src/node/observe/agent-log.js';
import { AgentMetrics } from '../../../src/node/observe/agent-metrics.js';
import { AgentObserver } from '../../../src/node/observe/agent-observer.js';

const CLAIM = { uid: 'u1', namespace: 'ml', name: 'trainer' };

function observed() {
  const lines: { readonly [field: string]: unknown }[] = [];
  const events: ClaimEvent[] = [];
  const log = agentLog({ level: 'debug', driver: 'gpu.example.com', node: 'node-1', to: { write: (line: string) => { lines.push(JSON.parse(line) as { [field: string]: unknown }); } } });
  return { lines, events, observer: new AgentObserver(new AgentMetrics('gpu.example.com', '1'), log, { emit: (event) => events.push(event) }) };
}

test('a line names driver, node, claim and what came of it', () => {
  const { lines, events, observer } = observed();

  observer.claims.ended({ operation: 'prepare', claim: CLAIM, outcome: 'ok', seconds: 0.00234 });

  expect(lines).toEqual([{
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    driver: 'gpu.example.com',
    node: 'node-1',
    operation: 'prepare',
    claim: 'ml/trainer',
    uid: 'u1',
    outcome: 'ok',
    ms: 2.3,
    msg: 'prepare done',
  }]);
  expect(events).toEqual([]);
});

test('a failure is a warning and an Event on the claim that begins with the code', () => {
  const { lines, events, observer } = observed();

  observer.claims.ended({ operation: 'prepare', claim: CLAIM, outcome: 'retryable', code: 'DRA320', message: 'gpu-0 is held by claim ml/other', seconds: 1 });

  expect(lines[0]).toMatchObject({ level: 'warn', code: 'DRA320', outcome: 'retryable', msg: 'gpu-0 is held by claim ml/other' });
  expect(events).toEqual([{ type: 'Warning', reason: 'DeviceStillHeld', message: 'DRA320 device-still-held: gpu-0 is held by claim ml/other', claim: CLAIM }]);
});

test.each(['DRA303', 'DRA319'])('%s is part of any day: a line, and no Event', (code) => {
  const { lines, events, observer } = observed();

  observer.claims.ended({ operation: 'prepare', claim: CLAIM, outcome: 'retryable', code, message: 'm', seconds: 1 });

  expect(lines[0]).toMatchObject({ level: 'info', code });
  expect(events).toEqual([]);
});

// C-005
test('a notice about a claim is an Event on it, one about an unknown claim is on the Node', () => {
  const { events, observer } = observed();

  observer.claims.noticed({ code: 'DRA331', message: 'record claims/u1.json is set aside: checksum', claim: CLAIM });
  observer.claims.noticed({ code: 'DRA331', message: 'record claims/x.json is set aside: truncated', claim: { uid: 'u2' } });
  observer.claims.noticed({ message: 'device gpu-0 is clean again', claim: CLAIM });
  observer.claims.noticed({ message: 'this agent writes (number 1)' });

  expect(events).toEqual([
    { type: 'Warning', reason: 'RecordDamaged', message: 'DRA331 record-damaged: record claims/u1.json is set aside: checksum', claim: CLAIM },
    { type: 'Warning', reason: 'RecordDamaged', message: 'DRA331 record-damaged: record claims/x.json is set aside: truncated' },
    { type: 'Normal', reason: 'Recovered', message: 'device gpu-0 is clean again', claim: CLAIM },
  ]);
});

test('a device that is sick and recovers is told twice, on the Node', () => {
  const { events, observer } = observed();

  observer.health.becameSick('gpu-0', 'DRA999', 'fell off the bus');
  observer.health.recovered('gpu-0');

  expect(events.map(({ type, reason, message }) => [type, reason, message])).toEqual([
    ['Warning', 'DeviceSick', 'device gpu-0: fell off the bus'],
    ['Normal', 'DeviceRecovered', 'device gpu-0 is well again'],
  ]);
});

test('problems of publishing are told when they change, not with each look', () => {
  const { lines, observer } = observed();
  const problem = { code: 'DRA345', subject: 'gpu-0', message: 'an attribute is left out' };

  for (let look = 0; look < 3; look++) observer.slices.problems([problem]);
  observer.slices.problems([]);

  expect(lines.map(({ msg }) => msg)).toEqual(['an attribute is left out', 'nothing stands in the way of any device']);
});

test('a pool that stays as it is is told once', () => {
  const { lines, observer } = observed();

  for (let look = 0; look < 3; look++) observer.slices.published({ generation: 1, slices: [{}] });
  observer.slices.published({ generation: 2, slices: [{}] });
  observer.slices.published(undefined);

  expect(lines.map(({ generation, msg }) => [generation, msg])).toEqual([[1, 'the pool is as it should be'], [2, 'the pool is as it should be'], [0, 'nothing is published']]);
});

test('what kubelet knows of the agent is told with its own words', () => {
  const { lines, observer } = observed();

  observer.registration({ state: 'waiting', attempt: 1 });
  observer.registration({ state: 'waiting', attempt: 1, refusal: 'endpoint already registered' });
  observer.registration({ state: 'registered' });
  observer.registration({ state: 'lost', attempt: 1 });

  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['info', 'the sockets are open; kubelet should come'],
    ['warn', 'kubelet refuses the agent: endpoint already registered'],
    ['info', 'kubelet calls this agent'],
    ['warn', 'kubelet has left; the sockets stay open'],
  ]);
});

// C-097
test('hardware that cannot be looked at is a warning with its code; hardware that did not change is no line', () => {
  const { lines, observer } = observed();

  observer.discovery.failed(0.1, Object.assign(new Error('no sysfs'), { code: 'DRA342' }));
  observer.discovery.discovered(0.1, { devices: [], counterSets: [], problems: [{ code: 'DRA343', subject: 'gpu-0', message: 'gpu-0 is not ready' }] });
  observer.discovery.discovered(0.1, undefined);

  expect(lines.map(({ level, code, msg }) => [level, code, msg])).toEqual([
    ['warn', 'DRA342', 'the hardware cannot be looked at: no sysfs'],
    ['info', undefined, 'the hardware was looked at'],
    ['warn', 'DRA343', 'gpu-0 is not ready'],
  ]);
});

test('publishing that fails is a line; a failure of the catalogue is an Event too', () => {
  const { lines, events, observer } = observed();

  observer.slices.failed(new Error('no answer'));
  observer.slices.failed(Object.assign(new Error('the server dropped fields'), { code: 'DRA371' }));
  observer.slices.failed(Object.assign(new Error('socket'), { code: 'ECONNRESET' }));

  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'publishing failed: no answer'], ['warn', 'publishing failed: the server dropped fields'], ['warn', 'publishing failed: socket'],
  ]);
  expect(events).toHaveLength(1);
  expect(events[0]?.message).toMatch(/^DRA371 [a-z-]+: the server dropped fields$/);
});

test('details are there for those who ask for them, and for nobody else', () => {
  const lines: string[] = [];
  const log = agentLog({ level: 'info', driver: 'd', node: 'n', to: { write: (line: string) => { lines.push(line); } } });
  const observer = new AgentObserver(new AgentMetrics('d', '1'), log, { emit: () => undefined });

  observer.claims.stage({ operation: 'prepare', stage: 'cdi', outcome: 'ok', seconds: 1 });
  observer.slices.wrote('create', 'success', 1);

  expect(lines).toEqual([]);
});
