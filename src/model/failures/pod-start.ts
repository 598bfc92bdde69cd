import type { Failure } from './failure';

/** What holds a pod between the choice of its devices and its start. */
export const POD_START_FAILURES: readonly Failure[] = [
  {
    code: 'DRA270',
    name: 'driver-not-registered',
    title: 'The kubelet of the node has no such driver',
    severity: 'error',
    why: 'The pod is bound, and its devices are prepared only after their driver has registered with the kubelet.',
    fix: 'Start the driver on the node; the kubelet tries again by itself.',
    source: 'kubernetes/kubernetes pkg/kubelet/cm/dra/manager.go',
  },
  {
    code: 'DRA271',
    name: 'prepare-failed',
    title: 'The devices cannot be prepared on the node',
    severity: 'error',
    why: 'The driver, or the kubelet on the way to it, refuses; the kubelet tries again by itself.',
    fix: 'Read the event and the log of the driver on the node.',
    source: 'kubernetes/kubernetes pkg/kubelet/cm/dra/manager.go',
  },
  {
    code: 'DRA272',
    name: 'binding-conditions',
    title: 'The devices are chosen and not ready yet',
    severity: 'warning',
    why: 'The pod is bound only after somebody has set the binding conditions of its devices; after the timeout the scheduler chooses anew.',
    fix: 'Look at the controller that sets them.',
    source: 'KEP-5007',
  },
];
