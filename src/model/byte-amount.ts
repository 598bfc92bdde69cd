import type { Problem } from './problem';
import { Quantity } from './quantity';

/**
 * Why an amount of a device's memory must be a slip: it counts bytes, and no device has less than 1Mi.
 *
 * 0 and 1 are left alone: they ask whether there is any.
 */
export function byteAmountProblem(text: string): Problem | undefined {
  const amount = Quantity.tryParse(text);
  if (!(amount instanceof Quantity) || amount.sign() <= 0 || amount.equals(ONE) || amount.compareTo(LEAST) >= 0) return undefined;
  const [, number, suffix] = /^\+?([0-9.]+)([a-zA-Z]*)$/.exec(text) ?? [];
  // Tools that count memory in MiB print thousands without a suffix.
  const isInMebibytes = suffix === '' && amount.compareTo(THOUSAND) >= 0;
  return {
    rule: 'should be 1Mi or more, since it counts bytes of memory',
    help: number === undefined ? 'Write a number with Mi or Gi behind it.' : isInMebibytes ? `Write ${number}Mi.` : `Write ${number}Gi, or ${number}Mi if that is meant.`,
  };
}

const ONE = Quantity.parse('1');
const THOUSAND = Quantity.parse('1000');
const LEAST = Quantity.parse('1Mi');
