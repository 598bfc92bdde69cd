import type { Random } from './random';

type Json = Record<string, unknown>;

export const ACCOUNT = 'system:serviceaccount:drivers:driver';
export const NODE = 'node-1';

/** A request as a policy is asked about it, with the objects that its operation has. */
export function policyRequest(random: Random, kind: ObjectKind, make: (random: Random) => Json): Json {
  const operation = random.pick(['CREATE', 'UPDATE', 'DELETE'] as const);
  const { group, version, name: kindName, resource, isNamespaced } = kind;
  const isOfNamespace = isNamespaced && !random.once(8);
  return {
    request: {
      operation,
      kind: { group, version, kind: kindName },
      resource: { group, version, resource },
      ...(random.once(5) ? { subResource: random.pick(['status', '']) } : {}),
      ...(random.once(8) ? {} : { name: random.pick(['w-1', 'x', '']) }),
      ...(isOfNamespace ? { namespace: 'team-a' } : {}),
      userInfo: account(random),
      ...(random.once(3) ? { dryRun: random.once(2) } : {}),
    },
    ...(operation === 'DELETE' ? {} : { object: make(random) }),
    ...(operation === 'CREATE' ? {} : { oldObject: make(random) }),
    ...(isOfNamespace ? { namespaceObject: namespaceObject(random) } : {}),
  };
}

export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

function account(random: Random): Json {
  return {
    username: random.once(5) ? random.pick(['system:node:node-1', 'admin', '']) : ACCOUNT,
    ...(random.once(3) ? { uid: random.pick(['u-1', '']) } : {}),
    ...(random.once(2) ? { groups: random.pick([['system:nodes'], ['system:authenticated', 'system:serviceaccounts'], []]) } : {}),
    ...(random.once(4) ? {} : {
      extra: random.pick([
        { 'authentication.kubernetes.io/node-name': [NODE], 'authentication.kubernetes.io/pod-name': ['p'] },
        { 'authentication.kubernetes.io/node-name': ['node-2'] },
        { 'authentication.kubernetes.io/pod-name': ['p'] },
        {},
      ]),
    }),
  };
}

function namespaceObject(random: Random): Json {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team-a', ...(random.once(2) ? { labels: { team: random.pick(['a', 'b']) } } : {}) },
    spec: random.once(2) ? { finalizers: ['kubernetes'] } : {},
    status: random.once(2) ? { phase: 'Active' } : {},
  };
}

export const WIDGET: ObjectKind = { group: 'example.com', version: 'v1', name: 'Widget', resource: 'widgets', isNamespaced: true };

export function widget(random: Random): Json {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name: 'w-1',
      ...(random.once(2) ? { labels: random.pick([{ team: 'a' }, { 'a/b': 'c', 'team': 'b' }, {}]) } : {}),
    },
    ...(random.once(15) ? {} : {
      spec: {
        ...(random.once(8) ? {} : { count: random.pick([0, 1, 2, 3, 7, '3', null]) }),
        ...(random.once(4) ? {} : { ratio: random.pick([0.25, 0.75, 1, '0.1']) }),
        ...(random.once(4) ? {} : { flag: random.pick([true, false, 'true']) }),
        ...(random.once(4) ? {} : { nodeName: random.pick([NODE, 'node-2']) }),
        ...(random.once(5) ? {} : { items: random.some([{ name: 'a', size: '500Mi' }, { name: 'b', size: '2Gi' }, { name: 'C', size: '20Gi' }, { name: 'd', size: 'x' }], random.below(4)) }),
      },
    }),
  };
}

export const SLICE: ObjectKind = { group: 'resource.k8s.io', version: 'v1', name: 'ResourceSlice', resource: 'resourceslices', isNamespaced: false };

export function slice(random: Random): Json {
  const where = random.pick([{ nodeName: NODE }, { nodeName: NODE }, { nodeName: 'node-2' }, { allNodes: true }, { nodeName: '' }, { perDeviceNodeSelection: true }]);
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'slice-1' },
    ...(random.once(20) ? {} : {
      spec: { ...(random.once(20) ? {} : { driver: random.once(6) ? 'other.example.com' : 'gpu.example.com' }), ...where, pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
    }),
  };
}

export const REPORT: ObjectKind = { group: 'cdk8s-dra.example', version: 'v1alpha1', name: 'DeviceNodeReport', resource: 'devicenodereports', isNamespaced: false };

export function report(random: Random): Json {
  return {
    apiVersion: 'cdk8s-dra.example/v1alpha1',
    kind: 'DeviceNodeReport',
    metadata: { name: NODE },
    ...(random.once(15) ? {} : { spec: random.once(12) ? {} : { nodeName: random.pick([NODE, NODE, 'node-2', 7, null]) } }),
  };
}
