/** A text as a CEL string literal; every value survives the round trip, line breaks and quotes included. */
export function celString(value: string): string {
  let literal = '"';
  for (const char of value) {
    const escape = ESCAPES[char];
    if (escape !== undefined) literal += escape;
    else if (char < ' ') literal += `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    else literal += char;
  }
  return `${literal}"`;
}

const ESCAPES: { readonly [char: string]: string } = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
