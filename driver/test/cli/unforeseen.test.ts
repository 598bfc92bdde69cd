import { unforeseenText } from '../../src/cli/unforeseen.js';

const OURS = new TypeError('x is not iterable');

test('a mistake of ours is told as one, with the way to a report and without a stack', () => {
  expect(unforeseenText(OURS, {})).toMatch(/^error: kubectl-dra \S+ met something that it does not know: TypeError: x is not iterable\nThis is a mistake of kubectl-dra\. .*KUBECTL_DRA_STACK=1.*\n$/);
});

test('for a report there is a stack', () => {
  expect(unforeseenText(OURS, { KUBECTL_DRA_STACK: '1' })).toContain('    at ');
});

test('what the system refuses is said in its words', () => {
  expect(unforeseenText(Object.assign(new Error('EACCES: permission denied, open \'a\''), { syscall: 'open' }), {})).toBe('error: EACCES: permission denied, open \'a\'\n');
});
