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
    ...(pool?.devices.length === 0 && pool.withheld.length === 0
      ? [`Nothing is here: below ${folders.hostRoot} no file shows such hardware. docs/devices.md says what is read; is this the machine, and hostRoot its root?\n`]
      : []),
  ].join('');
}

function poolText(pool: DryRunPool, mode: DryRun['mode']['mode'], where: string): readonly string[] {
  const told = pool.slices.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name));
  const tainted = pool.slices.some(({ spec }) => spec.devices?.some(({ taints = [] }) => taints.length > 0));
  const published = mode === 'observe'
    ? 'nothing is published'
    : `${told.length} published in ${amount(pool.slices.length, 'slice')}${tainted ? ', tainted as frozen' : mode === 'frozen' ? ', empty as frozen' : ''} (${where})`;
  return [
    `\nPool ${pool.name}: ${amount(pool.devices.length, 'device')} found, ${published}\n`,
    devicesText(pool, mode === 'observe' ? undefined : new Set(told)),
    pool.counterSets.length === 0 ? '' : `\nCounters that devices share\n${countersText(pool.counterSets)}`,
    problemsText('Found and withheld', pool.withheld),
    problemsText(`Not published, marked with -: ${where} cannot express them`, pool.untold),
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

/** What is said of many devices is said once; JSON has it for each. */
function problemsText(title: string, problems: readonly InventoryProblem[]): string {
  if (problems.length === 0) return '';
  const alike = new Map<string, InventoryProblem[]>();
  for (const problem of problems) {
    const said = `${problem.code} ${problem.message.replaceAll(problem.subject, '')}`;
    alike.set(said, [...alike.get(said) ?? [], problem]);
  }
  const lines = [...alike.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [`  ${first.code} ${first.message}\n`, othersText(others)]));
  return `\n${title}\n${lines.join('')}`;
}

function othersText(others: readonly InventoryProblem[]): string {
  if (others.length === 0) return '';
  const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more (-o json has all)` : '';
  return `         so too ${others.slice(0, MAX_NAMED).map(({ subject }) => subject).join(', ')}${more}\n`;
}

const MAX_NAMED = 5;

function valuesText(values: CounterSet['counters']): string {
  return Object.entries(values).map(([name, { value }]) => `${name}=${value}`).join(' ');
}

function attributeText(value: AttributeValue): string {
  return String(Object.values(value)[0]);
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
