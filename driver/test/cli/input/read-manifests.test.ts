import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MAX_FILE_BYTES } from '../../../src/cli/input/file-bytes.js';
import { MissingPath } from '../../../src/cli/input/find-files.js';
import { readManifests } from '../../../src/cli/input/read-manifests.js';
import type { ManifestInput } from '../../../src/cli/input/read-manifests.js';

const CLAIM = 'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: gpu\n';

let folder: string;
let before: string;

beforeEach(() => {
  before = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'read-manifests-'));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

async function* streamOf(...parts: (string | Buffer)[]): AsyncGenerator<string | Buffer> {
  yield* parts;
}

async function read(...paths: string[]): Promise<ManifestInput> {
  return readManifests(paths, { stdin: streamOf() });
}

async function readText(content: string | Buffer, name = 'in.yaml'): Promise<ManifestInput> {
  writeFileSync(name, content);
  return read(name);
}

function namesOf(input: ManifestInput): unknown[] {
  return input.manifests.map(({ value }) => (value.metadata as { name?: unknown } | undefined)?.name);
}

function placesOf(input: ManifestInput): string[] {
  return input.findings.map(({ code, file, line, column }) => `${file}:${line}:${column} ${code}`);
}

describe('bad content is a finding with its place', () => {
  test.each<[string, string | Buffer, string]>([
    ['a syntax error', 'a: b: c\n', 'in.yaml:1:5 DRA101'],
    ['a syntax error in a later document', `${CLAIM}---\na: 1\nb: [\n`, 'in.yaml:8:1 DRA101'],
    ['a duplicate key', `---\n${CLAIM}  name: other\n`, 'in.yaml:6:3 DRA102'],
    ['a duplicate key in JSON', '{"apiVersion": "v1",\n "kind": "A", "kind": "B"}', 'in.yaml:2:15 DRA102'],
    ['a duplicate key in the second of two JSON values', '{"a": 1}\n{"kind": "A",\n "kind": "B"}', 'in.yaml:3:2 DRA102'],
    ['a separator with content', `${CLAIM}--- {kind: A}\n`, 'in.yaml:5:1 DRA101'],
    ['content behind an end mark', `${CLAIM}...\nkind: B\n`, 'in.yaml:6:1 DRA101'],
    ['a template', 'apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Release.Name }}\n', 'in.yaml:4:9 DRA101'],
    ['a byte that is no UTF-8', Buffer.from([...Buffer.from('kind: A\nname: äb'), 0xff, 0x0a]), 'in.yaml:2:9 DRA101'],
    ['a cut character', Buffer.from([0x6b, 0x3a, 0x20, 0xe2, 0x82]), 'in.yaml:1:4 DRA101'],
    ['a zero byte', 'kind: A\nname: \u0000', 'in.yaml:2:7 DRA100'],
    ['a zero byte far into the file', `#${' '.repeat(5000)}\nkind: \u0000`, 'in.yaml:2:7 DRA101'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), 'in.yaml:3:1 DRA100'],
    ['UTF-16 with a mark', Buffer.from('\ufeffkind: A\n', 'utf16le'), 'in.yaml:1:1 DRA100'],
    ['UTF-16 without a mark', Buffer.from('kind: A\n', 'utf16le'), 'in.yaml:1:1 DRA100'],
    ['an anchor that holds itself', 'kind: &a [*a]\n', 'in.yaml:1:11 DRA101'],
    ['deep nesting', `kind: ${'['.repeat(10_000)}`, 'in.yaml:1:208 DRA101'],
    ['deep nesting in JSON', `{"kind": ${'['.repeat(10_000)}`, 'in.yaml:1:209 DRA101'],
    ['JSON after JSON that breaks off', '{"kind": "A"}\n{"kind": "B"}\n{"kind": ', 'in.yaml:3:10 DRA101'],
  ])('%s', async (_, content, place) => {
    const input = await readText(content);

    expect(placesOf(input)).toEqual([place]);
    expect(input.findings[0]?.message).toMatch(/^[A-Z].*\.$/s);
    expect(input.findings[0]?.help).toMatch(/^[A-Z]/);
  });

  test('a JSON file speaks of JSON, not of YAML', async () => {
    const input = await readText('{"kind": "A",\n}', 'in.json');

    expect(input.findings).toMatchObject([{ line: 2, column: 1, message: 'Invalid JSON: expected a key in double quotes, found "}".' }]);
  });

  test('the documents around a broken one are read', async () => {
    const input = await readText(`${CLAIM}---\na: b: c\n---\n${CLAIM.replace('gpu', 'other')}`);

    expect(namesOf(input)).toEqual(['gpu', 'other']);
    expect(placesOf(input)).toEqual(['in.yaml:6:5 DRA101']);
  });

  test('many small alias bombs are stopped together', async () => {
    const bomb = `kind: A\na: &a [${Array(999).fill(1).join(',')}]\nb: [${Array(390).fill('*a').join(',')}]\n`;

    const input = await readText(Array(60).fill(bomb).join('---\n'));

    expect(input.manifests.length).toBe(51);
    expect(input.findings[0]?.message).toContain('aliases of all files together');
  });
});

