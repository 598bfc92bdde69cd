// The program that is every component of one minor of Kubernetes, built from its Go modules.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheEntry, shortHash } from './cache-entry.mjs';
import { BUILD_FLAGS, goVersion, packageCount, runGo } from './go.mjs';
import { SOURCES } from './layout.mjs';
import { Progress } from './progress.mjs';
import { moduleFiles, neededGo, releaseOf, sourceFiles } from './versions.mjs';

/** What the program can be, each a link to it. */
export const COMPONENTS = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'peer-dra-driver',
  'peer-device-plugin',
];

/** Whether the program of that minor is built for these sources and this Go. */
export function isBuilt(cache, minor) {
  return existsSync(entryFolder(cache, minor));
}

/** Folder with the components of that minor, built when they are not yet. */
export function controlPlaneProgram(cache, minor, { say = () => {} } = {}) {
  const release = releaseOf(minor);
  return cacheEntry(entryFolder(cache, minor), {
    say,
    probe: folder => {
      const { status, signal, stdout, error } = spawnSync(join(folder, 'kube-apiserver'), ['--version'], { encoding: 'utf8', timeout: 60_000 });
      if (error !== undefined || status !== 0) return `kube-apiserver --version ends with ${error?.code ?? signal ?? `exit code ${status}`}`;
      return stdout.trim() === `Kubernetes v${release}` ? undefined : `kube-apiserver --version says "${stdout.trim()}" instead of v${release}`;
    },
    fill: folder => build(folder, minor, release, say),
  });
}

function entryFolder(cache, minor) {
  const files = [...sourceFiles(minor), ...moduleFiles(minor)].map(file => readFileSync(file, 'utf8'));
  return join(cache, `${minor}-${shortHash(goVersion(neededGo(minor)), ldflags(releaseOf(minor)), ...files)}`);
}

async function build(folder, minor, release, say) {
  const source = join(folder, 'source');
  mkdirSync(source);
  for (const file of [...sourceFiles(minor), ...moduleFiles(minor)]) copyFileSync(file, join(source, basename(file)));
  say(`Building Kubernetes ${release} from its Go modules: once, 7 to 25 minutes on two cores, 4 GiB in Go's caches.`);
  await runGo(source, ['mod', 'download']);
  const progress = new Progress(`Kubernetes ${release}`, packageCount(source, ['.']));
  await runGo(source, ['build', '-v', '-p', '2', ...BUILD_FLAGS, '-ldflags', ldflags(release), '-o', join(folder, 'cp'), '.'], {
    onPackage: () => progress.step(),
  });
  progress.end();
  rmSync(source, { recursive: true });
  for (const component of COMPONENTS) symlinkSync('cp', join(folder, component));
}

/** Clients read the version from these variables; without them it is v0.0.0-master. */
function ldflags(release) {
  const [major, minor] = release.split('.');
  const values = {
    gitMajor: major,
    gitMinor: minor,
    gitVersion: `v${release}`,
    gitTreeState: 'archive',
    gitCommit: `v${release}`,
    buildDate: '1970-01-01T00:00:00Z',
  };
  const stamps = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(name =>
    Object.entries(values).map(([variable, value]) => `-X ${name}.${variable}=${value}`),
  );
  return ['-s', '-w', ...stamps].join(' ');
}
