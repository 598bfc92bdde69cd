// Software of others that a cluster is tried with, each built from its published Go module: a wrapper module pins it with all it needs.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheEntry, shortHash } from './cache-entry.mjs';
import { BUILD_FLAGS, goVersion, packageCount, runGo } from './go.mjs';
import { ROOT } from './layout.mjs';
import { Progress } from './progress.mjs';

/** The wrapper modules of `test/cluster/components`, and what each is for. */
const COMPONENTS = {
  'kueue': { module: 'sigs.k8s.io/kueue', main: 'sigs.k8s.io/kueue/cmd/kueue', title: 'Kueue' },
  'gitops-agent': { module: 'github.com/argoproj/gitops-engine', main: 'github.com/argoproj/gitops-engine/agent', title: "Argo CD's GitOps engine" },
  'helm': { module: 'helm.sh/helm/v4', main: 'helm.sh/helm/v4/cmd/helm', title: 'helm' },
};

const NEEDED_GO = '1.26';

/** The program of a component, and the folder of its module, built when it is not yet. */
export async function componentProgram(cache, name, { say = () => {} } = {}) {
  const { main, module, title } = COMPONENTS[name];
  const source = join(ROOT, 'test', 'cluster', 'components', name);
  const files = ['go.mod', 'go.sum'].map(file => readFileSync(join(source, file), 'utf8'));
  const folder = await cacheEntry(join(cache, `${name}-${shortHash(goVersion(NEEDED_GO), ...files)}`), {
    say,
    probe: entry => (existsSync(join(entry, name)) ? undefined : `${name} is missing`),
    fill: entry => build(entry, { name, main, title, source }, say),
  });
  return { program: join(folder, name), source: moduleFolder(source, module) };
}

async function build(entry, { name, main, title, source }, say) {
  // Go writes beside go.mod, and the sources are not ours to change.
  const copy = join(entry, 'source');
  mkdirSync(copy);
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(source, file), join(copy, file));
  say(`Building ${title} from its Go module: once, 3 to 10 minutes on two cores.`);
  await runGo(copy, ['mod', 'download']);
  const progress = new Progress(title, packageCount(copy, [main]));
  await runGo(copy, ['build', '-v', '-p', '2', ...BUILD_FLAGS, '-ldflags', '-s -w', '-o', join(entry, name), main], { onPackage: () => progress.step() });
  progress.end();
  rmSync(copy, { recursive: true });
}

function moduleFolder(source, module) {
  return execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd: source, encoding: 'utf8', env: { ...process.env, GOFLAGS: '-mod=mod' } }).trim();
}
