/**
 * Lines `key: value`, or without a colon `key value`, as files of procfs and sysfs have them.
 *
 * The first of two equal keys counts; lines without a value do not. In `Data Link Protocol 0` the last word is the value.
 */
export function keyValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, key, value] = (line.includes(':') ? WITH_COLON : WITH_SPACE).exec(line) ?? [];
    if (key !== undefined && value !== undefined && !values.has(key)) values.set(key, value);
  }
  return values;
}

const WITH_COLON = /^\s*([^:]*[^:\s])\s*:\s*(\S|\S.*\S)\s*$/;
const WITH_SPACE = /^\s*(\S|\S.*\S)\s+(\S+)\s*$/;

/** A whole number of such a file. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
