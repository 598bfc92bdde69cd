import { readLines } from '../../../src/cli/json-lines/read-lines.js';

async function linesOf(chunks: readonly (string | Buffer)[], limit?: number) {
  async function* stream() { yield* chunks; }
  const lines = [];
  for await (const line of readLines(stream(), limit)) lines.push(line);
  return lines;
}

test.each([
  ['nothing', [], []],
  ['lines over several chunks', ['{"a"', ':1}\n{"b', '":2}\n'], [{ number: 1, text: '{"a":1}' }, { number: 2, text: '{"b":2}' }]],
  ['a last line without an end', ['1\n2'], [{ number: 1, text: '1' }, { number: 2, text: '2' }]],
  ['blank lines, which count', ['\n \n1\n\n'], [{ number: 3, text: '1' }]],
  ['Windows line ends and a byte order mark', ['\ufeff1\r\n2\r\n'], [{ number: 1, text: '1\r' }, { number: 2, text: '2\r' }]],
  ['a character cut by a chunk', [Buffer.from('"é"').subarray(0, 2), Buffer.from('"é"').subarray(2)], [{ number: 1, text: '"é"' }]],
])('reads %s', async (_, chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test('a line beyond the limit is skipped, and the next is read', async () => {
  expect(await linesOf(['12345', '67890\n123', '45\n1\n123456'], 5)).toEqual([
    { number: 1, text: undefined }, { number: 2, text: '12345' }, { number: 3, text: '1' }, { number: 4, text: undefined },
  ]);
});