describe('content that kubectl reads is read', () => {
  test.each<[string, string | Buffer, unknown[]]>([
    ['documents', `${CLAIM}---\n${CLAIM.replace('gpu', 'b')}`, ['gpu', 'b']],
    ['what helm renders', `---\n# Source: a/templates/x.yaml\n---\n# Source: a/templates/y.yaml\n${CLAIM}---\n\n---\n`, ['gpu']],
    ['Windows text with a mark', `\ufeff${CLAIM.replaceAll('\n', '\r\n')}`, ['gpu']],
    ['JSON', '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}', ['a']],
    ['JSON values in a row', '{"kind":"A","metadata":{"name":"a"}}{"kind":"A","metadata":{"name":"b"}}\n {"kind":"A","metadata":{"name":"c"}}', ['a', 'b', 'c']],
    ['YAML after JSON', `{"kind":"A","metadata":{"name":"a"}}\n---\n${CLAIM}`, ['a', 'gpu']],
    ['YAML in braces', '{kind: A, metadata: {name: a}}', ['a']],
    ['tabs between JSON tokens', '{\n\t"kind":\t"A",\n\t"metadata": {"name": "a"}\n}', ['a']],
  ])('%s', async (_, content, names) => {
    const input = await readText(content);

    expect(namesOf(input)).toEqual(names);
    expect(input).toMatchObject({ findings: [], otherDocuments: 0 });
  });

  test('whole numbers beyond 2^53 are exact', async () => {
    const input = await readText('kind: A\nbig: 9007199254740993\n---\n{"kind": "A", "big": 9007199254740993}\n');

    expect(input.manifests.map(({ value }) => value.big)).toEqual([9007199254740993n, 9007199254740993n]);
  });

  test('standard input is read to its end, in any pieces', async () => {
    const input = await readManifests(['-'], { stdin: streamOf(CLAIM.slice(0, 10), Buffer.from(CLAIM.slice(10))) });

    expect(namesOf(input)).toEqual(['gpu']);
    expect(input.manifests[0]?.source.name).toBe('-');
    expect(input.manifests[0]?.source.locate?.(['metadata', 'name'])).toEqual({ line: 4, column: 3 });
  });

  test('documents that are no objects are counted', async () => {
    const input = await readText('replicas: 1\n---\n- a\n---\ntext\n---\nkind: A\n');

    expect(input).toMatchObject({ otherDocuments: 3, findings: [] });
    expect(input.manifests).toHaveLength(1);
  });

  test.each(['Chart.yaml', 'kustomization.yaml'])('%s is no object', async (name) => {
    expect(await readText('apiVersion: v2\nname: a\n', name)).toMatchObject({ manifests: [], otherDocuments: 1 });
  });
});

