import type { Severity } from './finding';
import type { Place } from './place';
import { report } from './report';
import type { RuleContext } from './rule';
import type { Gates } from '../cel';
import type { SelectorFinding } from '../cel/selector-finding';
import { gateAt } from '../target';
import type { GateName, Target } from '../target';

/** Gates that add names to the language, each with a field that stands behind the same gate. */
const CEL_GATES: readonly (readonly [gate: GateName, definition: string, field: string])[] = [
  ['DRAConsumableCapacity', 'Device', 'allowMultipleAllocations'],
  ['DRAListTypeAttributes', 'DeviceAttribute', 'strings'],
];

/** What was refused although a gate alone stands in the way. */
export const GATED = 'cel-gated';

/** The gates of a target that decide what an expression may use. */
export function celGates(target: Target): Gates {
  return Object.fromEntries(CEL_GATES.map(([gate]) => [gate, target.enabled(gate)]));
}

/** What the compiler of Kubernetes refuses; what it would take with a gate on is told with that gate. */
export function refusalsFor(target: Target, compile: (gates: Gates) => readonly SelectorFinding[]): readonly SelectorFinding[] {
  const gates = celGates(target);
  let refusals = compile(gates);
  for (const [gate, definition, field] of CEL_GATES) {
    if (refusals.length === 0) break;
    const support = target.fieldSupport(definition, field);
    if (gates[gate] || support.supported || gateAt(gate, target.minor) === undefined) continue;
    const others = compile({ ...gates, [gate]: true });
    refusals = refusals.map((found) => (others.some(({ start }) => start === found.start) ? found : {
      ...found, id: GATED, rule: `must only use what the target has: ${found.rule.replace(/^must compile: /, '')}`, help: support.help,
    }));
  }
  return refusals;
}

/** How a finding about an expression is told. */
export interface ExpressionReport {
  readonly code: string;
  /** What the expression is: `selector`. */
  readonly subject: string;
  /** Absent: as found. */
  readonly severity?: Severity;
}

/** Reports what is wrong at a place inside an expression. */
export function reportExpression(context: RuleContext, expression: Place, found: SelectorFinding, as: ExpressionReport): void {
  const { code, subject, severity } = as;
  const { start, end, rule, help } = found;
  const message = `The ${subject} ${rule}: ${asCode(String(expression.text).slice(start, end))}.`;
  report(context, code, expression, { severity: severity ?? found.severity, message, help, span: { start, end } });
}

/** Expressions hold quotes of their own: quoting them as text would double every one. */
function asCode(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_CODE ? `\`${line.slice(0, MAX_CODE)}…\`` : `\`${line}\``;
}

const MAX_CODE = 120;
