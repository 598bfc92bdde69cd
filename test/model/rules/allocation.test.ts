import * as fc from 'fast-check';
import { check, claim, documents, found, manifestsOf, request, textOf } from './check';
import { ManifestSet } from '../../../src/model/manifests/manifest-set';
import { claimSpecsOf } from '../../../src/model/rules/claim-spec';
import { searchSteps } from '../../../src/model/rules/search-estimate';
import { Target } from '../../../src/model/target';
import type { Minor } from '../../../src/model/target';
import { ask } from '../allocator/cluster';
import type { Json } from '../allocator/cluster';

const need = (name: string, deviceClassName: string, count: number) => ({ name, exactly: { deviceClassName, count } });
const singles = (length: number, deviceClassName: string, name = deviceClassName) => Array.from({ length }, (_, i) => need(`${name}-${i}`, deviceClassName, 1));

function estimate(devices: unknown, combinations = true): number {
  const [spec] = claimSpecsOf(new ManifestSet(manifestsOf(claim(devices))));
  return searchSteps(spec, combinations);
}

describe('the estimate of a search', () => { // C-124
  /** Devices of each class on a node, all alike but for the driver. */
  const slicesOf = (devices: ReadonlyMap<string, readonly Json[]>): Json[] => [...devices].map(([name, list]) => ({
    metadata: { name },
    spec: { driver: `${name}.example`, nodeName: 'n1', pool: { name, generation: 1, resourceSliceCount: 1 }, devices: list },
  }));
  const classesOf = (names: Iterable<string>): Json[] => [...names].map((name) => ({
    metadata: { name }, spec: { selectors: [{ cel: { expression: `device.driver == "${name}.example"` } }] },
  }));
  const plain = (length: number): Json[] => Array.from({ length }, (_, i) => ({ name: `d${i}` }));
  const stepsOf = (minor: Minor, devices: ReadonlyMap<string, readonly Json[]>, wanted: Json): number => {
    const names = new Set(['a', 'b', 'c']);
    return ask({ minor, slices: slicesOf(devices), classes: classesOf(names), claims: [{ metadata: { name: 'c', namespace: 'ns' }, spec: { devices: wanted } }] }).steps;
  };

  const requests = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 4 })
    .map((list) => list.map(([className, count], i) => need(`r${i}`, className, count)));

  test.each(['1.35', '1.36'] as const)('is what the allocator of %s does on a node that lacks one device', (minor) => {
    fc.assert(fc.property(requests, (list) => {
      const wanted = new Map<string, number>();
      for (const { exactly } of list) wanted.set(exactly.deviceClassName, (wanted.get(exactly.deviceClassName) ?? 0) + exactly.count);
      const last = list[list.length - 1].exactly.deviceClassName;
      const devices = new Map([...wanted].map(([name, count]) => [name, plain(name === last ? count - 1 : count)]));
      const picks = estimate({ requests: list }, minor === '1.36');
      fc.pre(picks < 100_000);
      const steps = stepsOf(minor, devices, { requests: list });
      // A step is a pick, or the way to the next request.
      expect(steps).toBeGreaterThan(picks);
      expect(steps).toBeLessThanOrEqual(2 * picks + 1);
    }), { numRuns: 100, seed: 124 });
  });

  test('counts pairs that a constraint ties as the allocator does', () => {
    const pairs = 4;
    const wanted = {
      requests: [...singles(pairs, 'a'), ...singles(pairs, 'b')],
      constraints: Array.from({ length: pairs }, (_, i) => ({ requests: [`a-${i}`, `b-${i}`], matchAttribute: 'x.example/root' })),
    };
    const onRoot = (length: number): Json[] => Array.from({ length }, (_, i) => ({ name: `d${i}`, attributes: { 'x.example/root': { int: i } } }));
    const picks = estimate(wanted);
    const steps = stepsOf('1.36', new Map([['a', onRoot(pairs)], ['b', onRoot(pairs - 1)]]), wanted);
    expect(steps / picks).toBeGreaterThan(0.1);
    expect(steps / picks).toBeLessThan(10);
  });

  test.each([
    ['20 devices in one request', { requests: [need('a', 'a', 20)] }, true, 2 ** 19 - 1],
    ['20 devices with the orders of each choice', { requests: [need('a', 'a', 10)] }, false, 986_409],
    ['mode All', { requests: [{ name: 'a', exactly: { deviceClassName: 'a', allocationMode: 'All' } }] }, true, 0],
    ['no request', {}, true, 0],
    ['more requests than a claim can have', { requests: singles(33, 'a') }, true, 0],
    ['more devices than a claim can have', { requests: [need('a', 'a', 33)] }, true, 0],
    ['absurd counts', { requests: [need('a', 'a', 1e15)] }, true, 0],
    ['as many as it can', { requests: [need('a', 'a', 32)] }, true, 2 ** 31 - 1],
  ])('of %s', (_, devices, combinations, expected) => {
    expect(estimate(devices, combinations)).toBe(expected);
  });
});

