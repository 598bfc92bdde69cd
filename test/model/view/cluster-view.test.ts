import * as fc from 'fast-check';
import { rememberingEvaluator } from '../../../src/model/explain/selector-memory';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import { ClusterView, clusterVersion, collectionAnnotations, messageOf, taintedSlices } from '../../../src/model/view';

function object(kind: string, name: string, fields: JsonObject = {}, namespace?: string): JsonObject {
  const apiVersion = ['Pod', 'Node', 'Event', 'Namespace', 'ResourceQuota'].includes(kind) ? 'v1' : 'resource.k8s.io/v1';
  return { apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...fields };
}

function viewOf(...values: readonly JsonObject[]): ClusterView {
  return ClusterView.of(values.map(value => ({ value, source: { name: 'test' } })));
}

test('lists of every form are taken apart, other kinds are ignored', () => {
  const view = viewOf(
    { apiVersion: 'v1', kind: 'List', items: [object('Pod', 'a', {}, 'ml'), { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } }] },
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimList', items: [{ metadata: { name: 'c', namespace: 'ml' } }] },
    { apiVersion: 'example.com/v1', kind: 'Pod', metadata: { name: 'foreign' } },
  );

  expect(view.all('Pod').map(({ name }) => name)).toEqual(['a']);
  expect(view.find('ResourceClaim', 'ml', 'c')?.name).toBe('c');
});

test('objects are sorted by namespace and name, and the last of two equal ones counts', () => {
  const view = viewOf(object('Pod', 'b', {}, 'y'), object('Pod', 'a', {}, 'z'), object('Pod', 'a', { spec: { nodeName: 'old' } }, 'y'), object('Pod', 'a', { spec: { nodeName: 'new' } }, 'y'));

  expect(view.all('Pod').map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['y/a', 'y/b', 'z/a']);
  expect(view.podsOn('new').map(({ name }) => name)).toEqual(['a']);
  expect(view.podsOn('old')).toEqual([]);
});

test('events change what the view knows, at once', () => {
  const view = viewOf(object('Pod', 'a', { spec: { nodeName: 'n0' } }, 'ml'));
  expect(view.podsOn('n0')).toHaveLength(1);

  view.apply({ type: 'MODIFIED', object: object('Pod', 'a', { spec: { nodeName: 'n1' } }, 'ml') });
  view.apply({ type: 'ADDED', object: object('Pod', 'b', { spec: { nodeName: 'n1' } }, 'ml') });
  expect([view.podsOn('n0').length, view.podsOn('n1').length]).toEqual([0, 2]);

  view.apply({ type: 'DELETED', object: object('Pod', 'a', {}, 'ml') });
  expect(view.podsOn('n1').map(({ name }) => name)).toEqual(['b']);
});

test('whatever the order of events, the view is that of the objects that are left', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const event = fc.record({ type: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const), name, node: fc.constantFrom('n0', 'n1') });
  fc.assert(fc.property(fc.array(event), events => {
    const view = new ClusterView();
    const left = new Map<string, JsonObject>();
    for (const one of events) {
      const pod = object('Pod', one.name, { spec: { nodeName: one.node } }, 'ml');
      view.apply({ type: one.type, object: pod });
      if (one.type === 'DELETED') left.delete(one.name);
      else left.set(one.name, pod);
      // Looked at in between, so that what is remembered has to be forgotten again.
      view.podsOn('n0');
    }
    const fresh = viewOf(...left.values());
    expect(view.all('Pod')).toEqual(fresh.all('Pod'));
    expect([view.podsOn('n0'), view.podsOn('n1')]).toEqual([fresh.podsOn('n0'), fresh.podsOn('n1')]);
  }));
});

test('finished pods hold no node', () => {
  expect(viewOf(object('Pod', 'a', { spec: { nodeName: 'n0' }, status: { phase: 'Succeeded' } }, 'ml')).podsOn('n0')).toEqual([]);
});

test('absence says something only where objects of the kind are there, or were asked for', () => {
  const annotations = collectionAnnotations({ serverVersion: 'v1.36.3', kinds: ['Node'] });
  const collected = viewOf({ apiVersion: 'v1', kind: 'List', metadata: { annotations }, items: [object('Pod', 'a')] });

  expect([collected.isKnown('Node'), collected.isKnown('Pod'), collected.isKnown('ResourceSlice')]).toEqual([true, true, false]);
});

