import { LIMITS } from './limits';
import type { Problem } from './problem';

/**
 * Why a value cannot be the opaque parameters of a driver: it must be a plain JSON object of at most 10 KiB.
 *
 * Bytes are those of compact JSON in UTF-8 as Go writes it, because kubectl and server-side apply write the parameters anew:
 * no spaces between tokens, and `<`, `>`, `&`, U+2028 and U+2029 take six bytes each.
 */
export function opaqueProblem(value: unknown): Problem | undefined {
  if (!isPlainObject(value)) {
    return { rule: 'must be a JSON object', help: 'Write an object with named fields, as the driver documents them.' };
  }
  return new Walk(LIMITS.opaqueBytes.max).problemOf(value, '');
}

/** Deep enough for any configuration, shallow enough for every reader of JSON and YAML. */
const MAX_DEPTH = 100;

/** Adds up bytes and stops at the first fault, so neither a cycle nor a value shared many times runs away. */
class Walk {
  private bytes = 0;
  private readonly open = new Set<object>();

  public constructor(private readonly maxBytes: number) {}

  public problemOf(value: unknown, path: string): Problem | undefined {
    if (value === null) return this.take(4);
    switch (typeof value) {
      case 'boolean': return this.take(value ? 4 : 5);
      case 'string': return this.takeText(value);
      case 'number':
        if (Number.isFinite(value)) return this.take(String(value).length);
        return wrong(path, `is ${value}`, 'JSON has no such number; leave it out or write it as a text.');
      case 'bigint':
        if (BigInt.asIntN(64, value) === value) return this.take(String(value).length);
        return wrong(path, 'is a whole number beyond 64 bits', 'Write it as a text.');
      case 'object': return this.within(value, path);
      case 'undefined': return wrong(path, 'is undefined', 'Leave the field out.');
      default: return wrong(path, `is a ${typeof value}`, 'Use texts, numbers, booleans, lists and plain objects.');
    }
  }

  private within(value: object, path: string): Problem | undefined {
    if (this.open.has(value)) return wrong(path, 'contains itself', 'Break the cycle.');
    if (this.open.size >= MAX_DEPTH) {
      return { rule: `must be nested at most ${MAX_DEPTH} levels deep`, help: 'Flatten the object.' };
    }
    this.open.add(value);
    const problem = Array.isArray(value) ? this.items(value, path) : this.fields(value, path);
    this.open.delete(value);
    return problem;
  }

  private items(list: readonly unknown[], path: string): Problem | undefined {
    let problem = this.take(2 + Math.max(0, list.length - 1));
    for (let i = 0; i < list.length && !problem; i++) problem = this.problemOf(list[i], `${path}[${i}]`);
    return problem;
  }

  private fields(value: object, path: string): Problem | undefined {
    if (!isPlainObject(value)) {
      return wrong(path, `is a ${value.constructor?.name || 'class instance'}`, 'Convert it to texts, numbers, booleans, lists and plain objects.');
    }
    const entries = Object.entries(value);
    let problem = this.take(2 + Math.max(0, entries.length - 1));
    for (const [key, content] of entries) {
      problem ??= this.takeText(key) ?? this.take(1) ?? this.problemOf(content, path === '' ? key : `${path}.${key}`);
    }
    return problem;
  }

  private takeText(text: string): Problem | undefined {
    // Every character is at least a byte; longer texts need no counting.
    if (text.length > this.maxBytes) return this.take(text.length);
    const escaped = JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, '\\u0000');
    return this.take(Buffer.byteLength(escaped));
  }

  private take(bytes: number): Problem | undefined {
    this.bytes += bytes;
    return this.bytes <= this.maxBytes ? undefined : {
      rule: `must be at most ${this.maxBytes} bytes as JSON`,
      help: LIMITS.opaqueBytes.help ?? '',
    };
  }
}

/** True for object literals of any realm: jsii hands over objects whose `Object.prototype` is not ours. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function wrong(path: string, is: string, help: string): Problem {
  return { rule: `must hold only JSON values, but '${path}' ${is}`, help };
}
