import { CASES, viewOf } from './case-file';
import { explainNode, explainPod } from '../../../src/model/explain';
import { failureOf } from '../../../src/model/failures';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { MINORS, Target } from '../../../src/model/target';
import { Random } from '../../oracle/generate/random';

const VALUES: readonly unknown[] = [
  null, true, 0, -1, -3, 1.5, 1e308, 9007199254740993n, '', ' ', 'a', 'x'.repeat(5000), '\u0000', '\ud800', '-5', '1e999', '9e99Gi', '{{}}', '__proto__', 'constructor',
  [], {}, [null], [[]], { a: null }, ['x'],
];

/** Every field of an object, at any depth. */
function placesIn(object: unknown): [holder: Record<string, unknown>, key: string][] {
  const found: [Record<string, unknown>, string][] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const key of Object.keys(holder)) {
      found.push([holder, key]);
      if (typeof holder[key] === 'object' && holder[key] !== null) walk(holder[key] as Record<string, unknown>);
    }
  };
  walk(object as Record<string, unknown>);
  return found;
}

/** The objects of a case with a few fields replaced, removed, or taken from elsewhere, and sometimes one object twice. */
function spoiled(random: Random, given: readonly JsonObject[]): readonly JsonObject[] {
  const objects = structuredClone(given) as JsonObject[];
  for (let changes = random.between(1, 4); changes > 0; changes--) {
    const [holder, key] = random.pick(placesIn(random.pick(objects)));
    switch (random.below(4)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
        break;
      case 1: {
        const [other, name] = random.pick(placesIn(random.pick(objects)));
        holder[key] = structuredClone(other[name]);
        break;
      }
      default: holder[key] = random.pick(VALUES);
    }
  }
  return random.once(5) ? [...objects, structuredClone(random.pick(objects))] : objects;
}

test('whatever the objects hold, every pod and node has an answer in plain words', () => {
  const random = new Random(22);
  // That one takes seconds as it is.
  const cases = CASES.filter(({ file }) => file !== 'search-too-long.yaml');
  for (let round = 0; round < 600; round++) {
    const one = random.pick(cases);
    const view = viewOf(spoiled(random, one.objects), one.server);
    const target = Target.of(random.pick(MINORS));
    for (const { namespace, name } of view.all('Pod')) {
      const answer = explainPod(view, namespace, name, target);
      const nodes = view.all('Node').map(node => explainNode(view, namespace, name, node.name, target));
      const said = JSON.stringify([answer, nodes]);

      expect(answer?.because).not.toBe('');
      expect(() => failureOf(answer?.cause ?? '')).not.toThrow();
      // Traces of our own language would be a mistake of ours.
      expect({ file: one.file, round, said: /undefined|\[object|NaN|is not a function|Cannot read/.exec(said)?.[0] }).toEqual({ file: one.file, round, said: undefined });
    }
  }
});
