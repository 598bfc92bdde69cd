import { styleText } from 'node:util';

export type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

const PLAIN: Style = (_, text) => text;
/** Whether the stream takes colours was decided before. */
const COLORED: Style = (format, text) => styleText(format, text, { validateStream: false });

export function styleFor(hasColor: boolean): Style {
  return hasColor ? COLORED : PLAIN;
}

/** A heading with a list; nothing when the list is empty. */
export function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : ['', style('bold', title), ...lines.map((line) => `  - ${printable(line)}`)];
}

/** A line for each sentence. */
export function sentences(text: string): readonly string[] {
  return printable(text).split(/(?<=[.!?]) (?=[A-Z0-9])/);
}

/** Texts of objects go to a terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === '\n' || character === '\t' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}
