import { CompiledSelector, compileSelector } from './compile-selector';
import type { DeviceInput } from './device-value';
import { utf8Length } from './evaluate/size';
import { MAX_SELECTOR_BYTES } from './selector-check';
import { parseMinor } from '../target/versions';
import type { Minor } from '../target/versions';

/** One answer of `eval`. Exactly one of `match`, `compileError`, `runtimeError` and `inputError` is there. */
export interface EvalOutput {
  /** That of the input. */
  readonly id?: unknown;
  readonly match?: boolean;
  readonly compileError?: string;
  readonly runtimeError?: string;
  /** The line is no input. */
  readonly inputError?: string;
  /** Cost of the evaluation. */
  readonly cost?: number;
  /** Estimated highest cost; the nearest double for numbers beyond 2^53. */
  readonly maxCost?: number;
  /** The API server refuses the expression for its estimated cost. */
  readonly tooComplex?: true;
  /** The API server refuses the expression for its length. */
  readonly tooLong?: true;
  readonly outputType?: string;
}

/** Answers one parsed line of `eval`, of whatever it is made; never throws. */
export function evalLine(line: unknown): EvalOutput {
  if (!isRecord(line)) return { inputError: 'must be an object with an expression and a device' };
  const id = 'id' in line ? { id: line.id } : {};
  const input = readInput(line);
  if (typeof input === 'string') return { ...id, inputError: input };
  const { expression, device, ...options } = input;
  const tooLong = utf8Length(expression) > MAX_SELECTOR_BYTES ? { tooLong: true } as const : {};
  const selector = compileSelector(expression, options);
  if (!(selector instanceof CompiledSelector)) return { ...id, compileError: selector.message, ...tooLong };
  const tooComplex = selector.tooComplex ? { tooComplex: true } as const : {};
  return { ...id, ...selector.evaluate(device), maxCost: Number(selector.maxCost), ...tooComplex, ...tooLong, outputType: selector.outputType };
}

interface EvalInput {
  readonly expression: string;
  readonly device: DeviceInput;
  readonly minor: Minor;
  readonly envType?: 'stored' | 'new';
  readonly gates?: Record<string, boolean>;
  readonly costLimit?: number;
}

/** The release when a line names none. */
const DEFAULT_MINOR: Minor = '1.36';

function readInput(line: Record<string, unknown>): EvalInput | string {
  const { expression, device, features, envType, costLimit, kubernetes } = line;
  if (typeof expression !== 'string') return '\'expression\' must be a text';
  const deviceError = deviceProblem(device);
  if (deviceError !== undefined) return deviceError;
  if (features !== undefined && !(isRecord(features) && Object.values(features).every((value) => typeof value === 'boolean'))) {
    return '\'features\' must be an object of true and false by feature gate';
  }
  if (envType !== undefined && envType !== 'stored' && envType !== 'new') return '\'envType\' must be stored or new';
  if (costLimit !== undefined && !(typeof costLimit === 'number' && Number.isInteger(costLimit) && costLimit >= 0)) {
    return '\'costLimit\' must be a whole number of at least 0';
  }
  const minor = kubernetes === undefined ? DEFAULT_MINOR : parseMinor(kubernetes as string);
  if (typeof minor !== 'string') return `'kubernetes' ${minor.rule}`;
  return { expression, device: device as unknown as DeviceInput, minor, envType, gates: features as Record<string, boolean> | undefined, costLimit };
}

/** What keeps a value from being a device; values that the API would refuse are for the evaluation. */
function deviceProblem(device: unknown): string | undefined {
  if (!isRecord(device) || typeof device.driver !== 'string') return '\'device\' must be an object with the name of its driver';
  const { attributes = {}, capacity = {}, allowMultipleAllocations } = device;
  if (!isRecord(attributes)) return '\'device.attributes\' must be an object of attributes by name';
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!isAttribute(attribute)) return `'device.attributes["${name}"]' must be an object such as {"string": "A100"} or {"int": 8}`;
  }
  if (!isRecord(capacity)) return '\'device.capacity\' must be an object of capacities by name';
  for (const [name, entry] of Object.entries(capacity)) {
    const value = isRecord(entry) ? entry.value : undefined;
    if (typeof value !== 'string' && typeof value !== 'number') return `'device.capacity["${name}"]' must be an object such as {"value": "40Gi"}`;
  }
  if (allowMultipleAllocations !== undefined && allowMultipleAllocations !== null && typeof allowMultipleAllocations !== 'boolean') {
    return '\'device.allowMultipleAllocations\' must be true or false';
  }
  return undefined;
}

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => typeof value === 'bigint' || Number.isInteger(value),
  bool: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  version: (value) => typeof value === 'string',
};

function isAttribute(attribute: unknown): boolean {
  if (!isRecord(attribute)) return false;
  return Object.entries(SCALARS).every(([field, holds]) => {
    const value = attribute[field];
    const list = attribute[`${field}s`];
    const isListOf = list === undefined || list === null || (Array.isArray(list) && list.every(holds));
    return isListOf && (value === undefined || value === null || holds(value));
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
