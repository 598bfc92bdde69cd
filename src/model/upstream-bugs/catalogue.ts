import type { UpstreamBug } from './upstream-bug';
import { MINORS } from '../target/versions';

/*
 * Read at k8s.io/dynamic-resource-allocation v0.34.4 to v0.37.2 and k8s.io/kubernetes v1.34.4 to v1.37.2; patch releases by comparing
 * the modules of neighbouring ones.
 */

/** The mistakes that are known, those that hold pods first. */
export const UPSTREAM_BUGS = [
  {
    id: 'all-mode-foreign-pool',
    what: 'mode `All` fails the whole attempt when any pool seen from the node is incomplete or invalid, also one of another driver',
    minors: MINORS,
    wayOut: 'let the driver publish its pool completely and without faults (restart it), or ask for a count in place of all',
  },
  {
    id: 'counters-of-all-nodes',
    what: 'a faulty pool with counter sets is looked at for every node, not only for its own',
    minors: ['1.35', '1.36'],
    wayOut: 'let the driver of that node publish its pool completely and without faults (restart it)',
  },
  {
    id: 'foreign-invalid-pool',
    what: 'an invalid pool of an unrelated driver turns "does not fit" into an error about the pool, in 1.34 one that ends the whole attempt',
    minors: MINORS,
    wayOut: 'let the driver publish its pool without faults, so that its error no longer hides what holds the pod',
  },
  {
    id: 'counters-by-pool-name',
    what: 'counters of two drivers are mixed up when their pools have one name, which is usually the node\'s',
    minors: ['1.35', '1.36'],
    mended: { 1.36: 4 },
    wayOut: 'upgrade to 1.36.4, keep pods with partitions of the two drivers on different nodes, or let a driver name its pools otherwise',
  },
  {
    id: 'counter-sets-apart',
    what: 'counter sets in slices of their own (the layout from 1.35 on) limit nothing: partitions are given out as if each had all to itself',
    minors: ['1.34'],
    wayOut: 'use a release of the driver that publishes for 1.34, with counter sets beside the devices, or upgrade the cluster',
  },
  {
    id: 'capacity-recheck',
    what: 'with `DRAConsumableCapacity` a request for more devices than the slice of one of them has makes the scheduler panic',
    minors: ['1.34'],
    wayOut: 'switch DRAConsumableCapacity off, ask for one device in each request, or upgrade to 1.35',
  },
  {
    // C-082
    id: 'all-mode-with-counters',
    what: 'mode `All` makes the scheduler panic at a device that consumes counters',
    minors: ['1.35', '1.36'],
    mended: { 1.35: 6, 1.36: 2 },
    thread: 'kubernetes/kubernetes#138882',
    wayOut: 'upgrade to 1.35.6 or 1.36.2, or ask for a count in place of all',
  },
  {
    // C-127
    id: 'shared-claim-score',
    what: 'a pod with an allocated claim and a new one is not bound while several nodes fit: scoring counts new allocations only',
    minors: ['1.35', '1.36'],
    mended: { 1.35: 6, 1.36: 2 },
    thread: 'kubernetes/kubernetes#139016',
    wayOut: 'upgrade to 1.35.6 or 1.36.2, or let the pod fit on one node only (nodeSelector), so that no node is scored',
  },
  {
    // C-058
    id: 'list-attribute',
    what: 'one list-typed attribute fails every selector on its device, even `true`; 1.37 reads it with the gate off too',
    minors: ['1.36'],
    wayOut: 'let the driver publish single values, or upgrade to 1.37',
  },
  {
    id: 'capacity-name',
    what: 'a qualified capacity name does not meet an unqualified one',
    minors: MINORS,
    thread: 'kubernetes/kubernetes#142202',
    wayOut: 'ask for the capacity by the very name that the device publishes',
  },
  {
    id: 'capacity-step-in-units',
    what: 'rounding a capacity to `step` counts whole units: `300m` with step `250m` takes 1; from 1.37 on `DRAFractionalCapacityRange` mends it',
    minors: MINORS,
    wayOut: 'ask for whole units, or let the driver publish steps of whole units',
  },
  {
    id: 'admin-access-takes-capacity',
    what: 'an admin-access request consumes capacity of a shared device and is refused when it is full',
    minors: MINORS,
    wayOut: 'end a share of the device, or look at it through another one',
  },
  {
    id: 'distinct-within-request',
    what: '`distinctAttribute` compares with the last device of a request only: values 1, 2, 1 pass for `count: 3`',
    minors: ['1.34', '1.35', '1.36'],
    wayOut: 'write a request of one device for each in place of a count (from 1.35 on they are told apart)',
  },
  {
    id: 'distinct-across-requests',
    what: 'the same for three requests of one device each',
    minors: ['1.34'],
    wayOut: 'select the values one by one in place of the constraint',
  },
  {
    id: 'shares-free-of-counters',
    what: 'shares of a device count for nothing among its counters, so that two partitions of one thing can be given out',
    minors: ['1.34', '1.35', '1.36'],
    mended: { 1.36: 2 },
    thread: 'kubernetes/kubernetes#139034',
    wayOut: 'upgrade to 1.36.2, or do not publish devices that consume counters and can be shared',
  },
  {
    id: 'slice-deletion-wakes-nobody',
    what: 'deleting a ResourceSlice wakes no waiting pod, also where the slice was in the way',
    minors: MINORS,
    wayOut: 'touch the class of the devices (kubectl annotate deviceclass), or wait for five minutes',
  },
  {
    id: 'claim-deletion-wakes-nobody',
    what: 'deleting a claim that something other than the scheduler allocated, without its finalizer, wakes no waiting pod',
    minors: ['1.34', '1.35', '1.36'],
    wayOut: 'touch the class of the devices afterwards (kubectl annotate deviceclass), or wait for five minutes',
  },
  {
    id: 'class-edit-wakes-nobody',
    what: 'mapping an extended resource to a class wakes no waiting pod',
    minors: ['1.34'],
    wayOut: 'recreate the pod, or wait for five minutes',
  },
  {
    id: 'capacity-step-format',
    what: 'rounding a capacity to `step` gives binary suffixes: `1500M` with step `1G` becomes `1953125Ki`; 1.37 says `2G`',
    minors: ['1.34', '1.35', '1.36'],
  },
  {
    id: 'config-repeated',
    what: 'a claim config that names n requests is in the result n times',
    minors: ['1.34', '1.35', '1.36'],
  },
  {
    id: 'sign-is-a-function',
    what: '`sign` of a quantity is a function, `sign(q)`, and not the documented method',
    minors: MINORS,
  },
  {
    id: 'unknown-domain',
    what: 'an unknown domain is an empty map when indexed, while `in` says that it is not there',
    minors: MINORS,
  },
  {
    id: 'cost-limit-not-kept',
    what: 'the cost limit of the API server does not stop the scheduler from evaluating an expression',
    minors: MINORS,
  },
] as const satisfies readonly UpstreamBug[];

export type UpstreamBugId = typeof UPSTREAM_BUGS[number]['id'];

export function upstreamBug(id: UpstreamBugId): UpstreamBug {
  return UPSTREAM_BUGS.find(bug => bug.id === id) as UpstreamBug;
}
