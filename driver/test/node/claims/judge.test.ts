import fc from 'fast-check';

import { NODE } from './kit/fake-cluster.js';
import { device, inventoryOf } from './kit/fake-hardware.js';
import type { DeviceClaim } from '../../../src/devices/device-claim.js';
import type { InventoryDevice } from '../../../src/devices/inventory.js';
import { NodeFailure } from '../../../src/devices/node-failure.js';
import { Account } from '../../../src/node/claims/account.js';
import type { AllocatedDevice } from '../../../src/node/claims/allocation.js';
import { HeldByOthers, judge } from '../../../src/node/claims/judge.js';
import type { ClaimRecord, RecordedDevice } from '../../../src/node/claims/record/claim-record.js';
import type { Isolation } from '../../../src/node/device-state.js';

const NAME = { uid: 'new', namespace: 'vision', name: 'new' };
const share = (digit: number) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;

const SHARED = device('gpu-0', { allowMultipleAllocations: true, maxShares: 3, capacity: { memory: { value: '40Gi' }, cores: { value: '100' } } });
/** Two halves and the whole of one card. */
const COUNTERS = [{ name: 'card-0', counters: { slices: { value: '2' } } }];
const consumes = (slices: number) => ({ consumesCounters: [{ counterSet: 'card-0', counters: { slices: { value: String(slices) } } }] });
const HALVES = [device('half-0', consumes(1)), device('half-1', consumes(1)), device('whole', consumes(2))];

function allocated(name: string, more: Partial<AllocatedDevice> = {}): AllocatedDevice {
  return { device: name, pool: NODE, requests: ['gpu'], consumedCapacity: {}, adminAccess: false, config: [], ...more };
}

function recorded(name: string, more: Partial<RecordedDevice> = {}): RecordedDevice {
  return {
    device: name,
    pool: NODE,
    identity: `serial-${name}`,
    parts: [`device/${name}`],
    requests: ['gpu'],
    consumedCapacity: {},
    consumesCounters: [],
    adminAccess: false,
    intent: { device: name },
    ...more,
  };
}

function holder(uid: string, ...devices: readonly RecordedDevice[]): ClaimRecord {
  return { uid, namespace: 'vision', name: uid, state: 'prepared', bootId: 'b', since: '2026-01-01T00:00:00Z', devices };
}

interface Situation {
  readonly devices: readonly InventoryDevice[];
  readonly held?: readonly ClaimRecord[];
  readonly isolations?: readonly Isolation[];
}

function judged(wanted: readonly AllocatedDevice[], { devices, held = [], isolations = [] }: Situation) {
  const account = new Account();
  for (const record of held) account.put(record);
  const plan = ({ device: { name }, otherIntents }: DeviceClaim) => ({ device: name, others: otherIntents.length });
  return judge(NAME, wanted, { pool: NODE, inventory: inventoryOf(devices, COUNTERS), isolations, account }, { plan });
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NodeFailure) return `${error.code} ${error.failureClass} ${error.message}${error instanceof HeldByOthers ? ` [${error.holders.map(({ record }) => record.uid).join()}]` : ''}`;
    throw error;
  }
  return 'no refusal';
}

const ISOLATED: Isolation = { device: 'gpu-1', code: 'DRA362', message: 'fell off the bus', since: '2026-01-01T00:00:00Z' };

