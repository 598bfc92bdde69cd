import { byteAmountProblem } from '../../src/model/byte-amount';

test.each([
  ['40', 'Write 40Gi, or 40Mi if that is meant.'],
  ['0.5', 'Write 0.5Gi, or 0.5Mi if that is meant.'],
  ['40960', 'Write 40960Mi.'],
  ['40k', 'Write 40Gi, or 40Mi if that is meant.'],
  ['40m', 'Write 40Gi, or 40Mi if that is meant.'],
  ['512Ki', 'Write 512Gi, or 512Mi if that is meant.'],
  ['4e4', 'Write a number with Mi or Gi behind it.'],
])('%s bytes of memory are a slip', (text, help) => {
  expect(byteAmountProblem(text)).toEqual({ rule: 'should be 1Mi or more, since it counts bytes of memory', help });
});

test.each(['1Mi', '40Gi', '1048576', '16288Mi', '80G', '0', '1', '-40', 'many', ''])('%p is none, or another mistake', text => {
  expect(byteAmountProblem(text)).toBeUndefined();
});
