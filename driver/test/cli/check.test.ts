import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FAILURES, MINORS } from 'cdk8s-dra/model';
import type { Failure } from 'cdk8s-dra/model';

import { run } from './recorded-io.js';

const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team-a\n';
const TWICE = `${NAMESPACE}  name: team-b\n`;

let folder: string;
let before: string;

beforeEach(() => {
  before = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'check-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

describe('a folder', () => {
  test('with mistakes is reported file by file', async () => {
    mkdirSync('dist/teams', { recursive: true });
    writeFileSync('dist/00-broken.yaml', `${NAMESPACE}---\napiVersion: v1\nkind: Namespace\nmetadata: name: team-c\n`);
    writeFileSync('dist/teams/a.yaml', TWICE.replace('team-a', 'team-x'));
    writeFileSync('dist/values.yaml', 'replicas: 1\n');

    expect(await run(['check', 'dist'])).toEqual({
      code: 1,
      err: '',
      out: `\
dist/00-broken.yaml:8:15: error DRA101
  Invalid YAML: bad indentation of a mapping entry.
  fix: Align the line with its neighbours; lists and mappings of one level start in the same column.

dist/teams/a.yaml:5:3: error DRA102
  The key "name" stands twice in this mapping: kubectl keeps the last one, Kustomize and Flux refuse the file.
  fix: Remove one of the two.

2 errors in 2 objects of 3 files (Kubernetes 1.34). 1 document is no Kubernetes object. Explain a code: kubectl-dra check --explain DRA101
`,
    });
  });

  test('without mistakes is clean', async () => {
    writeFileSync('a.yaml', NAMESPACE);

    expect(await run(['check', '.'])).toMatchObject({ code: 0, out: expect.stringMatching(/^No findings: 1 object of 1 file fit Kubernetes 1\.34\.\nNext: /) });
  });
});

describe('an input without a Kubernetes object is no success:', () => {
  const RENDERED = 'name the files or the folder that the manifests are rendered to, e.g. kubectl-dra check dist/';

  test.each<[string, string[], string]>([
    ['an empty folder', ['none'], 'no *.yaml, *.yml or *.json in none'],
    ['values of a chart', ['chart'], `no Kubernetes object in all 2 files in chart, only 2 other documents; ${RENDERED}`],
    ['a file of settings', ['chart/values.yaml'], `no Kubernetes object in the file chart/values.yaml, only 1 other document; ${RENDERED}`],
    ['an empty file', ['empty.yaml'], `the file empty.yaml is empty; ${RENDERED}`],
    ['empty files', ['empty.yaml', 'comment.yaml'], `all 2 files in empty.yaml, comment.yaml are empty; ${RENDERED}`],
    ['a List of nothing', ['list.yaml'], `no Kubernetes object in the file list.yaml; ${RENDERED}`],
    ['ignored findings alone', ['broken.yaml', '--ignore', 'DRA101'], `no Kubernetes object in the file broken.yaml, only 1 ignored finding; ${RENDERED}`],
  ])('%s', async (_, args, reason) => {
    mkdirSync('none');
    mkdirSync('chart');
    writeFileSync('chart/Chart.yaml', 'apiVersion: v2\nname: a\n');
    writeFileSync('chart/values.yaml', 'replicas: 1\n');
    writeFileSync('empty.yaml', '');
    writeFileSync('comment.yaml', '---\n# nothing\n');
    writeFileSync('list.yaml', 'apiVersion: v1\nkind: List\nitems: []\n');
    writeFileSync('broken.yaml', 'apiVersion: [\n');

    for (const output of ['text', 'json', 'sarif', 'github']) {
      expect(await run(['check', ...args, '-o', output])).toEqual({ code: 2, out: '', err: `error: nothing to check: ${reason}\n` });
    }
  });

  test.each([
    ['', 'standard input is empty; did the command before it fail?'],
    ['null\n---\n', 'standard input is empty; did the command before it fail?'],
    ['Error: no such chart', 'no Kubernetes object in standard input, only 1 other document; did the command before it fail?'],
  ])('%p on standard input', async (stdin, reason) => {
    expect(await run(['check', '-'], { stdin })).toEqual({ code: 2, out: '', err: `error: nothing to check: ${reason}\n` });
  });

  test('what cannot be read is a finding', async () => {
    expect(await run(['check', '-'], { stdin: 'apiVersion: [\n' })).toMatchObject({ code: 1, out: expect.stringContaining('DRA101') });
  });
});

describe('a finding of a rule', () => {
  const CLASS = 'apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: GPU_large\nspec:\n  selectors:\n  - cel:\n      expression: device.driver == "gpu.acme.example"\n';

  test('stands at its field', async () => {
    const { out, code } = await run(['check', '-', '-o', 'json'], { stdin: `# comment\n---\n${CLASS}` });

    expect(code).toBe(1);
    expect((JSON.parse(out) as { findings: unknown[] }).findings).toMatchObject([
      { code: 'DRA107', file: '-', line: 6, column: 3, document: 0, object: { kind: 'DeviceClass', name: 'GPU_large' }, path: 'metadata.name' },
    ]);
  });

  test('in a List stands at the field of its item', async () => {
    const item = CLASS.split('\n').map((line) => `  ${line}`).join('\n').replace('  apiVersion', '- apiVersion');
    const { out } = await run(['check', '-', '-o', 'json'], { stdin: `apiVersion: v1\nkind: List\nitems:\n${item}` });

    expect((JSON.parse(out) as { findings: unknown[] }).findings).toMatchObject([{ code: 'DRA107', line: 7, column: 5, path: 'metadata.name' }]);
  });

  test('can be ignored by code, by name and in the settings', async () => {
    expect(await run(['check', '-', '--ignore', 'dra107'], { stdin: CLASS })).toMatchObject({ code: 0, out: expect.stringContaining('1 finding ignored') });
    expect(await run(['check', '-', '--ignore', 'DRA101,invalid-object-name'], { stdin: CLASS })).toMatchObject({ code: 0, err: '' });
    writeFileSync('.kubectl-dra.yaml', 'ignore:\n- {code: DRA107, object: DeviceClass/GPU*, reason: old}\n- {code: DRA101, path: old/**, reason: gone}\n');
    expect(await run(['check', '-'], { stdin: CLASS })).toMatchObject({
      code: 0,
      err: 'note: the ignore entry DRA101 old/** matched nothing; remove it if the mistake is gone\n',
    });
  });
});

describe('exit codes', () => {
  test.each([
    ['a clean file', ['check', 'clean.yaml'], 0],
    ['an error', ['check', 'twice.yaml'], 1],
    ['nothing but ignored errors', ['check', '--ignore', 'DRA102', 'twice.yaml'], 0],
    ['settings beside an object', ['check', 'clean.yaml', 'values.yaml'], 0],
    ['no object', ['check', 'values.yaml'], 2],
    ['no path', ['check'], 2],
    ['a path that is missing', ['check', 'clean.yaml', 'missing'], 2],
    ['an empty folder', ['check', 'empty'], 2],
    ['empty standard input', ['check', '-'], 2],
    ['an unknown version', ['check', '--kubernetes', '1.99', 'clean.yaml'], 2],
    ['an unknown gate', ['check', '--feature-gates', 'DRANothing=true', 'clean.yaml'], 2],
    ['a gate without value', ['check', '--feature-gates', 'DRADeviceTaints', 'clean.yaml'], 2],
    ['an unknown code to ignore', ['check', '--ignore', 'DRA999', 'clean.yaml'], 2],
    ['no code to ignore', ['check', '--ignore', ',', 'clean.yaml'], 2],
    ['an unknown format', ['check', '-o', 'xml', 'clean.yaml'], 2],
    ['an unknown severity', ['check', '--fail-on', 'fatal', 'clean.yaml'], 2],
    ['settings that are missing', ['check', '--config', 'missing.yaml', 'clean.yaml'], 2],
    ['an unknown option', ['check', '--nothing', 'clean.yaml'], 2],
    ['an unknown command', ['chek', 'clean.yaml'], 2],
    ['help of an unknown command', ['help', 'chek'], 2],
    ['help of a command', ['help', 'check'], 0],
    ['help of help', ['help', 'help'], 0],
    ['an empty path', ['check', ''], 2],
    ['help', ['check', '--help'], 0],
    ['no arguments', [], 0],
    ['a version', ['version'], 0],
    ['the version option', ['--version'], 0],
  ])('%s', async (_, args, code) => {
    writeFileSync('clean.yaml', NAMESPACE);
    writeFileSync('twice.yaml', TWICE);
    writeFileSync('values.yaml', 'a: 1\n');
    mkdirSync('empty');

    const result = await run(args);

    expect(result.code).toBe(code);
    if (code === 2) expect(result).toMatchObject({ out: '', err: expect.stringMatching(/^error: .*\n/) });
  });

  test.each([['chek'], ['help', 'chek']])('%s says which command was meant', async (...args) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: "error: unknown command 'chek'\n(Did you mean check?)\nSee kubectl-dra --help.\n" });
  });

  test('an empty path says where it may come from', async () => {
    expect((await run(['check', ''])).err).toBe("error: no such file or folder: '' (an empty path; is a variable unset?)\n");
  });

  test('standard input that is named twice is one file', async () => {
    expect((await run(['check', '-', '-'], { stdin: NAMESPACE })).out).toContain('1 object of 1 file fit');
  });

  test.each([['hold', '<pool> --reason <text> [options]'], ['rollback', '<pool> --reason <text> [options]'], ['diff', '--base <paths...> --head <paths...> [options]']])(
    'the usage of %s shows what it cannot do without', async (name, usage) => {
      expect((await run([name, '--help'])).out).toContain(`Usage: kubectl-dra ${name} ${usage}\n`);
    },
  );

  test('a broken settings file is named with its place', async () => {
    writeFileSync('.kubectl-dra.yaml', 'kubernetes: [');

    expect(await run(['check', '.'])).toEqual({ code: 2, out: '', err: expect.stringMatching(/^error: \.kubectl-dra\.yaml:1:\d+: invalid YAML/) });
  });

  test('settings choose version and severity, options are stronger', async () => {
    writeFileSync('a.yaml', NAMESPACE);
    writeFileSync('.kubectl-dra.yaml', "kubernetes: '1.36'\n");

    expect((await run(['check', '.'])).out).toContain('Kubernetes 1.36');
    expect((await run(['check', '.', '--kubernetes', '1.35'])).out).toContain('Kubernetes 1.35');
  });
});

