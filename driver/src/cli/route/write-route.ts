import { API_GROUP, API_VERSION, FIELD_MANAGER, ROUTING_NAME } from 'cdk8s-dra/model';
import type { ClusterView, RoutePlan, RouteStep } from 'cdk8s-dra/model';

import { writeBridgeName } from './bridge-name.js';
import { isApiError, UnreachableError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { DEVICE_ROUTINGS } from '../../kube/migration-resources.js';
import type { KubeObject } from '../../kube/object.js';

export interface WrittenRoute {
  /** What was done, in order. */
  readonly lines: readonly string[];
  /** What was not, with the reason. */
  readonly failures: readonly string[];
}

/** Carries out the steps in their order; after one that failed nothing is opened any more. */
export async function writeRoute(client: KubeClient, { steps }: RoutePlan, view: ClusterView): Promise<WrittenRoute> {
  const lines: string[] = [];
  for (const [index, step] of steps.entries()) {
    const failure = await write(client, step, view);
    if (failure !== undefined) {
      const left = steps.slice(index + 1).map(({ text }) => `${text}: left, as a step before it failed`);
      return { lines, failures: [`${step.text}: ${failure}`, ...left] };
    }
    lines.push(step.text);
  }
  return { lines, failures: [] };
}

/** Why a step failed; undefined when it did not. */
async function write(client: KubeClient, step: RouteStep, view: ClusterView): Promise<string | undefined> {
  if (step.kind === 'bridge') {
    const uid = view.find('DeviceClass', '', step.deviceClassName)?.uid ?? '';
    return writeBridgeName(client, { name: step.deviceClassName, uid }, step.resource);
  }
  const apply: KubeObject = {
    apiVersion: `${API_GROUP}/${API_VERSION}`,
    kind: 'DeviceRouting',
    metadata: { name: ROUTING_NAME, labels: { 'app.kubernetes.io/managed-by': 'cdk8s-dra' } },
    spec: step.spec,
  };
  try {
    await client.patch(DEVICE_ROUTINGS, { name: ROUTING_NAME }, { apply, fieldManager: FIELD_MANAGER });
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableError) return error.message;
    if (!isApiError(error)) throw error;
    if (error.status === 404) return 'the server does not know DeviceRouting. Install the CRDs first, the file of chart 00-crds.';
    return error.message;
  }
}
