import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRIED_HELP } from '../../../src/model/explain';
import { FAILURES } from '../../../src/model/failures';

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'explain.md'), 'utf8');

test('the page has a line for every cause, as the catalogue has it, and none besides', () => {
  const expected = FAILURES.filter(({ code }) => code.startsWith('DRA2')).map(({ code, name, title, fix }) => `| \`${code}\` | \`${name}\` | ${title} | ${fix} |`);

  expect(PAGE.split('\n').filter(line => line.startsWith('| `DRA'))).toEqual(expected);
});

test('the page names the kinds of help that were tried', () => {
  expect(PAGE).toContain(TRIED_HELP.map(kind => `\`${kind}\``).join(', '));
});
