import type { CompiledAttribute, CompiledExpression, SelectorDevice, SelectorEvaluator } from './selector-evaluator';
import { compileExpression, evaluate } from '../cel/compile-expression';
import type { CompiledExpression as Compiled } from '../cel/compile-expression';
import { compileSelector, MAX_SELECTOR_COST } from '../cel/compile-selector';
import { derivedTypeRefusal } from '../cel/derived-attribute';
import { deviceDialect } from '../cel/device-environment';
import type { DeviceDialect, Gates } from '../cel/device-environment';
import { deviceValue } from '../cel/device-value';
import { typeName } from '../cel/evaluate/type-name';
import { CelError, CelSemver } from '../cel/evaluate/value';
import type { Value } from '../cel/evaluate/value';
import type { Attribute } from '../device-json';
import type { Minor } from '../target/versions';

/** Evaluates as the scheduler of a minor does; a device is converted once for all selectors. */
export function celEvaluator(minor: Minor, gates: Gates): SelectorEvaluator {
  const dialect = deviceDialect(minor, 'stored', gates);
  const values = new WeakMap<SelectorDevice, Value>();
  const valueOf = (device: SelectorDevice): Value => {
    let value = values.get(device);
    if (value === undefined) values.set(device, value = deviceValue(device as Parameters<typeof deviceValue>[0], dialect.listAttributes));
    return value;
  };
  return {
    compile: (expression): CompiledExpression => {
      const selector = compileSelector(expression, { minor, gates });
      if ('errors' in selector) return { compileError: selector.message };
      return {
        matches: device => {
          const value = valueOf(device);
          if (value instanceof CelError) return { error: value.message };
          const { match, runtimeError } = selector.evaluateValue(value);
          return match ?? { error: runtimeError ?? '' };
        },
      };
    },
    compileAttribute: expression => compileAttribute(expression, dialect, valueOf),
  };
}

function compileAttribute(expression: string, dialect: DeviceDialect, valueOf: (device: SelectorDevice) => Value): CompiledAttribute {
  const compiled: Compiled | { readonly message: string } = compileExpression(expression, dialect.environment);
  if (!('program' in compiled)) return { compileError: compiled.message };
  const refusal = derivedTypeRefusal(compiled.outputType, true);
  if (refusal !== undefined) return { compileError: refusal };
  return {
    attributeOf: device => {
      const variable = valueOf(device);
      if (variable instanceof CelError) return { error: variable.message };
      const { value } = evaluate(compiled.program, [variable], MAX_SELECTOR_COST);
      return value instanceof CelError ? { error: value.message } : attributeFrom(value);
    },
  };
}

function attributeFrom(value: Value): Attribute | { readonly error: string } {
  const scalar = scalarFrom(value);
  if (scalar) return scalar;
  if (!Array.isArray(value)) return { error: `unsupported CEL return type: ${typeName(value)}` };
  const items = value as readonly Value[];
  if (items.length === 0) return { strings: [] };
  const first = scalarFrom(items[0]);
  if (!first) return { error: `unsupported list element type: ${typeName(items[0])}` };
  const field = Object.keys(first)[0] as keyof typeof first;
  const list: unknown[] = [];
  for (const [i, item] of items.entries()) {
    const one = scalarFrom(item);
    if (!one || !(field in one)) {
      return { error: `expected list element at index ${i} to be ${field === 'version' ? 'semver' : field}, got ${typeName(item)}` };
    }
    list.push(one[field]);
  }
  return { [`${field}s`]: list };
}

function scalarFrom(value: Value): Attribute | undefined {
  if (typeof value === 'boolean') return { bool: value };
  if (typeof value === 'bigint') return { int: value };
  if (typeof value === 'string') return { string: value };
  return value instanceof CelSemver ? { version: value.toText() } : undefined;
}
