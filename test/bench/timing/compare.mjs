import { Comparison } from '../comparison.mjs';
import { beside } from '../child.mjs';
import { TimedProgram } from './timed-program.mjs';
import { upstreamProgram } from './upstream.mjs';

const MINOR = '1.36';

/**
 * Times questions on both sides, in fresh processes for every run. The sides take turns question by question, so that a busy moment of the
 * machine meets both.
 *
 * @param cases `{ name, wanted, question }`; `oursOnly` for what upstream cannot do
 */
export async function compare({ runs, milliseconds, progress }, cases) {
  const program = await upstreamProgram(MINOR, text => progress(text.trim()));
  const comparisons = cases.map(({ name, wanted }) => new Comparison(name, wanted));
  for (let run = 1; run <= runs; run++) {
    progress(`run ${run} of ${runs}`);
    const ours = new TimedProgram(process.execPath, [beside(import.meta.url, 'ours.mjs'), String(milliseconds)]);
    const upstream = program && new TimedProgram(program, ['-time', `${milliseconds}ms`]);
    // The first pass warms both up: a process that has met all questions once is what the figures are about.
    for (const counts of [false, true]) {
      for (const [index, { name, question, oursOnly }] of cases.entries()) {
        const line = JSON.stringify({ kubernetes: MINOR, ...question });
        const mine = await ours.ask(line);
        const theirs = oursOnly ? undefined : await upstream?.ask(line);
        if (theirs !== undefined && theirs.outcome !== mine.outcome) {
          throw new Error(`${name}: the sides do different work, ours ends with "${mine.outcome}" and upstream with "${theirs.outcome}"`);
        }
        if (counts) comparisons[index].add(mine, theirs);
      }
    }
    await Promise.all([ours.close(), upstream?.close()]);
  }
  return comparisons;
}
