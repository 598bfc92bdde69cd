import type { Severity } from './finding';
import type { Place } from './place';
import type { RuleContext } from './rule';
import { failureOf } from '../failures';
import type { Problem } from '../problem';
import { show } from '../problem';

/** What a finding says beyond its code and place. */
export interface Remark {
  /** What was given and the rule. */
  readonly message: string;
  /** The way out. */
  readonly help: string;
  /** Absent: as the catalogue says. */
  readonly severity?: Severity;
  readonly span?: { readonly start: number; readonly end: number };
}

/** Reports a finding with the severity of the catalogue unless the remark says otherwise. */
export function report(context: RuleContext, code: string, place: Place, remark: Remark): void {
  const severity = remark.severity ?? failureOf(code).severity;
  context.report({ code, severity, manifest: place.object.manifest, path: place.path, ...textOf(remark) });
}

/** Reports what a validator of a single value refuses. */
export function reportProblem(context: RuleContext, code: string, place: Place, problem: Problem, severity?: Severity): void {
  const message = `'${place.field}' ${problem.rule}, got ${show(place.value)}.`;
  report(context, code, place, { severity, message, help: problem.help });
}

function textOf(remark: Remark): Pick<Remark, 'message' | 'help' | 'span'> {
  return remark.span === undefined
    ? { message: remark.message, help: remark.help }
    : { message: remark.message, help: remark.help, span: remark.span };
}
