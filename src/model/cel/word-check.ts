import { macroVariables } from './macro-variables';
import type { SelectorContext, SelectorFinding } from './selector-finding';
import type { Token } from './token';
import { nearest } from '../near-miss';
import { compareMinors } from '../target/versions';
import type { Minor } from '../target/versions';

/** Words that CEL, or the CEL of device selectors, does not have. */
export function checkWords(context: SelectorContext): SelectorFinding[] {
  const declared = macroVariables(context.tokens);
  return context.tokens.flatMap((token, index) => {
    if (token.kind !== 'identifier' || typeof token.value !== 'string') return [];
    const before = context.tokens[index - 1]?.kind;
    const isMember = before === '.' || (before === '?' && context.tokens[index - 2]?.kind === '.');
    const isCall = context.tokens[index + 1]?.kind === '(';
    const problem = isMember ? memberProblem(context, token.value, index) : variableProblem(token.value, isCall, declared, context.tokens[index + 1]);
    const found = problem ?? (isCall && !isMember && token.value === 'has' ? hasProblem(context, index) : undefined);
    return found === undefined ? [] : [{ severity: 'error', start: token.start, end: token.end, ...found }];
  });
}

type Found = Pick<SelectorFinding, 'id' | 'rule' | 'help'> & Partial<SelectorFinding>;

function variableProblem(name: string, isCall: boolean, declared: ReadonlySet<string>, next: Token | undefined): Found | undefined {
  if (declared.has(name)) return undefined;
  const operator = OPERATOR_WORDS.get(name.toLowerCase());
  if (operator !== undefined) {
    return { id: 'cel-operator-word', rule: `must not be ${name}: operators are signs`, help: `Write ${operator}.` };
  }
  if (isCall) return undefined;
  const foreign = FOREIGN_VARIABLES.get(name);
  if (foreign !== undefined) {
    return { id: 'cel-unknown-variable', rule: `must not be ${name}: the only variable is device`, help: foreign };
  }
  if (next?.kind === '.' && name !== 'device' && nearest(name, ['device']) !== undefined) {
    return { id: 'cel-unknown-variable', rule: `must not be ${name}: the only variable is device`, help: 'Did you mean device?' };
  }
  return undefined;
}

function memberProblem({ tokens, options }: SelectorContext, name: string, index: number): Found | undefined {
  const isCall = tokens[index + 1]?.kind === '(';
  const owner = tokens[index - 2];
  if (name === 'sign' && isCall && owner?.value !== 'math') {
    return { id: 'cel-sign-method', rule: 'must not be called as a method', help: 'Write sign(x) instead of x.sign(): it is a function.' };
  }
  const since = NEWER.get(isCall ? `${name}()` : owner?.value === 'device' ? `device.${name}` : '');
  if (since === undefined || options.minor === undefined || compareMinors(options.minor, since) >= 0) return undefined;
  return {
    id: 'cel-too-new',
    severity: 'warning',
    rule: `should not be used before Kubernetes ${since}: an API server of ${options.minor} refuses ${name} in new objects`,
    help: 'Write it without, or raise the release that the target starts at.',
  };
}

function hasProblem({ tokens, partners }: SelectorContext, index: number): Found | undefined {
  const close = partners[index + 1];
  if (close < 0 || tokens[close - 1].kind !== ']') return undefined;
  return {
    id: 'cel-has',
    start: tokens[index].start,
    end: tokens[close].end,
    rule: 'must have a field at its end: has() does not take an index',
    help: 'Write has(device.attributes["gpu.example.com"].model), or "model" in device.attributes["gpu.example.com"].',
  };
}

const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([['and', '&&'], ['or', '||'], ['not', '!']]);

const NO_NODE = 'A selector sees the device alone: choose nodes with nodeSelector or affinity of the pod.';
const NO_CLAIM = 'A selector sees the device alone, not the claim, the request or the class.';
const NO_ADMISSION = 'This variable belongs to admission policies and CRD validation; a selector sees the device alone.';

/** What people write who know other uses of CEL, or other languages; none is declared in a device selector. */
const FOREIGN_VARIABLES: ReadonlyMap<string, string> = new Map([
  ...['node', 'nodes', 'nodeSelector', 'pod', 'labels', 'metadata'].map((name) => [name, NO_NODE] as const),
  ...['claim', 'class', 'deviceClass', 'deviceClassName', 'spec', 'status'].map((name) => [name, NO_CLAIM] as const),
  ...['object', 'oldObject', 'self', 'oldSelf', 'request', 'params', 'namespaceObject', 'authorizer', 'variables']
    .map((name) => [name, NO_ADMISSION] as const),
  ...['attributes', 'capacity', 'driver', 'allowMultipleAllocations'].map((name) => [name, `Write device.${name}.`] as const),
  ...['True', 'TRUE'].map((name) => [name, 'Write true.'] as const),
  ...['False', 'FALSE'].map((name) => [name, 'Write false.'] as const),
  ...['None', 'nil', 'NULL', 'Null', 'undefined']
    .map((name) => [name, 'Ask for presence with has(device.attributes["gpu.example.com"].model).'] as const),
]);

/**
 * First release whose API server takes these in a new object: one after the release that brought them, because new
 * expressions compile as in the release before (the compatibility version).
 */
const NEWER: ReadonlyMap<string, Minor> = new Map<string, Minor>([
  ['distinct()', '1.35'], ['flatten()', '1.35'], ['range()', '1.35'], ['slice()', '1.35'], ['sort()', '1.35'], ['sortBy()', '1.35'],
  ['includes()', '1.36'],
]);