describe('the examples of the catalogue', () => {
  const target = ({ kubernetes, featureGates }: Failure): string[] => [
    '--kubernetes', kubernetes ?? '1.34',
    '--feature-gates', Object.entries(featureGates ?? {}).map(([gate, on]) => `${gate}=${on}`).join(','),
  ];
  const codesIn = async (failure: Failure, text: string): Promise<string[]> => {
    if (failure.previous !== undefined) writeFileSync('previous.yaml', failure.previous);
    const previous = failure.previous === undefined ? [] : ['--previous', 'previous.yaml'];
    const { out } = await run(['check', '-', '-o', 'json', ...target(failure), ...previous], { stdin: text });
    return (JSON.parse(out) as { findings: { code: string }[] }).findings.map(({ code }) => code);
  };

  test.each(FAILURES.filter(({ wrong }) => wrong !== undefined).map((failure) => [failure.code, failure] as const))('what is wrong with %s is found in its text, and gone when mended', async (code, failure) => {
    expect(await codesIn(failure, failure.wrong ?? '')).toContain(code);
    expect(await codesIn(failure, failure.right ?? '')).not.toContain(code);
  });
});

describe('quiet', () => {
  test('prints nothing for a clean input', async () => {
    expect(await run(['check', '--quiet', '-'], { stdin: NAMESPACE })).toEqual({ code: 0, out: '', err: '' });
  });

  test('prints the findings without a summary', async () => {
    const { out } = await run(['check', '--quiet', '-'], { stdin: TWICE });

    expect(out).toContain('-:5:3: error DRA102');
    expect(out).not.toContain('Explain a code');
  });
});

