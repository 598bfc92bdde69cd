import * as fc from 'fast-check';
import { lex } from '../../../src/model/cel/lexer';

function kinds(expression: string): string {
  return lex(expression).tokens.map(({ kind }) => kind).join(' ');
}

function only(expression: string): unknown[] {
  const { tokens, errors } = lex(expression);
  expect(errors).toEqual([]);
  expect(tokens).toHaveLength(1);
  const [{ kind, value, start, end }] = tokens;
  expect([start, end]).toEqual([0, expression.length]);
  return [kind, value];
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

test.each([
  ['0', 'int', 0n],
  ['007', 'int', 7n],
  ['9223372036854775808', 'int', 9223372036854775808n],
  ['0x1fF', 'int', 0x1ffn],
  ['0x00000000000000000000000001', 'int', 1n],
  ['1u', 'uint', 1n],
  ['18446744073709551615U', 'uint', 18446744073709551615n],
  ['0xffffffffffffffffu', 'uint', 18446744073709551615n],
  ['1.5', 'double', 1.5],
  ['.5', 'double', 0.5],
  ['1e3', 'double', 1000],
  ['1.5E-3', 'double', 0.0015],
  ['.5e+1', 'double', 5],
  ['1e-400', 'double', 0],
  ['true', 'true', undefined],
  ['false', 'false', undefined],
  ['null', 'null', undefined],
  ['in', 'in', undefined],
  ['inner', 'identifier', 'inner'],
  ['_a1', 'identifier', '_a1'],
  ['while', 'identifier', 'while'],
  ['br', 'identifier', 'br'],
])('%s is one token with its value', (expression, kind, value) => {
  expect(only(expression)).toEqual([kind, value]);
});

test.each([
  ['""', ''],
  ['"it\'s"', 'it\'s'],
  ['\'say "hi"\'', 'say "hi"'],
  ['"""a "quoted" ""word"""', 'a "quoted" ""word'],
  ['\'\'\'one\r\ntwo\rthree\n\'\'\'', 'one\ntwo\nthree\n'],
  ['""""""', ''],
  ['r"\\d+"', '\\d+'],
  ['R\'\\\'', '\\'],
  ['r"""\\"""', '\\'],
  ['r\'\'\'a\r\nb\'\'\'', 'a\nb'],
  ['"\\a\\b\\f\\n\\r\\t\\v"', '\x07\b\f\n\r\t\v'],
  ['"\\\\\\?\\"\\\'\\`"', '\\?"\'`'],
  ['"\\x41\\X42\\u00e9\\U0001F600\\101"', 'ABé😀A'],
  ['"\\377"', 'ÿ'],
  ['"é😀"', 'é😀'],
  ['"""\\r\\n"""', '\r\n'],
])('the string %s is decoded', (expression, value) => {
  expect(only(expression)).toEqual(['string', value]);
});

test.each([
  ['b""', bytes()],
  ['B\'a\'', bytes(0x61)],
  ['b"é😀€"', bytes(0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x82, 0xac)],
  ['b"\\xff\\377\\n"', bytes(0xff, 0xff, 0x0a)],
  ['br"\\x"', bytes(0x5c, 0x78)],
  ['b"""a\r\nb"""', bytes(0x61, 0x0a, 0x62)],
  ['bR\'\'\'\'a\'\'\'', bytes(0x27, 0x61)],
  ['b"\ud800"', bytes(0xef, 0xbf, 0xbd)],
])('the bytes literal %s is decoded', (expression, value) => {
  expect(only(expression)).toEqual(['bytes', value]);
});

test.each([
  ['== != < <= > >= && ||', '== != < <= > >= && ||'],
  ['()[]{}.,-!?:+*/%', '( ) [ ] { } . , - ! ? : + * / %'],
  ['a.?b[?c]', 'identifier . ? identifier [ ? identifier ]'],
  ['a?.b', 'identifier ? . identifier'],
  ['a<-1', 'identifier < - int'],
  ['!!a', '! ! identifier'],
  ['1.e3', 'int . identifier'],
  ['1.5.6', 'double double'],
  ['a.1', 'identifier double'],
  ['0x', 'int identifier'],
  ['0X1', 'int identifier'],
  ['1e+', 'int identifier +'],
  ['1.5u', 'double identifier'],
  ['1in[1]', 'int in [ int ]'],
  ['rb"x"', 'identifier string'],
  ['a // rest == "', 'identifier'],
  ['a // note\n== b', 'identifier == identifier'],
  ['\t\r\n\fa ', 'identifier'],
  ['', ''],
])('%j is split as cel-go splits it', (expression, expected) => {
  expect(lex(expression).errors).toEqual([]);
  expect(kinds(expression)).toBe(expected);
});

test.each([
  ['a = 1', 'assignment', '='],
  ['a === 1', 'assignment', '='],
  ['a & b', 'single-operator', '&'],
  ['a | b', 'single-operator', '|'],
  ['"abc', 'unclosed-string', '"abc'],
  ['"abc\n+ 1', 'unclosed-string', '"abc'],
  ['"abc\\\n"""x"""', 'unclosed-string', '"abc\\'],
  ['"\\', 'unclosed-string', '"\\'],
  ['r"a\r"""x"""', 'unclosed-string', 'r"a'],
  ['b"""a"" "', 'unclosed-string', 'b"""a"" "'],
  ['r\'\'\'a', 'unclosed-string', 'r\'\'\'a'],
  ['"a\\qb"', 'bad-escape', '\\q'],
  ['"a\\😀b"', 'bad-escape', '\\😀'],
  ['"\\x4"', 'bad-escape', '\\x4'],
  ['"\\u12"', 'bad-escape', '\\u12'],
  ['"\\U0001F60"', 'bad-escape', '\\U0001F60'],
  ['"\\400"', 'bad-escape', '\\4'],
  ['"\\38"', 'bad-escape', '\\3'],
  ['"""\\\n"""', 'bad-escape', '\\\n'],
  ['"\\ud83d"', 'bad-escape', '\\ud83d'],
  ['"\\U00110000"', 'bad-escape', '\\U00110000'],
  ['b"\\u0041"', 'bad-escape', '\\u0041'],
  ['9223372036854775809', 'bad-number', '9223372036854775809'],
  ['18446744073709551616u', 'bad-number', '18446744073709551616u'],
  ['0x10000000000000000', 'bad-number', '0x10000000000000000'],
  ['1e400', 'bad-number', '1e400'],
  ['“abc” + 1', 'curly-quotes', '“abc”'],
  ['‘abc', 'curly-quotes', '‘abc'],
  ['a.`b-c`', 'backtick', '`b-c`'],
  ['`', 'backtick', '`'],
  ['a @# b', 'unknown-character', '@'],
  ['a\u00a0b', 'unknown-character', '\u00a0'],
  ['a \v b', 'unknown-character', '\v'],
  ['\ud800', 'unknown-character', '\ud800'],
  ['😀', 'unknown-character', '😀'],
])('%j is refused where it is wrong', (expression, code, part) => {
  const [error] = lex(expression).errors;
  expect(error.code).toBe(code);
  const marked = expression.slice(error.start, error.end);
  expect(marked.startsWith(part)).toBe(true);
  if (code !== 'unknown-character') expect(marked).toBe(part);
});

test('a wrong escape does not hide where its string ends', () => {
  const { tokens, errors } = lex('"\\d" + "\\w" == a');
  expect(tokens.map(({ kind, value }) => [kind, value])).toEqual([
    ['string', undefined], ['+', undefined], ['string', undefined], ['==', undefined], ['identifier', 'a'],
  ]);
  expect(errors.map(({ start, end }) => [start, end])).toEqual([[1, 3], [8, 10]]);
});

test('an error repeats the words of cel-go on one line and says the way out', () => {
  const [error] = lex('a == "\t').errors;
  expect(error.rule).toBe('token recognition error at: \'"\\u0009\'');
  expect(error.help).toMatch(/^Close the string/);
});

test('unknown characters side by side are one error', () => {
  expect(lex('a @#$ b').errors.map(({ start, end }) => [start, end])).toEqual([[2, 5]]);
});

test('no more than 100 errors are listed', () => {
  expect(lex('@ '.repeat(1000)).errors).toHaveLength(100);
});

test.each([
  ['digits', '1'], ['hexadecimal zeros', '0x0'], ['three quotes behind a backslash', '\\"""\n'], ['quotes', '"'], ['wrong escapes', '"\\q"\n'],
  ['lone surrogates', '\ud800'], ['NUL', '\0'], ['typographic quotes', '“'], ['backticks', '`'], ['slashes', '/ /'],
])('a megabyte of %s is read to its end', (_, unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const { tokens, errors } = lex(text);
  expect(tokens.length + errors.length).toBeGreaterThan(0);
  for (const { end } of [...tokens.slice(-1), ...errors.slice(-1)]) expect(end).toBeLessThanOrEqual(text.length);
});

const PIECES = [
  '"', '\'', '"""', '\'\'\'', '\\', '\\n', '\\x41', '\\q', '\\u12', '\n', '\r', 'device', 'in', 'r', 'b', '0', '9', '0x', 'u', 'e', '.', '+', '-', '?',
  '[', ']', '(', ')', '=', '!', '<', '&', '|', '/', '*', ' ', '\t', '`', 'é', '😀', '@', '“', '”', '_', '\ud800', '\0',
];
const expressions = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join('')),
);

