// What a machine must have, asked before anything is built or started.
import { spawnSync } from 'node:child_process';
import { Lacking } from './failure.mjs';
import { goVersion } from './go.mjs';
import { cgroupProblem, cgroupVersion } from './node/cgroups.mjs';
import { systemProgram } from './system-program.mjs';
import { neededGo } from './versions.mjs';

/** Program, Debian package. */
const FOR_CONTROL_PLANE = { openssl: 'openssl' };
const FOR_NODES = {
  runc: 'runc',
  busybox: 'busybox-static',
  iptables: 'iptables',
  ip: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  findmnt: 'util-linux',
  mount: 'mount',
  tar: 'tar',
};

/** Refuses what cannot run here, with what to install or to change; answers what was found. */
export function requireMachine({ kubernetes, nodes }) {
  if (process.platform !== 'linux') {
    throw new Lacking(
      `A cluster needs Linux, this is ${process.platform}. Run it in a Linux machine or container; suites also take any cluster by KUBECONFIG.`,
    );
  }
  const go = goVersion(neededGo(kubernetes));
  const missing = missingPackages(FOR_CONTROL_PLANE);
  if (missing.length > 0) throw new Lacking(`A cluster needs ${missing.join(', ')}, not installed here. ${installation(missing)}`);
  if (nodes === 0) return go;
  const problem = nodeProblem();
  if (problem !== undefined) throw new Lacking(`${problem} Or use --nodes 0, for a control plane alone.`);
  return `${go}, root, namespaces, ${cgroupVersion()}`;
}

/** Why no real node can run here, with the way out; undefined if one can. */
export function nodeProblem() {
  if (process.getuid?.() !== 0) return 'A node needs root: it mounts, makes control groups and network namespaces. Run it as root.';
  const missing = missingPackages(FOR_NODES);
  if (missing.length > 0) return `A node needs ${missing.join(', ')}, not installed here. ${installation(missing)}`;
  const wrong = namespaceProblem() ?? cgroupProblem();
  return wrong === undefined ? undefined : `A node cannot run here: ${wrong}. Take a machine or container with more rights, such as a privileged one.`;
}

/** What a node does before all else, in namespaces that go with the process. */
const STEPS = [
  ['a shared mount of /', 'mount --make-rshared /'],
  ['a file system in memory', 'mount -t tmpfs dra-probe /run'],
  ['an overlay', 'mkdir /run/upper /run/work && mount -t overlay dra-probe -o lowerdir=/var/lib,upperdir=/run/upper,workdir=/run/work /var/lib'],
  ['a pair of network interfaces', 'ip link add dra-probe type veth peer name dra-probe-2'],
  ['an address translation', 'iptables -t nat -A OUTPUT -d 192.0.2.1/32 -p tcp --dport 443 -j DNAT --to-destination 192.0.2.2:443'],
];

function namespaceProblem() {
  const inside = ['--mount', '--net', '--propagation', 'private'];
  const run = script => spawnSync('unshare', [...inside, 'sh', '-c', script], { encoding: 'utf8', timeout: 30_000 });
  const { status, stderr } = run('true');
  if (status !== 0) return `mount and network namespaces are not allowed (${lastLine(stderr)})`;
  const script = STEPS.map(([what, command]) => `{ ${command}; } || { echo "${what}"; exit 1; }`).join('\n');
  const tried = run(script);
  return tried.status === 0 ? undefined : `${tried.stdout.trim() || 'something'} cannot be made (${lastLine(tried.stderr)})`;
}

function missingPackages(programs) {
  const missing = Object.keys(programs).filter(name => systemProgram(name) === undefined);
  return [...new Set(missing.map(name => programs[name]))];
}

function installation(packages) {
  return `On Debian or Ubuntu: apt-get install ${packages.join(' ')}.`;
}

function lastLine(text) {
  return text.trim().split('\n').at(-1);
}
