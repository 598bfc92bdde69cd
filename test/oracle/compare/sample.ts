import { createHash } from 'node:crypto';

import { canonical } from './agreement';
import type { Answer } from './agreement';
import type { Kind, Minor, OracleCase } from '../generate/question';

/** Upstream's answers to the cases of a seed, as committed under `samples/`. */
export interface Sample {
  readonly kind: Kind;
  readonly kubernetes: Minor;
  readonly seed: number;
  readonly answers: readonly SampleAnswer[];
}

export interface SampleAnswer {
  readonly id: string;
  readonly feature: string;
  /** Shows that the answer belongs to the question that the generator gives today. */
  readonly question: string;
  /** JSON text, as numbers in it may be beyond 2^53. */
  readonly answer: string;
}

export function questionDigest(question: OracleCase['question']): string {
  return createHash('sha256').update(canonical(question)).digest('hex').slice(0, 12);
}

/** The file of a sample, one answer a line. Answers that are random or came too late are left out. */
export function sampleText(kind: Kind, kubernetes: Minor, seed: number, cases: readonly OracleCase[], answers: readonly Answer[]): string {
  const lines = cases.flatMap(({ feature, question }, index) => {
    const { id, ...answer } = answers[index];
    if (answer.alternatives !== undefined || answer.timeout === true || answer.panic !== undefined || answer.crash !== undefined) return [];
    const entry: SampleAnswer = { id: String(id), feature, question: questionDigest(question), answer: canonical(answer) };
    return [JSON.stringify(entry)];
  });
  return `{"kind":${JSON.stringify(kind)},"kubernetes":${JSON.stringify(kubernetes)},"seed":${seed},"answers":[\n${lines.join(',\n')}\n]}\n`;
}
