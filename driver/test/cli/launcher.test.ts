import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGE = resolve(import.meta.dirname, '../..');
const CLEAN = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team-a\n';

function launch(program: string, args: readonly string[], input: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('the package is built, as these tests need it', () => {
  expect(existsSync(join(PACKAGE, 'lib/cli.js'))).toBe(true);
});

test.each(['kubectl-dra.js', 'dra.js'])('%s runs the command line, also through a link as npm makes it', (name) => {
  symlinkSync(join(PACKAGE, 'bin', name), join(folder, 'linked'));

  expect(launch(join(folder, 'linked'), ['check', '-'], CLEAN)).toMatchObject({ status: 0, stdout: expect.stringContaining('No findings: 1 object'), stderr: '' });
  expect(launch(join(folder, 'linked'), ['check', '-'], `${CLEAN}  name: b\n`)).toMatchObject({ status: 1 });
  expect(launch(join(folder, 'linked'), ['check', 'missing'], '')).toMatchObject({ status: 2, stdout: '' });
});

test('before the build the launcher says what to do', () => {
  cpSync(join(PACKAGE, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(PACKAGE, 'package.json'), join(folder, 'package.json'));

  expect(launch(join(folder, 'bin/kubectl-dra.js'), [], '')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'kubectl-dra is not built yet: run `npm run build` (or `npm run compile`) in the repository root.\n',
  });
});

test('a reader that stops early is no failure', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${join(PACKAGE, 'bin/dra.js')}" check --list-codes | head -1 >/dev/null`], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

const program = join(PACKAGE, 'bin/dra.js');

test('output that cannot be written is no finding: told without a stack, exit code 2', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${program}" check --list-codes >/dev/full`], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 2, stderr: 'error: ENOSPC: no space left on device, write\n' });
});

test('nor is a working directory that is gone', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${program}" check a.yaml`], { cwd: folder, encoding: 'utf8' });

  expect(status).toBe(2);
  expect(stderr).toContain('error: the working directory is gone. Change to one that exists.\n');
  expect(stderr).not.toContain('    at ');
});
