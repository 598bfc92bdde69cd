import { failureOf, TRIED_HELP } from 'cdk8s-dra/model';
import type { Help, PodExplanation } from 'cdk8s-dra/model';

import { printable, section, sentences, styleFor } from './text-parts.js';

const COLORS = { error: 'red', warning: 'yellow', info: 'green' } as const;

/** The answer for a reader: the cause, its reasons a line each, what helps, what else there is, what is not known. */
export function explanationText(answer: PodExplanation, hasColor: boolean): string {
  const style = styleFor(hasColor);
  const { title, name, code, severity } = failureOf(answer.cause);
  const tried = answer.help.filter(isTried);
  const others = answer.others.filter(({ because }) => !answer.because.includes(because));
  return [
    `${style('bold', `pod ${printable(answer.pod)}`)}: ${style(COLORS[severity], title)} (${code} ${name}, Kubernetes ${answer.kubernetes})`,
    ...sentences(answer.because).map((line) => `  ${line}`),
    ...section('Each of these alone lets it fit (tried on these objects):', tried.map(({ text }) => text), style),
    ...section(tried.length > 0 ? 'Or:' : 'What helps:', answer.help.filter((one) => !isTried(one)).map(({ text }) => text), style),
    ...section('Known bugs of this Kubernetes:', answer.knownBugs.map(({ id, text }) => `${id}: ${text}`), style),
    ...section('Also:', others.map(({ cause, because }) => `${cause} ${failureOf(cause).name}: ${because}`), style),
    ...section('Not known:', answer.unknown, style),
  ].map((line) => `${line}\n`).join('');
}

function isTried({ kind }: Help): boolean {
  return TRIED_HELP.some((one) => one === kind);
}
