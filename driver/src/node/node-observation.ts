import { AGENT_VERSION } from './agent-version.js';
import type { AgentConfiguration } from './config/agent-configuration.js';
import type { DeviceState } from './device-state.js';
import type { PodResourcesReader } from './kubelet/pod-resources.js';
import type { NodeWatch } from './node-watch.js';
import { claimHoldings, pluginHoldings, pluginResources } from './witness/kubelet-holdings.js';
import type { KubeletView, Observation } from './witness/node-report.js';
import { registeredDrivers } from './witness/registered-drivers.js';
import type { InventoryProblem } from '../devices/inventory.js';

export interface ObservationSources {
  readonly configuration: AgentConfiguration;
  readonly nodeName: string;
  readonly bootId: string;
  readonly node: Pick<NodeWatch, 'owner' | 'mode'>;
  readonly state: Pick<DeviceState, 'inventory' | 'isolations' | 'held'>;
  readonly publishProblems: () => readonly InventoryProblem[];
  readonly pods: Pick<PodResourcesReader, 'listPods' | 'listAllocatable'>;
}

/** What the agent knows now. A kubelet that does not answer leaves its part out, which is not the same as nothing held. */
export async function nodeObservation(sources: ObservationSources): Promise<Observation> {
  const { configuration, nodeName, bootId, node, state, publishProblems, pods } = sources;
  const { roles, driverName, kubeletRoot } = configuration;
  return {
    owner: node.owner,
    mode: node.mode.current,
    roles,
    agentVersion: AGENT_VERSION,
    bootId,
    ...(roles.includes('driver') ? { driver: driverName } : {}),
    pool: nodeName,
    inventory: state.inventory.current,
    isolations: state.isolations.current,
    problems: publishProblems(),
    held: state.held.current,
    drivers: await registeredDrivers(kubeletRoot).catch(() => []),
    kubelet: await kubeletView(pods).catch(() => undefined),
  };
}

async function kubeletView(pods: ObservationSources['pods']): Promise<KubeletView> {
  const [running, allocatable] = await Promise.all([pods.listPods(), pods.listAllocatable()]);
  const held = pluginHoldings(running);
  return { claimHoldings: claimHoldings(running), pluginHoldings: held, resources: pluginResources(allocatable, held) };
}
