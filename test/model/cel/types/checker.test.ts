import { CompiledSelector, compileSelector, evalLine } from '../../../../src/model/cel';
import { caret } from '../../../../src/model/cel/caret';

describe('type of the result', () => {
  test.each([
    ['1 < 2', 'bool'],
    ['device.attributes["d"].ready', 'google.protobuf.Any'],
    ['true ? device.attributes["d"].ready : true', 'google.protobuf.Any'],
    ['dyn(true)', undefined],
    ['[true][0]', 'bool'],
    ['{"a": true}.a', 'bool'],
    ['optional.of(true).orValue(false)', 'bool'],
    ['[1, "a"].size() == 2', undefined],
    ['[1, dyn("a")].size() == 2', undefined],
    ['"%s".format([[1, "a"]]) == "[1, a]"', 'bool'],
  ])('%s is %s', (expression, type) => {
    const selector = compileSelector(expression, { minor: '1.36' });

    expect(selector instanceof CompiledSelector ? selector.outputType : undefined).toBe(type);
  });
});

describe('what is refused, and where', () => {
  test.each([
    ['devices.driver == "a"', 'undeclared reference to \'devices\' (in container \'\')', 'devices'],
    ['device.drivers == "a"', 'undefined field \'drivers\'', 'device.drivers'],
    ['device.driver == 1', 'found no matching overload for \'_==_\' applied to \'(string, int)\'', 'device.driver == 1'],
    ['true && device.driver.foo()', 'undeclared reference to \'foo\' (in container \'\')', 'device.driver.foo()'],
    ['true && device.driver.startsWith(1)', 'found no matching overload for \'startsWith\' applied to \'string.(int)\'', 'device.driver.startsWith(1)'],
    ['device.driver && true', 'expected type \'bool\' but found \'string\'', 'device.driver'],
    ['device.driver.x == 1', 'type \'string\' does not support field selection', 'device.driver.x'],
    ['[1, "a"] == []', 'expected type \'int\' but found \'string\'', '"a"'],
    ['1.all(x, x)', 'expression of type \'int\' cannot be range of a comprehension (must be list, map, or dynamic)', '1'],
    ['device.driver.all(x, true)', 'expression of type \'string\' cannot be range of a comprehension (must be list, map, or dynamic)', 'device.driver'],
    ['device.driver', 'must evaluate to bool or the unknown type, not string', 'device.driver'],
    ['"a".matches("[")', 'invalid matches argument', '"["'],
    ['duration("x") == duration("1s")', 'invalid duration argument', '"x"'],
    ['quantity(1) == 2', 'found no matching overload for \'quantity\' applied to \'(int)\'', 'quantity(1)'],
  ])('%s: %s', (expression, message, marked) => {
    const selector = compileSelector(expression, { minor: '1.36' });
    if (selector instanceof CompiledSelector) throw new Error('it compiled');

    expect(selector.errors[0].message).toBe(message);
    expect(expression.slice(selector.start, selector.end)).toBe(marked);
    expect(caret(expression, selector.start, selector.end)).toContain('^');
  });

  test('all errors of one expression are told', () => {
    const selector = compileSelector('a == 1 || b == 2', { minor: '1.36' });

    expect(selector).toMatchObject({ errors: [{ start: 0, end: 1 }, { start: 10, end: 11 }] });
  });
});

// resolveQualifiedIdent and resolveSimpleIdent of cel-go 0.29's checker/env.go, absoluteAttribute.Resolve of its interpreter/attributes.go.
describe('names that a loop variable has too', () => {
  const EMPTY = 'cel.bind(google, {"protobuf": {"Empty": 1}}';

  test.each([
    ['1.36', `${EMPTY}, google.protobuf.Empty == 1)`, { compileError: expect.stringContaining('found no matching overload') }],
    ['1.37', `${EMPTY}, google.protobuf.Empty == 1)`, { match: true, cost: 4 }],
    ['1.37', `${EMPTY}, .google.protobuf.Empty == google.protobuf.Empty)`, { compileError: expect.stringContaining("'(type(google.protobuf.Empty), int)'") }],
    ['1.37', `${EMPTY}, type(google.protobuf.Empty{}) == .google.protobuf.Empty)`, { compileError: 'program instantiation failed: reference to undefined type: .google.protobuf.Empty' }],
    ['1.37', 'cel.bind(google, 1, google.protobuf.Empty == 1)', { compileError: expect.stringContaining("type 'int' does not support field selection") }],
    ['1.37', '[1].all(x, .device.driver != "")', { match: true, cost: 6 }],
    ['1.37', '[1].all(device, .device.driver != "")', { match: true, cost: 5 }],
    ['1.37', '["d"].all(device, ["d"].all(x, .device.attributes[x].size() == 0))', { runtimeError: 'no such attribute(s): x' }],
  ])('%s: %s', (kubernetes, expression, expected) => {
    expect(evalLine({ kubernetes, expression, device: { driver: 'gpu.example.com' } })).toMatchObject(expected);
  });
});
