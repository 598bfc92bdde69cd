/** Whether a name fits a pattern, in which `*` stands for any characters. */
export function fits(name: string, wanted: string): boolean {
  const [first = '', ...rest] = wanted.split('*');
  if (rest.length === 0) return name === wanted;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

export function fitsAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((wanted) => fits(name, wanted));
}