describe('explain', () => {
  test.each(FAILURES.map(({ code, name, title, fix }) => ({ code, name, title, fix })))('$code prints its entry, by code and by name', async ({ code, name, title, fix }) => {
    const { out } = await run(['check', '--explain', code.toLowerCase()]);

    expect(out).toContain(`${code} ${name}`);
    expect(out).toContain(title);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(fix.replaceAll(/\s+/g, ' '));
    expect((await run(['check', '--explain', name])).out).toBe(out);
  });

  test.each([
    ['DRA1O7', 'Did you mean DRA107?'],
    ['DRA10', 'Did you mean DRA100, DRA101, DRA102'],
    ['invalid-sintax', 'Did you mean invalid-syntax?'],
  ])('%s has near misses', async (wanted, hint) => {
    const { code, err } = await run(['check', '--explain', wanted]);

    expect(code).toBe(2);
    expect(err).toContain(hint);
  });

  test('beside a guess there is no list that would hide it', async () => {
    const { code, err } = await run(['check', '--explain', 'DRA999']);

    expect({ code, err }).toEqual({ code: 2, err: 'error: there is no code \'DRA999\'. Did you mean DRA109? All of them: kubectl-dra check --list-codes\n' });
  });

  test('a code that is like no other lists them all', async () => {
    const { code, err } = await run(['check', '--explain', 'nothing-like-it']);

    expect(code).toBe(2);
    expect(FAILURES.every((failure) => err.includes(failure.title))).toBe(true);
  });

  test('--list-codes prints each code in one line', async () => {
    const { out } = await run(['check', '--list-codes']);

    expect(out.trimEnd().split('\n').map((line) => line.slice(0, 6))).toEqual(FAILURES.map(({ code }) => code));
  });
});

