import { agentMode, ownerLabel, publishAnnotation } from 'cdk8s-dra/model';
import type { NodeMarks } from 'cdk8s-dra/model';

import type { AgentConfiguration } from './config/agent-configuration.js';
import type { AgentMode } from './device-state.js';
import { socketPaths } from './kubelet/socket-paths.js';
import type { SocketPaths } from './kubelet/socket-paths.js';
import { poolContent } from './slices/pool-content.js';
import type { ServerAbilities } from './slices/server-abilities.js';
import { sliceName, sliceObject } from './slices/slice-object.js';
import type { SliceObject } from './slices/slice-object.js';
import { createBackend } from '../devices/create-backend.js';
import { HostRoot } from '../devices/host/host-root.js';
import type { Inventory, InventoryProblem } from '../devices/inventory.js';

export interface DryRunOptions {
  readonly configuration: AgentConfiguration;
  readonly nodeName: string;
  readonly podUid?: string | undefined;
  /** As the API server has it; absent: nobody was asked, and the devices are taken for DRA's. */
  readonly node?: { readonly metadata?: NodeMarks } | undefined;
  readonly abilities: ServerAbilities;
  readonly signal: AbortSignal;
}

/** What an agent would do on this machine, and why. */
export interface DryRun {
  readonly driver: string;
  readonly family: string;
  readonly node: string;
  readonly roles: readonly string[];
  readonly mode: { readonly mode: AgentMode; readonly because: string };
  readonly folders: { readonly kubeletRoot: string; readonly cdiRoot: string; readonly hostRoot: string; readonly dataFolder: string };
  /** Of drivers. */
  readonly sockets?: SocketPaths;
  readonly pool?: DryRunPool;
}

export interface DryRunPool {
  readonly name: string;
  readonly devices: Inventory['devices'];
  readonly counterSets: Inventory['counterSets'];
  /** What was found and is not offered. */
  readonly withheld: readonly InventoryProblem[];
  /** What this API server cannot be told. */
  readonly untold: readonly InventoryProblem[];
  /** As they would be written; none while the devices belong to somebody else. */
  readonly slices: readonly SliceObject[];
}

/** Looks at the hardware and works out what would be published; opens no socket and writes nothing. */
export async function dryRun({ configuration, nodeName, podUid, node, abilities, signal }: DryRunOptions): Promise<DryRun> {
  const { driverName, family, roles, kubeletRoot, cdiRoot, hostRoot, dataFolder } = configuration;
  const mode = modeOf(family, node);
  const base = { driver: driverName, family, node: nodeName, roles, mode, folders: { kubeletRoot, cdiRoot, hostRoot, dataFolder } };
  if (!roles.includes('driver')) return base;
  const backend = createBackend(configuration.devices, { root: new HostRoot(hostRoot), now: () => performance.now() });
  const inventory = await backend.discover(signal);
  const content = poolContent({ inventory, isolations: [], mode: mode.mode, frozenSince: new Date().toISOString(), abilities });
  const slices = content?.slices ?? [];
  return {
    ...base,
    sockets: socketPaths({ kubeletRoot, dataFolder, driverName, podUid }),
    pool: {
      name: nodeName,
      devices: inventory.devices,
      counterSets: inventory.counterSets,
      withheld: inventory.problems,
      untold: content?.problems ?? [],
      slices: slices.map((slice, index) =>
        sliceObject(sliceName(index, driverName, nodeName), driverName, { name: nodeName, uid: '' }, slice, 1, slices.length)),
    },
  };
}

function modeOf(family: string, node: DryRunOptions['node']): DryRun['mode'] {
  const label = ownerLabel(family);
  if (node === undefined) return { mode: 'active', because: `no cluster was asked; the agent is active only while the node has the label ${label}=dra` };
  const marks = node.metadata ?? {};
  const mode = agentMode(family, marks);
  const owner = marks.labels?.[label];
  if (mode === 'observe') {
    return { mode, because: owner === undefined ? `the node has no label ${label}, so the device plugin owns the devices` : `the node has the label ${label}=${owner}` };
  }
  const annotation = publishAnnotation(family);
  const published = marks.annotations?.[annotation];
  return { mode, because: published === undefined ? `the node has the label ${label}=dra` : `the node has the annotation ${annotation}=${published}` };
}
