import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, 'lib', 'difference.mjs')).href;

const CASES: readonly (readonly [what: string, written: unknown, stored: unknown, found: readonly string[]])[] = [
  ['what the server adds is no difference', { a: 1 }, { a: 1, b: 2 }, []],
  ['a dropped field is named with its path', { a: { b: [{ c: 'x' }] } }, { a: { b: [{}] } }, ['dropped a.b[0].c']],
  ['a changed value is named', { a: 'x' }, { a: 'y' }, ['changed a']],
  ['a value of another type is named', { a: { b: 1 } }, { a: [1] }, ['changed a']],
  ['an entry that is gone is named', { a: ['x', 'y'] }, { a: ['x'] }, ['dropped a[1]']],
  ['an added entry is named, as lists are what was written', { a: ['x'] }, { a: ['x', 'y'] }, ['changed a']],
  ['an equal quantity is no difference', { a: '1000m', b: 2, c: '1024Mi' }, { a: '1', b: '2', c: '1Gi' }, []],
  ['another quantity is named', { a: '1Gi' }, { a: '1G' }, ['changed a']],
  ['a value that says nothing may be left out', { a: false, b: 0, c: '', d: {}, e: [], f: null }, {}, []],
  ['null for an empty list is no difference', { a: [] }, { a: null }, []],
  ['a false that became true is named', { a: false }, { a: true }, ['changed a']],
];

test.each(CASES)('%s', (_, written, stored, found) => {
  const script = `
    import { differences } from '${MODULE}';
    console.log(JSON.stringify(differences(${JSON.stringify(written)}, ${JSON.stringify(stored)}).map(({ kind, path }) => kind + ' ' + path)));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });

  expect(JSON.parse(told)).toEqual(found);
});
