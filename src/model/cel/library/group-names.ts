/** What no group begins in: escaped text, an escape, a class with its first bracket; and the beginning of a group with a name. */
const PARTS = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?P?<(\w+)>/g;

/** The pattern with another name for each group whose name an earlier one has. */
export function withDistinctGroups(pattern: string): string {
  const taken = new Set([...pattern.matchAll(PARTS)].flatMap(([, name]) => name ?? []));
  const seen = new Set<string>();
  return pattern.replace(PARTS, (part: string, name: string | undefined) => {
    if (name === undefined) return part;
    if (!seen.has(name)) {
      seen.add(name);
      return part;
    }
    let other = `${name}_`;
    while (taken.has(other)) other += '_';
    taken.add(other);
    return `(?P<${other}>`;
  });
}
