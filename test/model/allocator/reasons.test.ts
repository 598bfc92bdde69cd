import { ask, cel, claim, device, deviceClass, DRIVER, exactly, slice, withAttributes } from './cluster';
import type { Cluster, Json } from './cluster';

/** `device: rule` of each reason, with the request where there is one. */
function rules(cluster: Partial<Cluster>): readonly string[] {
  const answer = ask({ slices: [], claims: [claim([exactly('r', { count: 9 })])], ...cluster }, { reasons: true });
  return (answer.reasons ?? []).map(one => `${one.device}: ${one.rule}${one.request === undefined ? '' : ` for ${one.request}`}`);
}

const pool = (resourceSliceCount: number): Json => ({ pool: { resourceSliceCount } });

test.each<[string, Partial<Cluster>, readonly string[]]>([
  ['in use', { slices: [slice([device('a')])], allocated: [{ driver: DRIVER, pool: 'p', device: 'a' }] }, ['a: in-use']],
  ['not selected by the class', { slices: [slice([device('a')])], classes: [deviceClass('gpu', cel('false'))] }, ['a: class-selector 0 for r']],
  ['not selected by the request', { slices: [slice([device('a')])], claims: [claim([exactly('r', cel('false'))])] }, ['a: request-selector 0 for r']],
  ['not selected, with an error', { slices: [slice([device('a')])], claims: [claim([exactly('r', cel('device.attributes["x"].y == 1'))])] }, ['a: request-selector 0 for r']],
  ['on another node', { slices: [slice([device('a')], { nodeName: 'n2' })] }, ['a: node']],
  ['for another node', { slices: [slice([device('a', { nodeName: 'n2' }), device('b', { nodeName: 'n1' })], { perDeviceNodeSelection: true })] }, ['a: node for r']],
  ['tainted', { slices: [slice([device('a', { taints: [{ key: 'k', effect: 'NoSchedule' }] })])] }, ['a: taint for r']],
  ['too small', { slices: [slice([device('a', { capacity: { memory: { value: '1' } } })])], claims: [claim([exactly('r', { capacity: { requests: { memory: '2' } } })])] },
    ['a: capacity for r']],
  ['without the attribute', { slices: [slice([device('a')])], claims: [claim([exactly('r')], { constraints: [{ matchAttribute: 'a.io/b' }] })] }, ['a: constraint 0 for r']],
  ['in an incomplete pool', { slices: [slice([device('a')], pool(2))] }, ['a: pool-incomplete']],
  ['in an invalid pool', { slices: [slice([device('a'), device('a')])] }, ['a: pool-invalid', 'a: pool-invalid']],
  ['obsolete', { slices: [slice([device('a')], { pool: { generation: 1 } }), slice([device('b')], { pool: { generation: 2 } }, 't')] }, ['a: obsolete-generation']],
  ['in need of a gate', { gates: { DRAPartitionableDevices: false }, slices: [slice([device('a', { consumesCounters: [{ counterSet: 's', counters: {} }] })])], claims: [claim([exactly('r')])] },
    ['a: gate for r']],
  ['short of counters', {
    slices: [
      slice([device('a', { consumesCounters: [{ counterSet: 's', counters: { m: { value: '2' } } }] })], pool(2)),
      slice([], { ...pool(2), sharedCounters: [{ name: 's', counters: { m: { value: '1' } } }] }, 't'),
    ],
    claims: [claim([exactly('r')])],
  }, ['a: counters for r']],
])('a device that is %s is explained', (_, cluster, expected) => {
  expect(rules(cluster)).toEqual(expected);
});

test('the reason is the first rule, in the order of upstream', () => {
  const tainted = withAttributes('a', {}, { taints: [{ key: 'k', effect: 'NoSchedule' }] });
  const claims = [claim([exactly('r', cel('false'))], { constraints: [{ matchAttribute: 'a.io/b' }] })];

  expect(rules({ slices: [slice([tainted])], claims })).toEqual(['a: request-selector 0 for r']);
  expect(rules({ slices: [slice([tainted])], claims: [claim([exactly('r')], { constraints: [{ matchAttribute: 'a.io/b' }] })] })).toEqual(['a: taint for r']);
});

test('requests that the search did not come to are judged too', () => {
  const claims = [claim([exactly('r', { count: 9 }), exactly('s', cel('false'))])];

  expect(rules({ slices: [slice([device('a')])], claims })).toEqual(['a: request-selector 0 for s']);
});

test('devices that were chosen have no reason', () => {
  const answer = ask({ slices: [slice([device('a'), device('b')])], claims: [claim([exactly('r', cel('true'))])] }, { reasons: true });

  expect(answer.allocated).toBe(true);
  expect(answer.reasons).toEqual([]);
});

test('reasons change no answer', () => {
  const cluster: Cluster = { slices: [slice([device('a'), device('b')])], claims: [claim([exactly('r', { count: 2 })])] };
  const { reasons, conflicts, ...answer } = ask(cluster, { reasons: true });

  expect(answer).toEqual(ask(cluster));
  expect([reasons, conflicts]).toEqual([[], []]);
});
