/** A reader of JSON that keeps whole numbers exact: that of the command line. */
export async function loadExactJson(): Promise<(text: string) => unknown> {
  // The command line is an ES module, and this folder is not: only import() reaches it.
  const { parseJsonValue } = await import('../../../driver/src/cli/input/json-document.js');
  return (text) => parseJsonValue(text, 0).value;
}
