import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { admitLine } from './compare/admit-line';
import type { AdmitQuestion } from './compare/admit-line';
import { agreement, canonical } from './compare/agreement';
import type { Answer } from './compare/agreement';
import { questionDigest } from './compare/sample';
import type { Sample } from './compare/sample';
import { oracleCases } from './generate/oracle-cases';
import { MINORS } from './generate/question';
import type { Kind, Minor } from './generate/question';
import { allocateLine, evalLine } from '../../src/model';

const SAMPLES = (['eval', 'allocate', 'admit'] as const).flatMap((kind) => MINORS.map((minor) => [kind, minor] as const));

function sampleOf(kind: Kind, minor: Minor): Sample {
  return JSON.parse(readFileSync(join(__dirname, 'samples', `${kind}-${minor}.json`), 'utf8')) as Sample;
}

function ours(kind: Kind, question: unknown): Answer {
  const answer = kind === 'admit' ? admitLine(question as AdmitQuestion) : kind === 'eval' ? evalLine(question) : allocateLine(question);
  // Through text, as upstream's answer went: both lose the same digits of numbers beyond 2^53.
  return JSON.parse(canonical(answer)) as Answer;
}

/** How many answers of a kind have something at least. */
const LEAST: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  eval: { '"match":': 80, '"runtimeError":': 30, '"compileError":': 60 },
  allocate: { '"results":': 60, '"error":': 30, '"allocated":': 250 },
  admit: { '"decisions":[]': 30, '"evaluation":"admit"': 60, '"evaluation":"deny"': 60, '"evaluation":"error"': 60 },
};

describe.each(SAMPLES)('the sample of %s for Kubernetes %s', (kind, minor) => {
  const { answers, seed } = sampleOf(kind, minor);
  const cases = new Map(oracleCases(kind, seed, 320, minor).map(({ question }) => [question.id, question]));

  test('belongs to the questions that the generator gives', () => {
    expect(answers.map(({ id, question }) => ({ id, question }))).toEqual(
      answers.map(({ id }) => ({ id, question: questionDigest(cases.get(id) ?? { id: 'gone' }) })),
    );
  });

  test('has enough answers of every outcome', () => {
    const text = answers.map(({ answer }) => answer);
    for (const [outcome, count] of Object.entries(LEAST[kind])) {
      expect(text.filter((answer) => answer.includes(outcome)).length).toBeGreaterThanOrEqual(count);
    }
  });

  test.each(answers.map(({ id, answer }) => [id, answer]))('%s is answered as upstream does', (id, answer) => {
    const upstream = JSON.parse(answer) as Answer;
    const mine = ours(kind, cases.get(id));
    const { verdict } = agreement(kind, upstream, mine);

    // The wording of a refused expression or node selector may differ.
    expect(verdict === 'different' ? mine : upstream).toEqual(upstream);
  });
});
