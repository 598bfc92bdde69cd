import type { InUse, PoolStatus, StatusReport } from 'cdk8s-dra/model';

import { printable, section, styleFor } from '../explain/text-parts.js';
import { textTable } from '../node/text-table.js';
import { spanText } from '../stops/duration.js';

/** The answer for a person: what is wrong first, then a line for each pool. */
export function statusText({ pools, problems, doors }: StatusReport, now: number, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const doubled = pools.filter(({ twoOwners }) => twoOwners.length > 0);
  const held = pools.filter(({ holds }) => holds.length > 0);
  const head = doubled.length > 0
    ? style('red', `TWO OWNERS in ${doubled.map(({ pool }) => pool).join(', ')}: one device may be given twice.`)
    : `${pools.length} ${pools.length === 1 ? 'pool' : 'pools'}${held.length === 0 ? ', none held' : `, ${held.length} held`}${problems.length === 0 ? '' : `, ${problems.length} ${problems.length === 1 ? 'thing is' : 'things are'} not as it should be`}.`;
  return [
    style('bold', head),
    ...doubled.flatMap(({ twoOwners }) => twoOwners.map((line) => style('red', `  ${printable(line)}`))),
    '',
    ...(pools.length === 0 ? [] : textTable(HEAD, pools.map((pool) => row(pool, now))).trimEnd().split('\n')),
    ...section('Not as it should be:', problems, style),
    ...section('Cannot be read, and so counts as held (*):', pools.flatMap(({ unknown }) => unknown).slice(0, MOST), style),
    ...section('Waiting on:', pools.flatMap(({ pool, waitingOn }) => (waitingOn.length > 1 ? waitingOn.map((line) => `${pool}: ${line}`) : [])).slice(0, MOST), style),
    '',
    `Doors: ${doors}`,
  ].map((line) => `${line}\n`).join('');
}

const HEAD = ['POOL', 'TARGET', 'ACTUAL', 'NODES', 'PLUGIN', 'CLAIMS', 'WAITING ON', 'SINCE', 'NEXT'];
const MOST = 40;

function row(pool: PoolStatus, now: number): readonly string[] {
  const { nodes, target, actual, isDerived, waitingOn, since, next, unknown } = pool;
  const mark = unknown.length > 0 ? '*' : '';
  const at = Date.parse(since);
  return [
    pool.pool,
    target,
    actual === undefined ? '?' : `${isDerived ? '~' : ''}${actual}`,
    nodes.total === 0 ? 'none' : `${nodes.devicePlugin}+${nodes.handover}+${nodes.dra}`,
    amountText(pool.legacy, mark),
    amountText(pool.dra, mark),
    waitingOn.length === 0 ? '-' : cut(printable(waitingOn[0] ?? '')) + (waitingOn.length > 1 ? ` (+${waitingOn.length - 1})` : ''),
    Number.isNaN(at) ? '-' : spanText(now - at),
    printable(next),
  ];
}

function amountText({ used, total }: InUse, mark: string): string {
  return total === 0 && used === 0 ? '-' : `${used}/${total}${mark}`;
}

function cut(text: string): string {
  return text.length <= 48 ? text : `${text.slice(0, 47)}…`;
}
