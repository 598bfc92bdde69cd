import { viewOf } from './case-file';
import { extendedClaim, extendedRequests } from '../../../src/model/explain/device-demand';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import { objectsAt } from '../../../src/model/view/json-field';

const CLASS = { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: { extendedResourceName: 'a.b/gpu' } };
const asks = (count: string, fields: JsonObject = {}): JsonObject => ({ name: 'c', ...fields, resources: { requests: { 'cpu': '1', 'a.b/gpu': count } } });
const sidecar = (count: string): JsonObject => asks(count, { restartPolicy: 'Always' });

/** What the scheduler would ask of devices, as `name count`. */
function requested(initContainers: readonly JsonObject[], containers: readonly JsonObject[], minor = '1.36'): readonly string[] {
  const view = viewOf([CLASS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ml' }, spec: { initContainers, containers } }]);
  const [pod] = view.all('Pod');
  const claim = extendedClaim(pod, extendedRequests(view, pod, Target.parse(minor, 'DRAExtendedResource=true')));
  return objectsAt(claim, 'spec', 'devices', 'requests').map(({ name, exactly }) => `${String(name)} ${String((exactly as JsonObject).count)}`);
}

// Upstream: createRequestsAndMappings of the scheduler's plugin, from 1.35 on
test.each<[string, readonly JsonObject[], readonly JsonObject[], readonly string[]]>([
  ['containers that run together have their own', [], [asks('1'), asks('2')], ['container-0-request-0 1', 'container-1-request-0 2']],
  ['a step takes the devices of what begins later', [asks('1')], [asks('1')], ['container-1-request-0 1']],
  ['a step asks for what it needs beyond them', [asks('5')], [asks('1'), asks('2')], ['container-0-request-0 2', 'container-1-request-0 1', 'container-2-request-0 2']],
  ['of several steps the largest asks', [asks('1'), asks('3'), asks('3')], [asks('0')], ['container-1-request-0 3']],
  ['a sidecar stays, and a step after it does not take its devices', [sidecar('1'), asks('2')], [asks('1')],
    ['container-0-request-0 1', 'container-1-request-0 1', 'container-2-request-0 1']],
  ['a step before a sidecar takes those too', [asks('2'), sidecar('1')], [asks('1')], ['container-1-request-0 1', 'container-2-request-0 1']],
  ['a fraction asks for nothing', [], [asks('1500m'), asks('1')], ['container-1-request-0 1']],
])('%s', (_title, initContainers, containers, expected) => {
  expect(requested(initContainers, containers)).toEqual(expected);
});

test('before 1.35 every container has its own devices', () => {
  expect(requested([asks('1')], [asks('1')], '1.34')).toEqual(['container-0-request-0 1', 'container-1-request-0 1']);
});

test('requests are sorted by name, as texts', () => {
  expect(requested([], Array.from({ length: 11 }, () => asks('1'))).slice(0, 3)).toEqual(['container-0-request-0 1', 'container-1-request-0 1', 'container-10-request-0 1']);
});
