import type { DoorChange, PlanDifference } from 'cdk8s-dra/model';

import { moveText, poolSentences, quotaText, some } from './pool-sentences.js';
import { printable, section, styleFor } from '../explain/text-parts.js';

/** What a commit means, for a person: the answer, then pool by pool, then what spans pools. */
export function diffText(difference: PlanDifference, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const { pools, doors, bridges, quota, objects, mistakes, kubernetes, unchangedPools } = difference;
  return [
    style('bold', headline(difference)),
    ...pools.slice(0, MOST).flatMap((pool) => [
      '',
      style('bold', printable(moveText(pool))),
      ...pool.problems.map(({ code, severity, message, help }) => `  ${style(severity === 'error' ? 'red' : 'yellow', severity)} ${code} ${printable(message)} ${printable(help)}`),
      ...poolSentences(pool).map((line) => `  ${printable(line)}`),
    ]),
    ...(pools.length > MOST ? ['', `and ${pools.length - MOST} more pools; -o json has all.`] : []),
    ...section('Who may start new work:', doors.map(doorLine), style),
    ...section('Names on classes:', bridges, style),
    ...section('Quota:', quotaText(difference), style),
    ...section('More than a tenant has:', quota.excess, style),
    ...section('No way back by a revert:', objects.irreversible, style),
    ...section('Cannot be read:', mistakes, style),
    '',
    `Objects: ${counted(objects.added.length, 'added')}, ${counted(objects.removed.length, 'removed')}, ${counted(objects.changed.length, 'changed')}.`,
    ...([['added', objects.added], ['removed', objects.removed]] as const).flatMap(([word, names]) => (names.length === 0 ? [] : [`  ${word}: ${printable(some(names, 10))}`])),
    `${unchangedPools} other ${unchangedPools === 1 ? 'pool stays' : 'pools stay'} as ${unchangedPools === 1 ? 'it is' : 'they are'} (Kubernetes ${kubernetes}).`,
  ].map((line) => `${line}\n`).join('');
}

/** Refused, or what changes and whether there is a way back. */
export function headline({ pools, mistakes, quota, isReversible, objects }: PlanDifference): string {
  const refused = pools.filter(({ problems }) => problems.some(({ severity }) => severity === 'error'));
  if (refused.length > 0) return `Refused: ${some(refused.map(({ pool, problems }) => `${pool} (${problems[0]?.code})`), 5)}.`;
  if (mistakes.length > 0) return 'Refused: some migrations cannot be read.';
  if (quota.excess.length > 0) return 'Refused: a tenant could hold more than it has.';
  const isSame = objects.added.length + objects.removed.length + objects.changed.length === 0;
  if (isSame) return 'Nothing changes.';
  const back = isReversible ? 'A revert takes it back.' : 'NOT all of it can be taken back by a revert.';
  return `${pools.length === 0 ? 'No pool moves.' : `${some(pools.map(moveText), 3)}.`} ${back}`;
}

export function doorLine({ what, before, after, access }: DoorChange): string {
  const spaces = (word: string, names: readonly string[]) => (names.length === 0 ? '' : `; ${word} ${some(names, 5)}`);
  const door = before === after ? before : `${before} -> ${after}`;
  return `${what}: ${door}${access === undefined ? '' : `${spaces('also allowed:', access.added)}${spaces('no longer allowed:', access.removed)}`}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}`;
}

const MOST = 20;
