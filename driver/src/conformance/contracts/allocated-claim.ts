import type { KubeObject } from '../../kube/object.js';
import { RESOURCE_CLAIMS } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Need } from '../contract.js';
import { allocation, claim, exactly } from '../manifests.js';
import type { Fields } from '../manifests.js';
import type { Trial } from '../trial.js';

/** Keeps an allocated claim from vanishing. */
export const DELETE_PROTECTION = 'resource.kubernetes.io/delete-protection';

export const ALLOCATION_NEEDS: readonly Need[] = [
  ...need(RESOURCE_CLAIMS, ['create', 'get', 'patch', 'update', 'delete']),
  ...need(RESOURCE_CLAIMS, ['update', 'patch'], 'status'),
  ...need(RESOURCE_CLAIMS, ['update', 'patch'], 'binding').map((one): Need => ({ ...one, since: '1.36', namespaced: false })),
  ...need(RESOURCE_CLAIMS, ['arbitrary-node:update', 'arbitrary-node:patch'], 'driver').map((one): Need => ({ ...one, since: '1.36' })),
];


/** A claim that was allocated by hand, as the scheduler does it: finalizer and allocation. Its devices exist nowhere. */
export async function allocatedClaim(trial: Trial, count = 1, fields: Fields = {}): Promise<KubeObject> {
  const made = await trial.create(RESOURCE_CLAIMS, {
    ...claim({ requests: [exactly('device', { count })] }), metadata: { finalizers: [DELETE_PROTECTION] },
  });
  return writeStatus(trial, made, { allocation: allocation(count), ...fields });
}

/** The whole status, as its owners write it. */
export async function writeStatus(trial: Trial, object: KubeObject, status: Fields, dryRun = false): Promise<KubeObject> {
  return trial.client.update(RESOURCE_CLAIMS, { ...object, status }, { subresource: 'status', dryRun });
}
