import { EVENTS, PODS } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { devices, lab } from './lab-contract.js';
import { LAB_NEEDS, Laboratory, schedulingMessage } from './laboratory.js';

export const LAB_MESSAGE_CONTRACTS: readonly Contract[] = [
  lab({
    id: 'message-event',
    area: 'Messages',
    title: 'what the scheduler says of a pod stands in its condition and in an event FailedScheduling',
    why: 'explain reads either.',
    needs: [...LAB_NEEDS, ...need(EVENTS, ['list'])],
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      const { pod } = await place.pair('one');
      await place.pending(pod, 'cannot allocate all claims');
      const event = await trial.eventually('an event FailedScheduling', async () => {
        const { items } = await trial.client.list(EVENTS, { namespace: trial.namespace, fieldSelector: `involvedObject.uid=${pod.metadata?.uid ?? ''}` });
        return items.find(({ reason }) => reason === 'FailedScheduling');
      });
      trial.equal('the text of the event', event?.message, schedulingMessage(await trial.client.get(PODS, trial.nameOf(pod))));
    },
  }),
  lab({
    id: 'message-runtime-error',
    area: 'Messages',
    title: 'a selector that reads a missing attribute stops the pod on all nodes, and the message names class and key',
    why: 'explain and check point at the expression.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const { pod } = await place.pair('one', { selectors: [{ cel: { expression: `device.attributes["${place.driver}"].missing == "x"` } }] });
      await place.pending(pod, 'selector #0', 'CEL runtime error', 'no such key: missing');
    },
  }),
  lab({
    id: 'message-pinned',
    area: 'Messages',
    title: 'a pod that shares a claim that is pinned to another node is told so',
    why: 'explain names the node that has the device.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const { claim, pod } = await place.pair('one');
      await place.bound(pod);
      const elsewhere = await place.pod('two', [claim], {}, await place.otherNode());
      await place.pending(elsewhere, 'resourceclaim not available on the node');
    },
  }),
  lab({
    id: 'message-claim-missing',
    area: 'Messages',
    title: 'a pod whose claim does not exist waits without a word of the scheduler',
    why: 'explain must look for itself.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      const pod = await place.pod('one', ['missing']);
      await trial.pause(3000);
      const now = await trial.client.get(PODS, trial.nameOf(pod));
      const { conditions = [] } = (now.status ?? {}) as { readonly conditions?: readonly unknown[] };
      trial.equal('the conditions', conditions, []);
    },
  }),
];
