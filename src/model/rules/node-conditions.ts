import { checkText, checkTexts } from './checks';
import type { Place } from './place';
import { report } from './report';
import type { RuleContext } from './rule';
import { dnsSubdomainProblem, labelKeyProblem, labelValueProblem } from '../names';
import { show } from '../problem';

/** The conditions of a node selector in a slice (`ValidateNodeSelector`). */
export function checkNodeConditions(context: RuleContext, selector: Place): void {
  for (const term of selector.at('nodeSelectorTerms').items()) {
    for (const condition of term.at('matchExpressions').items()) checkLabelCondition(context, condition);
    for (const condition of term.at('matchFields').items()) checkFieldCondition(context, condition);
  }
}

function checkLabelCondition(context: RuleContext, condition: Place): void {
  if (condition.fields === undefined) return;
  checkValueCount(context, condition, {
    In: [1, Infinity, 'at least one value'],
    NotIn: [1, Infinity, 'at least one value'],
    Exists: [0, 0, 'no values'],
    DoesNotExist: [0, 0, 'no values'],
    Gt: [1, 1, 'exactly one value'],
    Lt: [1, 1, 'exactly one value'],
  });
  checkText(context, 'DRA129', condition.at('key'), labelKeyProblem);
  checkTexts(context, 'DRA129', condition.at('values'), labelValueProblem);
}

/** Nodes have one field that can be asked for, and it has one value. */
function checkFieldCondition(context: RuleContext, condition: Place): void {
  if (condition.fields === undefined) return;
  checkValueCount(context, condition, { In: [1, 1, 'exactly one value'], NotIn: [1, 1, 'exactly one value'] });
  const key = condition.at('key');
  if (key.text !== undefined && key.text !== NAME_FIELD) {
    report(context, 'DRA129', key, {
      message: `The only field of a node that a selector can ask for is ${NAME_FIELD}, got ${show(key.text)}.`, help: 'Put conditions about labels into matchExpressions.',
    });
    return;
  }
  checkTexts(context, 'DRA129', condition.at('values'), dnsSubdomainProblem);
}

const NAME_FIELD = 'metadata.name';

type Counts = { readonly [operator: string]: readonly [least: number, most: number, words: string] };

function checkValueCount(context: RuleContext, condition: Place, counts: Counts): void {
  const operator = condition.at('operator');
  const { text } = operator;
  if (text === undefined) return;
  if (!Object.hasOwn(counts, text)) {
    // Another word is told as one that is none of the choices.
    if (text !== '' && !OPERATORS.includes(text)) return;
    report(context, 'DRA129', operator, { message: `The operator must be ${Object.keys(counts).join(', ')} here, got ${show(text)}.`, help: 'Write one of these.' });
    return;
  }
  const count = condition.at('values').items().length;
  const [least, most, words] = counts[text];
  if (count >= least && count <= most) return;
  report(context, 'DRA129', condition, { message: `The operator ${text} must have ${words}, got ${count}.`, help: 'Correct the values or the operator.' });
}

const OPERATORS: readonly string[] = ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'];
