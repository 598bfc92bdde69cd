import * as answers from './answers.json';
import { randomDocument } from './random-document';
import { allocateLine } from '../../../src/model/allocator';

// Upstream's answers, recorded by record-answers.mjs.
const recorded = Object.entries(answers as Record<string, unknown>).filter(([id]) => /^\d+$/.test(id));

describe.each(['1.34', '1.35', '1.36', '1.37'])('Kubernetes %s', minor => {
  const mine = recorded.map(([id, answer]) => ({ document: randomDocument(Number(id)), answer }))
    .filter(({ document }) => document.kubernetes === minor);

  test('there is a fair number of answers', () => {
    expect(mine.length).toBeGreaterThan(150);
    expect(mine.filter(({ answer }) => (answer as { allocated: boolean }).allocated).length).toBeGreaterThan(30);
  });

  test('every answer is that of upstream', () => {
    const different = mine.filter(({ document, answer }) => {
      const { id, ...ours } = allocateLine(document, { nextShareId: () => '*' });
      return id !== document.id || canonical(ours) !== canonical(answer);
    });

    expect(different.map(({ document }) => document.id)).toEqual([]);
  });
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'object' && one !== null && !Array.isArray(one)
    ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
    : one));
}