test('every character is in one token, in an error, in a comment or white space', () => {
  fc.assert(fc.property(expressions, (expression) => {
    const { tokens, errors } = lex(expression);
    let rebuilt = '';
    let at = 0;
    for (const { start, end } of tokens) {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      rebuilt += gap(expression, at, start, errors) + expression.slice(start, end);
      at = end;
    }
    expect(rebuilt + gap(expression, at, expression.length, errors)).toBe(expression);
  }), { numRuns: 2000 });
});

/** The text between two tokens; throws if it holds a character that should be in a token. */
function gap(expression: string, from: number, to: number, errors: readonly { start: number; end: number }[]): string {
  let at = from;
  while (at < to) {
    const error = errors.find(({ start, end }) => start <= at && at < end);
    if (error !== undefined) {
      at = error.end;
    } else if (expression.startsWith('//', at)) {
      const lineEnd = expression.indexOf('\n', at);
      at = lineEnd < 0 ? expression.length : lineEnd;
    } else if (' \t\r\n\f'.includes(expression[at])) {
      at++;
    } else {
      throw new Error(`no token for ${JSON.stringify(expression[at])} at ${at}`);
    }
  }
  expect(at).toBe(to);
  return expression.slice(from, to);
}

test('a text without errors is split the same when its tokens stand apart', () => {
  fc.assert(fc.property(expressions, (expression) => {
    const { tokens, errors } = lex(expression);
    if (errors.length > 0) return;
    const apart = lex(tokens.map(({ start, end }) => expression.slice(start, end)).join(' '));
    expect(apart.errors).toEqual([]);
    expect(apart.tokens.map(({ kind, value }) => [kind, value])).toEqual(tokens.map(({ kind, value }) => [kind, value]));
  }), { numRuns: 2000 });
});