test.each<readonly [string, readonly AllocatedDevice[], Situation, string]>([
  ['another pool', [allocated('gpu-1', { pool: 'node-2' })], { devices: [device('gpu-1')] }, 'DRA315 terminal device gpu-1 is allocated from pool node-2; this node has pool node-1'],
  ['a device that is not there', [allocated('gpu-7')], { devices: [device('gpu-0'), device('gpu-1')] }, 'DRA316 retryable device gpu-7 is not there; there are gpu-0, gpu-1'],
  ['an isolated device', [allocated('gpu-1')], { devices: [device('gpu-1')], isolations: [ISOLATED] }, 'DRA324 retryable device gpu-1 is isolated since 2026-01-01T00:00:00Z: DRA362 fell off the bus'],
  ['a device of another claim', [allocated('gpu-1')], { devices: [device('gpu-1')], held: [holder('old', recorded('gpu-1'))] }, 'DRA320 retryable device gpu-1 is held by claim vision/old (uid old) [old]'],
  ['a share of a device that another claim has whole', [allocated('gpu-0', { shareId: share(1) })], { devices: [SHARED], held: [holder('old', recorded('gpu-0'))] }, 'DRA320 retryable'],
  ['a device as a whole of which another claim has a share', [allocated('gpu-0')], { devices: [SHARED], held: [holder('old', recorded('gpu-0', { shareId: share(1) }))] }, `DRA320 retryable device gpu-0 is held by claim vision/old (uid old) (share ${share(1)}) [old]`],
  ['a share of a device without shares', [allocated('gpu-1', { shareId: share(1) })], { devices: [device('gpu-1')] }, `DRA314 terminal it has share ${share(1)} of device gpu-1, which has no shares`],
  ['a device whole and a share of it', [allocated('gpu-0'), allocated('gpu-0', { shareId: share(1) })], { devices: [SHARED] }, 'DRA314 terminal it has device gpu-0 as a whole and a share of it'],
  ['a capacity that the device has not', [allocated('gpu-0', { shareId: share(1), consumedCapacity: { bandwidth: '1' } })], { devices: [SHARED] }, 'DRA314 terminal it takes 1 bandwidth of device gpu-0, which has no such capacity'],
  ['an amount that is none', [allocated('gpu-0', { shareId: share(1), consumedCapacity: { memory: 'much' } })], { devices: [SHARED] }, "DRA314 terminal it takes 'much' memory of device gpu-0; that is no amount"],
  ['less than nothing', [allocated('gpu-0', { shareId: share(1), consumedCapacity: { memory: '-1Gi' } })], { devices: [SHARED] }, 'DRA314 terminal'],
  ['more capacity than is left', [allocated('gpu-0', { shareId: share(2), consumedCapacity: { memory: '21Gi' } })],
    { devices: [SHARED], held: [holder('old', recorded('gpu-0', { shareId: share(1), consumedCapacity: { memory: '20Gi' } }))] },
    `DRA321 retryable device gpu-0 has 40Gi memory, of which 20Gi are taken by claim vision/old (uid old) (share ${share(1)}); 21Gi more are asked for [old]`],
  ['more capacity than there is, in two shares of one claim', [1, 2].map((digit) => allocated('gpu-0', { shareId: share(digit), consumedCapacity: { memory: '21Gi' } })), { devices: [SHARED] }, 'DRA321 retryable'],
  ['one share too many', [allocated('gpu-0', { shareId: share(4) })],
    { devices: [SHARED], held: [1, 2, 3].map((digit) => holder(`old-${digit}`, recorded('gpu-0', { shareId: share(digit) }))) },
    'DRA323 retryable device gpu-0 serves 3 shares at once, and 3 live'],
  ['the whole card beside a half', [allocated('whole')], { devices: HALVES, held: [holder('old', recorded('half-0', consumes(1)))] },
    'DRA322 retryable whole and what is held would take 3 slices of card-0, which has 2; held are half-0 by claim vision/old (uid old) [old]'],
  ['three halves for one claim', [allocated('half-0'), allocated('whole')], { devices: HALVES }, 'DRA322 retryable half-0, whole and what is held would take 3 slices of card-0'],
])('refused: %s', (_, wanted, situation, text) => {
  expect(refusal(() => judged(wanted, situation))).toContain(text);
});

