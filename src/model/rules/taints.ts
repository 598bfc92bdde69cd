import type { Place } from './place';
import { report, reportProblem } from './report';
import type { RuleContext } from './rule';
import { taintProblem, tolerationProblem } from '../device-taint';
import { show } from '../problem';

/** A taint of a device or of a rule. */
export function checkTaint(context: RuleContext, taint: Place): void {
  if (taint.fields === undefined) return;
  const problem = taintProblem({ key: taint.at('key').text, value: taint.at('value').text, effect: taint.at('effect').text }, context.target.minor);
  if (problem !== undefined) reportProblem(context, 'DRA127', taint, problem);
}

/** A toleration of a request: what the API server refuses is an error, what does nothing a warning. */
export function checkToleration(context: RuleContext, toleration: Place): void {
  if (toleration.fields === undefined) return;
  const seconds = toleration.at('tolerationSeconds').value;
  const shape = {
    key: toleration.at('key').text,
    operator: toleration.at('operator').text || undefined,
    value: toleration.at('value').text,
    effect: toleration.at('effect').text,
    tolerationSeconds: typeof seconds === 'number' ? seconds : undefined,
  };
  const { minor } = context.target;
  const isKeyless = !shape.key && (shape.operator ?? 'Equal') === 'Equal';
  const refused = tolerationProblem({ ...shape, tolerationSeconds: undefined, key: isKeyless ? 'any' : shape.key }, minor);
  if (refused === undefined && isKeyless) {
    report(context, 'DRA127', toleration, {
      severity: 'warning',
      message: `A toleration without key and with the operator Equal, the default, tolerates taints of any key whose value is ${show(shape.value ?? '')}, and no others.`,
      help: 'Name the key of the taint, or write operator: Exists to tolerate all.',
    });
    return;
  }
  const useless = refused ?? tolerationProblem(shape, minor);
  if (useless !== undefined) reportProblem(context, 'DRA127', toleration, useless, refused === undefined ? 'warning' : undefined);
}
