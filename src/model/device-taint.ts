import { labelKeyProblem, labelValueProblem } from './names';
import type { Problem } from './problem';
import { compareMinors } from './target/versions';
import type { Minor } from './target/versions';

/** What a taint does to pods: none scheduled; none scheduled and running ones evicted; nothing, only shown. */
export const TAINT_EFFECTS: readonly string[] = ['NoSchedule', 'NoExecute', 'None'];

export interface TaintShape {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface TolerationShape extends TaintShape {
  readonly operator?: string;
  readonly tolerationSeconds?: number | bigint;
}

/** Why a text is no effect of a device taint in a minor; `None` came with 1.35. */
export function taintEffectProblem(effect: string, minor: Minor): Problem | undefined {
  const legal = compareMinors(minor, '1.35') < 0 ? TAINT_EFFECTS.filter(name => name !== 'None') : TAINT_EFFECTS;
  if (legal.includes(effect)) return undefined;
  if (effect === 'None') {
    return { rule: `must be an effect that Kubernetes ${minor} knows`, help: 'None came with 1.35; use NoSchedule, or target a newer minor.' };
  }
  return { rule: `must be one of ${legal.join(', ')}`, help: 'NoSchedule keeps new pods away; NoExecute also evicts running ones.' };
}

/** Why a taint is refused in a minor. */
export function taintProblem(taint: TaintShape, minor: Minor): Problem | undefined {
  if (taint.effect === undefined || taint.effect === '') {
    return { rule: 'must have an effect', help: 'NoSchedule keeps new pods away; NoExecute also evicts running ones.' };
  }
  return inField('key', labelKeyProblem(taint.key ?? ''))
    ?? inField('value', labelValueProblem(taint.value ?? ''))
    ?? inField('effect', taintEffectProblem(taint.effect, minor));
}

/**
 * Why a toleration is refused in a minor, or would not do what it says.
 *
 * Two of the rules are documented upstream but not enforced: an empty key needs `Exists` (with `Equal` it tolerates
 * taints of any key with that value), and `tolerationSeconds` counts only beside the effect NoExecute.
 */
export function tolerationProblem(toleration: TolerationShape, minor: Minor): Problem | undefined {
  const { key = '', operator = 'Equal', value = '', effect = '', tolerationSeconds } = toleration;
  if (operator !== 'Equal' && operator !== 'Exists') {
    return { rule: 'must have the operator Equal or Exists', help: 'Exists tolerates every value of the key; Equal, the default, one value.' };
  }
  if (operator === 'Exists' && value !== '') {
    return { rule: 'must have no value beside the operator Exists', help: 'Leave the value out, or use the operator Equal.' };
  }
  if (key === '' && operator === 'Equal') {
    return { rule: 'must have a key, or the operator Exists', help: 'Name the key of the taint, or use Exists to tolerate all taints.' };
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    return { rule: 'must have the effect NoExecute beside tolerationSeconds', help: 'Set the effect, or leave the ignored tolerationSeconds out.' };
  }
  if (tolerationSeconds !== undefined && !isInt64(tolerationSeconds)) {
    return { rule: 'must have tolerationSeconds in whole seconds', help: 'Write for example 300.' };
  }
  return (key === '' ? undefined : inField('key', labelKeyProblem(key)))
    ?? inField('value', labelValueProblem(value))
    ?? (effect === '' ? undefined : inField('effect', taintEffectProblem(effect, minor)));
}

function inField(field: string, problem: Problem | undefined): Problem | undefined {
  return problem && { rule: `must have a valid ${field}: it ${problem.rule}`, help: problem.help };
}

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}
