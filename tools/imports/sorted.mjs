/** @param {Iterable<string>} names @returns {string[]} in code point order, the same on every machine */
export function sorted(names) {
  return [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
