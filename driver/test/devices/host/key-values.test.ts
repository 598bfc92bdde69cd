import { keyValues, wholeNumber } from '../../../src/devices/host/key-values.js';

test.each([
  ['GPU UUID: \t GPU-1\nBus Location: \t 0000:19:00.0\n', { 'GPU UUID': 'GPU-1', 'Bus Location': '0000:19:00.0' }],
  ['simd_count 416\nlocation_id 25344', { simd_count: '416', location_id: '25344' }],
  ['Data Link Protocol 0\nTOTAL_ERR_FATAL 3', { 'Data Link Protocol': '0', 'TOTAL_ERR_FATAL': '3' }],
  ['ue: 0\nce: 3', { ue: '0', ce: '3' }],
  ['a: 1\na: 2\nb:\nc\n\n: 4', { a: '1' }],
])('%j is read', (text, values) => {
  expect(Object.fromEntries(keyValues(text))).toEqual(values);
});

test.each([['12', 12], ['0', 0], ['-1', undefined], ['1e3', undefined], ['0x10', undefined], ['', undefined], [undefined, undefined], ['9'.repeat(16), undefined]])('%j is the number %j', (text, number) => {
  expect(wholeNumber(text)).toBe(number);
});
