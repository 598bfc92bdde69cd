// Runs Go with the settings that make a build repeatable and let several builds share Go's own cache.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { Failure, Lacking } from './failure.mjs';

/** Settings of Go, the same for all that is built or fetched. */
export const GO_ENVIRONMENT = { CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', GOWORK: 'off' };

/** Flags that all builds have in common; another -trimpath would compile everything again. */
export const BUILD_FLAGS = ['-trimpath'];

/** The version of the installed Go, such as `go1.26.8`. */
export function goVersion(needed) {
  const { status, stdout, error } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', env: { ...process.env, ...GO_ENVIRONMENT } });
  if (error !== undefined || status !== 0) {
    throw new Lacking(
      `Go ${needed} or newer is needed to build Kubernetes once, and no working "go" is on the PATH. ` +
        'Install it from your distribution or from go.dev.',
    );
  }
  const version = stdout.trim();
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  if (Number(major) < neededMajor || (Number(major) === neededMajor && Number(minor) < neededMinor)) {
    throw new Lacking(`Go ${needed} or newer is needed, ${version} is on the PATH. Install a newer one, from your distribution or from go.dev.`);
  }
  return version;
}

/** Number of packages that a build compiles when nothing is cached. */
export function packageCount(folder, packages) {
  const list = execFileSync('go', ['list', '-deps', ...packages], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, ...GO_ENVIRONMENT },
  });
  return list.trim().split('\n').length;
}

/**
 * Runs Go and reports each compiled package; throws a Failure with Go's last words.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, onPackage?: (name: string) => void }} [options]
 */
export function runGo(folder, args, { env = {}, onPackage = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    // A build of Kubernetes takes all cores for minutes; it gives way to whoever else works here.
    const child = spawn('nice', ['-n', '15', 'go', ...args], {
      cwd: folder,
      env: { ...process.env, ...GO_ENVIRONMENT, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const words = [];
    let rest = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', text => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        words.push(line);
        if (/^[\w./~-]+$/.test(line)) onPackage(line);
      }
    });
    child.on('error', error => reject(new Failure(`go ${args[0]} could not be run: ${error.message}.`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const last = [...words, rest]
        .filter(line => !/^[\w./~-]*$/.test(line))
        .slice(-15)
        .join('\n');
      const Kind = isOffline(last) ? Lacking : Failure;
      return reject(new Kind(`go ${args[0]} ended with ${signal ?? `exit code ${code}`}:\n${last}\n${wayOut(last)}`));
    });
  });
}

function wayOut(words) {
  if (/no space left/.test(words))
    return "A first build needs about 4 GiB in Go's caches (go env GOCACHE GOMODCACHE). Make room and run it again; what was compiled is kept.";
  if (isOffline(words)) return 'Modules could not be fetched. Check the network and "go env GOPROXY", then run it again.';
  if (/signal: killed/.test(words)) return 'Linking needs about 2.5 GiB of memory. Free some and run it again; what was compiled is kept.';
  if (/^\S+\.go:\d+:\d+: /m.test(words))
    return 'The sources in test/cluster/go do not compile for this minor; correct them, or choose another minor.';
  return 'Run it again; what was compiled is kept.';
}

function isOffline(words) {
  return /dial tcp|i\/o timeout|lookup \S+ on |proxyconnect|module lookup disabled|connection refused|unexpected EOF/.test(words);
}
