// Writes test/cluster/go/<minor>/go.mod and go.sum anew: node tools/cluster/modules.mjs 1.36.3 [1.37.2 …]
//
// A release's own go.mod points its staging modules into its repository; here they point to the modules published with it. Nothing
// else changes, so the programs are the release's code with the release's dependencies, and its own run-time defaults (`godebug`).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure, runProgram } from './failure.mjs';
import { SOURCES } from './layout.mjs';
import { sourceFiles } from './versions.mjs';

await runProgram('modules', () => {
  const releases = process.argv.slice(2);
  if (releases.length === 0) throw new Failure('Name at least one release: node tools/cluster/modules.mjs 1.36.3.');
  for (const release of releases) writeModule(release);
});

function writeModule(release) {
  const minor = /^(1\.\d+)\.\d+$/.exec(release)?.[1];
  if (minor === undefined) throw new Failure(`A release must look like 1.36.3, got "${release}".`);
  const staging = release.replace(/^1\./, '0.');
  const folder = join(SOURCES, minor);
  mkdirSync(folder, { recursive: true });
  const { GoMod } = JSON.parse(go(SOURCES, 'mod', 'download', '-json', `k8s.io/kubernetes@v${release}`));
  const text = readFileSync(GoMod, 'utf8')
    .replace(/^module .*/m, 'module cluster')
    .replace(/^(\s*k8s\.io\/[a-z-]+) v0\.0\.0$/gm, `$1 v${staging}`)
    .replace(/=> \.\/staging\/src\/(k8s\.io\/[a-z-]+)$/gm, `=> $1 v${staging}`);
  writeFileSync(join(folder, 'go.mod'), text);
  rmSync(join(folder, 'go.sum'), { force: true });
  go(folder, 'mod', 'edit', `-require=k8s.io/kubernetes@v${release}`);
  const foreign = sourceFiles(minor).filter(file => dirname(file) !== folder);
  for (const file of foreign) copyFileSync(file, join(folder, basename(file)));
  try {
    go(folder, 'mod', 'tidy');
  } finally {
    for (const file of foreign) rmSync(join(folder, basename(file)));
  }
  console.log(`${folder}: Kubernetes ${release}`);
}

function go(cwd, ...args) {
  return execFileSync('go', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' },
  });
}
