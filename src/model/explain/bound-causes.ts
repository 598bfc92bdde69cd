import type { DetailedCause } from './explanation';
import { named } from './holders';
import type { Situation } from './situation';
import { listed } from './wording';
import { messageOf } from '../view/cluster-view';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';
import { isAllocated } from '../view/pod-claims';

/** How a pod that has a node is doing: running, ended, or held by the preparation of its devices. */
export function boundCause(situation: Situation): DetailedCause | undefined {
  const { pod, view } = situation;
  const phase = textAt(pod.value, 'status', 'phase');
  const node = textAt(pod.value, 'spec', 'nodeName');
  if (node !== '' && view.isKnown('Node') && view.find('Node', '', node) === undefined) situation.unknown.add(`node ${node}, to which the pod is bound: it is not there`);
  const objects = [named(pod, 'pod'), ...situation.claims.flatMap(({ claim }) => (claim ? [named(claim, 'claim')] : []))];
  if (phase === 'Succeeded' || phase === 'Failed') {
    const why = [textAt(pod.value, 'status', 'reason'), textAt(pod.value, 'status', 'message')].filter(text => text !== '').join(': ');
    return { cause: 'DRA201', because: `The pod has ended (${phase}${why === '' ? '' : `, ${why}`}): it waits for nothing and holds no devices.`, objects, help: [] };
  }
  if (field(pod.value, 'metadata', 'deletionTimestamp') !== undefined) {
    // C-002
    const absent = node === '' ? [] : absentDrivers(situation, node);
    return {
      cause: 'DRA206',
      because: `The pod is being deleted${node === '' ? ' and is not scheduled any more' : `; it stays until the kubelet of ${node} has given its devices back`}.`
        + absent.map(driver => ` But driver ${driver} publishes nothing for node ${node}: while it is not there, nobody can give the devices back.`).join(''),
      objects,
      help: node === '' ? [] : absent.length > 0
        ? [{ text: `start driver ${listed(absent)} on node ${node} again; a driver has to outlive the pods that have its devices`, kind: 'repair-driver' }]
        : [{ text: `if it stays: look at the driver and the kubelet of node ${node}, which retry without end`, kind: 'repair-driver' }],
    };
  }
  if (node === '') return undefined;
  if (phase === 'Running') {
    return { cause: 'DRA200', because: [`The pod runs on node ${node}${devicesText(situation)}.`, ...strayMappings(situation)].join(' '), objects, help: [] };
  }
  const failed = view.eventsOf(pod).filter(event => textAt(event.value, 'reason') === 'FailedPrepareDynamicResources').map(messageOf).pop();
  if (failed !== undefined) return prepareCause(node, failed, objects);
  const unallocated = situation.claims.flatMap(({ claim }) => (claim !== undefined && !isAllocated(claim) ? [claim.name] : []));
  if (unallocated.length > 0) {
    return {
      cause: 'DRA271',
      because: `The pod has node ${node}, but ${listed(unallocated)} ${unallocated.length === 1 ? 'is' : 'are'} not allocated: only the scheduler allocates, and a pod that names its node passes it by.`,
      objects,
      help: [{ text: 'make the pod without spec.nodeName, with a node selector instead', kind: 'change-pod' }],
    };
  }
  const stray = strayMappings(situation);
  if (stray.length > 0) {
    return {
      cause: 'DRA271',
      because: `The pod is bound to node ${node}. ${stray.join(' ')}`,
      objects,
      help: [{ text: 'recreate the pod and let kube-scheduler write its status and its claim', kind: 'change-pod' }],
    };
  }
  return {
    cause: 'DRA204',
    because: `The pod is bound to node ${node}${devicesText(situation)} and has not started yet; nothing here says that its devices are in the way${waitingText(situation)}.`,
    objects,
    help: [{ text: `look at the events of the pod and at the kubelet of node ${node}`, kind: 'wait' }],
  };
}

function prepareCause(node: string, message: string, objects: DetailedCause['objects']): DetailedCause {
  const text = message.replace(/^Failed to prepare dynamic resources: (prepare dynamic resources: )?/, '');
  const absent = absentDriver(text);
  const place = [{ kind: 'Node', name: node, role: 'node' as const }, ...objects];
  if (absent !== undefined) {
    return {
      cause: 'DRA270',
      because: `The pod is bound to node ${node}, whose kubelet ${absent.because}`,
      objects: place,
      help: [{ text: `start driver ${absent.driver} on node ${node} (does its DaemonSet tolerate the taints of the node?); the kubelet then tries again by itself`, kind: 'repair-driver' }],
    };
  }
  const known = PREPARE_CLASSES.find(one => one.text.test(text));
  return {
    cause: 'DRA271',
    because: `The pod is bound to node ${node}, but its devices cannot be prepared: ${text}${known === undefined ? '' : ` (${known.meaning})`}`,
    objects: place,
    help: [{ text: known?.help ?? `read the log of the driver on node ${node}; the kubelet tries again by itself`, kind: 'repair-driver' }],
  };
}

