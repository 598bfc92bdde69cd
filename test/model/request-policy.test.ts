import { capacityQuantityProblem, requestPolicyProblem } from '../../src/model/request-policy';
import type { RequestPolicy } from '../../src/model/request-policy';

test.each(['40Gi', '0', 5, 0.5, 80n, '1e3'])('%p is an amount', amount => {
  expect(capacityQuantityProblem(amount)).toBeUndefined();
});

test.each(['-1', -1, 'Ki', '+', '', '40GB', null, undefined, NaN, {}])('%p is no amount', amount => {
  expect(capacityQuantityProblem(amount)?.rule).toMatch(/^must /);
});

const LEGAL: [name: string, policy: RequestPolicy, fractional?: boolean][] = [
  ['none', {}],
  ['a default alone, whatever its size', { default: '100Gi' }],
  ['values with the default', { default: '10Gi', validValues: ['5Gi', '10Gi', '40Gi'] }],
  ['a default spelled differently', { default: '10240Mi', validValues: ['10Gi'] }],
  ['a range', { default: '2Gi', validRange: { min: '1Gi', max: '40Gi', step: '1Gi' } }],
  ['a range without end', { default: '3Gi', validRange: { min: '1Gi', step: '2Gi' } }],
  ['a range without step', { default: '1500M', validRange: { min: '1Gi' } }],
  ['a default above the capacity in a range without max', { default: '50Gi', validRange: { min: '1Gi' } }],
  ['fractions that are rounded up to whole units', { default: '1', validRange: { min: '500m', step: '500m' } }],
  ['fractions counted in thousandths', { default: '1', validRange: { min: '500m', step: '250m' } }, true],
  ['values that differ in thousandths, when those count', { default: '1', validValues: ['500m', '1'] }, true],
];

test.each(LEGAL)('a policy of %s is legal', (...[, policy, fractional]) => {
  expect(requestPolicyProblem('40Gi', policy, fractional)).toBeUndefined();
});

const ILLEGAL: [name: string, policy: RequestPolicy, rule: string, fractional?: boolean][] = [
  ['both kinds', { default: '1Gi', validValues: ['1Gi'], validRange: { min: '1Gi' } }, 'must not have both validValues and validRange'],
  ['values without a default', { validValues: ['1Gi'] }, 'must have a default when validValues is set'],
  ['a range without a default', { validRange: { min: '1Gi' } }, 'must have a default when validRange is set'],
  ['a range without min', { default: '1Gi', validRange: { max: '1Gi' } }, 'must have a min in validRange'],
  ['a default that is no value', { default: '2Gi', validValues: ['1Gi', '4Gi'] }, 'must have a default that is one of the valid values, but has 2Gi'],
  ['unsorted values', { default: '1Gi', validValues: ['4Gi', '1Gi'] }, 'must have valid values in ascending order, but 1Gi follows 4Gi'],
  ['a value twice', { default: '1Gi', validValues: ['1Gi', '1024Mi'] }, 'must have no valid value twice, but has 1Gi and 1Gi'],
  [
    'values alike when rounded up', { default: '1', validValues: ['500m', '1'] },
    'must have no valid value twice, but has 500m and 1, as both are rounded up to whole units',
  ],
  ['a value above the capacity', { default: '1Gi', validValues: ['1Gi', '41Gi'] }, 'must have valid values up to the capacity 40Gi, but has 41Gi'],
  ['eleven values', { default: 1, validValues: Array.from({ length: 11 }, (_, i) => i + 1) }, 'must have at most 10 valid values, but has 11'],
  ['a min above the capacity', { default: '50Gi', validRange: { min: '41Gi' } }, 'must have a min up to the capacity, but 41Gi is more than 40Gi'],
  ['a default below min', { default: '1Gi', validRange: { min: '2Gi' } }, 'must have a min up to the default, but 2Gi is more than 1Gi'],
  ['a default above max', { default: '3Gi', validRange: { min: '1Gi', max: '2Gi' } }, 'must have a default up to the max, but 3Gi is more than 2Gi'],
  [
    'a max above the capacity', { default: '1Gi', validRange: { min: '1Gi', max: '41Gi' } },
    'must have a max up to the capacity, but 41Gi is more than 40Gi',
  ],
  ['a step of zero', { default: '1Gi', validRange: { min: '1Gi', step: 0 } }, 'must have a step greater than zero'],
  [
    'no room for a step', { default: '1Gi', validRange: { min: '1Gi', step: '40Gi' } },
    'must have room for a step of 40Gi from 1Gi up to the capacity 40Gi',
  ],
  [
    'a default between steps', { default: '2Gi', validRange: { min: '1Gi', step: '2Gi' } },
    'must have a default that is whole steps of 2Gi above the min 1Gi, but has 2Gi',
  ],
  [
    'a max between steps', { default: '1Gi', validRange: { min: '1Gi', max: '4Gi', step: '2Gi' } },
    'must have a max that is whole steps of 2Gi above the min 1Gi, but has 4Gi',
  ],
  [
    'a default between steps of thousandths', { default: '1', validRange: { min: '500m', step: '300m' } },
    'must have a default that is whole steps of 300m above the min 500m, but has 1', true,
  ],
  ['an amount finer than thousandths', { default: '1', validRange: { min: '1u' } }, 'must have amounts in thousandths, but has 1u', true],
  ['a negative amount', { default: '1', validRange: { min: '-1' } }, 'must have amounts everywhere: validRange.min must not be negative'],
  ['a bad amount', { default: '1GB' }, 'must have amounts everywhere: default must be a quantity'],
];

test.each(ILLEGAL)('a policy with %s is refused', (...[, policy, rule, fractional]) => {
  expect(requestPolicyProblem('40Gi', policy, fractional)).toEqual({ rule, help: expect.stringMatching(/^[A-Z].*\.$/) });
});

test('amounts beyond int64 are refused beside a step, where they crash older API servers', () => {
  const policy: RequestPolicy = { default: '20E', validRange: { min: '1', step: '18446744073709551616' } };
  expect(requestPolicyProblem('100E', policy)?.rule).toBe('must have amounts up to 9223372036854775807 beside a step, but has 20E');
});

test('the nearest step is named', () => {
  expect(requestPolicyProblem('40Gi', { default: '6Gi', validRange: { min: '1Gi', step: '2Gi' } })?.help).toBe('Choose 5Gi.');
});