describe('positions', () => {
  test('are those in the file, whatever stands before the document', async () => {
    const input = await readText(`# comment\n---\n${CLAIM}---\n${CLAIM}`);

    expect(input.manifests.map(({ source }) => source.locate?.(['metadata', 'name']))).toEqual([{ line: 6, column: 3 }, { line: 11, column: 3 }]);
  });

  test('of JSON values count lines too', async () => {
    const input = await readText('{"kind": "ä"}\n{"kind": "A",\n "metadata": {}}');

    expect(input.manifests.map(({ source }) => source.locate?.(['metadata']))).toEqual([{ line: 1, column: 1 }, { line: 3, column: 2 }]);
  });

  test('fall back to the first line of the document when the file changed', async () => {
    const input = await readText(`${CLAIM}---\n${CLAIM}`);
    writeFileSync('in.yaml', '');

    expect(input.manifests[1]?.source.locate?.(['metadata'])).toEqual({ line: 6, column: 1 });
  });
});

describe('files and folders', () => {
  test('a folder is read in the order of names, without hidden folders and node_modules', async () => {
    for (const name of ['b', 'a/c', '.git', 'node_modules/x', 'a/.hidden']) mkdirSync(name, { recursive: true });
    for (const name of ['z.yaml', 'b/2.yml', 'a/c/1.json', 'a/0.YAML', '.git/x.yaml', 'node_modules/x/x.yaml', 'a/.hidden/x.yaml', 'b/readme.md']) writeFileSync(name, '{"kind": "A"}');

    expect((await read('.')).files).toEqual(['a/0.YAML', 'a/c/1.json', 'b/2.yml', 'z.yaml']);
  });

  test('a file that is named is read whatever its name, and only once', async () => {
    writeFileSync('manifest.txt', CLAIM);
    mkdirSync('a');
    writeFileSync('a/b.yaml', CLAIM);

    expect((await read('manifest.txt', './manifest.txt', 'a', 'a/b.yaml')).files).toEqual(['manifest.txt', 'a/b.yaml']);
  });

  test('links are followed, and loops end', async () => {
    mkdirSync('a');
    writeFileSync('a/x.yaml', CLAIM);
    symlinkSync('..', 'a/up');
    symlinkSync('a', 'b');
    symlinkSync('self.yaml', 'self.yaml');

    const input = await read('.');

    expect(namesOf(input)).toEqual(['gpu']);
    expect(input.findings).toMatchObject([{ code: 'DRA100', file: 'self.yaml', message: 'Its symbolic links form a loop.' }]);
  });

  test('a link to nowhere is a finding', async () => {
    symlinkSync('nowhere', 'x.yaml');

    expect((await read('.')).findings).toMatchObject([{ code: 'DRA100', file: 'x.yaml' }]);
  });

  test('a pipe in a folder does not block', async () => {
    execFileSync('mkfifo', ['x.yaml']);

    expect((await read('.')).findings).toMatchObject([{ code: 'DRA100', file: 'x.yaml', message: 'This is a pipe, not a file.' }]);
  });

  test('a device does not block', async () => {
    expect((await read('/dev/zero')).findings).toMatchObject([{ code: 'DRA100', message: 'This is a device, not a file.' }]);
  });

  test('a file above the limit is not read', async () => {
    writeFileSync('x.yaml', '');
    truncateSync('x.yaml', MAX_FILE_BYTES + 1);

    expect((await read('x.yaml')).findings).toMatchObject([{ code: 'DRA100', message: 'It is larger than 256 MiB and was not read.' }]);
  });

  test('a file without permission is a finding', async () => {
    writeFileSync('x.yaml', CLAIM);
    chmodSync('x.yaml', 0);

    const input = await read('.');

    // The superuser may read everything.
    if (process.getuid?.() === 0) expect(namesOf(input)).toEqual(['gpu']);
    else expect(input.findings).toMatchObject([{ code: 'DRA100', file: 'x.yaml' }]);
  });

  test('settings of other tools that do not parse are no concern in a folder, but are when named', async () => {
    writeFileSync('tsconfig.json', '{ // comment\n}');

    expect(await read('.')).toMatchObject({ findings: [], otherDocuments: 1 });
    expect(placesOf(await read('tsconfig.json'))).toEqual(['tsconfig.json:1:3 DRA101']);
  });

  test('every missing path is named', async () => {
    await expect(read('a.yaml', 'b/c')).rejects.toThrow(new MissingPath('no such file or folder: a.yaml, b/c'));
  });
});
