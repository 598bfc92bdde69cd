import { FAILURES, failureOf, failureText } from '../../../src/model/failures';

const onNodes = FAILURES.filter(({ code }) => code.startsWith('DRA3'));

test('every failure on a node says who is told, and no other does', () => {
  expect(onNodes.length).toBeGreaterThan(30);
  for (const { code, told } of onNodes) expect([code, told]).toEqual([code, expect.stringMatching(/^(platform|tenant|hardware)$/)]);
  for (const failure of FAILURES.filter(({ code }) => !code.startsWith('DRA3'))) {
    expect([failure.code, failure.told, failure.failureClass, failure.isolates]).toEqual([failure.code, undefined, undefined, undefined]);
  }
});

test('what only a clean-up ends isolates, and what isolates is nobody\'s wrong claim', () => {
  for (const { code, failureClass, isolates, told } of onNodes) {
    if (failureClass === 'needs-cleanup') expect([code, isolates]).toEqual([code, true]);
    if (isolates) expect([code, told === 'tenant', failureClass === 'terminal']).toEqual([code, false, false]);
  }
});

test('the text for the kubelet begins with the code', () => {
  expect(failureText(failureOf('DRA320'), 'gpu-0 is held by claim a/b')).toBe('DRA320 device-still-held: gpu-0 is held by claim a/b');
});
