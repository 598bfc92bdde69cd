import fc from 'fast-check';
import {
  attributeIdProblem, derivedName, dnsLabelProblem, dnsSubdomainProblem, driverNameProblem, extendedResourceNameProblem, fullyQualifiedNameProblem,
  labelKeyProblem, labelValueProblem, poolNameProblem, qualifiedNameProblem, tooLongName,
} from '../../src/model/names';
import type { Problem } from '../../src/model/problem';

const a = (length: number): string => 'a'.repeat(length);

interface Format {
  readonly check: (name: string) => Problem | undefined;
  readonly legal: readonly string[];
  readonly illegal: readonly string[];
}

const FORMATS: Record<string, Format> = {
  'DNS label': {
    check: dnsLabelProblem,
    legal: ['gpu-0', '0', a(63)],
    illegal: ['', a(64), 'GPU', 'a.b', '-a', 'a-', 'a_b', 'a/b', 'ä', 'a\n'],
  },
  'DNS subdomain': {
    check: dnsSubdomainProblem,
    legal: ['gpu.example.com', '0.1', a(253)],
    illegal: ['', a(254), 'a..b', '.a', 'a.', 'A.b', 'a.-b', 'a/b', 'a\n'],
  },
  'driver name': {
    check: driverNameProblem,
    legal: ['gpu.nvidia.com', 'driver', a(63)],
    illegal: ['', a(64), 'GPU.nvidia.com', 'gpu_nvidia', 'gpu/nvidia'],
  },
  'pool name': {
    check: poolNameProblem,
    legal: ['node-1', 'rack-1/switch.2', `${a(100)}/${a(152)}`],
    illegal: ['', '/', 'a/', '/a', 'a//b', 'A/b', `${a(100)}/${a(153)}`],
  },
  'attribute id': {
    check: attributeIdProblem,
    legal: ['model', '_x', 'driverVersion', 'X9', a(32)],
    illegal: ['', a(33), 'supported-models', '9x', 'a.b', 'ä', 'a\n'],
  },
  'qualified name': {
    check: qualifiedNameProblem,
    legal: ['model', 'gpu.example.com/model', `${a(63)}/${a(32)}`],
    illegal: ['', '/', '/model', 'gpu.example.com/', 'a/b/c', `${a(64)}/x`, `x/${a(33)}`, 'GPU.example.com/model', 'd/supported-models'],
  },
  'fully qualified name': {
    check: fullyQualifiedNameProblem,
    legal: ['resource.kubernetes.io/pcieRoot'],
    illegal: ['', 'pcieRoot', 'a/b/c', 'd/'],
  },
  'label key': {
    check: labelKeyProblem,
    legal: ['key', 'example.com/Key_1.x', a(63), `${a(253)}/${a(63)}`],
    illegal: ['', '/', 'a/', '/a', 'a/b/c', a(64), `${a(254)}/x`, 'Example.com/x', '-a', 'a.', 'a b'],
  },
  'label value': {
    check: labelValueProblem,
    legal: ['', 'x', 'A_b.c-1', a(63)],
    illegal: [a(64), '-a', 'a.', 'a b', 'a/b'],
  },
  'extended resource name': {
    check: extendedResourceNameProblem,
    legal: ['example.com/gpu', 'nvidia.com/mig-1g.5gb', `${a(244)}/${a(63)}`],
    illegal: [
      '', 'gpu', 'cpu', 'kubernetes.io/gpu', 'x.kubernetes.io/gpu', 'requests.example.com/gpu', 'example.com/', 'a/b/c', `${a(245)}/x`, `x/${a(64)}`,
    ],
  },
};

for (const [format, { check, legal, illegal }] of Object.entries(FORMATS)) {
  test.each(legal)(`%p is a ${format}`, name => {
    expect(check(name)).toBeUndefined();
  });

  test.each(illegal)(`%p is no ${format}`, name => {
    expect(check(name)).toEqual({ rule: expect.stringMatching(/^must /), help: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  test(`no text crashes the check of a ${format}`, () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'aZ0-_./ ä\n') }), name => {
      const problem = check(name);
      expect(problem === undefined || problem.rule.startsWith('must ')).toBe(true);
    }));
  });
}

test('an upper-case driver name is answered with the lower-case one', () => {
  expect(driverNameProblem('GPU.Nvidia.com')?.help).toBe('Write gpu.nvidia.com.');
});

test('a hyphen in an attribute id is explained', () => {
  expect(attributeIdProblem('supported-models')?.help).toBe('A hyphen would be a minus sign in a CEL expression; write supported_models.');
});

test('a name that a person gave is refused when too long, not cut', () => {
  expect(tooLongName('abc', 3)).toBeUndefined();
  expect(tooLongName('abcd', 3)?.rule).toBe('must be at most 3 characters, but has 4');
});

// C-064: parts of any length make a name that fits, and equal beginnings stay apart.
describe('derived names', () => {
  test('parts are joined by a hyphen', () => {
    expect(derivedName(['team-a', 'gpu'], 63)).toBe('team-a-gpu');
  });

  test('a long name is cut and ends in a fixed hash', () => {
    expect(derivedName([a(40), 'gpu'], 32)).toBe('aaaaaaaaaaaaaaaaaaaaaaa-47b9bf65');
  });

  test('long names with an equal beginning stay apart', () => {
    expect(derivedName([a(70), 'x'], 63)).not.toBe(derivedName([a(70), 'y'], 63));
  });

  test('a cut after a separator leaves no separator before the hash', () => {
    expect(derivedName(['abc.', a(30)], 13)).toMatch(/^abc-[0-9a-f]{8}$/);
  });

  test('names made of DNS labels are DNS labels of at most the given length', () => {
    const labels = fc.array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/), { minLength: 1 });
    fc.assert(fc.property(labels, fc.integer({ min: 9, max: 63 }), (parts, max) => {
      const name = derivedName(parts, max);
      expect(name.length).toBeLessThanOrEqual(max);
      expect(dnsLabelProblem(name)).toBeUndefined();
    }));
  });

  test('a bound without room for a hash is refused', () => {
    expect(() => derivedName(['abcdefghij'], 8)).toThrow('\'max\' must be greater than 8 to leave room for a hash, got 8.');
  });
});
