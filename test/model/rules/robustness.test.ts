import * as fc from 'fast-check';
import { manifestsOf } from './check';
import { FAILURES } from '../../../src/model/failures';
import type { Manifest } from '../../../src/model/manifests/manifest';
import { ALL_RULES as ALL, runRules } from '../../../src/model/rules';
import type { Rule } from '../../../src/model/rules';
import { Target } from '../../../src/model/target';

const examples = FAILURES.flatMap(({ code, right, wrong }) => (code < 'DRA103' ? [] : [right, wrong]))
  .flatMap((yaml) => (yaml === undefined ? [] : manifestsOf(yaml))).map(({ value }) => value);
const targets = ['1.34', '1.35', '1.36', '1.37'].map((version) => Target.of(version));

/** Every path in a value. */
function pathsIn(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...entries.flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))];
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  if (path.length === 0) return by;
  const [key, ...rest] = path;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? replaced(item, rest, by) : item));
  return { ...value as object, [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}

const garbage = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.constantFrom<unknown>('', 'a/b/c', 'device.driver ==', '__proto__', 'constructor', -1, 1e300, Number.NaN, 10n ** 30n, [[]], [null], { toString: 1 },
    { items: [null] }, undefined),
);

/** Valid manifests with some values replaced by anything. */
const mutations = fc.array(fc.tuple(fc.nat(), garbage), { maxLength: 3 });
const mutated = fc.array(fc.tuple(fc.nat(examples.length - 1), mutations), { minLength: 1, maxLength: 4 })
  .map((picks) => picks.map(([index, changes]): Manifest => {
    let value: unknown = examples[index];
    for (const [at, by] of changes) {
      const paths = pathsIn(value);
      value = replaced(value, paths[at % paths.length], by);
    }
    return { value: value as Manifest['value'], source: { name: `${index}.yaml` } };
  }));

test('no manifest of any shape stops a rule, and every finding points into its object', () => {
  fc.assert(fc.property(mutated, fc.constantFrom(...targets), (manifests, target) => {
    const findings = runRules(manifests, target);
    expect(findings.filter(({ code }) => code === 'DRA108')).toEqual([]);
    for (const finding of findings) {
      expect(finding.message).not.toBe('');
      expect(finding.message).not.toMatch(/got undefined|\[object/);
      expect(finding.help).not.toBe('');
      expect(finding.manifest).toBeDefined();
    }
  }), { numRuns: 600 });
});

test('the order of findings does not depend on the order in which rules report', () => {
  fc.assert(fc.property(mutated, (manifests) => {
    const keys = (rules?: readonly Rule[]) => runRules(manifests, targets[2], { rules })
      .map(({ code, path, message }) => JSON.stringify([code, path, message]));
    const reversed = [...ALL].reverse();
    expect(keys(reversed)).toEqual(keys());
  }), { numRuns: 100 });
});

test('a rule that throws is a finding and stops no other rule', () => {
  const broken: Rule = {
    codes: ['DRA120'],
    run() {
      throw new Error('no way');
    },
  };
  const findings = runRules(manifestsOf('kind: Pod'), targets[0], { rules: [broken, ...ALL] });
  expect(findings.map(({ code }) => code)).toEqual(['DRA108', 'DRA103']);
  expect(findings[0].message).toContain('DRA120 stopped early: no way');
});

test('findings can be left out by code and by name', () => {
  const yaml = 'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: c, imag: y}], resourceClaims: [{name: a, resourceClaimName: b}]}';
  const codes = (ignore: string[]) => runRules(manifestsOf(yaml), targets[0], { ignore }).map(({ code }) => code);
  expect(codes([])).toEqual(['DRA112', 'DRA135', 'DRA131']);
  expect(codes(['DRA112', 'unused-claim'])).toEqual(['DRA131']);
});
