import { PODS, SERVICE_ACCOUNTS } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Need } from '../contract.js';
import type { Trial } from '../trial.js';

/** For contracts that make pods. */
export const POD_NEEDS: readonly Need[] = [...need(PODS, ['create', 'get', 'delete']), ...need(SERVICE_ACCOUNTS, ['get'])];

/** Admission refuses pods until the controller manager has made the account of a new namespace. */
export async function waitForServiceAccount(trial: Trial): Promise<void> {
  await trial.eventually('the default service account of the namespace', () => trial.client.find(SERVICE_ACCOUNTS, { name: 'default', namespace: trial.namespace }));
}
