import { viewOf } from './case-file';
import { quotaShortage } from '../../../src/model/explain/claim-quota';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';

const CLASSES = ['large', 'small'].map(name => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name },
  spec: { selectors: [], ...(name === 'large' ? { extendedResourceName: 'example.com/gpu' } : {}) },
}));
const BY_CLASS = 'large.deviceclass.resource.k8s.io/devices';
const BY_SMALL = 'small.deviceclass.resource.k8s.io/devices';
const BY_RESOURCE = 'requests.example.com/gpu';
const BY_IMPLICIT_NAME = 'requests.deviceclass.resource.kubernetes.io/large';
const CLAIMS = 'count/resourceclaims.resource.k8s.io';

const spec = (...requests: JsonObject[]): JsonObject => ({ devices: { requests } });
const exactly = (given: JsonObject): JsonObject => ({ name: 'gpu', exactly: { deviceClassName: 'large', ...given } });

const claim = (name: string, claimSpec: JsonObject, metadata: JsonObject = {}): JsonObject => (
  { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name, namespace: 'team-a', ...metadata }, spec: claimSpec }
);
const OF_THE_BRIDGE = {
  annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'trainer', uid: 'u1', controller: true }],
};
const pod = (uid: string, resourceClaimName?: string): JsonObject => (
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'trainer', namespace: 'team-a', uid }, status: resourceClaimName === undefined ? {} : { extendedResourceClaimStatus: { resourceClaimName } } }
);
const quota = (key: string, hard: string): JsonObject => (
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'devices', namespace: 'team-a' }, spec: { hard: { [key]: hard } } }
);

function shortage(asked: JsonObject, key: string, hard: string, claims: readonly JsonObject[] = [], minor = '1.36') {
  return quotaShortage(viewOf([...CLASSES, quota(key, hard), ...claims]), Target.parse(minor), 'team-a', asked);
}

/** What a claim is charged under a key: the most that a quota does not let in. */
function charge(asked: JsonObject, key: string, minor?: string): number {
  return shortage(asked, key, '0', [], minor)?.requested ?? 0;
}

// C-041, C-055; upstream: pkg/quota/v1/evaluator/core/resource_claims.go
test.each<[string, JsonObject, Record<string, number>]>([
  ['a count', spec(exactly({ allocationMode: 'ExactCount', count: 3 })), { [CLAIMS]: 1, [BY_CLASS]: 3, [BY_RESOURCE]: 3, [BY_IMPLICIT_NAME]: 3, [BY_SMALL]: 0 }],
  ['no count as one', spec(exactly({})), { [BY_CLASS]: 1 }],
  ['mode All as the most that a claim can get', spec(exactly({ allocationMode: 'All' })), { [CLAIMS]: 1, [BY_CLASS]: 32, [BY_RESOURCE]: 32 }],
  [
    'alternatives as the largest of each class',
    spec({ name: 'gpu', firstAvailable: [{ name: 'a', deviceClassName: 'large' }, { name: 'b', deviceClassName: 'small', count: 4 }, { name: 'c', deviceClassName: 'small', count: 2 }] }),
    { [CLAIMS]: 1, [BY_CLASS]: 1, [BY_SMALL]: 4, [BY_RESOURCE]: 1 },
  ],
  ['half of a device as a whole one', spec(exactly({ count: 1, capacity: { requests: { memory: '20Gi' } } })), { [BY_CLASS]: 1 }],
  ['admin access like any other', spec(exactly({ count: 2, adminAccess: true })), { [BY_CLASS]: 2 }],
  ['several requests together', spec(exactly({ count: 2 }), { ...exactly({ count: 1 }), name: 'other' }), { [CLAIMS]: 1, [BY_CLASS]: 3 }],
])('%s is charged by class, by resource and by implicit name', (_title, asked, charges) => {
  expect(Object.fromEntries(Object.keys(charges).map(key => [key, charge(asked, key)]))).toEqual(charges);
});

test('before 1.35 claims are charged by class alone', () => {
  const three = spec(exactly({ count: 3 }));
  expect([BY_CLASS, BY_RESOURCE, BY_IMPLICIT_NAME].map(key => charge(three, key, '1.34'))).toEqual([3, 0, 0]);
});

test('a cap of four is full with three by count and one of a pod by extended resource, which counts under the resource as a pod', () => {
  const claims = [
    claim('three', spec(exactly({ count: 3 }))),
    claim('of-a-pod', spec(exactly({ count: 1 })), OF_THE_BRIDGE),
  ];
  const one = spec(exactly({ count: 1 }));
  const byClass = shortage(one, BY_CLASS, '4', claims);
  expect(byClass?.used.toString()).toBe('4');
  expect(byClass?.users.map(({ claim: { name }, amount }) => `${name} ${amount}`)).toEqual(['of-a-pod 1', 'three 3']);
  expect(shortage(one, BY_RESOURCE, '4', claims)).toBeUndefined();
  expect(shortage(spec(exactly({ count: 2 })), BY_RESOURCE, '4', claims)?.users.map(({ claim: { name } }) => name)).toEqual(['three']);
});

test.each<[string, JsonObject, readonly JsonObject[], number]>([
  ['of a pod that is not in the input', OF_THE_BRIDGE, [], 0],
  ['of a pod that does not know its claim yet', OF_THE_BRIDGE, [pod('u1')], 0],
  ['of a pod that knows it', OF_THE_BRIDGE, [pod('u1', 'one')], 0],
  ['of a pod that knows another claim', OF_THE_BRIDGE, [pod('u1', 'other')], 1],
  ['of a pod that was replaced', OF_THE_BRIDGE, [pod('u2')], 1],
  ['without owner', { annotations: OF_THE_BRIDGE.annotations }, [], 1],
])('a claim with the annotation of the bridge, %s, counts under the resource as it should', (_title, metadata, pods, used) => { // C-043
  expect(shortage(spec(exactly({ count: 9 })), BY_RESOURCE, '4', [claim('one', spec(exactly({ count: 1 })), metadata), ...pods])?.used.toString()).toBe(String(used));
});

test.each([
  [{ scopes: ['NotTerminating'] }, undefined],
  [{ scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] } }, undefined],
  [{ scopes: [] }, 3],
])('a quota with %j refuses claims only where it has no scopes', (scopes, requested) => {
  const given = quota(BY_CLASS, '1');
  const scoped = { ...given, spec: { ...given.spec as JsonObject, ...scopes } };
  const view = viewOf([...CLASSES, scoped]);
  expect(quotaShortage(view, Target.parse('1.36'), 'team-a', spec(exactly({ count: 3 })))?.requested).toBe(requested);
});
