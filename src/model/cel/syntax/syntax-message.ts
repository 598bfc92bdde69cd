import type { TokenKind } from '../token';

/** What could have stood at the place of an error: a token's own text, or its name in cel-go's grammar. */
export type Expected = TokenKind | 'NUM_FLOAT' | 'NUM_INT' | 'NUM_UINT' | 'STRING' | 'BYTES' | 'IDENTIFIER' | 'ESC_IDENTIFIER' | typeof END;

/** The end of the expression. */
export const END = '<EOF>';

/** As cel-go's parser puts it: a token that is one too many is extraneous, any other mismatched. */
export function syntaxMessage(
  found: string | undefined, expected: readonly Expected[], follows: TokenKind | undefined, kind: TokenKind | undefined,
): string {
  const isEnd = expected.length === 1 && expected[0] === END;
  const fits = isEnd ? follows === undefined : expected.some((item) => item === follows || NAMES.get(follows ?? ':') === item);
  const extraneous = kind !== undefined && fits;
  return `${extraneous ? 'extraneous' : 'mismatched'} input '${found ?? END}' expecting ${list(expected)}`;
}

function list(expected: readonly Expected[]): string {
  const shown = expected.map((item) => (item === END || NAMED.has(item) ? item : item === 'identifier' ? 'IDENTIFIER' : `'${item}'`));
  return shown.length === 1 ? shown[0] : `{${shown.join(', ')}}`;
}

const NAMES: ReadonlyMap<TokenKind, Expected> = new Map<TokenKind, Expected>([
  ['int', 'NUM_INT'], ['uint', 'NUM_UINT'], ['double', 'NUM_FLOAT'], ['string', 'STRING'], ['bytes', 'BYTES'], ['identifier', 'IDENTIFIER'],
]);
const NAMED: ReadonlySet<string> = new Set([...NAMES.values(), 'ESC_IDENTIFIER']);
