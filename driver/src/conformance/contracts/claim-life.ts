import type { KubeObject } from '../../kube/object.js';
import { apiVersionOf, NAMESPACES, PODS, RESOURCE_CLAIMS, SERVICE_ACCOUNTS } from '../../kube/resource.js';
import type { Resource } from '../../kube/resource.js';
import { validatesByDeclaration } from '../cluster-facts.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { allocation, claim, consumers, deviceStatus, DRIVER, pod } from '../manifests.js';
import type { Fields } from '../manifests.js';
import { ALLOCATION_NEEDS, allocatedClaim, DELETE_PROTECTION, writeStatus } from './allocated-claim.js';
import { POD_NEEDS } from './pod-support.js';

export const CLAIM_LIFE_CONTRACTS: readonly Contract[] = [
  {
    id: 'claim-status-not-by-spec',
    area: 'Claim life',
    title: 'a status that is written with the claim itself is ignored',
    why: 'Who may create claims cannot give himself devices.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIMS, { ...claim(), status: { allocation: allocation() } });
      trial.equal('the status after creation', (made.status as Fields | undefined)?.allocation, undefined);
      const updated = await trial.client.update(RESOURCE_CLAIMS, { ...made, status: { allocation: allocation() } });
      trial.equal('the status after an update', (updated.status as Fields | undefined)?.allocation, undefined);
    },
  },
  {
    id: 'claim-reserved-needs-allocation',
    area: 'Claim life',
    title: 'a claim is reserved for a pod only once it is allocated',
    why: 'The order created, allocated, reserved is what every reader of claims assumes.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      await trial.refuses('a reservation without allocation', writeStatus(trial, made, { reservedFor: consumers(1) }, true), 'may not be specified when `allocated` is not set');
      await trial.accepts('allocation and reservation together', writeStatus(trial, made, { allocation: allocation(), reservedFor: consumers(1) }, true));
    },
  },
  {
    id: 'claim-allocation-fixed',
    area: 'Claim life',
    title: 'an allocation is never changed, only cleared',
    why: 'The driver prepares what it read; another device under the same claim would go unseen.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await allocatedClaim(trial);
      const other = { ...allocation(), devices: { results: [{ request: 'device', driver: DRIVER, pool: 'other', device: 'device0' }] } };
      await trial.refuses('another device', writeStatus(trial, made, { allocation: other }, true), 'status.allocation',
        validatesByDeclaration(trial.facts) ? 'field cannot be modified once set' : 'field is immutable');
      await trial.accepts('no device', writeStatus(trial, made, {}, true));
    },
  },
  {
    id: 'claim-result-request',
    area: 'Claim life',
    title: 'a device can only be allocated for a request of the claim',
    why: 'Containers get devices by the name of the request.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      const other = allocation(1, {}, { request: 'other' });
      await trial.refuses('a device for another request', writeStatus(trial, made, { allocation: other }, true), 'must be the name of a request in the claim');
    },
  },
  {
    id: 'claim-device-status-allocated',
    area: 'Claim life',
    title: 'drivers report on allocated devices only, and what they report goes with the allocation',
    why: 'Old reports must not be taken for those of the next device.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      trial.requires('ResourceClaimStatus', 'devices');
      const made = await allocatedClaim(trial);
      const other = { allocation: allocation(), devices: [deviceStatus({ device: 'device7' })] };
      await trial.refuses('a report on another device', writeStatus(trial, made, other, true), 'must be an allocated device in the claim');
      const reported = await trial.accepts('a report', writeStatus(trial, made, { allocation: allocation(), devices: [deviceStatus({ data: { a: 1 } })] }));
      if (reported !== undefined) {
        const cleared = await trial.client.update(RESOURCE_CLAIMS, { ...reported, status: { devices: (reported.status as Fields).devices } }, { subresource: 'status', dryRun: true });
        trial.equal('the reports after the allocation was cleared', (cleared.status as Fields | undefined)?.devices, undefined);
      }
    },
  },
  {
    id: 'claim-finalizer-holds',
    area: 'Claim life',
    title: 'an allocated claim that is deleted stays until its finalizer goes, and takes no new consumer meanwhile',
    why: 'A device is free for others only when its claim is gone.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      // A finalizer of our own: the claim controller would take off the usual one at once, as nobody uses the claim.
      const made = await trial.create(RESOURCE_CLAIMS, { ...claim(), metadata: { finalizers: ['cdk8s-dra.dev/conformance'] } });
      await writeStatus(trial, made, { allocation: allocation() });
      const name = trial.nameOf(made);
      await trial.client.delete(RESOURCE_CLAIMS, name);
      const deleted = await trial.client.get(RESOURCE_CLAIMS, name);
      trial.expect(deleted.metadata?.deletionTimestamp !== undefined, 'the claim has no deletionTimestamp');
      if ((deleted.status as Fields | undefined)?.allocation !== undefined) {
        const reserved = writeStatus(trial, deleted, { allocation: allocation(), reservedFor: consumers(1) }, true);
        await trial.refuses('a new consumer', reserved, 'new entries may not be added while');
      } else {
        trial.note('the allocation was cleared before a consumer could be tried');
      }
      await trial.client.patch(RESOURCE_CLAIMS, name, { merge: { metadata: { finalizers: null } } });
      await trial.eventually('the end of the claim', async () => (await trial.client.find(RESOURCE_CLAIMS, name) === undefined ? true : undefined));
    },
  },
  {
    id: 'claim-released-without-consumer',
    area: 'Claim life',
    title: 'a reservation for a pod that does not exist is removed, and the claim is deallocated',
    why: 'The device of a lost pod comes back without anybody doing anything.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await allocatedClaim(trial, 1, { reservedFor: consumers(1) });
      await trial.eventually('the removal of the reservation', async () => {
        const { status } = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(made));
        return (status as Fields | undefined)?.reservedFor === undefined ? true : undefined;
      });
      await trial.eventually('the deallocation', async () => {
        const { status, metadata } = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(made));
        return (status as Fields | undefined)?.allocation === undefined && (metadata?.finalizers ?? []).length === 0 ? true : undefined;
      });
    },
  },
  {
    id: 'claim-unused-stays-allocated',
    area: 'Claim life',
    title: 'an allocated claim that nobody reserved stays allocated',
    why: 'Its device is lost to others until somebody deletes the claim: status and inventory look for such claims.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await allocatedClaim(trial);
      await trial.pause(2000);
      const { status } = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(made));
      trial.expect((status as Fields | undefined)?.allocation !== undefined, 'the allocation was cleared');
    },
  },
  {
    id: 'claim-namespace-deleted',
    area: 'Claim life',
    title: 'a namespace that is deleted while a pod uses an allocated claim goes, and both with it',
    why: 'The end of a tenant gives its devices back without anybody releasing claims by hand.',
    mode: 'live',
    effect: 'creates',
    needs: [...ALLOCATION_NEEDS, ...POD_NEEDS, ...need(NAMESPACES, ['get'])],
    run: async (trial) => {
      const namespace = (await trial.create(NAMESPACES, {})).metadata?.name ?? '';
      const within = (resource: Resource, object: KubeObject): Promise<KubeObject> => trial.client.create(resource, {
        apiVersion: apiVersionOf(resource), kind: resource.kind, ...object, metadata: { ...object.metadata, name: trial.name(resource), namespace },
      });
      await trial.eventually('the default service account of the namespace', () => trial.client.find(SERVICE_ACCOUNTS, { name: 'default', namespace }));
      const made = await within(RESOURCE_CLAIMS, { ...claim(), metadata: { finalizers: [DELETE_PROTECTION] } });
      const user = await within(PODS, pod({ resourceClaims: [{ name: 'device', resourceClaimName: made.metadata?.name }] }));
      const reservedFor = [{ resource: 'pods', name: user.metadata?.name, uid: user.metadata?.uid }];
      await writeStatus(trial, made, { allocation: allocation(), reservedFor });
      await trial.client.delete(NAMESPACES, { name: namespace });
      const gone = (resource: Resource, object: KubeObject) => async (): Promise<true | undefined> => (
        await trial.client.find(resource, trial.nameOf(object)) === undefined ? true : undefined
      );
      await trial.eventually('the end of the pod', gone(PODS, user), 30_000);
      await trial.eventually('the end of the claim', gone(RESOURCE_CLAIMS, made), 30_000);
      await trial.eventually('the end of the namespace', async () => (await trial.client.find(NAMESPACES, { name: namespace }) === undefined ? true : undefined), 30_000);
    },
  },
  {
    id: 'claim-status-conflict',
    area: 'Claim life',
    title: 'a status written from an old copy of a claim is refused as a conflict',
    why: 'Driver, scheduler and claim controller write the same status.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      await trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(made), { merge: { metadata: { labels: { 'example.com/a': 'b' } } } });
      const error = await trial.refuses('an old copy', writeStatus(trial, made, { allocation: allocation() }), 'the object has been modified');
      trial.equal('the reason', error?.reason, 'Conflict');
    },
  },
  {
    id: 'claim-device-status-apply',
    area: 'Claim life',
    title: 'two drivers apply their device status to one claim without touching each other',
    why: 'Claims with devices of two drivers are common (GPU and NIC).',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      trial.requires('ResourceClaimStatus', 'devices');
      const made = await allocatedClaim(trial, 2);
      const apply = (device: string): Promise<KubeObject> => trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(made), {
        apply: { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', status: { devices: [deviceStatus({ device, data: { device } })] } },
        fieldManager: `conformance-${device}`,
      }, { subresource: 'status' });
      await trial.accepts('the first status', apply('device0'));
      const both = await trial.accepts('the second status', apply('device1'));
      trial.equal('the number of reports', ((both?.status as Fields | undefined)?.devices as readonly unknown[] | undefined)?.length, 2);
    },
  },
];
