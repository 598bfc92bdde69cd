/** Longer strings are rarely equal. */
const LONGEST_POOLED = 64;
const MAX_POOLED = 20_000;
/** V8 copies shorter parts of a string; from this length on a part keeps the whole text in memory. */
const SHORTEST_SLICE = 13;

const pool = new Map<string, string>();

/** An equal string that does not keep the text it was cut from in memory; short ones that are equal become one. */
export function ownString(text: string): string {
  if (text.length > LONGEST_POOLED) return detached(text);
  const known = pool.get(text);
  if (known !== undefined) return known;
  const own = text.length < SHORTEST_SLICE ? text : detached(text);
  if (pool.size < MAX_POOLED) pool.set(own, own);
  return own;
}

/** Joining makes a new string, of which all but the first character is taken. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
