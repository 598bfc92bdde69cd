import { readList, readObject, readText, readTexts } from '../decoding';
import { labelKeyErrors, labelValueErrors } from '../label-syntax';

/** A node as allocation sees it. */
export interface AllocationNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly declaredFeatures: readonly string[];
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  /** Undefined when the manifest has none. */
  readonly values?: readonly string[];
}

export interface NodeTerm {
  readonly matchExpressions: readonly NodeRequirement[];
  readonly matchFields: readonly NodeRequirement[];
}

export interface NodeSelector {
  readonly terms: readonly NodeTerm[];
  /** Why no node can be judged by it. */
  readonly error?: string;
}

/** Where a slice or a device can be used. */
export interface Place {
  readonly nodeName?: string;
  readonly allNodes: boolean;
  readonly nodeSelector?: NodeSelector;
}

export function readNode(value: unknown, path: string): AllocationNode {
  const node = readObject(value, path);
  const metadata = readObject(node.metadata, `${path}.metadata`);
  const labels = readObject(metadata.labels, `${path}.metadata.labels`);
  for (const key of Object.keys(labels)) readText(labels[key], `${path}.metadata.labels.${key}`);
  const status = readObject(node.status, `${path}.status`);
  return {
    name: readText(metadata.name, `${path}.metadata.name`),
    labels: labels as Readonly<Record<string, string>>,
    declaredFeatures: readTexts(status.declaredFeatures, `${path}.status.declaredFeatures`),
  };
}

export function readNodeSelector(value: unknown, path: string, oldWords: boolean): NodeSelector | undefined {
  if (value === undefined || value === null) return undefined;
  const terms = readList(readObject(value, path).nodeSelectorTerms, `${path}.nodeSelectorTerms`).map((one, i) => {
    const at = `${path}.nodeSelectorTerms[${i}]`;
    const term = readObject(one, at);
    return {
      matchExpressions: readRequirements(term.matchExpressions, `${at}.matchExpressions`),
      matchFields: readRequirements(term.matchFields, `${at}.matchFields`),
    };
  });
  const errors = terms.flatMap((term, i) => [
    ...term.matchExpressions.flatMap((one, j) => labelErrors(one, `nodeSelectorTerms[${i}].matchExpressions[${j}]`, oldWords)),
    ...term.matchFields.flatMap((one, j) => fieldErrors(one, `nodeSelectorTerms[${i}].matchFields[${j}]`)),
  ]);
  if (errors.length === 0) return { terms };
  const flat = [...new Set(errors)];
  const text = flat.length === 1 ? flat[0] : `[${flat.join(', ')}]`;
  return { terms, error: `failed to parse node selector ${printSelector(terms)}: ${text}` };
}

/** Whether a place covers a node; an error text when its selector cannot be used. */
export function matchesNode(place: Place, node: AllocationNode): boolean | string {
  if (place.nodeName !== undefined && place.nodeName !== '') return node.name === place.nodeName;
  if (place.allNodes) return true;
  if (place.nodeSelector === undefined) return false;
  return place.nodeSelector.error ?? place.nodeSelector.terms.some(term => termMatches(term, node));
}

/** The selector of a claim whose devices are only on one node. */
export function selectorForNode(name: string): object {
  return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] };
}

function termMatches(term: NodeTerm, node: AllocationNode): boolean {
  if (term.matchExpressions.length === 0 && term.matchFields.length === 0) return false;
  return term.matchExpressions.every(one => labelMatches(one, node.labels))
    && (node.name === '' || term.matchFields.every(one => fieldMatches(one, node.name)));
}

function labelMatches({ key, operator, values = [] }: NodeRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In': return value !== undefined && values.includes(value);
    case 'NotIn': return value === undefined || !values.includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
    default: {
      const given = value === undefined ? undefined : int64(value);
      const bound = int64(values[0]);
      if (given === undefined || bound === undefined) return false;
      return operator === 'Gt' ? given > bound : given < bound;
    }
  }
}

function fieldMatches({ key, operator, values = [] }: NodeRequirement, name: string): boolean {
  const same = (key === 'metadata.name' ? name : '') === values[0];
  return operator === 'In' ? same : !same;
}

function labelErrors({ key, operator, values: given }: NodeRequirement, path: string, oldWords: boolean): string[] {
  if (!LABEL_OPERATORS.includes(operator)) return [notSupported(path, operator, LABEL_OPERATORS)];
  const errors: string[] = [];
  const values = given ?? [];
  const keyErrors = labelKeyErrors(key, oldWords);
  if (keyErrors.length > 0) errors.push(`${path}.key: Invalid value: ${JSON.stringify(key)}: ${keyErrors.join('; ')}`);
  const list = `${path}.values: Invalid value: ${JSON.stringify(given ?? null)}:`;
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    errors.push(`${list} for 'in', 'notin' operators, values set can't be empty`);
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length !== 0) {
    errors.push(`${list} values set must be empty for exists and does not exist`);
  }
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) errors.push(`${list} for 'Gt', 'Lt' operators, exactly one value is required`);
    for (const [i, value] of values.entries()) {
      if (int64(value) !== undefined) continue;
      errors.push(`${path}.values[${i}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`);
    }
  }
  for (const [i, value] of values.entries()) {
    const valueErrors = labelValueErrors(value, oldWords);
    if (valueErrors.length > 0) errors.push(`${path}.values[${i}][${key}]: Invalid value: ${JSON.stringify(value)}: ${valueErrors.join('; ')}`);
  }
  return errors;
}

function fieldErrors({ operator, values }: NodeRequirement, path: string): string[] {
  if (operator !== 'In' && operator !== 'NotIn') return [notSupported(path, operator, ['In', 'NotIn'])];
  return values?.length === 1 ? [] : [`${path}.values: Invalid value: ${JSON.stringify(values ?? null)}: must have one element`];
}

function notSupported(path: string, operator: string, supported: readonly string[]): string {
  const names = supported.map(name => JSON.stringify(name)).join(', ');
  return `${path}.operator: Unsupported value: ${JSON.stringify(operator)}: supported values: ${names}`;
}

function readRequirements(value: unknown, path: string): readonly NodeRequirement[] {
  return readList(value, path).map((one, i) => {
    const requirement = readObject(one, `${path}[${i}]`);
    return {
      key: readText(requirement.key, `${path}[${i}].key`),
      operator: readText(requirement.operator, `${path}[${i}].operator`),
      ...(requirement.values === undefined || requirement.values === null ? {} : { values: readTexts(requirement.values, `${path}[${i}].values`) }),
    };
  });
}

/** As the generated Go type prints itself. */
function printSelector(terms: readonly NodeTerm[]): string {
  const requirements = (list: readonly NodeRequirement[]): string => list
    .map(({ key, operator, values = [] }) => `NodeSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`)
    .join('');
  const printed = terms.map(term => 'NodeSelectorTerm{'
    + `MatchExpressions:[]NodeSelectorRequirement{${requirements(term.matchExpressions)}},`
    + `MatchFields:[]NodeSelectorRequirement{${requirements(term.matchFields)}},},`);
  return `&NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{${printed.join('')}},}`;
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text) || text.length > 100) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
