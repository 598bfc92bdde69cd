import { beside, runScript } from '../../child.mjs';
import { Figure } from '../../figure.mjs';

/** Over all pools, families, phases and changes of a sound fleet. */
export async function proofs(runs, progress) {
  const script = beside(import.meta.url, 'prove.mjs');
  const reading = new Figure('read 200 pools × 3 families with 1,000 workloads and 100 tenants');
  const proof = new Figure('prove the plan: all pools, families, phases and changes', '1,000 ms');
  const many = new Figure('the same with a plugin and a driver of its own for each pool', '1,000 ms');
  const moves = new Figure('judge the move of every pool by one phase');
  for (let run = 1; run <= runs; run++) {
    progress(`proof, run ${run} of ${runs}`);
    const samples = await runScript(script, ['200']);
    reading.add(samples.reading);
    proof.add(samples.proof);
    many.add(samples.many);
    moves.add(samples.moves);
  }
  return { figures: [reading, proof, many, moves] };
}
