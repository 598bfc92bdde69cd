import type { Question } from './cases';
import { Quantity } from '../../../src/model/quantity';

/** Our answer to a question, in the words of `main.go`. */
export function ours(question: Question): string {
  if (question.op === 'json') {
    const whole = /^-?\d+$/.test(question.a);
    const read = Quantity.fromJson(whole ? BigInt(question.a) : JSON.parse(question.a));
    return read instanceof Quantity ? describe(read) : 'error';
  }
  const a = Quantity.tryParse(question.a);
  if (!(a instanceof Quantity)) return 'error';
  if (question.op === 'parse') return describe(a);
  if (question.op === 'neg') return describe(a.neg());
  const b = Quantity.tryParse(question.b ?? '');
  if (!(b instanceof Quantity)) return 'error';
  if (question.op === 'cmp') return String(a.compareTo(b));
  return describe(question.op === 'add' ? a.add(b) : a.sub(b));
}

function describe(quantity: Quantity): string {
  return [
    quantity.toString(),
    quantity.format,
    `int=${quantity.asInteger() ?? 'none'}`,
    `value=${quantity.value()}`,
    `milli=${quantity.milliValue()}`,
    `sign=${quantity.sign()}`,
    `bits=${bits(quantity.asApproximateNumber())}`,
  ].join(' ');
}

function bits(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}
