import { differences } from './migration/differences.mjs';
import { pools } from './migration/pools.mjs';
import { proofs } from './migration/proofs.mjs';

export const description = '200 pools: synth with plan, proof that no device gets two owners, what a commit means';

/** Each part measures one thing about plans of many pools. */
const PARTS = [pools, proofs, differences];

export async function measure({ runs, progress }) {
  const measured = [];
  for (const part of PARTS) measured.push(await part(runs, progress));
  return { figures: measured.flatMap(({ figures }) => figures), ratios: measured.flatMap(({ ratios = [] }) => ratios) };
}