describe('help', () => {
  test('without arguments the commands are listed by topic', async () => {
    const { out } = await run([]);

    expect(out).toMatch(/Manifests, without a cluster:\n {2}check .*Other:\n {2}version/s);
    expect(out).toContain('Examples:');
  });

  test('check --help shows every option and examples', async () => {
    const { out } = await run(['check', '--help']);

    for (const option of ['--kubernetes', '--feature-gates', '--output', '--ignore', '--config', '--fail-on', '--quiet', '--explain', '--list-codes']) expect(out).toContain(option);
    expect(out).toContain('helm template . | kubectl-dra check -');
  });

  test('version names the Kubernetes versions', async () => {
    expect((await run(['version'])).out).toBe(`kubectl-dra 1.2.3, for Kubernetes ${MINORS.join(', ')}\n`);
    expect(JSON.parse((await run(['version', '-o', 'json'])).out)).toEqual({ version: '1.2.3', kubernetes: MINORS });
    expect(await run(['version', '-o', 'yaml'])).toMatchObject({ code: 2, out: '' });
  });
});

test('what is wrong in a command line comes with the way to its help', async () => {
  expect(await run(['check', '--quite', 'a.yaml'])).toEqual({
    code: 2, out: '', err: 'error: unknown option \'--quite\'\n(Did you mean --quiet?)\nSee kubectl-dra check --help.\n',
  });
});

test.each([
  ['kubernetes: "1.3"', '\'version\' must be Kubernetes 1.34 or later, got "1.3".'],
  ['featureGates: { Nope: true }', '\'featureGates\' must name a feature gate'],
  ['ignore: [{ code: DRA999, reason: old }]', 'there is no code \'DRA999\'.'],
])('a mistake in the settings names their file: %s', async (text, message) => {
  const settings = join(folder, 'settings.yaml');
  writeFileSync(settings, text);

  const { code, err } = await run(['check', '-', '--config', settings], { stdin: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n' });

  expect(code).toBe(2);
  expect(err).toContain(`error: ${settings}: ${message}`);
});
