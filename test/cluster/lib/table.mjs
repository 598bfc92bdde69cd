/** Rows as columns of text, two spaces apart. */
export function table(header, rows) {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map(row => row[column].length)));
  return [header, ...rows]
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One row a contract, one column a cluster. */
export function verdictTable(runs) {
  const rows = new Map();
  for (const { label, results } of runs) {
    for (const { suite, id, verdict } of results) {
      const key = `${suite}/${id}`;
      if (!rows.has(key)) rows.set(key, new Map());
      rows.get(key).set(label, verdict);
    }
  }
  const labels = runs.map(run => run.label);
  return table(
    ['CONTRACT', ...labels],
    [...rows].map(([key, verdicts]) => [key, ...labels.map(label => verdicts.get(label) ?? '-')]),
  );
}
