/**
 * Numbers inside names count as numbers; the order is total and the same on every machine.
 *
 * Not with Intl, whose tables are megabytes of memory in an agent that needs nothing else of them.
 */
export function naturalOrder(a: string, b: string): number {
  const [left, right] = [tokens(a), tokens(b)];
  const at = left.findIndex((token, index) => token !== right[index]);
  const [one, other] = [left[at], right[at]];
  if (one === undefined || other === undefined || !DIGIT.test(one) || !DIGIT.test(other)) return byText(a, b);
  const [less, more] = [withoutZeros(one), withoutZeros(other)];
  return less.length - more.length || byText(less, more) || byText(a, b);
}

const DIGIT = /^\d/;

/** Digits together, everything else by itself. */
function tokens(name: string): readonly string[] {
  return name.match(/\d+|\D/g) ?? [];
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
