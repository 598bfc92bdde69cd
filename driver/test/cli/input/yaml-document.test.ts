import { DocumentError } from '../../../src/cli/input/document-error.js';
import { MAX_ALIASED, parseYamlDocument } from '../../../src/cli/input/yaml-document.js';

function errorOf(text: string): DocumentError {
  try {
    parseYamlDocument(text);
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
  throw new Error('no error');
}

/** Expected values are those that sigs.k8s.io/yaml 1.6.0 gave for the same text. */
describe('a document reads as in kubectl', () => {
  test.each([
    ['keys become strings', '1: a\nyes: b\n1.5: d\n', { 1: 'a', true: 'b', 1.5: 'd' }],
    ['a mapping merges', 'x: &x {a: 1, b: 2}\nz:\n  <<: *x\n  b: 3\n', { x: { a: 1, b: 2 }, z: { a: 1, b: 3 } }],
    ['a merge overwrites the keys above it', 'x: &x {a: 1}\nz: {a: 5, <<: *x}\n', { x: { a: 1 }, z: { a: 1 } }],
    ['the first of merged mappings wins', 'x: &x {a: 1}\nw: &w {a: 5, q: 6}\nz:\n  <<: [*x, *w]\n', { x: { a: 1 }, w: { a: 5, q: 6 }, z: { a: 1, q: 6 } }],
    ['a quoted << is a key', '"<<": {a: 1}', { '<<': { a: 1 } }],
    ['tags set the type', "a: !!str 5\nb: !!int '5'\nc: !foo bar\nd: ! 12\ne: !!binary aGVsbG8=\n", { a: '5', b: 5, c: 'bar', d: '12', e: 'hello' }],
    ['a closing bracket may stand under its key', 'spec:\n  args: [\n    "a",\n    "b"\n  ]\n  x: {\n    c: 1\n}\n', { spec: { args: ['a', 'b'], x: { c: 1 } } }],
    ['a byte order mark is no content', '\ufeffa: 1', { a: 1 }],
    ['line ends of Windows are line ends', 'a: 1\r\nb: |\r\n  x\r\n  y\r\n', { a: 1, b: 'x\ny\n' }],
    ['a tab after a colon is white space', 'a:\tb\n', { a: 'b' }],
  ])('%s', (_, text, value) => {
    expect(parseYamlDocument(text)).toMatchObject({ value, duplicates: [] });
  });

  test('__proto__ is a key like any other', () => {
    const { value } = parseYamlDocument('__proto__: {polluted: true}');

    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('the last of equal keys counts, and each repetition is known', () => {
    expect(parseYamlDocument('a: 1\nb: {c: 1, c: 2}\na: 3\n')).toMatchObject({
      value: { a: 3, b: { c: 2 } },
      duplicates: [{ key: 'c', offset: 15 }, { key: 'a', offset: 21 }],
    });
  });

  test('a document without content has no value', () => {
    expect(parseYamlDocument('# nothing\n').value).toBeUndefined();
  });
});

describe('what cannot be read is an error with its place', () => {
  test.each([
    ['a: b: c', 'syntax', 'invalid YAML', 4],
    ['a:\n\tb: 1\n', 'syntax', 'tab characters', 3],
    ['a: [1, 2', 'syntax', 'end of the stream', 8],
    ['a: @b', 'syntax', 'invalid YAML', 3],
    ['a: "\u0001"', 'syntax', 'invalid YAML', 4],
    ['a: 1\u0000', 'syntax', 'null byte', 4],
    ['%YAML 1.1\n', 'syntax', 'directives', 0],
    ['a: 1\n...\nb: 2\n', 'syntax', 'drops what follows', 9],
    ['a: *b', 'syntax', 'has no anchor &b', 3],
    ['a: &a [*a]', 'excess', 'contains itself', 7],
    ['a: &a {b: *a}', 'excess', 'contains itself', 10],
    ['a: {{ .Values.x }}', 'template', 'template', 3],
    ['a: 1\n{{- if .Values.b }}\nc: 1\n{{- end }}\n', 'template', 'template', 5],
    ['{% if x %}\na: 1', 'template', 'template', 0],
    ['? [a]\n: b', 'value', 'key must be', 2],
    ['~: b', 'value', 'key must be', 0],
    ['<<: 5', 'value', 'merge key', 4],
    ['a: .inf', 'value', '.inf has no JSON form', 3],
    ['a: !!int x', 'value', 'is no int', 9],
    ['a: !!binary "a!"', 'value', 'base64', 12],
  ])('%j', (text, kind, message, offset) => {
    const error = errorOf(text);

    expect(error).toMatchObject({ kind, offset });
    expect(error.message).toContain(message);
    expect(error.help).toMatch(/^[A-Z].*[.-]$/);
  });

  test.each([
    ['lists in brackets', '['.repeat(10_000)],
    ['mappings in brackets', '{a: '.repeat(10_000)],
    ['lists in lines', '- '.repeat(10_000)],
    ['mappings in lines', Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ])('10,000 levels of %s are refused', (_, text) => {
    expect(errorOf(text)).toMatchObject({ kind: 'excess', message: 'collections are nested more than 200 levels deep' });
  });

  test('aliases that multiply are counted, not expanded', () => {
    const levels = Array.from({ length: 30 }, (_, level) => `l${level}: &l${level} [${Array(9).fill(level === 0 ? 'x' : `*l${level - 1}`).join(', ')}]\n`);

    expect(errorOf(levels.join(''))).toMatchObject({ kind: 'excess', message: `aliases expand to more than ${MAX_ALIASED} nodes` });
  });

  test('merges that multiply are counted too', () => {
    const levels = Array.from({ length: 60 }, (_, level) => `l${level}: &l${level} {${level === 0 ? 'x: 1' : `a${level}: *l${level - 1}, b${level}: *l${level - 1}, <<: *l${level - 1}`}}\n`);

    expect(errorOf(levels.join(''))).toMatchObject({ kind: 'excess' });
  });
});
