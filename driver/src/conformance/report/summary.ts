import type { Verdict } from '../contract.js';
import type { ConformanceReport, ContractResult } from '../run.js';

export const VERDICTS: readonly Verdict[] = ['kept', 'broken', 'not-applicable', 'not-tried'];

export type Summary = Readonly<Record<Verdict, number>>;

export function summaryOf({ results }: ConformanceReport): Summary {
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  return { 'kept': count('kept'), 'broken': count('broken'), 'not-applicable': count('not-applicable'), 'not-tried': count('not-tried') };
}

/** `95 kept, 1 broken, 3 not applicable, 12 not tried`. */
export function summaryText(summary: Summary): string {
  return VERDICTS.filter((verdict) => verdict === 'kept' || summary[verdict] > 0).map((verdict) => `${summary[verdict]} ${verdictText(verdict)}`).join(', ');
}

export function verdictText(verdict: Verdict): string {
  return verdict.replace('-', ' ');
}

/** `Kubernetes v1.36.3`, with what it pretends to be. */
export function clusterText({ plan }: Pick<ConformanceReport, 'plan'>): string {
  const { version, minor, programMinor, gates } = plan.facts;
  const emulated = minor === programMinor ? '' : `, emulating ${minor}`;
  const assumed = gates === undefined ? ', feature gates assumed to be the defaults' : '';
  return `Kubernetes ${version}${emulated}${assumed}`;
}

/** Results of one reason together, as a list of skipped contracts says little else. */
export function byReason(results: readonly ContractResult[]): ReadonlyMap<string, readonly ContractResult[]> {
  const groups = new Map<string, ContractResult[]>();
  for (const result of results) {
    const reason = result.because[0] ?? '';
    groups.set(reason, [...groups.get(reason) ?? [], result]);
  }
  return groups;
}
