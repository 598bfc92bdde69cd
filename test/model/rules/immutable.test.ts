import { check, claim, request } from './check';
import { formatPath } from '../../../src/model/manifests/manifest';

const template = (spec: object, metadata: object = {}, specMetadata: object = {}): string => JSON.stringify({
  apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 't', ...metadata }, spec: { metadata: specMetadata, spec: { devices: spec } },
});
const slice = (spec: object): string => JSON.stringify({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 's' },
  spec: { driver: 'a.b', nodeName: 'n', pool: { name: 'n', generation: 1, resourceSliceCount: 1 }, devices: [], ...spec },
});
const job = (kind: string, resourceClaims: object[], image: string): string => JSON.stringify({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, metadata: { name: 'j' }, spec: { template: { spec: { resourceClaims, containers: [{ name: 'a', image }] } } },
});
const one = { requests: [request('gpu', { count: 1 })] };

/** Paths of what cannot be changed. */
function changed(before: string, after: string): string[] {
  return check(after, '1.36', before).filter(({ code }) => code === 'DRA172').map(({ path }) => formatPath(path));
}

test.each([
  ['the count of a template', template(one), template({ requests: [request('gpu', { count: 2 })] }), 'spec.spec.devices.requests[0].exactly.count'],
  ['a request more in a claim', claim(one), claim({ requests: [...one.requests, request('nic')] }), 'spec.devices.requests[1]'],
  ['a request less', claim({ requests: [...one.requests, request('nic')] }), claim(one), 'spec.devices.requests'],
  ['the labels of claims from a template', template(one), template(one, {}, { labels: { a: 'b' } }), 'spec.metadata'],
  ['an amount of capacity', claim({ requests: [request('gpu', { capacity: { requests: { memory: '1Gi' } } })] }),
    claim({ requests: [request('gpu', { capacity: { requests: { memory: '2Gi' } } })] }), 'spec.devices.requests[0].exactly.capacity.requests.memory'],
  ['a large amount of capacity', claim({ requests: [request('gpu', { capacity: { requests: { memory: '2Ei' } } })] }),
    claim({ requests: [request('gpu', { capacity: { requests: { memory: '3Ei' } } })] }), 'spec.devices.requests[0].exactly.capacity.requests.memory'],
  ['the order of requests', claim({ requests: [request('a'), request('b')] }), claim({ requests: [request('b'), request('a')] }), 'spec.devices.requests[0].name'],
  ['the node of a slice', slice({}), slice({ nodeName: 'm' }), 'spec.nodeName'],
  ['the pool of a slice', slice({}), slice({ pool: { name: 'm', generation: 1, resourceSliceCount: 1 } }), 'spec.pool.name'],
  ['the claims of a Job', job('Job', [{ name: 'a', resourceClaimTemplateName: 't' }], 'x'), job('Job', [{ name: 'a', resourceClaimTemplateName: 't2' }], 'x'),
    'spec.template.spec.resourceClaims[0].resourceClaimTemplateName'],
])('%s cannot be changed', (_, before, after, path) => {
  expect(changed(before, after)).toEqual([path]);
});

test.each([
  ['nothing', template(one), template(one)],
  ['a default that is written now', claim({ requests: [request('gpu')] }), claim({ requests: [request('gpu', { allocationMode: 'ExactCount', count: 1 })] })],
  ['an amount written otherwise', claim({ requests: [request('gpu', { capacity: { requests: { memory: '1Gi' } } })] }),
    claim({ requests: [request('gpu', { capacity: { requests: { memory: '1024Mi' } } })] })],
  ['an empty list', claim(one), claim({ ...one, constraints: [], config: null })],
  ['the version of the API', claim({ requests: [{ name: 'gpu', deviceClassName: 'gpu.nvidia.com', count: 2 }] }, 'v1beta1'), claim({ requests: [request('gpu', { count: 2 })] })],
  ['the labels of a template itself', template(one), template(one, { labels: { a: 'b' } })],
  ['the name', claim(one), claim({ requests: [request('gpu', { count: 2 })] }, 'v1', 'other')],
  ['the namespace', template(one, { namespace: 'a' }), template({ requests: [request('gpu', { count: 2 })] }, { namespace: 'b' })],
  ['the devices of a slice', slice({}), slice({ devices: [{ name: 'd' }], pool: { name: 'n', generation: 2, resourceSliceCount: 1 } })],
  ['the claims of a Deployment', job('Deployment', [{ name: 'a', resourceClaimTemplateName: 't' }], 'x'), job('Deployment', [{ name: 'a', resourceClaimTemplateName: 't2' }], 'x')],
  ['what Argo CD makes anew', template(one), template({ requests: [request('gpu', { count: 2 })] }, { annotations: { 'argocd.argoproj.io/sync-options': 'Replace=true, Force=true' } })],
  ['what Flux makes anew', template(one), template({ requests: [request('gpu', { count: 2 })] }, { annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' } })],
])('%s may change', (_, before, after) => {
  expect(changed(before, after)).toEqual([]);
});
