// The verdicts that docs/compatibility.md shows: a file in the repository, so that the page can be checked without a cluster.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';

/** @typedef {{ text: string, verdicts: Record<string, string> }} Recorded by label of the cluster, such as `1.36` or `1.36 all gates` */

export const VERDICTS_FILE = join(ROOT, 'test', 'cluster', 'verdicts.json');

/** What was recorded: releases by minor, and by suite and contract its verdicts. */
export function readVerdicts() {
  return existsSync(VERDICTS_FILE) ? JSON.parse(readFileSync(VERDICTS_FILE, 'utf8')) : { releases: {}, suites: {} };
}

/**
 * Replaces the verdicts of the suites and clusters of these runs; the others stay.
 *
 * @param {{ label: string, release: string, results: import('./suite.mjs').Result[] }[]} runs
 */
export function recordVerdicts(runs) {
  const recorded = readVerdicts();
  for (const { label, release, results } of runs) {
    recorded.releases[label.split(' ')[0]] = release;
    for (const suite of new Set(results.map(result => result.suite))) {
      const contracts = (recorded.suites[suite] ??= {});
      for (const contract of Object.values(contracts)) delete contract.verdicts[label];
      for (const { id, text, verdict } of results.filter(result => result.suite === suite)) {
        contracts[id] = { text, verdicts: sorted({ ...contracts[id]?.verdicts, [label]: verdict }) };
      }
      // A contract that no cluster has a verdict for is no more.
      recorded.suites[suite] = Object.fromEntries(Object.entries(contracts).filter(([, { verdicts }]) => Object.keys(verdicts).length > 0));
    }
  }
  writeFileSync(VERDICTS_FILE, textOf({ releases: sorted(recorded.releases), suites: sorted(recorded.suites) }));
}

/** A line for each contract, so that a change shows as one. */
function textOf({ releases, suites }) {
  const contract = ([id, value]) => `      ${JSON.stringify(id)}: ${JSON.stringify(value)}`;
  const suite = ([name, contracts]) => `    ${JSON.stringify(name)}: {\n${Object.entries(contracts).map(contract).join(',\n')}\n    }`;
  return `{\n  "releases": ${JSON.stringify(releases)},\n  "suites": {\n${Object.entries(suites).map(suite).join(',\n')}\n  }\n}\n`;
}

function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}
