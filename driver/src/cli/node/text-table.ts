/** Rows in columns, two spaces between them, as kubectl prints them; the last column may be of any width. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()}\n`;
  return [head, ...rows].map(line).join('');
}
