import { findFailure } from 'cdk8s-dra/model';

import { textTable } from './text-table.js';
import type { AgentDump } from '../../node/agent-dump.js';

/** What an agent says of itself, for people. */
export function dumpText(dump: AgentDump): string {
  const { identity, configuration, mode, owner, standing, sockets, version, process: running } = dump;
  const { driverName, family, roles } = configuration;
  return [
    `${driverName} on ${identity.nodeName}: ${roles.join(' and ')} of family ${family}${identity.podName === undefined ? '' : `, pod ${identity.podName}`}\n`,
    `Mode: ${mode}; owner of the devices: ${owner}\n`,
    `Kubelet: ${standing.registration.state}${sockets === undefined ? '' : ` at ${sockets.service}`}\n`,
    `Records: ${WRITING[standing.writing]}\n`,
    `Publishing: ${standing.isPublishing ? 'yes' : 'no'}; report: ${standing.isReporting ? 'yes' : 'no'}\n`,
    `Version ${version} on Node.js ${running.node}, up ${duration(running.uptimeSeconds)}, ${Math.round(running.residentBytes / 1e6)} MB\n`,
    devicesText(dump),
  ].join('');
}

/** What somebody should look at. */
export function dumpFindings({ unready, owner, isolations, held, problems }: AgentDump): readonly string[] {
  return [
    ...(unready === undefined ? [] : [unready]),
    ...(owner === 'unknown' ? ['the Node cannot be read or says nothing that is known, so nothing new is offered'] : []),
    ...isolations.map(({ device, code, message, since }) => `${device} is isolated since ${since}: ${code} ${message}`),
    ...held.filter(({ state }) => state === 'quarantined').map(({ device, claimUid }) => `${device} is held by a record that was set aside (claim ${claimUid})`),
    ...problems.filter(({ code }) => findFailure(code)?.severity !== 'info').map(({ code, message }) => `${code} ${message}`),
  ];
}

const WRITING: { readonly [State in AgentDump['standing']['writing']]: string } = {
  none: 'none, as a witness has none',
  seeking: 'another agent still holds them',
  writing: 'this agent holds them',
  ending: 'what is under way is finished',
  standby: 'another agent holds them; this one stands by',
};

/** A line for each holder, and one for each device without. */
function devicesText({ devices, held, users }: AgentDump): string {
  if (devices.length === 0 && held.length === 0) return '';
  const names = new Set([...devices.map(({ name }) => name), ...held.map(({ device }) => device)]);
  const rows = [...names].flatMap((device): (readonly string[])[] => {
    const identity = devices.find(({ name }) => name === device)?.identity ?? '(gone)';
    const holders = held.filter((each) => each.device === device);
    if (holders.length === 0) return [[device, identity, 'free', '', '']];
    return holders.map(({ claimUid, namespace, name, state, shareId, adminAccess }) => {
      const own = users.filter((user) => user.device === device && user.claimUid === claimUid && user.shareId === (shareId ?? ''));
      const pods = new Set(own.flatMap(({ podNamespace, pod }) => (pod === '' ? [] : [`${podNamespace}/${pod}`])));
      return [device, identity, adminAccess === true ? `${state}, monitoring` : state, `${namespace}/${name}`, [...pods].join(' ')];
    });
  });
  return `\n${textTable(['DEVICE', 'IDENTITY', 'STATE', 'CLAIM', 'PODS'], rows)}`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
