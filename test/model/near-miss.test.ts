import * as fc from 'fast-check';
import { nearest } from '../../src/model/near-miss';

test.each([
  ['devcie', ['device', 'driver'], 'device'],
  ['Device', ['device'], 'device'],
  ['gpu.exmaple.com', ['nic.example.com', 'gpu.example.com'], 'gpu.example.com'],
  ['modle', ['memory', 'model', 'mode'], 'mode'],
  ['productname', ['productName'], 'productName'],
  ['a', ['b'], undefined],
  ['node', ['device'], undefined],
  ['model', ['model', 'modem'], undefined],
  ['model', [], undefined],
  ['', ['a'], undefined],
  ['x'.repeat(254), ['x'.repeat(253)], undefined],
])('%s among %j is %s', (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test('the order of the candidates does not matter', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(fc.property(words, fc.array(words), (word, candidates) => {
    expect(nearest(word, [...candidates].reverse())).toBe(nearest(word, candidates));
  }));
});

test('one wrong letter in a longer word is found', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 30 }), fc.nat(29), (word, place) => {
    const at = place % word.length;
    expect(nearest(`${word.slice(0, at)}x${word.slice(at + 1)}`, [word])).toBe(word);
  }));
});
