import answers from './answers.json';
import { questions } from './cases';
import type { Question } from './cases';
import { ours } from './ours';

const table = answers as (Question & { readonly answer: string })[];

test.each(table)('$op "$a" $b is answered as upstream does', ({ answer, ...question }) => {
  expect(ours(question)).toBe(answer);
});

test('the table answers the questions of seed 1', () => {
  expect(table.map(({ answer, ...question }) => question)).toEqual(questions(1, 640));
});

test('the table has refusals and all operations', () => {
  expect(table.filter(({ answer }) => answer === 'error').length).toBeGreaterThan(50);
  expect([...new Set(table.map(({ op }) => op))].sort()).toEqual(['add', 'cmp', 'json', 'neg', 'parse', 'sub']);
});
