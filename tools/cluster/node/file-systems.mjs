// The file systems that are a node's own: what happens to them happens to nothing else on this machine.
import { execFileSync } from 'node:child_process';
import { Failure } from '../failure.mjs';

/** In memory and of limited size, so that one can be filled. The folder of drivers is apart, as a full one must not take kubelet with it. */
const SMALL = [
  { path: '/run', source: 'dra-node-run', size: '256m' },
  { path: '/var/lib/kubelet', source: 'dra-node-kubelet', size: '2g' },
  { path: '/var/lib/kubelet/plugins', source: 'dra-node-plugins', size: '256m' },
];

/** Changes below these stay on the node; all else is this machine's. */
const OWN = ['/run', '/var/lib', '/var/log'];

/** Commands that mount one of them in the node's mount namespace. */
export function mountCommands(path) {
  const { source, size } = SMALL.find(entry => entry.path === path);
  return `mkdir -p ${path}
mount -t tmpfs -o size=${size},mode=755 ${source} ${path}`;
}

/**
 * Leaves no byte free where a directory lies.
 *
 * @param {(...command: string[]) => string} inside runs a command on the node
 */
export function fill(inside, path) {
  const system = smallSystem(inside, path);
  // At the least what is used: the kernel refuses less, and more may be used by the time it looks.
  for (let attempt = 0; ; attempt++) {
    const used = Number(inside('df', '--output=used', '-B1', system.path).split('\n')[1]);
    try {
      inside('mount', '-o', `remount,size=${Math.max(used, 1)}`, system.path);
      return system.path;
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

/** Gives it its room again. */
export function free(inside, path) {
  const system = smallSystem(inside, path);
  inside('mount', '-o', `remount,size=${system.size}`, system.path);
  return system.path;
}

/** Removes a file, or all that is in a directory; mounts stay. Answers how many entries are left. */
export function wipe(inside, path) {
  const real = resolve(inside, path);
  if (!OWN.some(own => isBelow(real, own))) {
    throw new Failure(`${path} belongs to this machine, not to the node, so it is not wiped. A node's own are ${OWN.join(', ')} and what is below.`);
  }
  // A mount below is busy; its place stays.
  inside('sh', '-c', 'if [ -d "$0" ]; then find "$0" -xdev -mindepth 1 -depth -delete 2>/dev/null || true; else rm -- "$0"; fi', real);
  return inside('sh', '-c', '[ ! -d "$0" ] || find "$0" -xdev -mindepth 1', real)
    .split('\n')
    .filter(line => line !== '').length;
}

function smallSystem(inside, path) {
  const real = resolve(inside, path);
  const source = inside('findmnt', '--noheadings', '--output', 'SOURCE', '--target', real).trim();
  const system = SMALL.find(entry => entry.source === source);
  if (system !== undefined) return system;
  const known = SMALL.map(entry => entry.path).join(', ');
  throw new Failure(`${path} lies on no small file system of the node, so filling it would fill this machine's. Those of a node are ${known}.`);
}

function resolve(inside, path) {
  if (path === undefined) throw new Failure('Name the path, as the node sees it: npm run cluster -- fault wipe node-1 /var/lib/kubelet/plugins.');
  if (!path.startsWith('/')) throw new Failure(`A path of a node must begin with /, got "${path}".`);
  try {
    return inside('realpath', '-e', '--', path).trim();
  } catch {
    throw new Failure(`The node has no ${path}.`);
  }
}

function isBelow(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Runs a command somewhere; its output, or an Error with its last words. */
export function runInside(enter) {
  return (...command) => {
    const [program, ...args] = enter(command);
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26, timeout: 60_000 });
  };
}
