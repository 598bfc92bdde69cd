import fc from 'fast-check';

import { claimObject, DRIVER, NODE } from './kit/fake-cluster.js';
import type { Config, Result } from './kit/fake-cluster.js';
import { NodeFailure } from '../../../src/devices/node-failure.js';
import { allocatedClaim } from '../../../src/node/claims/allocation.js';

const NAME = { uid: 'uid-1', namespace: 'vision', name: 'trainer' };
const WHERE = { driver: DRIVER, node: NODE };
const SHARE = '11111111-1111-4111-8111-111111111111';

function read(results: readonly Result[], config: readonly Config[] = [], more: object = {}) {
  return allocatedClaim(claimObject(NAME, results, config, more), WHERE);
}

/** Code and class of a refusal, and its text. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NodeFailure) return `${error.code} ${error.failureClass} ${error.message}`;
    throw error;
  }
  return 'no refusal';
}

// C-080
test.each<readonly [string, readonly Result[], object, string]>([
  ['no device', [], {}, 'DRA314 terminal it has 0 devices; a claim has 1 to 32'],
  ['33 devices', Array.from({ length: 33 }, (_, index) => ({ device: `gpu-${index}` })), {}, 'DRA314 terminal it has 33 devices; a claim has 1 to 32'],
  ['nothing of ours', [{ device: 'nic-0', driver: 'nic.example' }], {}, `DRA314 terminal none of its 1 devices is of driver ${DRIVER}`],
  ['a device that is no name', [{ device: '../../etc' }], {}, 'DRA314 terminal status.allocation.devices.results[0].device must be a DNS label'],
  ['a share that is no UUID', [{ device: 'gpu-0', shareID: '../x' }], {}, 'DRA314 terminal status.allocation.devices.results[0].shareID must be a UUID in lower case'],
  ['an amount that is no amount', [{ device: 'gpu-0', consumedCapacity: { memory: {} as string } }], {}, 'DRA314 terminal status.allocation.devices.results[0].consumedCapacity.memory must be a quantity'],
  ['another node', [{ device: 'gpu-0' }], { nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }] }] } }, 'DRA317 terminal its node selector excludes node node-1'],
  ['anything but this node', [{ device: 'gpu-0' }], { nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: [NODE] }] }] } }, 'DRA317'],
  ['no node at all', [{ device: 'gpu-0' }], { nodeSelector: { nodeSelectorTerms: [] } }, 'DRA317'],
])('an allocation that cannot be is refused: %s', (_, results, more, text) => {
  expect(refusal(() => read(results, [], more))).toContain(text);
});

test.each([
  ['no status', { metadata: { uid: 'u' } }, 'DRA313 retryable its status has no allocation'],
  ['no allocation', { metadata: { uid: 'u' }, status: {} }, 'DRA313 retryable'],
  ['no UID', { metadata: {}, status: { allocation: { devices: { results: [{ request: 'r', driver: DRIVER, pool: NODE, device: 'd' }] } } } }, 'DRA314 terminal metadata.uid must be a text'],
  ['results that are no list', { metadata: { uid: 'u' }, status: { allocation: { devices: { results: {} } } } }, 'DRA314 terminal status.allocation.devices.results must be a list'],
  ['a result that is no object', { metadata: { uid: 'u' }, status: { allocation: { devices: { results: [null] } } } }, 'DRA314 terminal status.allocation.devices.results[0] must be an object'],
  ['a list', [], 'DRA314 terminal the claim must be an object'],
])('a claim that no server has is refused: %s', (_, claim, text) => {
  expect(refusal(() => allocatedClaim(claim, WHERE))).toContain(text);
});

test('whatever is in a claim, it is read or refused, and never worse', () => {
  const result = fc.record({ request: fc.anything(), driver: fc.constant(DRIVER), pool: fc.anything(), device: fc.anything() });
  const claim = fc.record({
    metadata: fc.anything(),
    status: fc.oneof(fc.anything(), fc.record({
      allocation: fc.record({
        devices: fc.record({
          results: fc.array(fc.oneof(fc.anything(), result)),
          config: fc.anything(),
        }),
        nodeSelector: fc.anything(),
      }),
    })),
  });
  fc.assert(fc.property(claim, (value) => {
    expect(refusal(() => allocatedClaim(value, WHERE))).toMatch(/^(DRA31\d|no refusal)/);
  }), { numRuns: 500 });
});

test('request names lose their subrequest, and one device is one entry', () => {
  expect(read([{ device: 'gpu-0', request: 'a/large' }, { device: 'gpu-0', request: 'b' }, { device: 'gpu-0', request: 'b' }]).devices).toEqual([
    { device: 'gpu-0', pool: NODE, requests: ['a', 'b'], consumedCapacity: {}, adminAccess: false, config: [] },
  ]);
});

test('two shares of a device are two entries, use and monitoring of one are use', () => {
  const other = SHARE.replace('1', '2');
  expect(read([{ device: 'gpu-0', shareID: SHARE }, { device: 'gpu-0', shareID: other }]).devices.map(({ shareId }) => shareId)).toEqual([SHARE, other]);
  expect(read([{ device: 'gpu-0', adminAccess: true }, { device: 'gpu-0', request: 'real' }]).devices.map(({ adminAccess }) => adminAccess)).toEqual([false]);
});

// C-079
test('config counts once, that of the class before that of the claim, and only for the requests it names', () => {
  const config: readonly Config[] = [
    { source: 'FromClaim', requests: ['gpu'], parameters: { mode: 'claim' } },
    { source: 'FromClass', requests: ['gpu', 'other'], parameters: { mode: 'class' } },
    { source: 'FromClaim', requests: ['gpu'], parameters: { mode: 'claim' } },
    { source: 'FromClaim', requests: ['else'], parameters: { mode: 'not ours' } },
    { source: 'FromClaim', requests: [], parameters: { mode: 'all' } },
    { source: 'FromClaim', driver: 'nic.example', parameters: { mode: 'of another driver' } },
  ];
  expect(read([{ device: 'gpu-0', request: 'gpu/small' }], config).devices[0]!.config).toEqual([{ mode: 'class' }, { mode: 'claim' }, { mode: 'all' }]);
});

test('config for a subrequest is for that one alone', () => {
  const config = [{ requests: ['gpu/large'], parameters: { size: 'large' } }];
  expect(read([{ device: 'gpu-0', request: 'gpu/large' }], config).devices[0]!.config).toEqual([{ size: 'large' }]);
  expect(read([{ device: 'gpu-0', request: 'gpu/small' }], config).devices[0]!.config).toEqual([]);
});

// C-077
test('parameters may have 10 KiB and not a byte more, and must be an object', () => {
  const bytes = (count: number) => ({ text: 'x'.repeat(count - '{"text":""}'.length) });
  expect(read([{ device: 'gpu-0' }], [{ parameters: bytes(10 * 1024) }]).devices).toHaveLength(1);
  expect(refusal(() => read([{ device: 'gpu-0' }], [{ parameters: bytes(10 * 1024 + 1) }]))).toBe('DRA318 terminal status.allocation.devices.config[0].opaque.parameters has 10241 bytes; 10240 are the most');
  for (const parameters of [[], 'text', null, 7]) expect(refusal(() => read([{ device: 'gpu-0' }], [{ parameters }]))).toContain('DRA318 terminal');
});

test('integers that only an exact reader keeps become texts', () => {
  expect(read([{ device: 'gpu-0' }], [{ parameters: { large: 9007199254740993n } }]).devices[0]!.config).toEqual([{ large: '9007199254740993' }]);
});

test('the name in the pod\'s spec comes from the annotation of the claim controller', () => {
  const claim = claimObject(NAME, [{ device: 'gpu-0' }]);
  expect(allocatedClaim({ ...claim, metadata: { ...claim.metadata, annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpus' } } }, WHERE).podClaimName).toBe('gpus');
});
