import type { Exchange } from '../evidence.js';
import type { ConformanceReport, ContractResult } from '../run.js';
import { escapeMarkup } from './markup.js';
import { clusterText } from './summary.js';

/** JUnit XML: an area is a suite, a contract a test, a broken one a failure; one without verdict is skipped with its reason. */
export function junitReport(report: ConformanceReport): string {
  const areas = [...new Set(report.results.map(({ contract }) => contract.area))];
  const suites = areas.map((area) => suite(area, report.results.filter(({ contract }) => contract.area === area)));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kubectl-dra conformance, ${escapeMarkup(clusterText(report))}">\n${suites.join('')}</testsuites>\n`;
}

function suite(area: string, results: readonly ContractResult[]): string {
  const broken = results.filter(({ verdict }) => verdict === 'broken').length;
  const skipped = results.filter(({ verdict }) => verdict !== 'broken' && verdict !== 'kept').length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0).toFixed(3);
  const head = `  <testsuite name="${escapeMarkup(area)}" tests="${results.length}" failures="${broken}" errors="0" skipped="${skipped}" time="${seconds}">\n`;
  return `${head}${results.map(testCase).join('')}  </testsuite>\n`;
}

function testCase({ contract, verdict, because, evidence, seconds }: ContractResult): string {
  const head = `    <testcase classname="conformance.${escapeMarkup(contract.area.replaceAll(' ', ''))}" name="${escapeMarkup(contract.id)}" time="${seconds.toFixed(3)}"`;
  if (verdict === 'kept') return `${head}/>\n`;
  const reason = escapeMarkup(because.join('; '));
  if (verdict !== 'broken') return `${head}>\n      <skipped message="${escapeMarkup(verdict.replace('-', ' '))}: ${reason}"/>\n    </testcase>\n`;
  return `${head}>\n      <failure message="${reason}">${escapeMarkup(evidence.map(exchangeText).join('\n'))}</failure>\n    </testcase>\n`;
}

function exchangeText({ request, sent, status, answer }: Exchange): string {
  return `${request}\n${sent === undefined ? '' : `> ${sent}\n`}< ${status} ${answer}`;
}
