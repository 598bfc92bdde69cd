import fc from 'fast-check';

import type { ClaimRecord } from '../../../src/node/claims/record/claim-record.js';
import { FORMAT_1 } from '../../../src/node/claims/record/record-format-1.js';
import { MAX_RECORD_BYTES, RecordCodec } from '../../../src/node/claims/record/record-format.js';

export const RECORD: ClaimRecord = {
  uid: 'uid-1',
  namespace: 'vision',
  name: 'trainer-0-gpus',
  podClaimName: 'gpus',
  state: 'prepared',
  bootId: '5d4f8f4e-0000-4000-8000-000000000000',
  since: '2026-01-01T00:00:00.000Z',
  devices: [
    {
      device: 'gpu-0',
      pool: 'node-1',
      identity: 'GPU-1',
      parts: ['card-0'],
      requests: ['gpu'],
      shareId: '11111111-1111-4111-8111-111111111111',
      consumedCapacity: { memory: '20Gi' },
      consumesCounters: [{ counterSet: 'card-0', counters: { slices: { value: '1' } } }],
      adminAccess: false,
      intent: { mode: 'fast', 0: 1, nested: { list: [null, true, 1.5, 'x'] } },
      prepared: {
        edits: {
          env: ['A=b=c'],
          deviceNodes: [{ path: '/dev/gpu0', hostPath: '/dev/x', type: 'c', major: 195, minor: 0, permissions: 'rw' }],
          mounts: [{ hostPath: '/a', containerPath: '/b', options: ['ro'], type: 'bind' }],
          hooks: [{ hookName: 'createContainer', path: '/bin/true', args: ['true'], env: ['X=1'], timeout: 1 }],
          additionalGids: [44],
        },
        vendorCdiDevices: ['nvidia.com/gpu=0'],
        state: { vf: 'eth0v1' },
        networkData: { interfaceName: 'net1', hardwareAddress: '02:00:00:00:00:01', ips: ['10.0.0.1/24'] },
      },
      unclean: { code: 'DRA359', message: 'stuck', since: '2026-01-01T00:00:00.000Z' },
    },
    { device: 'gpu-1', pool: 'node-1', identity: '', parts: [], requests: [], consumedCapacity: {}, consumesCounters: [], adminAccess: true, intent: {} },
  ],
};

const codec = new RecordCodec();
const bytes = Buffer.from(codec.encode(RECORD, 1)!);

test('a record is read as it was written, with the fields that every format has in front', () => {
  expect(codec.decode(bytes, 'uid-1')).toEqual({ record: RECORD, format: 1 });
  expect(bytes.toString()).toMatch(/^\{"format":1,"sha256":"[0-9a-f]{64}","record":\{"uid":"uid-1","namespace":"vision","name":"trainer-0-gpus","holds":\["gpu-0"\],/);
  expect(JSON.parse(bytes.toString())).toMatchObject({ format: 1, record: { uid: 'uid-1' } });
});

test('whatever a backend wants to remember is read as it was written', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (intent) => {
    const value = JSON.parse(JSON.stringify(intent)) as ClaimRecord['devices'][number]['intent'];
    const record = { ...RECORD, devices: [{ ...RECORD.devices[0]!, intent: value }] };
    expect(codec.decode(Buffer.from(codec.encode(record, 1)!), 'uid-1')).toEqual({ record, format: 1 });
  }), { examples: [[JSON.parse('{"__proto__":[1]}') as { [key: string]: unknown } as never]] });
});

test('no changed, lost or added byte goes unnoticed, and the devices are held all the same', () => {
  fc.assert(fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.constantFrom('change', 'lose', 'add', 'cut'), (at, by, how) => {
    const part = how === 'change' ? [(bytes[at]! + by) % 256] : how === 'add' ? [by, bytes[at]!] : [];
    const broken = Buffer.concat([bytes.subarray(0, at), Buffer.from(part), how === 'cut' ? Buffer.alloc(0) : bytes.subarray(at + 1)]);
    const decoded = codec.decode(broken, 'uid-1');
    expect(decoded).toMatchObject({ problem: expect.stringMatching(/^(damaged|newer)$/) });
    // What is read of it is the truth, or known not to be all of it; one byte cannot hide both places in which a device is named.
    if ('salvage' in decoded && decoded.salvage.complete) expect(decoded.salvage.devices).toContain('gpu-0');
  }), { numRuns: 2000 });
});

test.each([
  ['empty', '', 'the file is empty', [], false],
  ['no record', 'hello\n', 'the end is missing', [], false],
  ['another document', '{"kind":"Pod"}\n', 'it does not begin like a record', [], false],
  ['cut after the list of devices', bytes.toString().slice(0, 200), 'the end is missing', ['gpu-0'], true],
  ['cut before it', bytes.toString().slice(0, 150), 'the end is missing', [], false],
  ['with a wrong checksum', bytes.toString().replace('fast', 'slow'), 'the checksum is of another content', ['gpu-0', 'gpu-1'], true],
  ['zeros', '\0'.repeat(500), 'the end is missing', [], false],
])('a file that is %s is damaged', (_, text, message, devices, complete) => {
  expect(codec.decode(Buffer.from(text), 'uid-1')).toEqual({ problem: 'damaged', message, salvage: expect.objectContaining({ devices, complete }) });
});

/** A file whose checksum is right. */
function file(body: unknown, format = 1): Buffer {
  const changed = new RecordCodec([{ format, encode: () => body as never, decode: () => RECORD }]);
  return Buffer.from(changed.encode(RECORD, format)!);
}

const body = FORMAT_1.encode(RECORD) as { readonly [key: string]: unknown };

test.each<readonly [string, unknown, RegExp]>([
  ['an unknown field', { ...body, colour: 'red' }, /colour/],
  ['an unknown field of a device', { ...body, devices: [{ ...RECORD.devices[0], colour: 'red' }] }, /colour/],
  ['a missing field', { ...body, bootId: undefined }, /bootId/],
  ['a wrong type', { ...body, devices: {} }, /devices/],
  ['an unknown state', { ...body, state: 'asleep' }, /state/],
  ['a list of devices that is another', { ...body, holds: ['gpu-7'] }, /differ/],
  ['the UID of another', { ...body, uid: 'uid-2' }, /about claim uid-2/],
])('a record with %s is damaged, however right its checksum is', (_, changed, message) => {
  expect(codec.decode(file(changed), 'uid-1')).toMatchObject({ problem: 'damaged', message: expect.stringMatching(message) });
});

test('a record of a later format is kept apart from damage, and its devices are known', () => {
  expect(codec.decode(file({ ...body, holds: ['gpu-0', 'gpu-3'], devices: 'otherwise' }, 7), 'uid-1')).toEqual({
    problem: 'newer',
    message: 'format 7 is not among those that this agent reads (1)',
    salvage: { uid: 'uid-1', namespace: 'vision', name: 'trainer-0-gpus', devices: ['gpu-0', 'gpu-3'], complete: true },
  });
});

test('a record has an upper bound in both directions', () => {
  const large = { ...RECORD, devices: [{ ...RECORD.devices[0]!, intent: { text: 'x'.repeat(MAX_RECORD_BYTES) } }] };
  expect(codec.encode(large, 1)).toBeUndefined();
  expect(codec.decode(Buffer.alloc(MAX_RECORD_BYTES + 1, 'x'), 'uid-1')).toMatchObject({ problem: 'damaged', message: 'the file has more than 1048576 bytes' });
});
