import { childrenOf } from '../../../../src/model/cel/syntax/ast';
import type { Expr } from '../../../../src/model/cel/syntax/ast';
import { parse } from '../../../../src/model/cel/syntax/parse';
import { STANDARD_MACROS } from '../../../../src/model/cel/syntax/standard-macros';

function parsed(expression: string): ReturnType<typeof parse> {
  return parse(expression, { macros: STANDARD_MACROS, optionalSyntax: true, quotedNames: false });
}

/** The tree in prefix form. */
function shape(expr: Expr): string {
  const children = childrenOf(expr).map(shape).join(' ');
  switch (expr.kind) {
    case 'literal': return typeof expr.value === 'object' && expr.value !== null && 'uint' in expr.value ? `${expr.value.uint}u` : String(expr.value);
    case 'ident': return expr.name;
    case 'select': return `(${expr.test ? 'has ' : ''}.${expr.field} ${children})`;
    case 'call': return `(${expr.functionName}${children && ` ${children}`})`;
    case 'list': return `[${children}]`;
    case 'map': return `{${children}}`;
    case 'struct': return expr.typeName;
    case 'comprehension': return `(for ${expr.variable} ${children})`;
  }
}

function shapeOf(expression: string): string {
  const result = parsed(expression);
  return 'kind' in result ? shape(result) : result.map(({ message, at }) => `${at}: ${message}`).join('; ');
}

describe('tree', () => {
  test.each([
    ['a || b && c', '(_||_ a (_&&_ b c))'],
    ['a || b || c || d', '(_||_ (_||_ a b) (_||_ c d))'],
    ['a + b * c - d', '(_-_ (_+_ a (_*_ b c)) d)'],
    ['a == b < c', '(_<_ (_==_ a b) c)'],
    ['a ? b : c ? d : e', '(_?_:_ a b (_?_:_ c d e))'],
    ['!!!a', '(!_ a)'],
    ['!!a', 'a'],
    ['-1 - -b', '(_-_ -1 (-_ b))'],
    ['--1', '1'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['a.b["c"].d(e, 1u)', '(d (_[_] (.b a) c) e 1u)'],
    ['a.?b[?0]', '(_[?_] (_?._ a b) 0)'],
    ['[1, ?a, ]', '[1 a]'],
    ['{"a": 1, ?"b": c}', '{a 1 b c}'],
    ['.a.b', '(.b .a)'],
    ['a.b{c: 1}', 'a.b'],
    ['has(a.b)', '(has .b a)'],
    ['a.all(x, x)', '(for x a true (@not_strictly_false @result) (_&&_ @result x) @result)'],
    ['a.exists(x, x)', '(for x a false (@not_strictly_false (!_ @result)) (_||_ @result x) @result)'],
    ['a.map(x, x + 1)', '(for x a [] true (_+_ @result [(_+_ x 1)]) @result)'],
    ['a // no b', 'a'],
  ])('%s: %s', (expression, tree) => {
    expect(shapeOf(expression)).toBe(tree);
  });
});

describe('refused', () => {
  test.each([
    ['', '0: Syntax error: mismatched input \'<EOF>\''],
    ['a +', '3: Syntax error: mismatched input \'<EOF>\' expecting'],
    ['(a', '2: Syntax error: missing \')\' at \'<EOF>\''],
    ['a)', '1: Syntax error: extraneous input \')\' expecting <EOF>'],
    ['a b', '2: Syntax error: extraneous input \'b\' expecting <EOF>'],
    ['a.', '1: Syntax error: no viable alternative at input \'.\''],
    ['for', '0: reserved identifier: for'],
    ['9223372036854775808', '0: invalid int literal'],
    ['has(a)', '4: invalid argument to has() macro'],
    ['a.all(1, true)', '6: argument must be a simple name'],
    ['a.all(__result__, true)', '6: iteration variable overwrites accumulator variable'],
  ])('%s: %s', (expression, error) => {
    expect(shapeOf(expression)).toContain(error);
  });
});

describe('deep nesting ends with an error, not with a full stack', () => {
  test.each([
    ['parentheses', `${'('.repeat(100000)}a${')'.repeat(100000)}`.slice(0, 99999), 'recursion'],
    ['open brackets', '['.repeat(90000), 'recursion'],
    ['calls', 'f('.repeat(40000), 'recursion'],
    ['selections', `a${'.b'.repeat(40000)}`, 'recursion'],
    ['sums', `a${'+a'.repeat(40000)}`, 'recursion'],
    ['choices', `${'a?b:'.repeat(20000)}c`, 'recursion'],
    ['loops', `${'a.all(x,'.repeat(10000)}x${')'.repeat(10000)}`, 'recursion'],
    ['length', 'a'.repeat(100001), 'expression code point size exceeds limit: size: 100001, limit 100000'],
  ])('%s', (_what, expression, error) => {
    expect(shapeOf(expression)).toContain(error);
  });

  test('signs and chains of && do not nest', () => {
    expect(shapeOf(`${'!'.repeat(50001)}a`)).toBe('(!_ a)');
    expect(parsed(`a${' && a'.repeat(10000)}`)).toMatchObject({ kind: 'call' });
  });
});
