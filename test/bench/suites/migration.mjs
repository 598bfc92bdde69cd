import { differences } from './migration/differences.mjs';
import { proofs } from './migration/proofs.mjs';

export const description = 'proof that no device of 200 pools × 3 families gets two owners; what a commit means for 200 pools';

/** Each part measures one thing about plans of many pools. */
const PARTS = [proofs, differences];

export async function measure({ runs, progress }) {
  const measured = [];
  for (const part of PARTS) measured.push(await part(runs, progress));
  return { figures: measured.flatMap(({ figures }) => figures), ratios: measured.flatMap(({ ratios = [] }) => ratios) };
}
