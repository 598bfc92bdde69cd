import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beside, runScript } from '../../child.mjs';
import { Figure } from '../../figure.mjs';

const SCRIPT = beside(import.meta.url, 'synth-pools.mjs');
const POOLS = 200;

/** The fleet of examples/fleet in pools: constructing and writing it, proofs and plan of all phases included. */
export async function pools(runs, progress) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-dra-bench-'));
  try {
    const construction = new Figure(`construct ${POOLS} pools, each migration checked by itself`);
    const synth = new Figure(`synth of ${POOLS} pools with proofs, and the plan of every phase`);
    const few = new Figure(`synth of ${POOLS / 10} pools`);
    const write = async count => {
      const outdir = join(folder, 'dist');
      for (const each of [outdir, `${outdir}.plan`]) rmSync(each, { recursive: true, force: true });
      return runScript(SCRIPT, [count, outdir]);
    };
    for (let run = 1; run <= runs; run++) {
      progress(`${POOLS} pools, run ${run} of ${runs}`);
      few.add((await write(POOLS / 10)).writing);
      const full = await write(POOLS);
      construction.add(full.construction);
      synth.add(full.writing);
    }
    return { figures: [construction, synth, few], ratios: [synth.over(few, `synth of ${POOLS} / of ${POOLS / 10}`, '12')] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
