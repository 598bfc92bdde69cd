import { compareMinors, MINORS, NEWEST, OLDEST, parseMinor } from '../../../src/model/target';

test.each([
  ['1.34', '1.34'],
  ['1.36', '1.36'],
  ['v1.36', '1.36'],
  ['1.36.3', '1.36'],
  ['v1.36.3-gke.100', '1.36'],
  ['v1.35.6+k3s1', '1.35'],
  ['1.37.0-rc.1', '1.37'],
])('%s is minor %s', (text, minor) => {
  expect(parseMinor(text)).toBe(minor);
});

test.each([
  ['1.33', 'must be Kubernetes 1.34 or later', /resource\.k8s\.io\/v1 from 1\.34/],
  ['v1.9.11', 'must be Kubernetes 1.34 or later', /upgrade the cluster/],
  ['0.37', 'must be Kubernetes 1.34 or later', /upgrade the cluster/],
  ['1.38', 'must be Kubernetes 1.37 or earlier', /use 1\.37, .* raw escape/],
  ['2.0', 'must be Kubernetes 1.37 or earlier', /use 1\.37/],
  ['', 'must be a Kubernetes version', /'1\.37'/],
  ['1', 'must be a Kubernetes version', /'1\.37'/],
  ['1.36 ', 'must be a Kubernetes version', /'1\.37'/],
  ['latest', 'must be a Kubernetes version', /'1\.37'/],
  [1.36, 'must be a Kubernetes version', /as a string/],
  [null, 'must be a Kubernetes version', /as a string/],
])('%p is refused: %s', (text, rule, help) => {
  expect(parseMinor(text as string)).toEqual({ rule, help: expect.stringMatching(help) });
});

test('minors are ordered oldest first', () => {
  expect([...MINORS].sort(compareMinors)).toEqual(MINORS);
  expect([MINORS[0], MINORS[MINORS.length - 1]]).toEqual([OLDEST, NEWEST]);
  expect(compareMinors('1.34', '1.37')).toBeLessThan(0);
  expect(compareMinors('1.36', '1.36')).toBe(0);
});
