import { nearest } from './near-miss';

/** What is wrong with a line that has more than its fields: a misspelt one would be left out without a word, and the answer be one to another question. */
export function otherField(line: Readonly<Record<string, unknown>>, fields: readonly string[]): string | undefined {
  const other = Object.keys(line).find(name => !fields.includes(name));
  if (other === undefined) return undefined;
  const meant = nearest(other, fields);
  return `a line has no field '${other}'. ${meant === undefined ? `Its fields are ${fields.join(', ')}.` : `Did you mean '${meant}'?`}`;
}
