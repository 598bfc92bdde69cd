import { textTable } from './text-table.js';
import type { AttributeValue, CounterSet, InventoryDevice, InventoryProblem } from '../../devices/inventory.js';
import type { DryRun, DryRunPool } from '../../node/dry-run.js';

/** A dry run for people; `where` names the version or the server that the slices are for. */
export function dryRunText({ driver, family, node, roles, mode, folders, sockets, pool }: DryRun, where: string): string {
  return [
    `${driver} on ${node}: ${roles.join(' and ')} of family ${family}\n`,
    `Mode: ${mode.mode}; ${mode.because}.\n`,
    ...(sockets === undefined ? [] : [`Sockets: ${sockets.registration}\n         ${sockets.service}\n`]),
    `Folders: kubelet ${folders.kubeletRoot}, CDI ${folders.cdiRoot}, host ${folders.hostRoot}${sockets === undefined ? '' : `, records ${folders.dataFolder}`}\n`,
    ...(pool === undefined ? ['A witness publishes nothing; it writes a DeviceNodeReport.\n'] : poolText(pool, mode.mode, where)),
  ].join('');
}

function poolText(pool: DryRunPool, mode: DryRun['mode']['mode'], where: string): readonly string[] {
  const told = pool.slices.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name));
  const tainted = pool.slices.some(({ spec }) => spec.devices?.some(({ taints = [] }) => taints.length > 0));
  const published = mode === 'observe'
    ? 'nothing is published'
    : `${amount(told.length, 'device')} in ${amount(pool.slices.length, 'slice')}${tainted ? ', tainted as frozen' : ''} (${where})`;
  return [
    `\nPool ${pool.name}: ${amount(pool.devices.length, 'device')} found, ${published}\n`,
    devicesText(pool, mode === 'observe' ? undefined : new Set(told)),
    pool.counterSets.length === 0 ? '' : `\nCounters that devices share\n${countersText(pool.counterSets)}`,
    problemsText('Withheld', pool.withheld),
    problemsText(`Marked with - and not published, as this API server could not be told (${where})`, pool.untold),
  ];
}

function devicesText({ devices }: DryRunPool, told: ReadonlySet<string> | undefined): string {
  if (devices.length === 0) return '';
  return textTable(['DEVICE', 'IDENTITY', 'CAPACITY', 'TAKES', 'ATTRIBUTES'], devices.map((device) => [
    `${told === undefined || told.has(device.name) ? '' : '- '}${device.name}`,
    device.identity,
    Object.entries(device.capacity).map(([name, { value }]) => `${name}=${value}`).join(' '),
    takes(device),
    Object.entries(device.attributes).map(([name, value]) => `${name}=${attributeText(value)}`).join(' '),
  ])).split('\n').map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}

function takes({ consumesCounters = [], allowMultipleAllocations, maxShares }: InventoryDevice): string {
  const parts = consumesCounters.map(({ counterSet, counters }) => `${counterSet}(${valuesText(counters)})`);
  if (allowMultipleAllocations === true) parts.push(maxShares === undefined ? 'shared' : `shared by ${maxShares}`);
  return parts.join(' ');
}

function countersText(sets: readonly CounterSet[]): string {
  return sets.map(({ name, counters }) => `  ${name}: ${valuesText(counters)}\n`).join('');
}

/** Of many that say the same the first few stand for all; JSON has them all. */
function problemsText(title: string, problems: readonly InventoryProblem[]): string {
  if (problems.length === 0) return '';
  const codes = [...new Set(problems.map(({ code }) => code))];
  const lines = codes.flatMap((code) => {
    const all = problems.filter((problem) => problem.code === code);
    const shown = all.slice(0, MAX_SHOWN).map(({ message }) => `  ${code} ${message}\n`);
    return all.length <= MAX_SHOWN ? shown : [...shown, `  ${code} and ${all.length - MAX_SHOWN} more (-o json has all)\n`];
  });
  return `\n${title}\n${lines.join('')}`;
}

const MAX_SHOWN = 5;

function valuesText(values: CounterSet['counters']): string {
  return Object.entries(values).map(([name, { value }]) => `${name}=${value}`).join(' ');
}

function attributeText(value: AttributeValue): string {
  return String(Object.values(value)[0]);
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
