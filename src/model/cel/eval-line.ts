import { CompiledSelector, compileSelector } from './compile-selector';
import type { DeviceInput } from './device-value';
import { utf8Length } from './evaluate/size';
import { MAX_SELECTOR_BYTES } from './selector-check';
import { readOptionalFlag } from '../decoding';
import type { JsonObject } from '../decoding';
import { readAttributes, readCapacities } from '../device-json';
import { otherField } from '../line-fields';
import { describeProblem, show } from '../problem';
import { isGateName } from '../target/gate-state';
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

function readInput(line: JsonObject): EvalInput | string {
  const { expression, device, features, envType, costLimit, kubernetes } = line;
  const mistake = otherField(line, FIELDS);
  if (mistake !== undefined) return mistake;
  if (typeof expression !== 'string') return '\'expression\' must be a text';
  if (!isRecord(device) || typeof device.driver !== 'string') return '\'device\' must be an object with the name of its driver';
  const gates = features ?? {};
  if (!isRecord(gates) || Object.values(gates).some((value) => typeof value !== 'boolean')) {
    return '\'features\' must be an object of true and false by feature gate';
  }
  const unknown = Object.keys(gates).find(name => !isGateName(name));
  if (unknown !== undefined) return `'features' must name feature gates of Kubernetes, got ${show(unknown)}. Check the spelling.`;
  const environment = envType ?? undefined;
  if (environment !== undefined && environment !== 'stored' && environment !== 'new') return '\'envType\' must be stored or new';
  const limit = typeof costLimit === 'bigint' ? Number(costLimit) : costLimit ?? undefined;
  if (limit !== undefined && !(typeof limit === 'number' && Number.isInteger(limit) && limit >= 0 && limit <= 2 ** 64)) {
    return '\'costLimit\' must be a whole number of at least 0';
  }
  const minor = kubernetes === undefined || kubernetes === null ? DEFAULT_MINOR : parseMinor(kubernetes as string);
  if (typeof minor !== 'string') return describeProblem('kubernetes', kubernetes, minor);
  try {
    const read = readDevice(device.driver, device);
    return { expression, device: read, minor, envType: environment, gates: gates as Record<string, boolean>, costLimit: limit };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const FIELDS = ['id', 'expression', 'device', 'kubernetes', 'features', 'envType', 'costLimit'];

/** Throws for what is no device; values that the API server would refuse are for the evaluation. */
function readDevice(driver: string, { attributes, capacity, allowMultipleAllocations }: JsonObject): DeviceInput {
  return {
    driver,
    attributes: readAttributes(attributes, 'device.attributes') as DeviceInput['attributes'],
    capacity: Object.fromEntries(readCapacities(capacity, 'device.capacity').map((one) => [one.name, one])),
    allowMultipleAllocations: readOptionalFlag(allowMultipleAllocations, 'device.allowMultipleAllocations'),
  };
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