test('events of an object are told oldest first, in both API groups, and not those of its predecessor', () => {
  const about = (uid: string): JsonObject => ({ kind: 'Pod', namespace: 'ml', name: 'p', uid });
  const view = viewOf(
    object('Pod', 'p', { metadata: { name: 'p', namespace: 'ml', uid: 'new' } }),
    object('Event', 'e1', { involvedObject: about('new'), lastTimestamp: '2026-11-30T08:00:02Z', message: 'second' }, 'ml'),
    { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e2', namespace: 'ml' }, regarding: about('new'), eventTime: '2026-11-30T08:00:01.000000Z', note: 'first' },
    object('Event', 'e3', { involvedObject: about('old'), lastTimestamp: '2026-11-30T08:00:03Z', message: 'before' }, 'ml'),
  );
  const [pod] = view.all('Pod');

  expect(view.eventsOf(pod).map(messageOf)).toEqual(['first', 'second']);
});

test('objects of versions with another shape are named and not read', () => {
  const view = viewOf({ apiVersion: 'resource.k8s.io/v1beta1', kind: 'ResourceSlice', metadata: { name: 's' } });

  expect(view.all('ResourceSlice')).toEqual([]);
  expect(view.unreadObjects()).toEqual(['ResourceSlice s in resource.k8s.io/v1beta1']);
});

test.each<[string, readonly JsonObject[], object | undefined]>([
  ['that of a collected file', [
    { apiVersion: 'v1', kind: 'List', metadata: { annotations: collectionAnnotations({ serverVersion: 'v1.35.1', kinds: ['Node'] }) }, items: [] },
    object('Node', 'n', { status: { nodeInfo: { kubeletVersion: 'v1.34.2' } } }),
  ], { minor: '1.35', from: 'server' }],
  ['that of the newest kubelet', [
    object('Node', 'a', { status: { nodeInfo: { kubeletVersion: 'v1.36.3' } } }), object('Node', 'b', { status: { nodeInfo: { kubeletVersion: 'v1.34.2' } } }),
  ], { minor: '1.36', from: 'kubelets' }],
  ['unknown without either', [object('Node', 'n')], undefined],
])('the version of the cluster is %s', (_, objects, expected) => {
  expect(clusterVersion(viewOf(...objects))).toEqual(expected);
});

describe('taint rules', () => {
  const slice = object('ResourceSlice', 's', { spec: { driver: 'gpu.acme.io', pool: { name: 'n0' }, devices: [{ name: 'a', taints: [{ key: 'own' }] }, { name: 'b' }] } });
  const rule = (deviceSelector: JsonObject | undefined): JsonObject => object('DeviceTaintRule', 'r', { spec: { ...(deviceSelector ? { deviceSelector } : {}), taint: { key: 'added' } } });
  const keys = (value: JsonObject, version: string, gates = ''): unknown => {
    const [{ spec }] = taintedSlices(viewOf(slice, value), Target.parse(version, gates));
    return (spec as { devices: { taints?: { key: string }[] }[] }).devices.map(({ taints = [] }) => taints.map(({ key }) => key));
  };

  // Upstream: applyPatches of resourceslice/tracker, 1.34
  describe('in 1.34', () => {
    const typed = object('ResourceSlice', 's', {
      spec: {
        driver: 'gpu.acme.io',
        pool: { name: 'n0' },
        devices: [{ name: 'a', attributes: { model: { string: 'x' } } }, { name: 'b', attributes: { model: { string: 'y' } } }],
      },
    });
    const isX = [{ cel: { expression: 'device.attributes["gpu.acme.io"].model == "x"' } }];
    const big = object('DeviceClass', 'big', { spec: { selectors: isX } });
    const tainted = (selector: JsonObject | undefined): unknown => {
      const target = Target.parse('1.34', 'DRADeviceTaints=true');
      const [{ spec }] = taintedSlices(viewOf(typed, big, rule(selector)), target, rememberingEvaluator(target));
      const { devices } = spec as { devices: { name: string; taints?: object[] }[] };
      return devices.filter(({ taints = [] }) => taints.length > 0).map(({ name }) => name);
    };

    test.each<[string, JsonObject | undefined, unknown]>([
      ['without a selector taints everything', undefined, ['a', 'b']],
      ['with CEL taints what matches', { selectors: isX }, ['a']],
      ['with a class taints its devices', { deviceClassName: 'big' }, ['a']],
      ['with a class that is not there taints nothing', { deviceClassName: 'huge' }, []],
      ['with CEL that fails taints nothing', { selectors: [{ cel: { expression: 'device.attributes["gpu.acme.io"].nothing == 1' } }] }, []],
      ['with CEL that does not compile taints nothing', { selectors: [{ cel: { expression: 'nothing' } }] }, []],
    ])('a rule %s', (_, selector, expected) => {
      expect(tainted(selector)).toEqual(expected);
    });

    test('a rule with CEL taints as one without from 1.35 on, which has no such field', () => {
      expect(keys(rule({ driver: 'gpu.acme.io', selectors: [{ cel: { expression: 'false' } }] }), '1.37')).toEqual([['own', 'added'], ['added']]);
    });
  });

  test.each<[string, JsonObject | undefined, unknown]>([
    ['of one device', { driver: 'gpu.acme.io', pool: 'n0', device: 'a' }, [['own', 'added'], []]],
    ['of a driver', { driver: 'gpu.acme.io' }, [['own', 'added'], ['added']]],
    ['of everything', {}, [['own', 'added'], ['added']]],
    ['of another pool', { pool: 'n1' }, [['own'], []]],
    ['of nothing', undefined, [['own'], []]],
  ])('a rule %s taints just that', (_, selector, expected) => {
    expect(keys(rule(selector), '1.37')).toEqual(expected);
  });

  test('a rule counts only where its gates are on', () => {
    expect(keys(rule({}), '1.36')).toEqual([['own'], []]);
    expect(keys(rule({}), '1.36', 'DRADeviceTaintRules=true')).toEqual([['own', 'added'], ['added']]);
  });
});
