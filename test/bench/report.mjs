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

/** What a suite measured, for a terminal: figures and their ratios, or comparisons with upstream. */
export function reportText(suite, { before, loadAfter, runs, figures = [], ratios = [], comparisons = [], readings = [] }) {
  return [
    `${suite}: ${runs} ${runs === 1 ? 'run' : 'runs'}, each ${comparisons.length > 0 ? 'in a fresh process of either side' : 'sample in a fresh process'}`,
    `Node ${before.node} on ${before.platform}, ${before.cpus} CPUs (${before.cpuModel}), ${before.memory}`,
    `load average before: ${before.load}, after: ${loadAfter}`,
    '',
    ...(figures.length > 0 ? [...figureTable(figures), ''] : []),
    ...(ratios.length > 0 ? [...ratioTable(ratios), ''] : []),
    ...(comparisons.length > 0 ? [...comparisonTable(comparisons), ''] : []),
    ...(readings.length > 0 ? [...readingTable(readings), ''] : []),
  ].join('\n');
}

function fixed(number, places) {
  return number.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
}

function figureTable(figures) {
  return table([
    ['FIGURE', 'WALL ms median', 'min', 'CPU ms median', 'min', 'MEMORY MiB median', 'WANTED AT MOST'],
    ...figures.map(figure => [
      figure.name,
      ...['wall', 'cpu'].flatMap(key => [fixed(figure.median(key), 0), fixed(figure.min(key), 0)]),
      fixed(figure.median('memory') / MIB, 0),
      figure.wanted,
    ]),
  ]);
}

function ratioTable(ratios) {
  return table([['RATIO OF MEDIANS', 'WALL', 'CPU', 'WANTED AT MOST'], ...ratios.map(({ name, wall, cpu, wanted }) => [name, fixed(wall, 2), fixed(cpu, 2), wanted])]);
}

function comparisonTable(comparisons) {
  const time = (comparison, side, key) => comparison[side].length === 0 ? '-' : microseconds(comparison.value(side, key));
  const ratio = value => value === undefined ? '-' : fixed(value, 2);
  return table([
    ['MICROSECONDS', 'OURS median', 'min', 'CPU', 'UPSTREAM median', 'min', 'CPU', 'OURS / UPSTREAM', 'BY CPU', 'WANTED AT MOST'],
    ...comparisons.map(comparison => [
      comparison.name,
      ...['ours', 'upstream'].flatMap(side => ['median', 'min', 'cpu'].map(key => time(comparison, side, key))),
      ratio(comparison.ratio()),
      ratio(comparison.ratio('cpu')),
      wantedText(comparison.wanted),
    ]),
  ]);
}

function readingTable(readings) {
  const value = number => number === undefined ? '-' : fixed(number, Number.isInteger(number) ? 0 : number < 10 ? 2 : number < 100 ? 1 : 0);
  return table([
    ['READING', 'UNIT', 'OURS median', 'max', 'UPSTREAM median', 'max', 'WANTED AT MOST'],
    ...readings.map(reading => [
      reading.name,
      reading.unit,
      ...['ours', 'upstream'].flatMap(side => [value(reading.median(side)), value(reading.max(side))]),
      reading.wanted,
    ]),
  ]);
}

function microseconds(nanoseconds) {
  const value = nanoseconds / 1_000;
  return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

function wantedText({ ratio, microseconds: most }) {
  if (ratio !== undefined) return `ratio ${ratio}`;
  return most === undefined ? '' : `${fixed(most, 0)} µs`;
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
  return rows.map(row => row.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join('  ').trimEnd());
}
