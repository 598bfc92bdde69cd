/** CEL for what is refused, such as `Job "train"`. */
export const WHO = 'request.kind.kind + " \\"" + dyn(object).metadata.?name.orValue(dyn(object).metadata.?generateName.orValue("")) + "\\""';

/** CEL for the first of a list of `class|how`, in words. */
export function classInWords(entry: string): string {
  return `"class " + ${entry}.split("|")[0] + " by " + ${entry}.split("|")[1]`;
}

/** CEL that adds one more of a list that differs from the first. */
export function andOthers(list: string, words: (entry: string) => string): string {
  const others = `${list}.filter(a, a != ${list}[0])`;
  return `(${others}.size() == 0 ? "" : " (and " + ${words(`${others}[0]`)} + ")")`;
}

/** CEL for a text of a parameter in one line: the API server drops a message with a line break. */
export function oneLine(text: string): string {
  return `string(${text}).replace("\\n", " ").trim()`;
}
