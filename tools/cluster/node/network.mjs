// A network namespace per node, joined to the machine by a pair of virtual interfaces, so that a node can be cut off.
//
// For cluster number X: 10.89.X.254 is the API server, on the loopback interface; node N has 10.89.X.4N+2, its end on the machine
// 10.89.X.4N+1, its pods 10.90.X.64N/26.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Failure } from '../failure.mjs';

/** Plans the network of a cluster's nodes: the first number that no address of this machine uses. */
export function planNetwork(clusterName, count) {
  const used = new Set([...run('ip', '-4', '-o', 'addr').matchAll(/ 10\.89\.(\d+)\./g)].map(match => Number(match[1])));
  const number = Array.from({ length: 256 }, (_, index) => index).find(index => !used.has(index));
  if (number === undefined)
    throw new Failure('All 256 networks 10.89.0.0/24 to 10.89.255.0/24 are in use. End other clusters first: npm run cluster -- status.');
  const nodes = Array.from({ length: count }, (_, index) => ({
    name: `node-${index + 1}`,
    namespace: `dra-${clusterName}-${index + 1}`,
    link: `dra${number}-${index + 1}`,
    address: `10.89.${number}.${4 * (index + 1) + 2}`,
    gateway: `10.89.${number}.${4 * (index + 1) + 1}`,
    podSubnet: `10.90.${number}.${64 * index}/26`,
  }));
  return { address: `10.89.${number}.254`, nodes };
}

/** Puts the API server's address on this machine. */
export function addAddress(address) {
  run('ip', 'addr', 'add', `${address}/32`, 'dev', 'lo');
}

export function removeAddress(address) {
  attempt('ip', 'addr', 'del', `${address}/32`, 'dev', 'lo');
}

/** Makes a node's namespace and joins it to this machine; pods reach the API server under its service address. */
export function addNodeNetwork(node, { serviceAddress, server }) {
  run('ip', 'netns', 'add', node.namespace);
  run('ip', 'link', 'add', node.link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', node.namespace);
  run('ip', 'addr', 'add', `${node.gateway}/30`, 'dev', node.link);
  run('ip', 'link', 'set', node.link, 'up');
  // Between nodes, for these interfaces only; it goes with them.
  writeFileSync(`/proc/sys/net/ipv4/conf/${node.link}/forwarding`, '1');
  inside(node, 'ip', 'link', 'set', 'lo', 'up');
  inside(node, 'ip', 'addr', 'add', `${node.address}/30`, 'dev', 'eth0');
  inside(node, 'ip', 'link', 'set', 'eth0', 'up');
  inside(node, 'ip', 'route', 'add', 'default', 'via', node.gateway);
  for (const chain of ['OUTPUT', 'PREROUTING']) {
    inside(
      node,
      'iptables',
      '-t',
      'nat',
      '-A',
      chain,
      '-d',
      `${serviceAddress}/32`,
      '-p',
      'tcp',
      '--dport',
      '443',
      '-j',
      'DNAT',
      '--to-destination',
      server,
    );
  }
  addPodRoute(node);
}

/** Removes a node's namespace with its interfaces. */
export function removeNodeNetwork(node) {
  attempt('ip', 'link', 'del', node.link);
  attempt('ip', 'netns', 'del', node.namespace);
}

/** Takes the node's cable out. */
export function cutLink(node) {
  run('ip', 'link', 'set', node.link, 'down');
}

/** Puts the node's cable in again; the kernel has forgotten the route to its pods. */
export function healLink(node) {
  run('ip', 'link', 'set', node.link, 'up');
  addPodRoute(node);
}

function addPodRoute(node) {
  run('ip', 'route', 'replace', node.podSubnet, 'via', node.address);
}

// "ip netns exec" would mount another /sys, without cgroups.
function inside(node, ...command) {
  run('nsenter', `--net=/run/netns/${node.namespace}`, ...command);
}

function run(program, ...args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Failure(
      `"${[program, ...args].join(' ')}" failed: ${String(error.stderr ?? error.message).trim()}. ` +
        'A node needs root, network namespaces and veth interfaces; use --nodes 0 where they are missing.',
    );
  }
}

function attempt(...command) {
  try {
    run(...command);
  } catch {
    // What is not there need not be removed.
  }
}
