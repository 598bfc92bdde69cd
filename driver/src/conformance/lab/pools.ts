import { PODS, RESOURCE_SLICES } from '../../kube/resource.js';
import type { Contract } from '../contract.js';
import { devices, lab, statusOf } from './lab-contract.js';
import { Laboratory } from './laboratory.js';

export const LAB_POOL_CONTRACTS: readonly Contract[] = [
  lab({
    id: 'pool-incomplete',
    area: 'Allocation',
    title: 'nothing is taken from a pool of which a slice is missing',
    why: 'A driver that publishes slice by slice is safe.',
    since: '1.35',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1), { pool: { resourceSliceCount: 2 } });
      const { pod } = await place.pair('one');
      await place.pending(pod, 'cannot allocate all claims');
      await place.publish([{ name: 'other' }], { suffix: 'second', pool: { resourceSliceCount: 2 } });
      await place.bound(pod);
    },
  }),
  lab({
    id: 'pool-generation',
    area: 'Allocation',
    title: 'an empty pool of a higher generation stops allocation and leaves claims as they are; devices of a still higher one are taken again',
    why: 'It is the way to stop a pool below 1.36.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      const slice = await place.publish(devices(2));
      const first = await place.pair('one');
      await place.bound(first.pod);
      await place.publish([], { suffix: 'empty', pool: { generation: 2 } });
      const second = await place.pair('two');
      await place.pending(second.pod, 'cannot allocate all claims');
      trial.expect((await statusOf(trial, first.claim)).allocation !== undefined, 'the claim lost its allocation');
      await trial.client.patch(RESOURCE_SLICES, trial.nameOf(slice), { merge: { spec: { pool: { generation: 3 } } } });
      await place.bound(second.pod);
    },
  }),
  lab({
    id: 'pool-stop-removed',
    area: 'Allocation',
    title: 'deleting the empty slice of a stopped pool does not wake the pods that wait for it; writing a slice does',
    why: 'A stop must be lifted by publishing, not by deleting.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      const slice = await place.publish(devices(1));
      const empty = await place.publish([], { suffix: 'empty', pool: { generation: 2 } });
      const { pod } = await place.pair('one');
      await place.pending(pod, 'cannot allocate all claims');
      // Claims that the contract before gave back wake every pod that waits.
      await trial.pause(5000);
      await trial.remove(RESOURCE_SLICES, empty);
      await trial.pause(4000);
      const { spec } = await trial.client.get(PODS, trial.nameOf(pod));
      trial.expect((spec as { readonly nodeName?: string }).nodeName === undefined, 'the pod was bound after the deletion');
      await trial.client.patch(RESOURCE_SLICES, trial.nameOf(slice), { merge: { spec: { pool: { generation: 3 } } } });
      await place.bound(pod);
    },
  }),
  lab({
    id: 'pool-invalid',
    area: 'Allocation',
    title: 'a pool with one device name in two slices is left out, and the reason says invalid',
    why: 'explain names it as a fault of the driver.',
    since: '1.35',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1), { pool: { resourceSliceCount: 2 } });
      await place.publish(devices(1), { suffix: 'second', pool: { resourceSliceCount: 2 } });
      const { pod } = await place.pair('one');
      await place.pending(pod, 'invalid resource pools were encountered');
    },
  }),
  lab({
    id: 'pool-incomplete-all',
    area: 'Allocation',
    title: 'mode All stops on every node while a pool of one of them is incomplete, and the message names the pool',
    why: 'One driver that is being updated holds up whole-node jobs everywhere; explain says which.',
    since: '1.36',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1), { pool: { resourceSliceCount: 2 } });
      const { pod } = await place.pair('all', { allocationMode: 'All' });
      await place.pending(pod, 'asks for all devices, but resource pool', 'is currently being updated');
    },
  }),
  lab({
    id: 'pool-incomplete-134',
    area: 'Allocation',
    title: 'in 1.34 devices are taken from a pool of which a slice is missing, except by mode All',
    why: 'Counters or devices in the missing slice are not seen: a driver must publish what belongs together in one slice.',
    until: '1.34',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(2), { pool: { resourceSliceCount: 2 } });
      const { pod } = await place.pair('one');
      await place.bound(pod);
      const all = await place.pair('all', { allocationMode: 'All' });
      await place.pending(all.pod, 'asks for all devices, but resource pool', 'is currently being updated');
    },
  }),
  lab({
    id: 'pool-invalid-134',
    area: 'Allocation',
    title: 'in 1.34 a pool with one device name in two slices ends the attempt for all nodes, and the message names pool and device',
    why: 'explain names it as a fault of the driver; one such driver holds up every pod that looks at its node.',
    until: '1.34',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(1), { pool: { resourceSliceCount: 2 } });
      await place.publish(devices(1), { suffix: 'second', pool: { resourceSliceCount: 2 } });
      // Both slices must have reached the scheduler, or it takes the device of the first.
      await trial.pause(1000);
      const { pod } = await place.pair('one');
      await place.pending(pod, 'running "DynamicResources" filter plugin', 'is invalid: duplicate device name device0');
    },
  }),
];