test.each([ // C-124
  ['twelve requests for one device each', '1.36', { requests: singles(12, 'gpu.nvidia.com', 'gpu') }, /about 110 million times.*in one request with a count/],
  ['21 devices', '1.36', { requests: [request('a', { count: 21 })] }, /about 1 million times.*allocationMode: All\.$/],
  ['11 devices where orders count', '1.35', { requests: [request('a', { count: 11 })] }, /about 9\.9 million times.*Kubernetes 1\.36 and later/],
  ['GPUs and NICs where orders count', '1.34', { requests: [request('a', { count: 8 }), need('b', 'dra.net', 8)] }, /about 550 million times/],
  ['32 requests', '1.36', { requests: singles(32, 'gpu.nvidia.com', 'gpu') }, /countless times/],
] as const)('%s make a long search on %s', (_, version, devices, text) => {
  const yaml = claim(devices);
  expect(found(yaml, version).filter((finding) => finding.startsWith('DRA182'))).toEqual(['DRA182 warning spec.devices.requests']);
  expect(textOf(yaml, 'DRA182', version)).toMatch(text);
});

test.each([
  ['a whole node', '1.34', { requests: [request('a', { count: 8 })] }],
  ['20 devices', '1.36', { requests: [request('a', { count: 20 })] }],
  ['four GPUs and eight NICs', '1.34', { requests: [request('a', { count: 4 }), need('b', 'dra.net', 8)] }],
  ['GPUs and NICs', '1.36', { requests: [request('a', { count: 8 }), need('b', 'dra.net', 8)] }],
  ['pairs on one root', '1.36', {
    requests: [...singles(8, 'gpu.nvidia.com', 'gpu'), ...singles(8, 'dra.net', 'nic')],
    constraints: Array.from({ length: 8 }, (__, i) => ({ requests: [`gpu-${i}`, `nic-${i}`], matchAttribute: 'resource.kubernetes.io/pcieRoot' })),
  }],
  ['alternatives', '1.36', { requests: [{ name: 'a', firstAvailable: [1, 2, 4, 8].map((count) => ({ name: `n${count}`, deviceClassName: 'gpu.nvidia.com', count })) }] }],
] as const)('%s are searched soon on %s', (_, version, devices) => {
  expect(found(claim(devices), version).filter((finding) => finding.startsWith('DRA182'))).toEqual([]);
});

