import type { Failure } from './failure';

/** What goes wrong when a node agent publishes its devices. */
export const NODE_SLICE_FAILURES: readonly Failure[] = [
  {
    code: 'DRA370',
    name: 'device-refused',
    title: 'The API server refuses a device as invalid',
    severity: 'error',
    failureClass: 'terminal',
    told: 'platform',
    why: 'A server judges a slice as a whole, so one wrong device would withhold all of the node. The agent leaves out the one that the server names.',
    fix: 'Read the message; it names the field. Shorten or drop what the backend publishes there.',
    source: 'kubernetes/kubernetes pkg/apis/resource/validation; kubernetes-sigs/dranet#300',
  },
  {
    code: 'DRA371',
    name: 'slice-altered',
    title: 'The API server stores a slice otherwise than it was sent',
    severity: 'warning',
    told: 'platform',
    why: 'Fields of a feature that is off at the server are dropped without a word. The agent asks the server anew what it keeps and publishes that.',
    fix: 'Switch the feature on at the API server, or leave it out of the backend.',
    source: 'kubernetes/kubernetes pkg/registry/resource/resourceslice/strategy.go',
  },
  {
    code: 'DRA372',
    name: 'inventory-empty',
    title: 'All devices of a node vanished at once',
    severity: 'error',
    failureClass: 'retryable',
    told: 'hardware',
    why: 'A kernel driver that is not loaded or a mount that is missing looks like a node without devices. The slices stay for a minute, tainted where the server keeps taints.',
    fix: 'Look at the kernel driver and at the host folders of the agent on this node.',
    source: 'docs/node-agent.md',
  },
  {
    code: 'DRA373',
    name: 'device-not-expressible',
    title: 'A device cannot be published on this cluster',
    severity: 'warning',
    told: 'platform',
    why: 'Without counters the scheduler would hand out a whole card and its partitions together, and without shares a shared device to one claim; on 1.34 a card with all its partitions must fit into one slice.',
    fix: 'Switch DRAPartitionableDevices or DRAConsumableCapacity on, upgrade, or let the backend offer whole devices only.',
    source: 'KEP-4815',
  },
];
