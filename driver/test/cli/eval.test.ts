import { run } from './recorded-io.js';

const EXPRESSION = 'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0';

function line(question: object): string {
  return `${JSON.stringify(question)}\n`;
}

async function evaluate(stdin: string) {
  const { code, out, err } = await run(['eval'], { stdin });
  return { code, err, answers: out.split('\n').slice(0, -1).map((text): unknown => JSON.parse(text)) };
}

test('a device with enough memory matches', async () => {
  const stdin = line({ id: '1', expression: EXPRESSION, device: { driver: 'gpu.example.com', capacity: { memory: { value: '80Gi' } } } });

  expect(await evaluate(stdin)).toMatchObject({ code: 0, err: '', answers: [{ id: '1', match: true, cost: 7, maxCost: 7, outputType: 'bool' }] });
});

test('a device without the capacity is a runtime error', async () => {
  const stdin = line({ id: '1', expression: EXPRESSION, device: { driver: 'gpu.example.com' } });

  expect(await evaluate(stdin)).toMatchObject({ code: 0, answers: [{ id: '1', runtimeError: 'no such key: memory' }] });
});

test('an expression that does not compile is an answer, not a failure of the command', async () => {
  expect(await evaluate(line({ id: '1', expression: '1', device: { driver: 'd' } }))).toMatchObject({
    code: 0, answers: [{ id: '1', compileError: 'must evaluate to bool or the unknown type, not int' }],
  });
});

test('an attribute of 64 bits stays exact', async () => {
  const stdin = '{"expression":"device.attributes[\\"d\\"].n == 9223372036854775807","device":{"driver":"d","attributes":{"n":{"int":9223372036854775807}}}}\n'
    + '{"expression":"device.attributes[\\"d\\"].n == 9223372036854775807","device":{"driver":"d","attributes":{"n":{"int":9223372036854775806}}}}\n';

  expect(await evaluate(stdin)).toMatchObject({ answers: [{ match: true }, { match: false }] });
});

test.each(['9223372036854775808', '-9223372036854775809'])('the attribute %s, just beyond 64 bits, is refused with all its digits', async (int) => {
  const stdin = `{"id":"7","expression":"true","device":{"driver":"d","attributes":{"n":{"int":${int}},"m":{"int":-9223372036854775808}}}}\n`;

  expect(await evaluate(stdin)).toMatchObject({
    code: 1, answers: [{ id: '7', inputError: `'device.attributes.n.int' must be a whole number of 64 bits, got ${int}.` }],
  });
});

test.each(['[]', '1', 'null', '{}', '{"id":"7"}', '{"expression":1,"device":{"driver":"d"}}', '{"expression":"true","device":[]}', '{"expression":"true","device":{"driver":"d"},"kubernetes":"1.2"}'])(
  '%s is no input: said so, and exit code 1', async (text) => {
    const { code, answers } = await evaluate(`${text}\n`);

    expect(code).toBe(1);
    expect(answers).toEqual([expect.objectContaining({ inputError: expect.any(String) })]);
  },
);

test('the help shows a line that works', async () => {
  const { code, out } = await run(['eval', '--help']);

  const example = /echo '(.*)' \| npx kubectl-dra eval/.exec(out);
  expect(code).toBe(0);
  expect(await evaluate(`${example?.[1] ?? ''}\n`)).toMatchObject({ code: 0, answers: [{ id: '1', match: true }] });
});
