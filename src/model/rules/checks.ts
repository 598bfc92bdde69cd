import type { Place } from './place';
import { isPlaceholder } from './placeholder';
import { report, reportProblem } from './report';
import type { RuleContext } from './rule';
import { LIMITS, limitProblem } from '../limits';
import type { LimitKey } from '../limits';
import type { Problem } from '../problem';
import { show } from '../problem';

/** A text against a validator; a missing or wrongly typed one is another rule's matter, and one that comes later is nobody's. */
export function checkText(context: RuleContext, code: string, place: Place, validate: (text: string) => Problem | undefined): void {
  const problem = place.text === undefined || isPlaceholder(place.text) ? undefined : validate(place.text);
  if (problem !== undefined) reportProblem(context, code, place, problem);
}

/** A list of texts; Go reads null in it as an empty text. */
export function checkTexts(context: RuleContext, code: string, list: Place, validate: (text: string) => Problem | undefined): void {
  for (const item of list.items()) {
    const problem = item.value === null ? validate('') : undefined;
    if (problem !== undefined) reportProblem(context, code, item, problem);
    else checkText(context, code, item, validate);
  }
}

/** A driver name; upper case is only a warning, as the API server takes it. */
export function checkDriverName(context: RuleContext, place: Place, validate: (text: string) => Problem | undefined): void {
  const problem = place.text === undefined || isPlaceholder(place.text) ? undefined : validate(place.text);
  if (problem === undefined) return;
  const isOnlyCase = validate(String(place.text).toLowerCase()) === undefined;
  reportProblem(context, 'DRA121', place, problem, isOnlyCase ? 'warning' : undefined);
}

/** A list or map against the most entries that the target takes. */
export function checkSize(context: RuleContext, place: Place, key: LimitKey): void {
  const size = Array.isArray(place.value) ? place.value.length : Object.keys(place.fields ?? {}).length;
  const problem = limitProblem(key, size, context.target.minor);
  if (problem === undefined) return;
  report(context, 'DRA120', place, {
    severity: LIMITS[key].documentedOnly ? 'warning' : undefined, message: `'${place.field}' ${problem.rule}.`, help: problem.help,
  });
}

/** A number of things in a device or slice against the most that the target takes. */
export function checkTotal(context: RuleContext, place: Place, key: LimitKey, total: number): void {
  const problem = limitProblem(key, total, context.target.minor);
  if (problem !== undefined) report(context, 'DRA120', place, { message: `'${place.field}' ${problem.rule}.`, help: problem.help });
}

/** No two entries of a list with the same key. */
export function checkUnique(context: RuleContext, places: readonly Place[], keyOf: (place: Place) => string | undefined, what: string): void {
  const seen = new Set<string>();
  for (const place of places) {
    const key = keyOf(place);
    if (key === undefined || key === '') continue;
    if (seen.has(key)) report(context, 'DRA109', place, { message: `Two ${what} are ${show(key)}.`, help: 'Remove one, or give each its own.' });
    seen.add(key);
  }
}

/** Exactly one of several fields, as unions of Kubernetes want it. */
export function checkOneOf(context: RuleContext, place: Place, fields: readonly string[], help: string): void {
  // The API server takes an empty list for an absent one.
  const set = fields.filter((field) => place.at(field).isSet && !(Array.isArray(place.at(field).value) && place.at(field, 0).value === undefined));
  if (set.length === 1) return;
  report(context, 'DRA124', place, {
    message: `Exactly one of ${fields.join(', ')} must be set, got ${set.length === 0 ? 'none' : set.join(' and ')}.`,
    help,
  });
}
