import { LEAST_ABILITIES } from './server-abilities.js';
import type { ServerAbilities } from './server-abilities.js';
import type { SliceDevice, SliceObject, SliceSpec } from './slice-object.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { RESOURCE_SLICES } from '../../kube/resource.js';

/**
 * Asks the server itself what it keeps, by a slice that it judges and does not store.
 *
 * Versions and gates would have to be guessed: an agent may not read them, and a gate can be off on one of several servers.
 */
export async function probeAbilities(client: KubeClient, driver: string, node: string, signal: AbortSignal): Promise<ServerAbilities> {
  const together = await dryRun(client, probe(driver, node, true), signal);
  // From 1.35 on a slice with both is invalid.
  const answer = together ?? await dryRun(client, probe(driver, node, false), signal);
  const device = answer?.spec.devices?.[0];
  if (device === undefined) return LEAST_ABILITIES;
  const kept = device.consumesCounters !== undefined;
  return {
    taints: device.taints !== undefined,
    counters: !kept ? 'dropped' : together === undefined ? 'own-slices' : 'beside-devices',
    shares: device.allowMultipleAllocations === true,
  };
}

async function dryRun(client: KubeClient, slice: SliceObject, signal: AbortSignal): Promise<SliceObject | undefined> {
  try {
    return await client.create(RESOURCE_SLICES, slice, { dryRun: true, signal }) as SliceObject;
  } catch (error) {
    if (isApiError(error, 'Invalid')) return undefined;
    throw error;
  }
}

function probe(driver: string, node: string, withCounterSets: boolean): SliceObject {
  const device: SliceDevice = {
    name: 'probe',
    allowMultipleAllocations: true,
    capacity: { units: { value: '1' } },
    taints: [{ key: 'cdk8s-dra.dev/probe', effect: 'NoSchedule' }],
    consumesCounters: [{ counterSet: 'probe', counters: { units: { value: '1' } } }],
  };
  const spec: SliceSpec = {
    driver,
    nodeName: node,
    pool: { name: node, generation: 1, resourceSliceCount: 1 },
    devices: [device],
    ...(withCounterSets ? { sharedCounters: [{ name: 'probe', counters: { units: { value: '1' } } }] } : {}),
  };
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { generateName: 'cdk8s-dra-probe-' }, spec };
}
