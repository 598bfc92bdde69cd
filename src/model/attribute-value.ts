import { LIMITS } from './limits';
import type { Problem } from './problem';
import { versionProblem } from './semver';
import { compareMinors } from './target/versions';
import type { Minor } from './target/versions';

/** The fields of which an attribute of a device has exactly one. Lists are alpha (gate DRAListTypeAttributes) since 1.36. */
export const ATTRIBUTE_FIELDS = ['int', 'bool', 'string', 'version', 'ints', 'bools', 'strings', 'versions'] as const;

type ScalarField = 'int' | 'bool' | 'string' | 'version';

/**
 * Why a value is no attribute of a device, as `validateDeviceAttribute` decides.
 *
 * Stricter than the API server for versions with numbers beyond uint64, which make every expression on the device fail.
 */
export function attributeValueProblem(value: unknown, minor: Minor): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { rule: 'must be an object with one value', help: 'Write for example {string: "A100"} or {int: 8}.' };
  }
  const given = Object.entries(value).filter(([, content]) => content !== undefined && content !== null);
  const unknown = given.find(([field]) => !(ATTRIBUTE_FIELDS as readonly string[]).includes(field));
  if (unknown) {
    return { rule: `must have one of the fields ${ATTRIBUTE_FIELDS.join(', ')}, but has ${unknown[0]}`, help: 'Name the type of the value.' };
  }
  if (given.length !== 1) {
    return { rule: `must have exactly one value, but has ${given.length}`, help: 'Keep one of int, bool, string and version.' };
  }
  const [field, content] = given[0];
  if (!field.endsWith('s')) return scalarProblem(field as ScalarField, content);
  if (compareMinors(minor, '1.36') < 0) {
    return { rule: `must have no list in Kubernetes ${minor}`, help: 'Lists came with 1.36; publish several attributes instead.' };
  }
  if (!Array.isArray(content) || content.length === 0) {
    return { rule: `must have a list with at least one value in ${field}`, help: 'Leave the attribute out when there is no value.' };
  }
  for (const [i, item] of content.entries()) {
    const problem = scalarProblem(field.slice(0, -1) as ScalarField, item);
    if (problem) return { rule: `must have valid items: ${field}[${i}] ${problem.rule}`, help: problem.help };
  }
  return undefined;
}

function scalarProblem(field: ScalarField, content: unknown): Problem | undefined {
  switch (field) {
    case 'bool':
      return typeof content === 'boolean' ? undefined : { rule: 'must be true or false', help: 'Use string for other words.' };
    case 'int':
      return isInt64(content) ? undefined : { rule: 'must be a whole number of 64 bits', help: 'Use a string for other numbers, or a capacity.' };
    case 'string':
    case 'version':
      return typeof content === 'string' ? textProblem(field, content) : { rule: 'must be a text', help: 'Put the value in quotes.' };
  }
}

function textProblem(field: 'string' | 'version', text: string): Problem | undefined {
  const { max, help } = LIMITS.attributeStringBytes;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) return { rule: `must be at most ${max} bytes, but has ${bytes}`, help: help ?? '' };
  return field === 'version' ? versionProblem(text) : undefined;
}

function isInt64(value: unknown): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}