test('a withheld device is refused with the reason why it is', () => {
  const inventory = { ...inventoryOf([]), problems: [{ code: 'DRA344', subject: 'gpu-0', message: 'it has no bus address' }] };
  expect(refusal(() => judge(NAME, [allocated('gpu-0')], { pool: NODE, inventory, isolations: [], account: new Account() }, { plan: () => ({}) })))
    .toBe('DRA316 retryable device gpu-0 is withheld: DRA344 it has no bus address');
});

test.each<readonly [string, readonly AllocatedDevice[], Situation]>([
  ['a free device', [allocated('gpu-1')], { devices: [device('gpu-1')] }],
  ['what the claim has already', [allocated('gpu-1')], { devices: [device('gpu-1')], held: [holder('new', recorded('gpu-1'))] }],
  ['the last capacity', [allocated('gpu-0', { shareId: share(2), consumedCapacity: { memory: '20Gi', cores: '50' } })],
    { devices: [SHARED], held: [holder('old', recorded('gpu-0', { shareId: share(1), consumedCapacity: { memory: '20Gi' } }))] }],
  ['monitoring of a device that is held', [allocated('gpu-1', { adminAccess: true })], { devices: [device('gpu-1')], held: [holder('old', recorded('gpu-1'))] }],
  ['monitoring of a sick one', [allocated('gpu-1', { adminAccess: true })], { devices: [device('gpu-1')], isolations: [ISOLATED] }],
  ['a device that is only monitored', [allocated('gpu-1')], { devices: [device('gpu-1')], held: [holder('old', recorded('gpu-1', { adminAccess: true }))] }],
  ['both halves', [allocated('half-0'), allocated('half-1')], { devices: HALVES }],
  // C-047
  ['the whole card that a half is monitored of', [allocated('whole')], { devices: HALVES, held: [holder('old', recorded('half-0', { adminAccess: true }))] }],
])('granted: %s', (_, wanted, situation) => {
  expect(judged(wanted, situation).map(({ recorded: { device: name } }) => name)).toEqual(wanted.map(({ device: name }) => name));
});

test('a plan for a share sees what all other shares hold, also those of the same claim', () => {
  const planned = judged([2, 3].map((digit) => allocated('gpu-0', { shareId: share(digit) })), { devices: [SHARED], held: [holder('old', recorded('gpu-0', { shareId: share(1) }))] });
  expect(planned.map(({ recorded: { intent } }) => intent.others)).toEqual([1, 2]);
});

test('whoever comes in whatever order, shares never exceed what the device has', () => {
  const amounts = fc.array(fc.record({ memory: fc.nat(40), cores: fc.nat(100), leaves: fc.boolean() }), { maxLength: 12 });
  fc.assert(fc.property(amounts, (wanted) => {
    const account = new Account();
    wanted.forEach(({ memory, cores, leaves }, index) => {
      const name = { uid: `uid-${index}`, namespace: 'vision', name: `claim-${index}` };
      const one = allocated('gpu-0', { shareId: `0000000${index.toString(16)}-1111-4111-8111-111111111111`, consumedCapacity: { memory: `${memory}Gi`, cores: String(cores) } });
      const granted = refusal(() => {
        const planned = judge(name, [one], { pool: NODE, inventory: inventoryOf([SHARED]), isolations: [], account }, { plan: () => ({}) });
        account.put(holder(name.uid, ...planned.map(({ recorded: part }) => part)));
      });
      expect(granted).toMatch(/^(no refusal|DRA321|DRA323)/);
      if (leaves) account.remove(`uid-${Math.floor(index / 2)}`);
      const live = account.holders('gpu-0').map(({ device: { consumedCapacity } }) => consumedCapacity);
      expect(live.length).toBeLessThanOrEqual(3);
      expect(live.reduce((sum, taken) => sum + Number.parseInt(taken.memory!, 10), 0)).toBeLessThanOrEqual(40);
      expect(live.reduce((sum, taken) => sum + Number(taken.cores), 0)).toBeLessThanOrEqual(100);
    });
  }), { numRuns: 200 });
});
