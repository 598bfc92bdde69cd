import { nodeBoundSlicesPolicy } from 'cdk8s-dra/model';
import { serviceAccountUser } from '../../kube/connection.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { KubeObject } from '../../kube/object.js';
import { CLUSTER_ROLES, NAMESPACES, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { ABSENT_NODE, allocation, claim, claimTemplate, deviceStatus, DRIVER, exactly, slice } from '../manifests.js';
import { ALLOCATION_NEEDS } from './allocated-claim.js';
import { POLICY_NEEDS, provePolicy, RBAC_NEEDS } from '../policy/policy-proof.js';
import type { RbacRule } from '../policy/policy-proof.js';

const ADMIN_LABEL = 'resource.kubernetes.io/admin-access';
const ADMIN = { requests: [exactly('device', { adminAccess: true })] };
const OTHER_NODE = 'other.conformance.invalid';

export const ACCESS_CONTRACTS: readonly Contract[] = [
  {
    id: 'access-admin-label',
    area: 'Access',
    title: 'admin access is refused in a namespace without the label, for claims and for templates, and allowed with it',
    why: 'A tenant with admin access sees the devices of all.',
    mode: 'live',
    effect: 'creates',
    needs: [...need(NAMESPACES, ['patch']), ...need(RESOURCE_CLAIMS, ['create']), ...need(RESOURCE_CLAIM_TEMPLATES, ['create'])],
    run: async (trial) => {
      trial.requires('ExactDeviceRequest', 'adminAccess');
      const words = ['admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace'];
      const tryClaim = (): Promise<KubeObject> => trial.tryCreate(RESOURCE_CLAIMS, claim(ADMIN));
      await trial.refuses('a claim in a plain namespace', tryClaim(), ...words);
      await trial.refuses('a template in a plain namespace', trial.tryCreate(RESOURCE_CLAIM_TEMPLATES, claimTemplate(ADMIN)), ...words);
      const label = (value: string | null): Promise<KubeObject> =>
        trial.client.patch(NAMESPACES, { name: trial.namespace }, { merge: { metadata: { labels: { [ADMIN_LABEL]: value } } } });
      await label('True');
      await trial.pause(300);
      await trial.refuses('a claim where the label is True', tryClaim(), ...words);
      await label('true');
      await trial.eventually('that a claim is accepted where the label is true', () => trial.attempt(tryClaim()));
      await label(null);
    },
  },
  {
    id: 'access-node-bound-slices',
    area: 'Access',
    title: 'our policy lets a driver write slices of its own node and driver, and nothing else',
    why: 'Without it one compromised node can publish or delete the devices of all.',
    mode: 'live',
    effect: 'creates',
    // What is granted must be held.
    needs: [...POLICY_NEEDS, ...need(RESOURCE_SLICES, ['create', 'update', 'delete'])],
    run: async (trial) => {
      const account = 'driver';
      const on = (node?: string) => serviceAccountUser(trial.namespace, account, node);
      const publish = (fields: object) => (client: KubeClient): Promise<KubeObject> =>
        client.create(RESOURCE_SLICES, trial.manifest(RESOURCE_SLICES, slice({ devices: [], ...fields })), { dryRun: true });
      await provePolicy(trial, {
        account,
        policy: nodeBoundSlicesPolicy(on().user, DRIVER),
        clusterRules: [{ apiGroups: ['resource.k8s.io'], resources: ['resourceslices'], verbs: ['create', 'update', 'delete'] }],
        cases: [
          { what: 'a slice of the own node', as: on(ABSENT_NODE), send: publish({}) },
          { what: 'a slice of another node', as: on(OTHER_NODE), send: publish({}), refused: [`A driver on node '${OTHER_NODE}' may write slices of that node only`] },
          { what: 'a slice for all nodes', as: on(ABSENT_NODE), send: publish({ nodeName: undefined, allNodes: true }), refused: ['not of the cluster'] },
          { what: 'a slice of another driver', as: on(ABSENT_NODE), send: publish({ driver: 'other.cdk8s-dra.dev' }), refused: [`may write slices of driver ${DRIVER} only`] },
          { what: 'a slice without a node in the token', as: on(), send: publish({}), refused: ['The token of this account names no node'] },
        ],
      });
    },
  },
  {
    id: 'access-granular-status',
    area: 'Access',
    title: 'who may write the status of claims changes neither allocation nor device reports without a further permission',
    why: 'Drivers get the permission for claims on their own node only; an upgrade to 1.36 without it breaks them.',
    since: '1.36',
    mode: 'live',
    effect: 'creates',
    needs: [...ALLOCATION_NEEDS, ...RBAC_NEEDS, ...need(RESOURCE_CLAIMS, ['associated-node:update', 'associated-node:patch'], 'driver')],
    run: async (trial) => {
      trial.requiresGate('DRAResourceClaimGranularStatusAuthorization', 'kube-apiserver');
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      const allocated = await trial.client.update(RESOURCE_CLAIMS, { ...made, status: { allocation: allocation() } }, { subresource: 'status' });
      const write = (status: object) => (client: KubeClient): Promise<KubeObject> =>
        client.update(RESOURCE_CLAIMS, { ...allocated, status }, { subresource: 'status', dryRun: true });
      const report = write({ allocation: allocation(), devices: [deviceStatus({ data: { a: 1 } })] });
      const on = (node?: string) => serviceAccountUser(trial.namespace, 'driver', node);
      await provePolicy(trial, {
        account: 'driver',
        rules: [
          { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/status'], verbs: ['update', 'patch'] },
          { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims/driver'], resourceNames: [DRIVER], verbs: ['associated-node:update', 'associated-node:patch'] },
        ],
        cases: [
          { what: 'a report on a device of the own node', as: on(ABSENT_NODE), send: report },
          {
            what: 'a report on a device of another node',
            as: on(OTHER_NODE),
            send: report,
            refused: ['changing status.devices requires resource="resourceclaims/driver"'],
          },
          { what: 'a report without a node', as: on(), send: report, refused: ['changing status.devices requires resource="resourceclaims/driver"'] },
          {
            what: 'a deallocation by a driver',
            as: on(ABSENT_NODE),
            send: write({}),
            refused: ['changing status.allocation or status.reservedFor requires resource="resourceclaims/binding"'],
          },
        ],
      });
    },
  },
  {
    id: 'access-default-roles',
    area: 'Access',
    title: 'the roles view and edit reach claims and templates, and not classes and slices',
    why: 'Tenants need a role of their own to read classes; DevicePlatform makes it.',
    mode: 'live',
    effect: 'reads',
    needs: need(CLUSTER_ROLES, ['get']),
    run: async (trial) => {
      for (const [role, verb] of [['view', 'list'], ['edit', 'create']] as const) {
        const { rules = [] } = await trial.client.get(CLUSTER_ROLES, { name: role }) as { readonly rules?: readonly RbacRule[] };
        const allows = (resource: string): boolean => rules.some((rule) => rule.apiGroups.includes('resource.k8s.io') && rule.resources.includes(resource) && rule.verbs.includes(verb));
        for (const resource of ['resourceclaims', 'resourceclaimtemplates']) trial.expect(allows(resource), `${role} may not ${verb} ${resource}`);
        for (const resource of ['deviceclasses', 'resourceslices']) if (allows(resource)) trial.note(`${role} may ${verb} ${resource}`);
      }
    },
  },
  {
    id: 'access-node-restriction',
    area: 'Access',
    title: 'a kubelet writes slices of its own node only',
    why: 'Our policy says the same of drivers; both are needed.',
    mode: 'live',
    effect: 'tries',
    needs: [
      ...need(RESOURCE_SLICES, ['create']),
      { verb: 'impersonate', group: '', resource: 'users', namespaced: false },
      { verb: 'impersonate', group: '', resource: 'groups', namespaced: false },
    ],
    run: async (trial) => {
      const kubelet = trial.client.as({ user: `system:node:${ABSENT_NODE}`, groups: ['system:nodes', 'system:authenticated'] });
      const publish = (nodeName: string): Promise<KubeObject> =>
        kubelet.create(RESOURCE_SLICES, trial.manifest(RESOURCE_SLICES, slice({ devices: [], nodeName })), { dryRun: true });
      await trial.accepts('a slice of the own node', publish(ABSENT_NODE));
      await trial.refuses('a slice of another node', publish(OTHER_NODE), 'can only create ResourceSlice with the same NodeName as the requesting node');
    },
  },
];
