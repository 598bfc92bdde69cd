import { COMPILATIONS, EVALUATIONS } from './cel/questions.mjs';
import { compare } from '../timing/compare.mjs';

export const description = 'device selectors: evaluation and compilation, beside upstream where Go is';

const MILLISECONDS = 100;

export async function measure({ runs, progress }) {
  return { comparisons: await compare({ runs, milliseconds: MILLISECONDS, progress }, [...EVALUATIONS, ...COMPILATIONS]) };
}
