import { pairBrackets } from './brackets';
import { deviceReferences } from './device-references';
import { lex } from './lexer';
import { checkLiterals } from './literal-check';
import { withQuotedNames } from './quoted-names';
import { checkDomains, checkDriver, checkGuards, checkIds, checkKnownNames } from './reference-check';
import type { SelectorCheck, SelectorContext, SelectorFinding, SelectorOptions } from './selector-finding';
import type { Token } from './token';
import { checkWords } from './word-check';
import { compareMinors } from '../target/versions';

/** Limit of `selectors[].cel.expression` in UTF-8 bytes (`resource/v1` `CELSelectorExpressionMaxLength`). */
export const MAX_SELECTOR_BYTES = 10 * 1024;

/**
 * The mistakes that can be seen in the tokens of a CEL device selector, sorted by place; never throws.
 *
 * No finding does not mean that the expression compiles. An error means that the API server refuses it or that it
 * cannot match as written.
 */
export function checkSelector(expression: string, options: SelectorOptions = {}): SelectorFinding[] {
  if (exceedsBytes(expression, MAX_SELECTOR_BYTES)) {
    return [error('cel-too-long', 0, expression.length, `must not exceed ${MAX_SELECTOR_BYTES} bytes`,
      'Move conditions that all requests share into the DeviceClass, or split the expression into several selectors, which all must match.')];
  }
  const lexed = lex(expression);
  const { tokens, errors } = takesQuotedNames(options) ? withQuotedNames(expression, lexed) : lexed;
  if (errors.length > 0) {
    return errors.map(({ start, end, rule, help }) => error('cel-syntax', start, end, asRule(rule), help));
  }
  if (tokens.length === 0) {
    return [error('cel-empty', 0, expression.length, 'must not be empty', 'Leave the selector out to match every device of the class.')];
  }
  const brackets = pairBrackets(tokens);
  if (brackets.unbalanced !== undefined) {
    return [unbalanced(tokens[brackets.unbalanced], brackets.opened === undefined ? undefined : tokens[brackets.opened])];
  }
  const context: SelectorContext = { expression, tokens, references: deviceReferences(tokens), partners: brackets.partners, options };
  const found = CHECKS.flatMap((check) => check(context));
  // An unknown variable is what keeps the device out; saying both would be saying it twice.
  const constant = found.some(({ severity }) => severity === 'error') ? [] : checkConstant(context);
  return [...found, ...constant].sort((a, b) => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1));
}

const CHECKS: readonly SelectorCheck[] = [
  checkWords, checkLiterals, checkIds, checkDomains, checkDriver, checkKnownNames, checkGuards,
];

/** Those of cel-go 0.29. */
function takesQuotedNames({ minor }: SelectorOptions): boolean {
  return minor !== undefined && compareMinors(minor, '1.37') >= 0;
}

/** The words of cel-go are no sentence about the selector; ours begin with a verb. */
function asRule(rule: string): string {
  return /^(must|should) /.test(rule) ? rule : `must compile: ${rule}`;
}

/** A selector that does not look at the device is the same for all of them. */
function checkConstant({ tokens }: SelectorContext): SelectorFinding[] {
  if (tokens.some(({ kind, value }) => kind === 'identifier' && value === 'device')) return [];
  return [{
    id: 'cel-constant',
    severity: 'warning',
    start: tokens[0].start,
    end: tokens[tokens.length - 1].end,
    rule: 'should look at the device: this expression is the same for every device',
    help: 'Test device.driver, device.attributes or device.capacity; leave the selector out to match every device of the class.',
  }];
}

function unbalanced(token: Token, opened: Token | undefined): SelectorFinding {
  const { start, end, kind } = token;
  if (CLOSING[kind] !== undefined) {
    return error('cel-unbalanced', start, end, `must close the ${kind}`, `Add the missing ${CLOSING[kind]}.`);
  }
  return opened === undefined
    ? error('cel-unbalanced', start, end, `must not close a bracket that is not open: ${kind}`, `Remove the ${kind} or add what opens it.`)
    : error('cel-unbalanced', start, end, `must close the ${opened.kind} before the ${kind}`, `Add the missing ${CLOSING[opened.kind]} before it.`);
}

const CLOSING: { readonly [kind: string]: string | undefined } = { '(': ')', '[': ']', '{': '}' };

function error(id: string, start: number, end: number, rule: string, help: string): SelectorFinding {
  return { id, severity: 'error', start, end, rule, help };
}

function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes > limit;
}
