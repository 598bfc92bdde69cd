import type { Token } from './token';

/**
 * Names that the expression's own macros declare, such as `v` in `list.all(v, v > 0)` and `cel.bind(v, 1, v > 0)`.
 *
 * Without scopes, and also for methods that are no macros: a name in the result may still be unknown where it is used.
 */
export function macroVariables(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 3; index + 1 < tokens.length; index++) {
    const isArgument = tokens[index].kind === 'identifier' && tokens[index + 1].kind === ',';
    if (!isArgument) continue;
    const behindVariable = tokens[index - 1].kind === ',' && tokens[index - 2].kind === 'identifier' ? index - 2 : index;
    const opening = behindVariable - 1;
    if (opening >= 2 && tokens[opening].kind === '(' && tokens[opening - 1].kind === 'identifier' && tokens[opening - 2].kind === '.') {
      names.add(String(tokens[index].value));
    }
  }
  return names;
}
