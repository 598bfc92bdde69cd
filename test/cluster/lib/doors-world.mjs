// A cluster with all admission policies in force, tenants and platform people with real accounts, a node and a pool of devices.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { certificateUser, serviceAccount } from './cluster.mjs';
import { loadEmitted } from './emitted.mjs';
import { makeNode, nodeObject, sliceObject } from './hand-made-node.mjs';
import { installKinds } from './kinds.mjs';
import { objectPath, resourceOf } from './objects.mjs';
import { refusal, removeObjects } from './scratch.mjs';
import { loadSource } from './source.mjs';
import { claimSpec, claimTemplate, claimsIn, podsIn, templatesIn } from './workers.mjs';

export const DRIVER = 'doors.example.com';
export const NODE = 'doors-node';
/** Of tenant Anna, with a DeviceAccess; of a tenant without; without the label of tenants. */
export const TENANT = 'doors-vision';
export const LEFT_OUT = 'doors-forgotten';
export const PLAIN = 'doors-plain';
const OPERATORS = 'doors-operators';
const TENANT_LABEL = 'doors.example.com/tenant';
export const LEGACY = 'doors.example.com/gpu';
export const CLASSES = ['canary', 'closed', 'open', 'tenants'].map(name => `doors-${name}`);

const RBAC = 'rbac.authorization.k8s.io/v1';
const DEVICES = 128;

/** What the doors say unless a contract says something else. */
export const ROUTING = {
  classes: {
    'doors-canary': { door: 'Canary', namespaces: [TENANT], interruptions: ['safe'], message: 'Class doors-canary is open for a canary only.' },
    'doors-closed': { door: 'Closed', message: `Class doors-closed is not open yet. Until then ask for ${LEGACY}.` },
    'doors-open': { door: 'Open', message: 'Class doors-open is open.' },
    'doors-tenants': { door: 'Tenants', interruptions: ['safe', 'costly'], message: 'Class doors-tenants is open for what may be interrupted.' },
  },
  resources: { [LEGACY]: { door: 'Closed', message: `${LEGACY} takes no new work.` } },
  templates: Object.fromEntries(
    [TENANT, LEFT_OUT, PLAIN].map(namespace => [namespace, ['canary', 'closed', 'tenants'].map(name => `doors-${name}: ${name}\n`).join('')]),
  ),
};

export const ACCESS = {
  classes: CLASSES.map(name => ({ name, implicitResource: name === 'doors-open' || name === 'doors-closed' })),
  templates: ['canary', 'closed', 'open', 'tenants'],
  limits: { consumersPerClaim: 1, devicesPerClaim: 4 },
  message: 'Ask in #devices.',
};

/**
 * @typedef {object} World
 * @property {import('./cluster.mjs').TestCluster} cluster
 * @property {import('../../../tools/cluster/api-client.mjs').ApiClient} anna a tenant, admin of her namespaces
 * @property {import('../../../tools/cluster/api-client.mjs').ApiClient} paula of the platform's group
 * @property {import('../../../tools/cluster/api-client.mjs').ApiClient} hanna on call: may hold, nothing else
 * @property {import('../../../tools/cluster/api-client.mjs').ApiClient} operator account of a controller in another namespace
 * @property {import('../../../tools/cluster/api-client.mjs').ApiClient} runner account of the tenant's own namespace
 * @property {object[]} crds of our kinds
 * @property {object[]} policies with their bindings and the role of those who hold
 * @property {import('../../model/policy/workloads').Workload[]} workloads of every kind
 * @property {Function} workloadObject
 */

const worlds = new WeakMap();

/** The world of a cluster, made once. */
export function doorsWorld(cluster) {
  if (!worlds.has(cluster)) worlds.set(cluster, makeWorld(cluster));
  return worlds.get(cluster);
}

/** Removes everything, policies before the kinds of their parameters. */
export async function removeWorld(cluster) {
  if (!worlds.has(cluster)) return;
  const { policies, crds, foreignCrds } = await worlds.get(cluster);
  const slice = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: 'doors-slice' } };
  await removeObjects(cluster, [...foreignCrds, ...crds, ...cast(), nodeObject(NODE), slice, ...policies]);
}

