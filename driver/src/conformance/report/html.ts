import { needText } from '../contract.js';
import type { Exchange } from '../evidence.js';
import type { ConformanceReport, ContractResult } from '../run.js';
import { escapeMarkup } from './markup.js';
import { clusterText, summaryOf, summaryText, verdictText } from './summary.js';

/** One page without scripts or references to other files, to keep beside a change request. */
export function htmlReport(report: ConformanceReport): string {
  const title = `Conformance of ${clusterText(report)}`;
  const areas = [...new Set(report.results.map(({ contract }) => contract.area))];
  const body = [
    `<h1>${escapeMarkup(title)}</h1>`,
    `<p><strong>${escapeMarkup(summaryText(summaryOf(report)))}</strong> at ${escapeMarkup(report.plan.server)}, run ${escapeMarkup(report.plan.run)}.</p>`,
    ...(report.endedEarly === undefined ? [] : [`<p class="broken">Ended early: ${escapeMarkup(report.endedEarly)}</p>`]),
    ...(report.stayed.length === 0 ? [] : [`<p class="broken">Could not be removed: ${escapeMarkup(report.stayed.join('; '))}</p>`]),
    ...areas.map((area) => `<h2>${escapeMarkup(area)}</h2>\n<table>\n${report.results.filter(({ contract }) => contract.area === area).map(row).join('')}</table>`),
    '<h2>Permissions used</h2>',
    `<ul>${report.plan.needs.map(({ need, isGranted }) => `<li>${escapeMarkup(needText(need))}${isGranted ? '' : ' <em>missing</em>'}</li>`).join('')}</ul>`,
  ];
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>\n<body>\n${body.join('\n')}\n</body>\n</html>\n`;
}

function row({ contract, verdict, because, notes, evidence }: ContractResult): string {
  const details = evidence.length === 0 ? '' : `<details><summary>${evidence.length} requests</summary>${evidence.map(exchange).join('')}</details>`;
  const list = [...because, ...notes].map((text) => `<li>${escapeMarkup(text)}</li>`).join('');
  return `<tr><td class="${verdict}">${escapeMarkup(verdictText(verdict))}</td><td><code>${escapeMarkup(contract.id)}</code></td>`
    + `<td>${escapeMarkup(contract.title)}<br><small>${escapeMarkup(contract.why)}</small>${list === '' ? '' : `<ul>${list}</ul>`}${details}</td></tr>\n`;
}

function exchange({ request, as, sent, status, answer }: Exchange): string {
  const lines = [`${request}${as === undefined ? '' : ` as ${as}`}`, ...(sent === undefined ? [] : [`> ${sent}`]), `< ${status} ${answer}`];
  return `<pre>${escapeMarkup(lines.join('\n'))}</pre>`;
}

const STYLE = 'body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}'
  + 'td{border-top:1px solid #ddd;padding:.3rem .6rem;vertical-align:top}pre{white-space:pre-wrap;word-break:break-all;background:#f6f6f6;padding:.5rem}'
  + 'small{color:#555}.kept{color:#1a7f37}.broken{color:#cf222e;font-weight:bold}.not-tried{color:#9a6700}.not-applicable{color:#555}';
