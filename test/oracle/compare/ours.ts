/**
 * Our side of the comparison as a program: one question a line on standard input, one answer a line on standard output.
 */
import { createInterface } from 'node:readline';

import { admitLine } from './admit-line';
import type { AdmitQuestion } from './admit-line';
import { canonical } from './agreement';
import { loadExactJson } from './exact-json';
import * as model from '../../../src/model';
import * as allocator from '../../../src/model/allocator';
import * as cel from '../../../src/model/cel/eval-line';

type AnswerLine = (input: unknown) => unknown;

async function main(): Promise<void> {
  const { evalLine, allocateLine } = { ...cel, ...allocator, ...model } as unknown as { evalLine?: AnswerLine; allocateLine?: AnswerLine };
  const parse = await loadExactJson();
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const { kind, ...question } = parse(line) as { kind: string };
    const answerLine = kind === 'admit' ? admit : kind === 'eval' ? evalLine : allocateLine;
    process.stdout.write(`${canonical(answerLine === undefined ? { inputError: `the model exports no ${kind}Line` } : answer(answerLine, question))}\n`);
  }
}

const admit: AnswerLine = (question) => admitLine(question as AdmitQuestion);

function answer(answerLine: AnswerLine, question: unknown): unknown {
  try {
    return answerLine(question);
  } catch (error) {
    return { crash: error instanceof Error ? error.stack : String(error) };
  }
}

void main();