async function makeWorld(cluster) {
  const { api } = cluster;
  const emitted = loadEmitted();
  const { WORKLOADS: workloads, workloadObject } = await loadSource('test/model/policy/workloads.ts');
  const objectsOf = what => emitted.manifestsOf(what, cluster.minor, {}, 'doors');
  const crds = objectsOf(emitted.MIGRATION_CRDS);
  const policies = objectsOf(emitted.policiesOf({ tenantNamespaceLabels: { [TENANT_LABEL]: 'true' }, platformGroups: ['doors-platform'] }));
  const foreignCrds = foreignKinds(workloads);
  await installKinds(cluster, [...crds, ...foreignCrds]);
  for (const object of cast()) await apply(cluster, object);
  await makeNode(cluster, NODE);
  await apply(cluster, sliceObject({ name: 'doors-slice', driver: DRIVER, node: NODE, devices: Array.from({ length: DEVICES }, (_, index) => ({ name: `gpu-${index}` })) }));
  await setRouting(cluster, ROUTING);
  await setAccess(cluster, ACCESS);
  for (const namespace of [TENANT, PLAIN]) {
    for (const name of ACCESS.templates) await api.create(templatesIn(namespace), claimTemplate(name, `doors-${name}`));
  }
  for (const object of policies) await apply(cluster, object);
  const people = {
    anna: (await certificateUser(cluster, { user: 'doors-anna' })).api,
    paula: (await certificateUser(cluster, { user: 'doors-paula', groups: ['doors-platform'] })).api,
    hanna: (await certificateUser(cluster, { user: 'doors-hanna' })).api,
    operator: (await serviceAccount(cluster, { namespace: OPERATORS, name: 'operator' })).api,
    runner: (await serviceAccount(cluster, { namespace: TENANT, name: 'runner' })).api,
  };
  const world = { cluster, ...people, crds, policies, foreignCrds, workloads, workloadObject };
  await untilInForce(world);
  return world;
}

/** Whoever and whatever is there beside CRDs, policies and parameters. */
function cast() {
  const namespace = (name, labels) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  const bind = (name, role, subjects) => ({
    apiVersion: RBAC,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects,
  });
  const user = name => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `doors-${name}` });
  const account = (of, name) => ({ kind: 'ServiceAccount', namespace: of, name });
  const serviceAccountObject = (of, name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: of, name } });
  const tenantRole = {
    apiVersion: RBAC,
    kind: 'ClusterRole',
    metadata: { name: 'doors-tenant' },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['create', 'get', 'list', 'update', 'patch', 'delete'] },
    ],
  };
  const classes = CLASSES.map(name => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name },
    spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
  }));
  return [
    namespace(TENANT, { [TENANT_LABEL]: 'true' }),
    namespace(LEFT_OUT, { [TENANT_LABEL]: 'true' }),
    namespace(PLAIN, {}),
    namespace(OPERATORS, {}),
    serviceAccountObject(TENANT, 'runner'),
    serviceAccountObject(OPERATORS, 'operator'),
    tenantRole,
    bind('doors-tenant', 'doors-tenant', [user('anna'), user('paula'), account(OPERATORS, 'operator'), account(TENANT, 'runner')]),
    bind('doors-on-call', 'cdk8s-dra-hold', [user('hanna')]),
    ...classes,
  ];
}

/** CRDs of the foreign kinds that doors look at, without a schema: their controllers are not here. */
function foreignKinds(workloads) {
  const foreign = workloads.filter(({ group }) => group.includes('.'));
  const kinds = new Map(foreign.map(each => [`${each.resource}.${each.group}`, each]));
  return [...kinds].map(([name, { group, version, kind, resource }]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name,
      // The API server wants it for groups below x-k8s.io.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: resource, singular: kind.toLowerCase() },
      versions: [{
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      }],
    },
  }));
}

