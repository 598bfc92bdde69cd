/** Asks upstream and us the same questions and says where the answers differ; see docs/oracle.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { agreement, canonical } from './agreement';
import type { Agreement, Answer } from './agreement';
import { loadExactJson } from './exact-json';
import { answers } from './line-process';
import { sampleText } from './sample';
import { agreementTable } from './table';
import type { Row } from './table';
import { EnvironmentProblem, upstreamProgram } from './upstream-program';
import { oracleCases } from '../generate/oracle-cases';
import type { Kind, OracleCase } from '../generate/question';
import { MINORS } from '../generate/question';

const KINDS: readonly Kind[] = ['eval', 'allocate', 'admit'];
/** `admit` has a large program of its own, so it is asked for by name. */
const USUAL_KINDS: readonly Kind[] = ['eval', 'allocate'];
const SAMPLE = { seed: 1, count: 300 };

/** Longer than upstream's own time for one question, four times over. */
const PATIENCE = 60_000;

/** A few runs seldom show every order of a Go map. */
const OFTEN = ['-repeat', '40'];

interface Compared extends Agreement {
  readonly line: string;
  readonly upstream: Answer;
  readonly ours: Answer;
}

/** Exit code of the comparison: 0 all the same, 1 differences, 2 wrong usage or nothing to compare with. */
export async function compare(args: readonly string[], root: string, oursProgram: string): Promise<number> {
  try {
    const settings = readSettings(args);
    return settings.sample ? await writeSamples(settings, root) : await runComparison(settings, root, oursProgram);
  } catch (error) {
    if (!(error instanceof EnvironmentProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

type Settings = ReturnType<typeof readSettings>;

function readSettings(args: readonly string[]) {
  const { values } = readArguments(args);
  const number = (name: string, text: string): number => {
    if (!/^\d{1,7}$/.test(text)) throw new EnvironmentProblem(`--${name} must be a whole number, got ${JSON.stringify(text)}.`);
    return Number(text);
  };
  const chosen = <T extends string>(name: string, text: string | undefined, known: readonly T[], usual = known): readonly T[] => {
    if (text === undefined) return usual;
    if (!known.includes(text as T)) throw new EnvironmentProblem(`--${name} must be one of ${known.join(', ')}, got ${JSON.stringify(text)}.`);
    return [text as T];
  };
  return {
    seed: number('seed', values.seed),
    count: number('cases', values.cases),
    show: number('show', values.show),
    minors: chosen('kubernetes', values.kubernetes, MINORS),
    kinds: chosen('kind', values.kind, KINDS, values.sample ? KINDS : USUAL_KINDS),
    id: values.id,
    dump: values.dump,
    sample: values.sample,
    compileTexts: values['compile-texts'],
  };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'seed': { type: 'string', default: '7' },
        'cases': { type: 'string', default: '1000' },
        'show': { type: 'string', default: '10' },
        'kubernetes': { type: 'string' },
        'kind': { type: 'string' },
        'id': { type: 'string' },
        'dump': { type: 'string' },
        'sample': { type: 'boolean', default: false },
        'compile-texts': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new EnvironmentProblem(`${error instanceof Error ? error.message : String(error)}. See docs/oracle.md for the options.`);
  }
}

async function runComparison(settings: Settings, root: string, oursProgram: string): Promise<number> {
  const rows: Row[] = [];
  const differences: string[] = [];
  const dumped: string[] = [];
  for (const minor of settings.minors) {
    for (const kind of settings.kinds) {
      const program = upstreamProgram(root, minor, progress, kind);
      const cases = oracleCases(kind, settings.seed, settings.count, minor)
        .filter(({ question }) => settings.id === undefined || question.id === settings.id);
      progress(`${kind}, Kubernetes ${minor}: ${cases.length} cases\n`);
      const compared = await compareCases(kind, cases, [program], [process.execPath, oursProgram]);
      for (const [index, result] of compared.entries()) {
        rows.push({ kind, minor, feature: cases[index].feature, verdict: result.verdict, fields: result.fields });
        const fails = result.verdict === 'different' || (result.verdict === 'text' && settings.compileTexts);
        if (fails || result.verdict === 'text' || settings.id !== undefined) {
          dumped.push(`{"fields":${JSON.stringify(result.fields)},"question":${result.line},"upstream":${canonical(result.upstream)},"ours":${canonical(result.ours)}}`);
        }
        if (fails || settings.id !== undefined) differences.push(describe(result));
      }
    }
  }
  if (settings.dump !== undefined) writeFileSync(settings.dump, dumped.map((line) => `${line}\n`).join(''));
  process.stdout.write(agreementTable(rows));
  for (const text of differences.slice(0, settings.show)) process.stdout.write(text);
  if (differences.length > settings.show) process.stdout.write(`\n${differences.length - settings.show} more differences; --show ${differences.length} prints all, --dump FILE writes them as JSON lines\n`);
  return differences.length > 0 && settings.id === undefined ? 1 : 0;
}

async function compareCases(kind: Kind, cases: readonly OracleCase[], upstream: readonly string[], ours: readonly string[]): Promise<Compared[]> {
  const lines = cases.map(({ question }) => questionLine(kind, question));
  const [theirs, mine] = await Promise.all([collect(upstream, lines), collect(ours, lines)]);
  const isDifferent = lines.map((_, index) => agreement(kind, theirs[index], mine[index]).verdict === 'different');
  const again = lines.filter((_, index) => isDifferent[index]);
  const patient = await collect([...upstream, ...OFTEN], again);
  const known = theirs.map((answer, index) => (isDifferent[index] ? patient.shift() ?? answer : answer));
  return lines.map((line, index) => ({ line, upstream: known[index], ours: mine[index], ...agreement(kind, known[index], mine[index]) }));
}

async function collect(command: readonly string[], lines: readonly string[]): Promise<Answer[]> {
  const parse = await loadExactJson();
  const result: Answer[] = [];
  for await (const line of answers(command, lines, PATIENCE)) result.push(parse(line) as Answer);
  return result;
}

function questionLine(kind: Kind, question: OracleCase['question']): string {
  return canonicalQuestion({ kind, ...question });
}

/** Like JSON.stringify, with exact whole numbers. */
function canonicalQuestion(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalQuestion).join()}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).filter(([, entry]) => entry !== undefined).map(([name, entry]) => `${JSON.stringify(name)}:${canonicalQuestion(entry)}`).join()}}`;
}

function describe({ fields, line, upstream, ours }: Compared): string {
  return `\n${fields.length === 0 ? 'the same' : `different: ${fields.join(', ')}`}\n  question  ${line}\n  upstream  ${canonical(upstream)}\n  ours      ${canonical(ours)}\n`;
}

/** Writes the committed samples anew: upstream's answers to the first questions of seed 1. */
async function writeSamples({ minors, kinds }: Settings, root: string): Promise<number> {
  for (const minor of minors) {
    for (const kind of kinds) {
      const program = upstreamProgram(root, minor, progress, kind);
      const cases = oracleCases(kind, SAMPLE.seed, SAMPLE.count, minor);
      const upstream = await collect([program, ...OFTEN], cases.map(({ question }) => questionLine(kind, question)));
      writeFileSync(join(root, 'test/oracle/samples', `${kind}-${minor}.json`), sampleText(kind, minor, SAMPLE.seed, cases, upstream));
    }
  }
  return 0;
}

function progress(text: string): void {
  process.stderr.write(text);
}
