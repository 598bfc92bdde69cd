/**
 * JSON as the API has it: integers beyond 2^53, such as an int64 attribute of a device, are read as bigint and written back digit for digit.
 */
export function parseExactJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  let mark = 'int64:';
  while (text.includes(mark)) mark += ':';
  const marked = text.replace(STRING_OR_LONG_INTEGER, (token) => (token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`));
  return JSON.parse(marked, (_, value: unknown) => (typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value));
}

/** JSON on one line, bigints as plain numbers; fields that are undefined are left out. */
export function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${exactJson(field)}`).join(',')}}`;
}

/** 2^53 has 16 digits; most answers hold no such number and take the fast way. */
const LONG_NUMBER = /\d{16}/;
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
