import { DEVICE_CLASSES, NODES, PODS, RESOURCE_CLAIMS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_SLICES } from '../../kube/resource.js';
import type { Contract } from '../contract.js';
import { claimTemplate, exactly } from '../manifests.js';
import { devices, lab, statusOf } from './lab-contract.js';
import type { ClaimStatus } from './lab-contract.js';
import { Laboratory } from './laboratory.js';

export const LAB_CLAIM_LIFE_CONTRACTS: readonly Contract[] = [
  lab({
    id: 'claim-life',
    area: 'Claim life',
    title: 'a claim is allocated with its finalizer, reserved for its pod, pinned to the node, and free again when the pod is gone',
    why: 'Controller, agent and explain read these states.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      const now = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(claim));
      const status = now.status as ClaimStatus;
      trial.equal('the finalizers', now.metadata?.finalizers, ['resource.kubernetes.io/delete-protection']);
      trial.equal('the consumers', status.reservedFor, [{ resource: 'pods', name: pod.metadata?.name, uid: pod.metadata?.uid }]);
      const pinned = { key: 'metadata.name', operator: 'In', values: [place.node] };
      trial.equal('the node selector', status.allocation?.nodeSelector, { nodeSelectorTerms: [{ matchFields: [pinned] }] });
      await trial.remove(PODS, pod);
      await trial.eventually('the deallocation', async () => {
        const after = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(claim));
        const isFree = (after.status as ClaimStatus | undefined)?.allocation === undefined && (after.metadata?.finalizers ?? []).length === 0;
        return isFree ? true : undefined;
      });
    },
  }),
  lab({
    id: 'claim-deleted-in-use',
    area: 'Claim life',
    title: 'a claim that is deleted while a pod uses it goes when the pod goes, and not before',
    why: 'Deleting a claim by mistake takes no device from a running pod.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      await trial.client.delete(RESOURCE_CLAIMS, trial.nameOf(claim));
      await trial.pause(1500);
      trial.expect((await statusOf(trial, claim)).allocation !== undefined, 'the claim lost its allocation');
      await trial.remove(PODS, pod);
      await trial.eventually('the end of the claim', async () => (await trial.client.find(RESOURCE_CLAIMS, trial.nameOf(claim)) === undefined ? true : undefined));
    },
  }),
  lab({
    id: 'class-deleted-in-use',
    area: 'Claim life',
    title: 'a class can be deleted while claims of it are allocated; they stay, and new ones wait',
    why: 'The class is read at allocation only.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(2));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      await trial.client.delete(DEVICE_CLASSES, { name: place.className });
      const second = await place.pair('two');
      await place.pending(second.pod, `device class ${place.className} does not exist`);
      trial.expect((await statusOf(trial, claim)).allocation !== undefined, 'the claim lost its allocation');
    },
  }),
  lab({
    id: 'slice-deleted-in-use',
    area: 'Claim life',
    title: 'a slice can be deleted while its devices are allocated; claims stay, and further pods may join them',
    why: 'Kubelet deletes the slices of its node whenever it starts.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      const slice = await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      await trial.remove(RESOURCE_SLICES, slice);
      const second = await place.pod('two', [claim]);
      await place.bound(second);
      trial.equal('the number of consumers', (await statusOf(trial, claim)).reservedFor?.length, 2);
    },
  }),
  lab({
    id: 'claim-shared',
    area: 'Claim life',
    title: 'pods that share a claim are all in reservedFor, and the device is free only after the last',
    why: 'The driver sees one prepare for all of them.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const claim = await place.claim('shared');
      const pods = [await place.pod('one', [claim]), await place.pod('two', [claim])];
      for (const pod of pods) await place.bound(pod);
      trial.equal('the consumers', (await statusOf(trial, claim)).reservedFor?.map(({ name }) => name).sort(), pods.map(({ metadata }) => metadata?.name).sort());
      if (pods[0] !== undefined) await trial.remove(PODS, pods[0]);
      await trial.eventually('one consumer', async () => ((await statusOf(trial, claim)).reservedFor?.length === 1 ? true : undefined));
      trial.expect((await statusOf(trial, claim)).allocation !== undefined, 'the claim lost its allocation');
    },
  }),
  lab({
    id: 'template-claim',
    area: 'Template claims',
    title: 'a pod from a template gets claim and device, and both are free again after it',
    why: 'The usual way to a device.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const template = await trial.create(RESOURCE_CLAIM_TEMPLATES, claimTemplate({ requests: [exactly('device', { deviceClassName: place.className })] }));
      const pod = (suffix: string) => place.pod(suffix, [], { resourceClaims: [{ name: 'device', resourceClaimTemplateName: template.metadata?.name }] });
      const first = await pod('one');
      await place.bound(first);
      const second = await pod('two');
      await place.pending(second, 'cannot allocate all claims');
      await trial.remove(PODS, first);
      await place.bound(second);
    },
  }),
  lab({
    id: 'taint-evicts',
    area: 'Allocation',
    title: 'a NoExecute taint on a device ends the pods that use it and do not tolerate it, with a condition that says why',
    why: 'A sick device must not be used on; such a taint ignores disruption budgets.',
    run: async (trial) => {
      trial.requires('Device', 'taints');
      const place = await Laboratory.open(trial);
      const slice = await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      const taints = [{ key: 'example.com/sick', effect: 'NoExecute' }];
      await trial.client.patch(RESOURCE_SLICES, trial.nameOf(slice), { merge: { spec: { devices: devices(1, { taints }) } } });
      // A pod that no kubelet runs is gone at once, as its grace period is 0: the condition is seen only if the read is fast.
      await trial.eventually('the deletion of the pod', async () => {
        const now = await trial.client.find(PODS, trial.nameOf(pod));
        const { conditions = [] } = (now?.status ?? {}) as { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
        const target = conditions.find(({ type }) => type === 'DisruptionTarget');
        if (target !== undefined) trial.equal('the reason', target.reason, 'DeletionByDeviceTaintManager');
        return now?.metadata?.deletionTimestamp !== undefined || now === undefined ? true : undefined;
      });
      await trial.eventually('the deallocation', async () => ((await statusOf(trial, claim)).allocation === undefined ? true : undefined));
    },
  }),
  lab({
    id: 'binding-conditions',
    area: 'Allocation',
    title: 'a pod is bound only once the conditions of its device are true',
    why: 'Devices that are attached over a fabric.',
    run: async (trial) => {
      trial.requires('Device', 'bindingConditions');
      const place = await Laboratory.open(trial);
      await place.publish(devices(1, { bindingConditions: ['example.com/ready'], bindingFailureConditions: ['example.com/failed'] }));
      const { claim, pod } = await place.pair('one');
      const allocated = await trial.eventually('the allocation', async () => {
        const now = await trial.client.get(RESOURCE_CLAIMS, trial.nameOf(claim));
        return (now.status as ClaimStatus | undefined)?.allocation === undefined ? undefined : now;
      });
      if (allocated === undefined) return;
      await trial.pause(1500);
      const waiting = await trial.client.get(PODS, trial.nameOf(pod));
      trial.equal('the node of the pod before', (waiting.spec as { readonly nodeName?: string }).nodeName, undefined);
      const condition = { type: 'example.com/ready', status: 'True', reason: 'Attached', message: '', lastTransitionTime: new Date().toISOString() };
      await trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(claim), {
        merge: { status: { devices: [{ driver: place.driver, pool: place.node, device: 'device0', conditions: [condition] }] } },
      }, { subresource: 'status' });
      await place.bound(pod);
    },
  }),
  lab({
    id: 'node-deleted',
    area: 'Claim life',
    title: 'when a node is deleted its pods end, and their claims are free',
    why: 'Nodes that vanish are the normal case of scale-down; the controller counts on it.',
    limit: 180_000,
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      await trial.client.delete(NODES, { name: place.node });
      // The collector of orphaned pods waits 40 s and looks every 20 s.
      await trial.eventually('the end of the pod', async () => (await trial.client.find(PODS, trial.nameOf(pod)) === undefined ? true : undefined), 120_000);
      await trial.eventually('the deallocation', async () => ((await statusOf(trial, claim)).allocation === undefined ? true : undefined));
    },
  }),
];
