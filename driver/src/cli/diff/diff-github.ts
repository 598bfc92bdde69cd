import { ManifestSet } from 'cdk8s-dra/model';
import type { Manifest, PlanDifference } from 'cdk8s-dra/model';

import { doorLine, headline } from './diff-text.js';
import { moveText, poolSentences, quotaText } from './pool-sentences.js';
import { data, property } from '../check/github-report.js';

const RANK = ['error', 'warning', 'notice'] as const;

/** Workflow commands that GitHub shows at the changed lines, worst first, as it shows ten of each kind. */
export function diffGithub(difference: PlanDifference, head: readonly Manifest[]): string {
  const set = new ManifestSet(head);
  const { pools, doors, bridges, quota, objects, mistakes } = difference;
  const notes: { readonly level: typeof RANK[number]; readonly place: string; readonly title: string; readonly lines: readonly string[] }[] = [];
  for (const pool of pools) {
    const level = pool.problems.some(({ severity }) => severity === 'error') ? 'error' : pool.problems.length > 0 || pool.nodes?.tooLarge.length ? 'warning' : 'notice';
    const problems = pool.problems.map(({ code, message, help }) => `${code} ${message} ${help}`);
    notes.push({ level, place: placeOf(set, pool.pool), title: moveText(pool), lines: [...problems, ...poolSentences(pool)] });
  }
  const add = (level: typeof RANK[number], title: string, lines: readonly string[]) => {
    if (lines.length > 0) notes.push({ level, place: '', title, lines });
  };
  add('error', 'Cannot be read', mistakes);
  add('error', 'More than a tenant has', quota.excess);
  add('warning', 'No way back by a revert', objects.irreversible);
  add('notice', 'Who may start new work', [...doors.map(doorLine), ...bridges]);
  add('notice', 'Quota', quotaText(difference));
  const sorted = [...notes].sort((a, b) => RANK.indexOf(a.level) - RANK.indexOf(b.level));
  const summary = `::${sorted[0]?.level ?? 'notice'} title=${property('What this commit means')}::${data(headline(difference))}`;
  return [summary, ...sorted.map(({ level, place, title, lines }) => `::${level} ${place}title=${property(title)}::${data(lines.join('\n'))}`)]
    .map((line) => `${line}\n`).join('');
}

/** The line of the phase. */
function placeOf(set: ManifestSet, pool: string): string {
  const found = set.find('cdk8s-dra.dev', 'DeviceMigration', '', pool)?.manifest;
  if (found === undefined || found.source.name === '-') return '';
  const position = found.source.locate?.([...found.base ?? [], 'spec', 'phase']);
  return `file=${property(found.source.name)},${position === undefined ? '' : `line=${position.line},`}`;
}
