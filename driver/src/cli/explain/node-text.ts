import { failureOf } from 'cdk8s-dra/model';
import type { DeviceOnNode, NodeExplanation, RequestOnNode } from 'cdk8s-dra/model';

import { printable, section, styleFor } from './text-parts.js';

/** What excludes a pod from a node, for a reader: the node itself, then each request with the devices in groups by what is wrong with them. */
export function nodeText(answer: NodeExplanation, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const state = answer.fits ? style('green', 'nothing keeps the pod off it') : style('red', 'it does not take the pod');
  return [
    `${style('bold', `pod ${printable(answer.pod)} on node ${printable(answer.node)}`)}: ${state} (Kubernetes ${answer.kubernetes})`,
    ...answer.objections.map(({ because, help }) => `  The node is ${printable(because)}${help === '' ? '' : `: ${printable(help)}`}.`),
    ...answer.error === undefined ? [] : [`  The scheduler says: ${printable(answer.error)}`],
    ...answer.conflicts.map((conflict) => `  Together: ${printable(conflict.replace(/\.$/, ''))}.`),
    ...answer.requests.flatMap((request) => requestLines(request).map((line) => `  ${printable(line)}`)),
    ...section('Before any node is looked at:', answer.others.map(({ cause, because }) => `${cause} ${failureOf(cause).name}: ${because}`), style),
    ...section('Known bugs of this Kubernetes:', answer.knownBugs.map(({ id, text }) => `${id}: ${text}`), style),
    ...section('Not known:', answer.unknown, style),
  ].map((line) => `${line}\n`).join('');
}

function requestLines({ claim, request, deviceClass, wanted, free, devices }: RequestOnNode): readonly string[] {
  const ofClass = devices.filter(({ state }) => state !== 'class');
  const groups = new Map<string, DeviceOnNode[]>();
  for (const device of devices) {
    const key = `${device.state}\n${device.because}`;
    const known = groups.get(key);
    if (known) known.push(device);
    else groups.set(key, [device]);
  }
  const sorted = [...groups.values()].sort((a, b) => RANK.indexOf(a[0]?.state ?? 'free') - RANK.indexOf(b[0]?.state ?? 'free'));
  return [
    `Request ${request} of ${claim} wants ${wanted === 0 ? 'all devices' : wanted === 1 ? '1 device' : `${wanted} devices`} of class ${deviceClass}: ${ofClass.length} here, ${free} to be had`,
    ...sorted.map((group) => `  ${WORDS[group[0]?.state ?? 'free'] ?? group[0]?.state}: ${names(group, devices)}${group[0]?.because === '' ? '' : ` (${group[0]?.because})`}`),
  ];
}

/** Short names where all devices are of one pool. */
function names(group: readonly DeviceOnNode[], all: readonly DeviceOnNode[]): string {
  const pools = new Set(all.map(({ device }) => device.slice(0, device.lastIndexOf('/'))));
  const shown = group.map(({ device }) => (pools.size === 1 ? device.slice(device.lastIndexOf('/') + 1) : device));
  return shown.length > MOST_NAMES ? `${shown.slice(0, MOST_NAMES).join(', ')} and ${shown.length - MOST_NAMES} more` : shown.join(', ');
}

const RANK: readonly DeviceOnNode['state'][] = ['free', 'in-use', 'taint', 'counters', 'capacity', 'constraint', 'pool-incomplete', 'pool-invalid', 'gate', 'selector', 'class'];

const WORDS: { readonly [state: string]: string } = {
  'free': 'free',
  'in-use': 'in use',
  'taint': 'tainted',
  'counters': 'short of counters',
  'capacity': 'short of capacity',
  'constraint': 'against a constraint',
  'pool-incomplete': 'in an incomplete pool',
  'pool-invalid': 'in an invalid pool',
  'gate': 'in need of a feature',
  'selector': 'not selected',
  'class': 'of no such class',
};
const MOST_NAMES = 16;
