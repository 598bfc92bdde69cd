import { isApiError, SilentWatchError } from '../../kube/api-error.js';
import { RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { claim, DRIVER, POOL, slice } from '../manifests.js';

export const WATCHING_CONTRACTS: readonly Contract[] = [
  {
    id: 'watch-events-in-order',
    area: 'API',
    title: 'a watch from the resource version of a list shows every change after it, in order',
    why: 'Agent and controller keep their view of the cluster by it.',
    mode: 'live',
    effect: 'creates',
    needs: need(RESOURCE_CLAIMS, ['create', 'patch', 'delete', 'list', 'watch']),
    run: async (trial) => {
      const { resourceVersion } = await trial.client.list(RESOURCE_CLAIMS, { namespace: trial.namespace });
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      await trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(made), { merge: { metadata: { labels: { 'example.com/a': 'b' } } } });
      await trial.remove(RESOURCE_CLAIMS, made);
      const seen: string[] = [];
      for await (const { type, object } of trial.client.watch(RESOURCE_CLAIMS, { namespace: trial.namespace, resourceVersion, silence: 10_000 })) {
        if (object.metadata?.uid === made.metadata?.uid) seen.push(type);
        if (type === 'DELETED') break;
      }
      trial.equal('the events', seen, ['ADDED', 'MODIFIED', 'DELETED']);
    },
  },
  {
    id: 'watch-too-old',
    area: 'API',
    title: 'a watch from a resource version that is gone is refused as expired',
    why: 'It is the only sign that a new list is needed.',
    mode: 'live',
    effect: 'reads',
    needs: need(RESOURCE_SLICES, ['list', 'watch']),
    run: async (trial) => {
      try {
        for await (const { type } of trial.client.watch(RESOURCE_SLICES, { resourceVersion: '1', silence: 2000 })) {
          // A young cluster still has everything.
          trial.note(`answered ${type}`);
          break;
        }
        trial.notApplicable('the server still has everything since resource version 1');
      } catch (error) {
        if (error instanceof SilentWatchError) trial.notApplicable('the server still has everything since resource version 1');
        if (!isApiError(error)) throw error;
        trial.equal('the status', error.status, 410);
      }
    },
  },
  {
    id: 'slice-field-selectors',
    area: 'API',
    title: 'slices can be listed by node and by driver',
    why: 'An agent reads its own slices and not those of thousands of nodes.',
    mode: 'live',
    effect: 'creates',
    needs: need(RESOURCE_SLICES, ['create', 'list', 'delete']),
    run: async (trial) => {
      const made = await trial.create(RESOURCE_SLICES, slice({ devices: [] }));
      const selectors = [`spec.driver=${DRIVER}`, `spec.nodeName=${String((made.spec as { readonly nodeName?: string }).nodeName)}`];
      if (trial.facts.minor === '1.37') selectors.push(`spec.pool.name=${POOL}`);
      for (const fieldSelector of selectors) {
        const { items } = await trial.client.list(RESOURCE_SLICES, { fieldSelector });
        trial.expect(items.some(({ metadata }) => metadata?.uid === made.metadata?.uid), `${fieldSelector} does not find the slice`);
      }
    },
  },
];
