import { createHash } from 'node:crypto';

import { NODE_REPORT_LIMITS } from 'cdk8s-dra/model';

import type { ClaimHolding, PluginHolding, PluginResource } from './kubelet-holdings.js';
import type { Inventory, InventoryProblem } from '../../devices/inventory.js';
import type { AgentMode, HeldDevice, Isolation } from '../device-state.js';

/** What the agent of a node knows at one moment. */
export interface Observation {
  readonly owner: 'device-plugin' | 'handover' | 'dra' | 'unknown';
  readonly mode: AgentMode;
  readonly roles: readonly ('driver' | 'witness')[];
  readonly agentVersion: string;
  readonly bootId: string;
  /** Own driver; absent for a mere witness. */
  readonly driver?: string;
  readonly pool: string;
  readonly inventory: Inventory;
  readonly isolations: readonly Isolation[];
  readonly problems: readonly InventoryProblem[];
  /** By the own records. */
  readonly held: readonly HeldDevice[];
  /** Drivers whose sockets are in kubelet's registry. */
  readonly drivers: readonly string[];
  /** As kubelet says; undefined when it does not answer. */
  readonly kubelet: KubeletView | undefined;
}

export interface KubeletView {
  readonly claimHoldings: readonly ClaimHolding[];
  readonly pluginHoldings: readonly PluginHolding[];
  readonly resources: readonly PluginResource[];
}

/** `status` of a DeviceNodeReport, without the heartbeat. */
export interface NodeReportStatus {
  readonly owner: Observation['owner'];
  readonly mode: AgentMode;
  readonly roles: readonly string[];
  readonly agentVersion: string;
  readonly bootId: string;
  readonly inventory: { readonly hash: string; readonly devices: number; readonly withheld: number; readonly isolated: number };
  readonly drivers: readonly { readonly name: string; readonly registered: boolean }[];
  readonly resources: readonly PluginResource[];
  readonly held: readonly ReportedHolding[];
  readonly heldTotal: number;
  readonly pluginHeld: readonly PluginHolding[];
  readonly pluginHeldTotal: number;
  readonly pluginHeldKnown: boolean;
  readonly problems: readonly InventoryProblem[];
}

export interface ReportedHolding {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly claimUid?: string;
  readonly claimNamespace: string;
  readonly claimName: string;
  /** Of the own record; `in-use` when only kubelet names the claim. */
  readonly state: string;
}

/**
 * The report about a moment: bounded, in order, and the same for the same moment, so that nothing is written when nothing changed.
 *
 * Totals count everything; lists are cut at the limits of the CRD.
 */
export function nodeReport(seen: Observation): NodeReportStatus {
  const held = holdings(seen);
  const plugin = seen.kubelet?.pluginHoldings ?? [];
  const problems = [...seen.inventory.problems, ...seen.problems].map(({ code, subject, message }) => ({
    code, subject: subject.slice(0, MAX_SUBJECT), message: cut(message, NODE_REPORT_LIMITS.messageBytes),
  }));
  return {
    owner: seen.owner,
    mode: seen.mode,
    roles: seen.roles,
    agentVersion: seen.agentVersion,
    bootId: seen.bootId,
    inventory: {
      hash: inventoryHash(seen.inventory),
      devices: seen.inventory.devices.length,
      withheld: new Set(problems.map(({ subject }) => subject)).size,
      isolated: seen.isolations.length,
    },
    drivers: [...new Set(seen.drivers)].sort().slice(0, NODE_REPORT_LIMITS.drivers).map((name) => ({ name, registered: true })),
    resources: (seen.kubelet?.resources ?? []).slice(0, NODE_REPORT_LIMITS.resources),
    held: held.slice(0, NODE_REPORT_LIMITS.held),
    heldTotal: held.length,
    pluginHeld: plugin.slice(0, NODE_REPORT_LIMITS.pluginHeld),
    pluginHeldTotal: plugin.length,
    pluginHeldKnown: seen.kubelet !== undefined,
    problems: problems.slice(0, NODE_REPORT_LIMITS.problems),
  };
}

/** The own records first: they know more. What kubelet names beside them belongs to others, or is a claim that we lost. */
function holdings({ driver = '', pool, held, kubelet }: Observation): readonly ReportedHolding[] {
  const own = held.map((one): ReportedHolding => ({
    driver, pool, device: one.device, claimUid: one.claimUid, claimNamespace: one.namespace, claimName: one.name, state: one.state,
  }));
  const known = new Set(own.map(keyOf));
  const others = (kubelet?.claimHoldings ?? []).map((one): ReportedHolding => ({ ...one, state: 'in-use' })).filter((one) => !known.has(keyOf(one)));
  return [...own, ...others].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ driver, pool, device, claimNamespace, claimName }: ReportedHolding): string {
  return [driver, pool, device, claimNamespace, claimName].join('\n');
}

/** Of the pieces of hardware, not of what is said about them: two looks at the same hardware agree, whoever drives it. */
function inventoryHash({ devices }: Inventory): string {
  const pieces = [...new Set(devices.map(({ identity }) => identity))].sort();
  return createHash('sha256').update(pieces.join('\n')).digest('hex').slice(0, HASH);
}

/** At most so many bytes, without half a character. */
function cut(value: string, bytes: number): string {
  if (Buffer.byteLength(value) <= bytes) return value;
  return `${Buffer.from(value).subarray(0, bytes - 3).toString('utf8').replace(/\uFFFD+$/, '')}…`;
}

const HASH = 32;
const MAX_SUBJECT = 253;
