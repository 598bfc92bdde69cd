import { isBack } from 'cdk8s-dra/model';
import type { PlanDifference, PoolDifference } from 'cdk8s-dra/model';

/** `a100 goes from Canary to Expand`. */
export function moveText(difference: PoolDifference): string {
  const { pool, before, after } = difference;
  if (before === undefined) return `${pool} is new, in ${after}`;
  if (after === undefined) return `${pool} is gone; it was in ${before}`;
  if (before === after) return `${pool} stays in ${after}, with another plan`;
  return `${pool} goes ${isBack(difference) ? 'BACK ' : ''}from ${before} to ${after}`;
}

/** What the change does to nodes, pods and gangs, a sentence each. */
export function poolSentences({ nodes }: PoolDifference): readonly string[] {
  if (nodes === undefined) return [];
  const { text, candidates, podsText, pods, largestGang, tooLarge } = nodes;
  return [
    `Nodes: ${text}${candidates.length === 0 ? '' : `: ${some(candidates, 8)}`}.`,
    `${podsText}${pods.length === 0 ? '' : ` ${some(pods, 5)}.`}`,
    ...largestGang === undefined ? [] : [
      `Largest gang that fits now: device plugin ${change(largestGang.legacy)}, claims ${change(largestGang.dra)}.`,
    ],
    ...tooLarge,
  ];
}

export function quotaText({ quota }: PlanDifference): readonly string[] {
  const limit = (amount: number | undefined) => (amount === undefined ? 'no limit' : String(amount));
  return quota.changes.map(({ holder, way, before, after }) => `${holder}: ${way} ${limit(before)} -> ${limit(after)}`);
}

export function some(names: readonly string[], most: number): string {
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ');
}

function change({ before, after }: { readonly before: number; readonly after: number }): string {
  return before === after ? `${before} devices` : `${before} -> ${after} devices`;
}
