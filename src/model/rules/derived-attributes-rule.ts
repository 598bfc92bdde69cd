import { celGates, GATED, refusalsFor, reportExpression } from './cel-findings';
import { checkSize, checkText, checkUnique } from './checks';
import { claimSpecsOf } from './claim-spec';
import type { ClaimSpec, DeviceNeed } from './claim-spec';
import type { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { checkDerivedAttribute } from '../cel/derived-attribute';
import { limitProblem } from '../limits';
import { fullyQualifiedNameProblem } from '../names';
import { nearest } from '../near-miss';

/** Derived attributes by the rules of the API server (`validateDeviceDerivedAttribute`): each serves a constraint, and its expression has one plain value. */
export const DERIVED_ATTRIBUTES_RULE: Rule = {
  codes: ['DRA109', 'DRA114', 'DRA120', 'DRA121', 'DRA140', 'DRA145', 'DRA180'],
  run(context) {
    // A target that drops the field judges nothing in it.
    if (!context.target.fieldSupport('ExactDeviceRequest', 'derivedAttributes').supported) return;
    for (const spec of claimSpecsOf(context.manifests)) checkClaim(context, spec);
  },
};

function checkClaim(context: RuleContext, spec: ClaimSpec): void {
  let cost = 0n;
  for (const need of spec.requests.flatMap(({ needs }) => needs)) {
    const list = need.place.at('derivedAttributes');
    checkSize(context, list, 'derivedAttributes');
    checkUnique(context, list.items(), (item) => item.at('name').text, 'derived attributes of one request');
    for (const attribute of list.items()) {
      checkText(context, 'DRA121', attribute.at('name'), fullyQualifiedNameProblem);
      checkUse(context, spec, need, attribute.at('name'));
      cost += checkExpression(context, attribute.at('expression'));
    }
  }
  const devices = spec.place.at('devices');
  const problem = limitProblem('derivedAttributeCost', Number(cost), context.target.minor);
  if (problem !== undefined) report(context, 'DRA120', devices, { message: `The claim ${problem.rule}.`, help: 'Use fewer of them, or cheaper expressions.' });
}

/** A constraint without requests is for all, one for a request also for its alternatives. */
function checkUse(context: RuleContext, spec: ClaimSpec, need: DeviceNeed, name: Place): void {
  if (!name.text) return;
  const constraints = spec.place.at('devices', 'constraints').items();
  const uses = constraints.filter((constraint) => attributeOf(constraint) === name.text);
  const request = need.reference.split('/')[0];
  const targets = uses.map((constraint) => constraint.at('requests').items().map(({ text }) => text));
  if (targets.some((names) => names.length === 0 || names.includes(need.reference) || names.includes(request))) return;
  const meant = uses.length > 0 ? undefined : nearest(name.text, constraints.flatMap((constraint) => attributeOf(constraint) ?? []));
  report(context, 'DRA180', name, {
    message: `No matchAttribute or distinctAttribute for the request '${need.reference}' uses '${name.text}': the API server refuses the claim.`,
    help: uses.length > 0
      ? `Add '${need.reference}' to the requests of the constraint that uses it, or remove it here.`
      : meant === undefined ? 'Add a constraint with this attribute, or remove it.' : `A constraint uses '${meant}': write the same name in both places.`,
  });
}

function attributeOf(constraint: Place): string | undefined {
  return constraint.at('matchAttribute').text ?? constraint.at('distinctAttribute').text;
}

/** The highest cost of the expression; 0 for one that is refused. */
function checkExpression(context: RuleContext, expression: Place): bigint {
  const { text } = expression;
  if (text === '') report(context, 'DRA114', expression, { message: '\'expression\' must not be empty.', help: 'Write what the attribute is made of, or remove it.' });
  if (!text) return 0n;
  const { minor } = context.target;
  for (const found of refusalsFor(context.target, (gates) => checkDerivedAttribute(text, { minor, gates }).problems)) {
    reportExpression(context, expression, found, { code: found.id === GATED ? 'DRA145' : 'DRA140', subject: 'expression' });
  }
  return checkDerivedAttribute(text, { minor, gates: celGates(context.target) }).maxCost;
}
