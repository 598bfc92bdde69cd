import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

const MIB = 2 ** 20;

/** The machine and how busy it is: without it no time means anything. */
export function surroundings() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpus: availableParallelism(),
    cpuModel: cpus()[0]?.model ?? 'unknown',
    memory: `${Math.round(totalmem() / MIB)} MiB`,
    load: loadavg().map(load => load.toFixed(2)).join(' '),
  };
}

/** What a suite measured, for a terminal. */
export function reportText(suite, { before, loadAfter, runs, figures, ratios }) {
  const fixed = (number, places) => number.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
  return [
    `${suite}: ${runs} ${runs === 1 ? 'run' : 'runs'}, each sample in a fresh process`,
    `Node ${before.node} on ${before.platform}, ${before.cpus} CPUs (${before.cpuModel}), ${before.memory}`,
    `load average before: ${before.load}, after: ${loadAfter}`,
    '',
    ...table([
      ['FIGURE', 'WALL ms median', 'min', 'CPU ms median', 'min', 'MEMORY MiB median', 'WANTED AT MOST'],
      ...figures.map(figure => [
        figure.name,
        ...['wall', 'cpu'].flatMap(key => [fixed(figure.median(key), 0), fixed(figure.min(key), 0)]),
        fixed(figure.median('memory') / MIB, 0),
        figure.wanted,
      ]),
    ]),
    '',
    ...table([
      ['RATIO OF MEDIANS', 'WALL', 'CPU', 'WANTED AT MOST'],
      ...ratios.map(({ name, wall, cpu, wanted }) => [name, fixed(wall, 2), fixed(cpu, 2), wanted]),
    ]),
    '',
  ].join('\n');
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => row.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join('  ').trimEnd());
}
