import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { deviceClass, hold, listOf, migration, node, pod, slice, template } from './pools.js';
import { run } from '../recorded-io.js';

const OBJECTS = [
  migration('a100', {
    nodes: { matchLabels: { pool: 'a100' }, matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, expand: { steps: ['10%', 4], legacyFloor: 1 }, gates: [{ name: 'g', type: 'Manual' }],
  }),
  hold('a100-1', 'a100'), deviceClass('a100-gpu'), template('vision', 'trainer', 'a100-gpu'), node('gpu-0', 'a100', 'dra'), node('gpu-1', 'a100', undefined, { allocatable: 8 }), slice('gpu-0'),
  ...pod('vision', 'train-0', { on: 'gpu-0', devices: 2, owner: { kind: 'Job', name: 'train' } }), ...pod('old', 'notebook', { on: 'gpu-1', units: 3 }),
];
const JUNK: readonly unknown[] = [null, '', 'x', 0, -1, 1.5, [], {}, [null], [{}], { toString: 1 }, true, '10%', '\u0000', 'a'.repeat(300)];

/** Numbers that look random and are the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % (2 ** 31 - 1);
    return Math.floor((state / (2 ** 31 - 1)) * below);
  };
}

/** Every place of a value, as the holder of a key. */
function places(value: unknown): readonly (readonly [Record<string, unknown>, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...places(holder[key])]);
}

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'hostile-plans-')); });
afterEach(() => rmSync(folder, { recursive: true }));

test('values of any kind put anywhere end in an answer or a refusal, in words that mean something', async () => {
  const below = random(11);
  const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
  writeFileSync(good, listOf(OBJECTS));
  for (let round = 0; round < 600; round++) {
    const objects = structuredClone(OBJECTS);
    for (let changes = 1 + below(3); changes > 0; changes--) {
      // Mostly in the plan, where the reading of it is at stake.
      const all = places(below(4) === 0 ? objects : objects.slice(0, 2));
      const [holder, key] = all[below(all.length)] ?? [{}, ''];
      if (below(8) === 0) delete holder[key];
      else holder[key] = structuredClone(JUNK[below(JUNK.length)]);
    }
    writeFileSync(bad, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const commands = [
      ['status', '--from', bad], ['route', '--from', bad], ['diff', '--base', good, '--head', bad], ['diff', '--base', bad, '--head', good, '-o', 'github', '--from', good], ['workloads', bad],
    ];
    const { out, err } = await run(commands[round % commands.length] ?? []);

    expect(out + err).not.toMatch(/\[object Object\]|\bundefined\b|\bNaN\b|^\s+at .*\(/m);
  }
});
