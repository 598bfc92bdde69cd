/**
 * Enumerations in Kubernetes' generated Go code: the published OpenAPI files are made with enumerations switched off, this source of them has all.
 *
 * @param {string} source text of zz_generated.openapi.go, whose indentation gofmt fixes
 * @returns {Map<string, Record<string, string[]>>} values by property, by the last three parts of a definition's name joined with `_`
 */
export function enumsIn(source) {
  /** @type {Map<string, Record<string, string[]>>} */
  const enums = new Map();
  let definition = '';
  let property = '';
  for (const line of source.split('\n')) {
    const opened = /^func schema_(\w+)\(/.exec(line);
    if (opened) definition = opened[1].split('_').slice(-3).join('_');
    property = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? property;
    const values = /^\t+Enum:\s+\[\]interface\{\}\{(.*)\},$/.exec(line);
    if (values) enums.set(definition, { ...enums.get(definition), [property]: JSON.parse(`[${values[1]}]`) });
  }
  return enums;
}