/** A driver that is not there, in the words of kubelet; one that was killed leaves its socket, and stays registered for a while. */
function absentDriver(text: string): { readonly driver: string; readonly because: string } | undefined {
  const unregistered = /DRA driver (\S+) is not registered/.exec(text)?.[1];
  if (unregistered !== undefined) return { driver: unregistered, because: `has no driver ${unregistered}: it is not running there, or has not registered.` };
  const silent = /unix (?:@->)?\S*\/plugins\/([^/\s]+)\/[^:\s]+: (?:connect|read|write): (?:connection refused|connection reset by peer|broken pipe|no such file or directory)/.exec(text)?.[1];
  if (silent !== undefined) return { driver: silent, because: `reaches no driver ${silent}: nobody answers at the socket that it registered.` };
  return undefined;
}

/** Texts of `pkg/kubelet/cm/dra/manager.go` around what a driver says. */
const PREPARE_CLASSES: readonly { readonly text: RegExp; readonly meaning: string; readonly help: string }[] = [
  { text: /is not allowed to use ResourceClaim/, meaning: 'the claim is not reserved for the pod', help: 'recreate the pod, so that the scheduler reserves the claim for it' },
  { text: /: not allocated/, meaning: 'the claim has lost its allocation', help: 'recreate the pod, so that the claim is allocated again' },
  {
    text: /old ResourceClaim with same name/,
    meaning: 'the kubelet still holds a claim of that name from before',
    help: 'wait until the kubelet has given the old claim back; if it stays, drain the node and remove the DRA state file',
  },
  {
    // C-086
    text: /could not find the requested resource/,
    meaning: 'the kubelet and the API server have no version of resource.k8s.io in common',
    help: 'bring the kubelet to a minor that is at most three older than that of the API server and not newer, and see that resource.k8s.io/v1 is served',
  },
  { text: /fetch ResourceClaim/, meaning: 'the kubelet could not read the claim', help: 'look at the connection of the kubelet to the API server; it tries again by itself' },
  { text: /DeadlineExceeded|context deadline exceeded/, meaning: 'the driver did not answer within 45 s', help: 'look at the driver: it hangs or is overloaded' },
];

/** C-122: what the status of a pod says of its extended resources, and its claim does not. */
function strayMappings({ pod, view }: Situation): readonly string[] {
  const status = objectAt(pod.value, 'status', 'extendedResourceClaimStatus');
  const name = textAt(status, 'resourceClaimName');
  const claim = name === '' ? undefined : view.find('ResourceClaim', pod.namespace, name);
  if (name === '' || (claim === undefined && !view.isKnown('ResourceClaim'))) return [];
  const requests = objectsAt(claim?.value, 'spec', 'devices', 'requests').map(request => textAt(request, 'name'));
  return objectsAt(status, 'requestMappings').filter(one => !requests.includes(textAt(one, 'requestName'))).map(one => {
    return `Its status maps ${textAt(one, 'resourceName')} of container ${textAt(one, 'containerName')} to request ${textAt(one, 'requestName')} of claim ${name}, `
      + `${claim === undefined ? 'which does not exist' : 'which has no such request'}: the kubelet gives the container no device for it. kube-scheduler does not write that.`;
  });
}

/** Drivers that have given the pod devices of its node and publish none there any more; kubelet takes their slices away when they are gone. */
function absentDrivers({ claims, view }: Situation, node: string): readonly string[] {
  if (!view.isKnown('ResourceSlice')) return [];
  const drivers = claims.flatMap(({ claim }) => objectsAt(claim?.value, 'status', 'allocation', 'devices', 'results')).map(result => textAt(result, 'driver'));
  const published = new Set(view.all('ResourceSlice').filter(({ value }) => {
    return textAt(value, 'spec', 'nodeName') === node || textAt(value, 'spec', 'nodeName') === '';
  }).map(({ value }) => textAt(value, 'spec', 'driver')));
  return [...new Set(drivers)].filter(driver => driver !== '' && !published.has(driver)).sort();
}

function devicesText({ claims }: Situation): string {
  const devices = claims.flatMap(({ claim }) => (claim === undefined || !isAllocated(claim) ? [] : objectsAt(claim.value, 'status', 'allocation', 'devices', 'results')))
    .map(result => `${textAt(result, 'driver')}/${textAt(result, 'pool')}/${textAt(result, 'device')}`);
  return devices.length === 0 ? '' : ` with ${listed(devices)}`;
}

/** What containers say of themselves. */
function waitingText({ pod }: Situation): string {
  const reasons = [...objectsAt(pod.value, 'status', 'initContainerStatuses'), ...objectsAt(pod.value, 'status', 'containerStatuses')]
    .flatMap(status => textAt(status, 'state', 'waiting', 'reason') || []);
  const distinct = [...new Set(reasons)];
  return distinct.length === 0 ? '' : `; its containers say ${listed(distinct)}`;
}
