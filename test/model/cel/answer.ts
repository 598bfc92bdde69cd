import { compileSelector, CompiledSelector } from '../../../src/model/cel';
import type { SelectorCompileOptions } from '../../../src/model/cel';

/** A device with attributes of every type. */
export const DEVICE = {
  driver: 'gpu.example.com',
  attributes: {
    'model': { string: 'A100' },
    'count': { int: 8 },
    'ready': { bool: true },
    'version': { version: '1.2.3' },
    'other.example.com/link': { string: 'up' },
  },
  capacity: { memory: { value: '40Gi' } },
};

/** The value of a selector as text, or why it has none. */
export function answer(expression: string, options: SelectorCompileOptions = { minor: '1.36' }): string {
  const selector = compileSelector(expression, options);
  if (!(selector instanceof CompiledSelector)) return selector.message;
  const result = selector.evaluate(DEVICE);
  return 'match' in result ? String(result.match) : result.runtimeError;
}
