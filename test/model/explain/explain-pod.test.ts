import * as fc from 'fast-check';
import { CASES, explained, viewOf } from './case-file';
import { explainPod } from '../../../src/model/explain';
import { failureOf, FAILURES } from '../../../src/model/failures';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import { UPSTREAM_BUGS } from '../../../src/model/upstream-bugs';
import type { UpstreamBug } from '../../../src/model/upstream-bugs';
import { textAt } from '../../../src/model/view/json-field';

test.each(CASES.map(one => [one.file, one] as const))('%s', (_, one) => {
  const answer = explained(one);
  const { cause, says = [], help, noHelp = [], others = [], unknown = [], knownBugs = [] } = one.expect;

  expect(answer && failureOf(answer.cause).name).toBe(cause);
  for (const part of says) expect(answer?.because).toContain(part);
  if (help) expect(answer?.help.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(help.map(part => matching(part)));
  for (const part of noHelp) expect(answer?.help.filter(({ text }) => text.includes(part))).toEqual([]);
  expect(answer?.others.map(other => failureOf(other.cause).name)).toEqual(expect.arrayContaining([...others]));
  expect(answer?.unknown).toEqual(expect.arrayContaining([...unknown]));
  expect(answer?.knownBugs.map(({ id }) => id)).toEqual(knownBugs);
});

/** The kind as it is, the text anywhere behind it. */
function matching(part: string): unknown {
  const [kind, ...text] = part.split(': ');
  const escaped = text.join(': ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return expect.stringMatching(new RegExp(`^${kind}: .*${escaped}`));
}

/** On a machine that is busy with much else. */
const PATIENCE = 60_000;

test('every cause of the catalogue is proved by a case', () => {
  const proved = new Set(CASES.flatMap(({ expect: { cause, others = [] } }) => [cause, ...others]));

  expect(FAILURES.filter(({ code }) => code.startsWith('DRA2')).map(({ name }) => name).filter(name => !proved.has(name))).toEqual([]);
});

test('every mistake of upstream that has a way out is named in a case, with its versions and the way out', () => {
  const named = new Map(CASES.flatMap(one => explained(one)?.knownBugs.map(bug => [bug.id, bug] as const) ?? []));
  const bugs = (UPSTREAM_BUGS as readonly UpstreamBug[]).filter(({ wayOut }) => wayOut !== undefined);

  expect(bugs.map(({ id }) => id).filter(id => !named.has(id))).toEqual([]);
  for (const { id, minors, wayOut = '' } of bugs) expect(named.get(id)).toEqual({ id, minors, text: expect.stringContaining(`Way out: ${wayOut}`) });
});

test('a pod that is not there has no explanation', () => {
  expect(explainPod(viewOf([]), 'ml', 'p', Target.of('1.36'))).toBeUndefined();
});

function identityOf(object: JsonObject): string {
  return JSON.stringify([object.kind, textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name')]);
}

test('the order of the objects changes nothing', () => {
  fc.assert(fc.property(fc.constantFrom(...CASES), fc.infiniteStream(fc.nat()), (one, random) => {
    // Versions of one object stay in their order, as the last one counts.
    const keys = new Map<string, number>(one.objects.map(object => [identityOf(object), random.next().value]));
    const objects = [...one.objects].sort((a, b) => keys.get(identityOf(a))! - keys.get(identityOf(b))!);

    expect(explained({ ...one, objects })).toEqual(explained(one));
  }), { numRuns: 60 });
}, PATIENCE);

test('whatever stands in a field, there is an answer', () => {
  fc.assert(fc.property(fc.constantFrom(...CASES), fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 1 }), (one, which, where, value) => {
    const objects = one.objects.map((object, i) => (i === which % one.objects.length ? withField(object, where, value) : object));
    const view = viewOf(objects);

    for (const pod of view.all('Pod')) {
      const answer = explainPod(view, pod.namespace, pod.name, Target.parse(one.kubernetes, one.gates));
      expect(answer?.because).not.toBe('');
      expect(() => failureOf(answer?.cause ?? '')).not.toThrow();
    }
  }), { numRuns: 300 });
}, PATIENCE);

/** The object with one of its values, at any depth, replaced. */
function withField(object: JsonObject, where: number, value: unknown): JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
  const places: [container: Record<string, unknown>, key: string][] = [];
  const walk = (container: Record<string, unknown>): void => {
    for (const key of Object.keys(container)) {
      if (key !== 'kind' && key !== 'apiVersion') places.push([container, key]);
      if (typeof container[key] === 'object' && container[key] !== null) walk(container[key] as Record<string, unknown>);
    }
  };
  walk(copy);
  const [container, key] = places[where % places.length];
  container[key] = value;
  return copy;
}

test('help that was tried keeps its word: without the holders that it names the pod fits', () => {
  const one = CASES.find(({ file }) => file === 'in-use-both.yaml');
  const objects = one?.objects.filter(({ metadata }) => !/^[ab](-claim)?$/.test(String((metadata as JsonObject).name))) ?? [];

  expect(one && explained({ ...one, objects })?.cause).toBe('DRA203');
});

test('where each node would have thousands of devices to itself, the rest is told to be unseen', () => {
  const nodes = Array.from({ length: 100 }, (_, i) => ({
    apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}` }, spec: {}, status: { allocatable: { cpu: '8', pods: '10' }, declaredFeatures: [`Only${i}`] },
  }));
  const pool = { name: 'fabric', generation: 1, resourceSliceCount: 1 };
  const devices = Array.from({ length: 2100 }, (_, i) => ({ name: `d${i}` }));
  const objects = [
    ...nodes,
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'fabric' }, spec: { driver: 'fabric.acme.io', allNodes: true, pool, devices } },
    { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.acme.io"' } }] } },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' }, spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] }, status: { phase: 'Pending' } },
    { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'c', namespace: 'ml' }, spec: { devices: { requests: [{ name: 'g', exactly: { deviceClassName: 'gpu' } }] } } },
  ];

  expect(explained({ objects, pod: 'ml/p', kubernetes: '1.36' })?.unknown).toContain('5 nodes of 100: too many devices to look at all');
});

test('a thousand nodes are explained with bounded work', () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i}` }, spec: {}, status: { allocatable: { cpu: '8', pods: '10' } } },
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: `n${i}-s` },
      spec: {
        driver: 'gpu.acme.io',
        nodeName: `n${i}`,
        pool: { name: `n${i}`, generation: 1, resourceSliceCount: 1 },
        devices: Array.from({ length: 8 }, (__, d) => ({ name: `gpu-${d}`, attributes: { id: { int: d } } })),
      },
    },
  ]).flat();
  const gpu = CASES.find(({ file }) => file === 'too-few.yaml')?.objects.filter(({ kind }) => kind === 'DeviceClass') ?? [];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' }, spec: { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] }, status: { phase: 'Pending' } };
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'ml' },
    spec: { devices: { requests: [{ name: 'g', exactly: { deviceClassName: 'gpu', count: 4 } }], constraints: [{ matchAttribute: 'gpu.acme.io/id' }] } },
  };
  const answer = explained({ objects: [...nodes, ...gpu, pod, claim], pod: 'ml/p', kubernetes: '1.36' });

  expect(answer?.because).toContain('On 1000 nodes');
  expect(answer?.help.map(({ kind }) => kind)).toEqual(['drop-constraint', 'lower-count']);
});
