import type { CompileError } from './compile-expression';
import { compileSelector, CompiledSelector, MAX_SELECTOR_COST } from './compile-selector';
import type { SelectorCompileOptions } from './compile-selector';
import type { SelectorFinding } from './selector-finding';

/**
 * Why the API server (`envType` new) or the scheduler (`stored`) refuses a device selector: everything that does not
 * compile, with its place, or a cost above the limit. Empty for a selector that is accepted; says nothing about values.
 */
export function compileProblems(expression: string, options: SelectorCompileOptions): SelectorFinding[] {
  const selector = compileSelector(expression, options);
  if (!(selector instanceof CompiledSelector)) return refusals(selector);
  if (!selector.tooComplex) return [];
  return [{
    id: 'cel-too-complex',
    severity: 'error',
    start: 0,
    end: expression.length,
    rule: `must have an estimated cost of at most ${MAX_SELECTOR_COST}, but has ${selector.maxCost}`,
    help: 'Compare attributes with short literals, and avoid loops within loops and texts whose length is not known.',
  }];
}

/** Each error of an expression that does not compile, with a way out. */
export function refusals({ errors }: CompileError): SelectorFinding[] {
  return errors.map(({ message, start, end }) => {
    return { id: 'cel-compile', severity: 'error', start, end, rule: `must compile: ${message}`, help: helpFor(message) };
  });
}

/** Way out by the words of cel-go. */
const HELP: readonly (readonly [words: RegExp, help: string])[] = [
  [/^undeclared reference/, 'Check the spelling, and whether the release of the cluster has it; the only variable is device.'],
  [/^undefined field/, 'A device has driver, attributes, capacity and, with the feature gate DRAConsumableCapacity, allowMultipleAllocations.'],
  [/^found no matching overload/, 'Convert one side: semver("1.2.3") for versions, quantity("10Gi") for capacity, int("3") or string(3) for the rest.'],
  [/^must evaluate to a primitive/, 'Take one value out of it, or make it a text.'],
  [/^must evaluate to bool/, 'Compare the value with something, so that the result is true or false.'],
  [/^Syntax error/, 'Look for a missing bracket, quote or operator at the marked place.'],
  [/^expected type/, 'Give all elements of a list or map the same type.'],
  [/recursion|depth/, 'Split the expression into several selectors, which all must match.'],
];

function helpFor(message: string): string {
  return HELP.find(([words]) => words.test(message))?.[1] ?? 'Change the marked part; the message is that of the API server.';
}
