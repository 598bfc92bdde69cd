import { Allocator } from './allocator';
import type { AllocateResult, AttemptOptions } from './allocator';
import { celEvaluator } from './cel-evaluator';
import { featuresWith } from './features';
import { readFlag, readList, readObject, readOptionalText } from '../decoding';
import { otherField } from '../line-fields';
import { describeProblem } from '../problem';
import { parseMinor } from '../target/versions';
import type { Minor } from '../target/versions';

/** One answer of `kubectl-dra allocate`; `inputError` stands alone when the line is no question. */
export interface AllocateLineAnswer extends Partial<Pick<AllocateResult, 'allocated' | 'results' | 'error' | 'nodeError' | 'reasons' | 'conflicts'>> {
  readonly id?: unknown;
  readonly inputError?: string;
}

/**
 * Answers one line of `kubectl-dra allocate`:
 * `{id, features?, kubernetes?, node, classes, slices, claims, allocated?, reasons?}`.
 *
 * Gates that are not named have the default of the minor, which is 1.36 if none is named. The defaults of the API are applied.
 */
export function allocateLine(input: unknown, options: AttemptOptions = {}): AllocateLineAnswer {
  let id: unknown;
  try {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { inputError: 'A line must be a JSON object with node, classes, slices and claims.' };
    }
    const line = readObject(input, 'line');
    id = line.id ?? undefined;
    const mistake = otherField(line, FIELDS);
    if (mistake !== undefined) throw new Error(mistake);
    const minor = readMinor(line.kubernetes);
    const gates = readGates(line.features);
    if (line.node === undefined || line.node === null) throw new Error('\'node\' is missing: give the v1 Node for which to allocate.');
    const allocator = new Allocator(
      { slices: readList(line.slices, 'slices'), classes: readList(line.classes, 'classes'), allocated: readList(line.allocated, 'allocated') },
      { minor, features: featuresWith(minor, gates), evaluator: celEvaluator(minor, gates) },
    );
    const reasons = options.reasons ?? readFlag(line.reasons, 'reasons');
    const answer = allocator.allocate(line.node, readList(line.claims, 'claims'), { ...options, reasons });
    return {
      ...(id === undefined ? {} : { id }),
      allocated: answer.allocated,
      ...(answer.results ? { results: answer.results } : {}),
      ...(answer.error === undefined ? {} : { error: answer.error, nodeError: answer.nodeError }),
      ...(answer.reasons ? { reasons: answer.reasons } : {}),
      ...(answer.conflicts && answer.conflicts.length > 0 ? { conflicts: answer.conflicts } : {}),
    };
  } catch (error) {
    return { ...(id === undefined ? {} : { id }), inputError: error instanceof Error ? error.message : String(error) };
  }
}

const FIELDS = ['id', 'node', 'classes', 'slices', 'claims', 'allocated', 'kubernetes', 'features', 'reasons'];

function readMinor(value: unknown): Minor {
  const text = readOptionalText(value, 'kubernetes') ?? '1.36';
  const minor = parseMinor(text);
  if (typeof minor !== 'string') throw new Error(describeProblem('kubernetes', text, minor));
  return minor;
}

function readGates(value: unknown): Readonly<Record<string, boolean>> {
  const features = readObject(value, 'features');
  return Object.fromEntries(Object.entries(features).map(([gate, on]) => [gate, readFlag(on, `features.${gate}`)]));
}
