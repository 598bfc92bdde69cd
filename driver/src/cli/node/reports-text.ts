import { textTable } from './text-table.js';
import type { KubeObject } from '../../kube/object.js';
import type { NodeReportStatus } from '../../node/witness/node-report.js';

/** As far as a server keeps it; a report that was just made has no status yet. */
type Status = Partial<NodeReportStatus> & { readonly heartbeat?: string };

/** The reports of one Node, for people. `now` in milliseconds since 1970. */
export function reportsText(reports: readonly KubeObject[], now: number): string {
  return reports.map((report) => reportText(report, now)).join('\n');
}

export function reportFindings(reports: readonly KubeObject[], now: number): readonly string[] {
  return reports.flatMap((report) => {
    const name = report.metadata?.name ?? '';
    const { problems = [], inventory, heartbeat } = statusOf(report);
    const age = ageOf(heartbeat, now);
    return [
      ...(age === undefined ? [`${name} has no heartbeat: nothing is known`] : []),
      ...(age !== undefined && age > STALE ? [`${name} is ${Math.round(age)} s old: the agent is silent, and its devices count as held`] : []),
      ...(inventory !== undefined && inventory.isolated > 0 ? [`${name}: ${inventory.isolated} of ${inventory.devices} devices are isolated`] : []),
      ...problems.map(({ code, message }) => `${code} ${message}`),
    ];
  });
}

function reportText(report: KubeObject, now: number): string {
  const { spec = {} } = report as { readonly spec?: { readonly nodeName?: string; readonly family?: string; readonly driver?: string } };
  const { owner = 'unknown', mode = 'unknown', roles = [], drivers = [], resources = [], inventory, ...status } = statusOf(report);
  const age = ageOf(status.heartbeat, now);
  const devices = inventory === undefined
    ? 'not told'
    : `${inventory.devices} offered, ${inventory.isolated} isolated, ${inventory.withheld} withheld (inventory ${inventory.hash.slice(0, 8)})`;
  return [
    `${spec.driver ?? `family ${spec.family ?? '?'}`} on ${spec.nodeName ?? '?'}: ${roles.length === 0 ? 'agent of unknown role' : roles.join(' and ')}, told ${age === undefined ? 'nothing yet' : `${Math.round(age)} s ago`}\n`,
    `Mode: ${mode}; owner of the devices: ${owner}\n`,
    `Devices: ${devices}\n`,
    `Drivers at this kubelet: ${drivers.length === 0 ? 'none' : drivers.map(({ name }) => name).join(', ')}\n`,
    ...(status.pluginHeldKnown === false ? ['Device plugins: not known, as kubelet did not say\n'] : []),
    ...resources.map(({ name, held, allocatable }) => `Device plugin ${name}: ${held} of ${allocatable} held\n`),
    holdersText(status),
  ].join('');
}

function holdersText({ held = [], heldTotal = held.length, pluginHeld = [], pluginHeldTotal = pluginHeld.length }: Status): string {
  const rows = [
    ...held.map(({ device, driver, state, claimNamespace, claimName }) => [device, driver, state, `claim ${claimNamespace}/${claimName}`]),
    ...pluginHeld.map(({ deviceId, resource, podNamespace, podName }) => [deviceId, resource, 'in-use', `pod ${podNamespace}/${podName}`]),
  ];
  if (rows.length === 0) return 'Nothing is held\n';
  const left = heldTotal + pluginHeldTotal - rows.length;
  return `\n${textTable(['DEVICE', 'OF', 'STATE', 'HELD BY'], rows)}${left > 0 ? `and ${left} more\n` : ''}`;
}

function statusOf(report: KubeObject): Status {
  return (report.status ?? {}) as Status;
}

/** Seconds. */
function ageOf(heartbeat: string | undefined, now: number): number | undefined {
  const at = Date.parse(heartbeat ?? '');
  return Number.isNaN(at) ? undefined : Math.max(0, (now - at) / 1000);
}

/** Two heartbeats may be late. */
const STALE = 90;
