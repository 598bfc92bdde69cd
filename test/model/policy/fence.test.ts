import { claim, refusals } from './trial';
import { consumersPolicy, fencePolicy } from '../../../src/model/policy';

const FENCED = { spec: { fencedPools: [{ driver: 'gpu.example.com', pools: ['n1'] }] } };

function allocated(driver: string, pool: string) {
  return { ...claim(['large']), status: { allocation: { devices: { results: [{ request: 'r0', driver, pool, device: 'gpu-0' }] } } } };
}

test('a new allocation from a fenced pool is refused with its device', () => {
  const words = refusals(fencePolicy({}), { object: allocated('gpu.example.com', 'n1'), oldObject: claim(['large']), params: FENCED });
  expect(words).toEqual([
    'Device gpu.example.com/n1/gpu-0 is fenced: its node changes owner, and nothing new is allocated there until that is done. '
    + 'The pod waits and takes this or another device as soon as one may be had.',
  ]);
});

test.each([
  ['another pool', allocated('gpu.example.com', 'n2'), claim(['large']), FENCED],
  ['another driver', allocated('nic.example.com', 'n1'), claim(['large']), FENCED],
  ['no fence', allocated('gpu.example.com', 'n1'), claim(['large']), { spec: {} }],
  ['giving back', claim(['large']), allocated('gpu.example.com', 'n1'), FENCED],
  ['another pod on what was allocated', allocated('gpu.example.com', 'n1'), allocated('gpu.example.com', 'n1'), FENCED],
])('%s passes', (_title, object, oldObject, params) => {
  expect(refusals(fencePolicy({}), { object, oldObject, params })).toEqual([]);
});

test('a full-size fence stays within what CEL may cost', () => {
  const pools = Array.from({ length: 4096 }, (_, index) => `pool-${index}`);
  const fencedPools = Array.from({ length: 32 }, (_, index) => ({ driver: `d${index}`, pools }));
  const results = Array.from({ length: 32 }, () => ({ driver: 'd31', pool: 'none', device: 'gpu-0' }));
  const object = { ...claim(['large']), status: { allocation: { devices: { results } } } };
  expect(refusals(fencePolicy({}), { object, oldObject: claim(['large']), params: { spec: { fencedPools } } })).toEqual([]);
});

describe('consumers', () => {
  const shared = (pods: number) => ({ ...claim(['large']), status: { reservedFor: Array.from({ length: pods }, (_, index) => ({ resource: 'pods', name: `p${index}`, uid: `${index}` })) } });
  const decide = (before: number, after: number, limits: object | undefined) => refusals(consumersPolicy({ tenantNamespaceLabels: { a: 'b' } }), {
    object: shared(after), oldObject: shared(before), params: { spec: limits === undefined ? {} : { limits } },
  });

  test('up to the limit share a claim, no more', () => {
    expect(decide(0, 2, { consumersPerClaim: 2 })).toEqual([]);
    expect(decide(2, 3, { consumersPerClaim: 2 })).toEqual([
      'Claim mine may be shared by 2 pods in namespace vision, and would have 3. Give each pod a claim of its own with a claim template, '
      + 'or wait until a pod ends. The limit: DeviceAccess default.',
    ]);
  });

  test('a claim over its limit can still be released, and without a limit 256 share it', () => {
    expect(decide(5, 4, { consumersPerClaim: 2 })).toEqual([]);
    expect(decide(5, 5, { consumersPerClaim: 2 })).toEqual([]);
    expect(decide(255, 256, undefined)).toEqual([]);
  });
});