describe('a request for all devices', () => { // C-082
  const all = (deviceClassName: string) => claim({ requests: [{ name: 'a', exactly: { deviceClassName, allocationMode: 'All' } }] });
  const acme = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: acme}, spec: {selectors: [{cel: {expression: device.driver == "gpu.acme.example"}}]}}';
  const slice = (driver: string, fields: object) => JSON.stringify({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: driver },
    spec: { driver, nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 2 }, devices: [{ name: 'd', ...fields }] },
  });
  const counters = { consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }] };
  const on35 = Target.of('1.35', { featureGates: { DRAPartitionableDevices: true } });
  const codes = (yaml: string, target: string | Target) => check(yaml, target).filter(({ code }) => code === 'DRA181').map(({ severity }) => severity);

  test.each([
    ['1.34', []], ['1.35', []], [on35, ['warning']], ['1.36', ['warning']], ['1.37', []],
    [Target.of('1.36', { featureGates: { DRAPartitionableDevices: false } }), []],
  ] as const)('meets devices with counters on %s', (target, expected) => {
    expect(codes(documents(acme, slice('gpu.acme.example', counters), all('acme')), target)).toEqual(expected);
  });

  test('is told with the releases that crash, and the first that does not', () => {
    const yaml = documents(acme, slice('gpu.acme.example', counters), all('acme'));
    expect(textOf(yaml, 'DRA181', '1.36')).toMatch(/1\.36\.0 and 1\.36\.1 crashes.*Run 1\.36\.2 or later/);
    expect(textOf(yaml, 'DRA181', on35)).toMatch(/1\.35\.0 to 1\.35\.5 crashes.*Run 1\.35\.6 or later/);
  });

  test.each([
    ['devices without counters', documents(acme, slice('gpu.acme.example', {}), all('acme')), []],
    ['devices of another driver', documents(acme, slice('gpu.other.example', counters), all('acme')), []],
    ['a driver that can partition its devices', all('gpu.nvidia.com'), ['info']],
    ['the same driver that does not', documents(slice('gpu.nvidia.com', {}), all('gpu.nvidia.com')), []],
    ['a driver that cannot', all('gpu.amd.com'), []],
    ['a class that nobody knows', all('unknown'), []],
  ])('with %s', (_, yaml, expected) => {
    expect(codes(yaml, '1.36')).toEqual(expected);
  });
});

describe('tolerations and eviction', () => { // C-121
  const on34 = Target.of('1.34', { featureGates: { DRADeviceTaints: true } });
  const tolerating = (...tolerations: object[]) => claim({ requests: [request('a', { tolerations })] });
  const codes = (yaml: string, target: string | Target) => check(yaml, target).filter(({ code }) => code === 'DRA183').map(({ severity }) => severity);
  const every = { key: 'a.b/c', operator: 'Exists' };
  const lasting = { ...every, effect: 'NoExecute' };

  test.each([
    ['for all effects', '1.36', [every], ['info']],
    ['for all effects', '1.37', [{ operator: 'Exists' }], ['info']],
    ['for all effects, of another key than the lasting one', '1.36', [every, { ...lasting, key: 'a.b/d' }], ['info']],
    ['for all effects beside a lasting one', '1.36', [every, lasting], []],
    ['for all effects beside a lasting one of every key', '1.36', [every, { operator: 'Exists', effect: 'NoExecute' }], []],
    ['for NoExecute', '1.36', [lasting], []],
    ['for NoSchedule', '1.36', [{ ...every, effect: 'NoSchedule' }], []],
    ['for NoExecute', on34, [lasting], ['warning']],
    ['for all effects', on34, [every], ['warning']],
    ['for NoSchedule', on34, [{ ...every, effect: 'NoSchedule' }], []],
    ['where taints are off', '1.34', [lasting], []],
  ] as const)('%s on %s', (_, target, tolerations, expected) => {
    expect(codes(tolerating(...tolerations), target)).toEqual(expected);
  });

  test.each([
    [undefined, ['warning']],
    [[], ['warning']],
    [[lasting], []],
  ])('an allocation with the tolerations %j', (tolerations, expected) => {
    const spec = { devices: { requests: [request('a', { tolerations: [lasting] })] } };
    const results = [{ request: 'a', driver: 'a.b', pool: 'n', device: 'd', tolerations }];
    const yaml = JSON.stringify({
      apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'c', uid: '1' }, spec, status: { allocation: { devices: { results } } },
    });
    expect(codes(yaml, '1.36')).toEqual(expected);
  });

  test('at the wrong level are a field that does not exist', () => {
    expect(found(claim({ requests: [{ ...request('a'), tolerations: [lasting] }] }), '1.36')).toEqual(['DRA117 error spec.devices.requests[0].tolerations']);
    expect(found(claim({ requests: [request('a')], tolerations: [lasting] }), '1.36')).toEqual(['DRA112 error spec.devices.tolerations']);
  });
});

