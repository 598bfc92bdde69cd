import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Kind, Minor } from '../generate/question';

/** Something that must be changed on this machine before there is anything to compare. */
export class EnvironmentProblem extends Error {}

/** The program of a kind of questions, and where its main package is. */
const PROGRAMS: Readonly<Record<Kind, { readonly name: string; readonly source: string }>> = {
  eval: { name: 'oracle', source: '.' },
  allocate: { name: 'oracle', source: '.' },
  admit: { name: 'admission', source: './admission' },
};

/** The path of upstream's program for a minor, built where it is missing or older than its source. */
export function upstreamProgram(root: string, minor: Minor, progress: (text: string) => void, kind: Kind = 'eval'): string {
  const { name: programName, source: mainPackage } = PROGRAMS[kind];
  const source = join(root, 'test/oracle/go');
  const program = join(root, 'build/oracle', minor, programName);
  const sources = [source, join(source, mainPackage)].flatMap((folder) => readdirSync(folder).map((name) => statSync(join(folder, name))));
  const newest = Math.max(...sources.filter((file) => file.isFile()).map(({ mtimeMs }) => mtimeMs));
  if (existsSync(program) && statSync(program).mtimeMs >= newest) return program;
  progress(`building upstream's program for ${kind}, Kubernetes ${minor}; the first time takes minutes and downloads its modules\n`);
  mkdirSync(join(root, 'build/oracle', minor), { recursive: true });
  const { error, status } = spawnSync('go', ['build', '-trimpath', '-buildvcs=false', `-modfile=kubernetes-${minor}.mod`, '-tags', `kubernetes${minor}`, '-o', program, mainPackage], {
    cwd: source, env: { ...process.env, CGO_ENABLED: '0' }, stdio: ['ignore', 'inherit', 'inherit'],
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    throw new EnvironmentProblem('The comparison needs Go to build upstream\'s code, and there is no `go` on the PATH. Install Go 1.26 or newer and run it again.');
  }
  if (error !== undefined || status !== 0) throw new EnvironmentProblem(`Upstream's program for Kubernetes ${minor} could not be built: see the messages of go above.`);
  return program;
}
