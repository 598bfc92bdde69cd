import { styleText } from 'node:util';

import { failureOf, TRIED_HELP } from 'cdk8s-dra/model';
import type { Help, PodExplanation } from 'cdk8s-dra/model';

type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

const PLAIN: Style = (_, text) => text;
/** Whether the stream takes colours was decided before. */
const COLORED: Style = (format, text) => styleText(format, text, { validateStream: false });
const COLORS = { error: 'red', warning: 'yellow', info: 'green' } as const;

/** The answer for a reader: the cause, its reasons a line each, what helps, what else there is, what is not known. */
export function explanationText(answer: PodExplanation, hasColor: boolean): string {
  const style = hasColor ? COLORED : PLAIN;
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

function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ['', style('bold', title), ...lines.map((line) => `  - ${printable(line)}`)];
}

function sentences(text: string): readonly string[] {
  return printable(text).split(/(?<=[.!?]) (?=[A-Z0-9])/);
}

/** Texts of objects go to a terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === '\n' || character === '\t' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}