export async function apply(cluster, object) {
  await cluster.api.apply(await objectPath(cluster.api, object), object);
}

const ROUTINGS = '/apis/cdk8s-dra.dev/v1alpha1/deviceroutings';
export const HOLDS = '/apis/cdk8s-dra.dev/v1alpha1/deviceholds';

/** All doors open. */
export const ALL_OPEN = { classes: { 'doors-open': ROUTING.classes['doors-open'] } };

/** Writes the routing; the policies see it a moment later. */
export function setRouting({ api }, spec) {
  return api.apply(`${ROUTINGS}/default`, { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceRouting', metadata: { name: 'default' }, spec });
}

/** Writes the access of the tenant. */
export function setAccess({ api }, spec, namespace = TENANT) {
  const path = `/apis/cdk8s-dra.dev/v1alpha1/namespaces/${namespace}/deviceaccesses/default`;
  return api.apply(path, { apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'DeviceAccess', metadata: { name: 'default', namespace }, spec });
}

/** A hold as `kubectl create -f hold.yaml` makes it. */
export function holdObject(name, spec) {
  return {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceHold',
    metadata: { name },
    spec: { migration: 'doors', level: 'Door', reason: 'Devices are given out twice.', by: 'hanna', ...spec },
  };
}

/** Waits until requests meet each policy: they take effect a moment after they are written. */
export async function untilInForce(world) {
  const { anna } = world;
  const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'probe' }, spec: claimSpec('doors-closed') };
  const marked = { ...claim, metadata: { name: 'probe', annotations: { 'resource.kubernetes.io/pod-claim-name': 'x' } }, spec: claimSpec('doors-open') };
  const foreign = { ...claim, spec: claimSpec('nobodys') };
  const admin = { ...claim, spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'doors-open', allocationMode: 'All', adminAccess: true } }] } } };
  for (const [object, words] of [[claim, 'not open yet'], [marked, 'only the scheduler'], [foreign, 'may not use'], [admin, 'admin access']]) {
    await untilRefused(() => anna.create(`${claimsIn(TENANT)}?dryRun=All`, object), words);
  }
  await untilRefused(() => anna.create(`${podsIn(TENANT)}?dryRun=All`, podWith({ templates: ['mine'] })), 'is not among those');
}

/** Waits until a request is refused with these words; the whole answer. */
export function untilRefused(request, words, options) {
  return waitFor(
    `a refusal with the words "${words}"`,
    async () => {
      const got = await refusal(request);
      return got?.includes(words) ? { done: got } : (got ?? 'it goes through');
    },
    { every: 20, ...options },
  );
}

/** Waits until a request goes through. */
export function untilAllowed(request, options) {
  return waitFor(
    'the request to go through',
    async () => {
      const got = await refusal(request);
      return got === undefined ? { done: true } : got;
    },
    { every: 20, ...options },
  );
}

/** A pod spec with claims from templates, by name, and limits. */
export function podSpec({ templates = [], claims = [], limits } = {}) {
  const sources = [
    ...templates.map(name => ({ name, resourceClaimTemplateName: name })),
    ...claims.map(name => ({ name, resourceClaimName: name })),
  ];
  return {
    restartPolicy: 'Never',
    containers: [{
      name: 'main',
      image: 'registry.example.com/main:1',
      resources: { ...(limits === undefined ? {} : { limits }), ...(sources.length === 0 ? {} : { claims: sources.map(({ name }) => ({ name })) }) },
    }],
    ...(sources.length === 0 ? {} : { resourceClaims: sources }),
  };
}

/** A bare pod. */
export function podWith(devices, metadata = {}) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'train', ...metadata }, spec: podSpec(devices) };
}

/** Path of the objects of a workload's kind. */
export async function workloadsIn(api, namespace, { group, version, kind }) {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const { name } = await resourceOf(api, apiVersion, kind);
  return `/${group === '' ? 'api' : 'apis'}/${apiVersion}/namespaces/${namespace}/${name}`;
}
