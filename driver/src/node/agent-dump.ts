import { AGENT_VERSION } from './agent-version.js';
import type { AgentStanding } from './agent.js';
import type { AgentConfiguration } from './config/agent-configuration.js';
import type { AgentIdentity } from './config/agent-identity.js';
import type { DeviceState, HeldDevice, Isolation } from './device-state.js';
import type { DeviceOwner } from './node-watch.js';
import type { DeviceUser } from './observe/device-users.js';
import type { InventoryProblem } from '../devices/inventory.js';

/** What `/debug/dump` says, for people and for `kubectl-dra node status`. Names, states and codes; no parameters of claims, and no credentials. */
export interface AgentDump {
  readonly version: string;
  readonly identity: AgentIdentity;
  readonly configuration: Omit<AgentConfiguration, 'devices'>;
  readonly owner: DeviceOwner;
  readonly mode: string;
  readonly standing: AgentStanding;
  /** Undefined: all is well. */
  readonly unready: string | undefined;
  readonly sockets: { readonly registration: string; readonly service: string } | undefined;
  readonly bootId: string;
  readonly devices: readonly { readonly name: string; readonly identity: string; readonly sharable: boolean }[];
  readonly problems: readonly InventoryProblem[];
  readonly isolations: readonly Isolation[];
  readonly held: readonly HeldDevice[];
  readonly users: readonly DeviceUser[];
  readonly process: { readonly uptimeSeconds: number; readonly residentBytes: number; readonly node: string };
}

export interface DumpSources {
  readonly configuration: AgentConfiguration;
  readonly identity: AgentIdentity;
  readonly bootId: string;
  readonly owner: DeviceOwner;
  readonly state: DeviceState;
  readonly publishProblems: readonly InventoryProblem[];
  readonly standing: AgentStanding;
  readonly unready: string | undefined;
  readonly sockets: AgentDump['sockets'];
  readonly users: readonly DeviceUser[];
}

export function agentDump(sources: DumpSources): AgentDump {
  const { identity, bootId, owner, state, publishProblems, standing, unready, sockets, users } = sources;
  // The backend's section may be long, and is in the configuration file.
  const { devices: _, ...configuration } = sources.configuration;
  const { devices, problems } = state.inventory.current;
  return {
    version: AGENT_VERSION,
    identity,
    configuration,
    owner,
    mode: state.mode.current,
    standing,
    unready,
    sockets,
    bootId,
    devices: devices.map(({ name, identity: of, allowMultipleAllocations = false }) => ({ name, identity: of, sharable: allowMultipleAllocations })),
    problems: [...problems, ...publishProblems],
    isolations: state.isolations.current,
    held: state.held.current,
    users,
    process: { uptimeSeconds: Math.round(process.uptime()), residentBytes: process.memoryUsage.rss(), node: process.version },
  };
}