describe('a derived attribute', () => {
  const target = Target.of('1.37', { featureGates: { DRADerivedAttributes: true } });
  const size = 'device.attributes["gpu.nvidia.com"].?numaNode.orValue(0) / 4';
  const at = 'spec.devices.requests[0].exactly.derivedAttributes[0]';
  const derived = (attribute: object, constraints: object[], more: object = {}) => {
    return claim({ requests: [request('a', { derivedAttributes: [{ name: 'derived/size', expression: size, ...attribute }], ...more }), request('b')], constraints });
  };
  const match = (matchAttribute: string, ...requests: string[]) => ({ matchAttribute, ...(requests.length === 0 ? {} : { requests }) });

  test.each([
    ['for all requests', [match('derived/size')]],
    ['for its request', [match('derived/size', 'a')]],
    ['that all differ in', [{ distinctAttribute: 'derived/size', requests: ['a', 'b'] }]],
  ])('is used by a constraint %s', (_, constraints) => {
    expect(found(derived({}, constraints), target)).toEqual([]);
  });

  test.each([
    ['no constraint', [], /Add a constraint with this attribute/],
    ['a constraint of another request', [match('derived/size', 'b')], /Add 'a' to the requests of the constraint/],
    ['a constraint of nearly that name', [match('derived/sizes')], /A constraint uses 'derived\/sizes'/],
  ])('is refused with %s', (_, constraints, text) => {
    expect(found(derived({}, constraints), target)).toEqual([`DRA180 error ${at}.name`]);
    expect(textOf(derived({}, constraints), 'DRA180', target)).toMatch(text);
  });

  test('of an alternative is used by a constraint of the whole request', () => {
    const choice = (constraint: string) => claim({
      requests: [{ name: 'a', firstAvailable: [{ name: 'x', deviceClassName: 'gpu.nvidia.com', derivedAttributes: [{ name: 'derived/size', expression: size }] }] }],
      constraints: [match('derived/size', constraint)],
    });
    expect(found(choice('a'), target)).toEqual([]);
    expect(found(choice('a/x'), target)).toEqual([]);
  });

  test.each([
    [{ name: 'size' }, match('size'), ['DRA121 error spec.devices.constraints[0].matchAttribute', `DRA121 error ${at}.name`]],
    [{ expression: 'device.nam' }, match('derived/size'), [`DRA140 error ${at}.expression`]],
    [{ expression: 'device' }, match('derived/size'), [`DRA140 error ${at}.expression`]],
    [{ expression: 'device.driver == "a"' }, match('derived/size'), []],
    [{ expression: '["a", device.driver]' }, match('derived/size'), [`DRA145 error ${at}.expression`]],
    [{ expression: 'semver("1.2.3")' }, match('derived/size'), []],
  ])('%j', (attribute, constraint, expected) => {
    expect(found(derived(attribute, [constraint]), target)).toEqual(expected);
  });

  test('is judged only where the target keeps it', () => {
    expect(found(derived({}, []), '1.37')).toEqual([`DRA110 error ${at.slice(0, -3)}`]);
  });

  test('costs together no more than a claim may', () => {
    const dear = 'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, a == b))) ? 1 : 2';
    const list = [0, 1, 2, 3].map((i) => ({ name: `derived/a${i}`, expression: dear }));
    const yaml = claim({ requests: [request('a', { derivedAttributes: list })], constraints: list.map(({ name }) => match(name)) });
    const findings = check(yaml, target).filter(({ code }) => code === 'DRA120');
    expect(findings.map(({ message }) => message)).toEqual([expect.stringMatching(/at most 1000000 units of CEL cost for all derived attributes/)]);
  });
});
