import { claimDemand, extendedClaim } from './device-demand';
import type { DetailedCause } from './explanation';
import { classStock } from './free-devices';
import { named } from './holders';
import { DEFAULT_SCHEDULER, schedulerOf } from './scheduler-words';
import { offers } from './situation';
import type { Situation } from './situation';
import { capitalized, listed } from './wording';
import { nearest } from '../near-miss';
import type { Target } from '../target/target';
import { sourceOf } from '../view/cluster-view';
import { field, objectsAt, textAt } from '../view/json-field';
import { isAllocated, isConsumer } from '../view/pod-claims';
import { IMPLICIT_DOMAIN } from '../view/pod-resources';

/** What keeps a pod from being looked at by the scheduler, whatever its claims and nodes. */
export function queueCauses(situation: Situation): readonly DetailedCause[] {
  return [...gateCause(situation), ...schedulerCause(situation)];
}

function gateCause({ pod }: Situation): readonly DetailedCause[] {
  const gates = objectsAt(pod.value, 'spec', 'schedulingGates').map(gate => textAt(gate, 'name'));
  if (gates.length === 0) return [];
  return [{
    cause: 'DRA230',
    because: `The pod has scheduling ${gates.length === 1 ? 'gate' : 'gates'} ${listed(gates)} and so is not scheduled at all.`,
    objects: [named(pod, 'pod')],
    help: [{ text: `remove scheduling ${gates.length === 1 ? 'gate' : 'gates'} ${listed(gates)} (normally done by the queueing system that set it)`, kind: 'remove-gate' }],
  }];
}

/** A scheduler of another name that has left no trace on the pod. */
function schedulerCause({ view, pod }: Situation): readonly DetailedCause[] {
  const scheduler = schedulerOf(pod);
  if (scheduler === DEFAULT_SCHEDULER || field(pod.value, 'status', 'nominatedNodeName') !== undefined) return [];
  const judged = objectsAt(pod.value, 'status', 'conditions').some(one => textAt(one, 'type') === 'PodScheduled' && textAt(one, 'reason') !== 'SchedulingGated');
  if (judged || view.eventsOf(pod).some(event => sourceOf(event) === scheduler)) return [];
  return [{
    cause: 'DRA231',
    because: `The pod leaves its scheduling to ${scheduler}, which has left no event and no condition on it: the default scheduler ignores the pod.`,
    objects: [named(pod, 'pod')],
    help: [{ text: `run scheduler ${scheduler}, or make the pod without spec.schedulerName`, kind: 'change-pod' }],
  }];
}

/** Devices that the scheduler has given to the pod and that somebody has still to make ready. */
export function bindingCauses({ pod, claims }: Situation): readonly DetailedCause[] {
  return claims.flatMap(({ claim }): DetailedCause[] => {
    // Another pod that shares the claim may be waiting for it alone.
    if (claim === undefined || !isAllocated(claim) || !isConsumer(pod, claim)) return [];
    const results = objectsAt(claim.value, 'status', 'allocation', 'devices', 'results');
    const waiting = results.flatMap(result => {
      const wanted = field(result, 'bindingConditions');
      if (!Array.isArray(wanted) || wanted.length === 0) return [];
      const conditions = objectsAt(claim.value, 'status', 'devices')
        .filter(device => ['driver', 'pool', 'device'].every(key => textAt(device, key) === textAt(result, key)))
        .flatMap(device => objectsAt(device, 'conditions'));
      const isTrue = (type: unknown): boolean => conditions.some(condition => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True');
      const open = wanted.filter((type): type is string => typeof type === 'string' && !isTrue(type));
      return open.length === 0 ? [] : [`${textAt(result, 'driver')}/${textAt(result, 'pool')}/${textAt(result, 'device')} waits for ${listed(open)}`];
    });
    if (waiting.length === 0) return [];
    const node = textAt(pod.value, 'status', 'nominatedNodeName');
    return [{
      cause: 'DRA272',
      because: `Claim ${claim.name} is allocated${node === '' ? '' : ` on node ${node}`}, but the pod is not bound until its devices are ready: ${listed(waiting)}.`,
      objects: [named(claim, 'claim')],
      help: [{ text: 'look at the controller or driver that has to set these conditions; without them the scheduler tries anew after its binding timeout (600 s by default)', kind: 'repair-driver' }],
    }];
  });
}

/** Extended resources that neither a device plugin nor a class answers. */
export function extendedCauses(situation: Situation): readonly DetailedCause[] {
  const { view, target, extended, trials, pod } = situation;
  const nodes = view.all('Node');
  if (nodes.length === 0) return [];
  return extended.filter(({ resource, className }) => className === undefined && !nodes.some(node => offers(node, resource))).map(request => {
    const { resource, requests } = request;
    const implicit = implicitClass(resource, target);
    const isOn = target.isOn('DRAExtendedResource', 'kube-scheduler');
    const total = requests.reduce((sum, { count }) => sum + count, 0);
    const classes = view.all('DeviceClass').map(({ name }) => name).filter(name => {
      const { object } = claimDemand('', extendedClaim(pod, [{ ...request, className: name }]), 0);
      return nodes.some(node => trials.fits(node, [object]));
    });
    const mapped = view.all('DeviceClass').filter(one => textAt(one.value, 'spec', 'extendedResourceName') === resource).map(({ name }) => name);
    const unnamed = view.all('DeviceClass').map(({ name }) => name).filter(name => !mapped.includes(name));
    const near = implicit === undefined ? undefined : nearest(implicit, view.all('DeviceClass').map(({ name }) => name));
    const why = implicit !== undefined
      ? `there is no device class ${implicit}${near === undefined ? '' : ` (there is ${near})`}`
      : isOn
        ? 'no device class has it as spec.extendedResourceName'
        : mapped.length > 0
          ? `class ${listed(mapped)} maps to it, but feature gate DRAExtendedResource is off in this ${target.minor} cluster`
          : `no device class maps to it: feature gate DRAExtendedResource is off in this ${target.minor} cluster`
          + (unnamed.length === 0 ? '' : ` and the stored class ${listed(unnamed, 'and', 3)} has no extendedResourceName`);
    const stock = classes.map(name => classStock(situation, name));
    const recreate = target.atLeast('1.35') ? '' : ` and recreate the pod (${target.minor} does not wake a waiting pod for a class edit)`;
    const [meant = ''] = mapped.length > 0 ? mapped : classes;
    return {
      cause: 'DRA232',
      because: `The pod requests ${resource}: ${total}. No node has it (no device plugin), and ${why}.`
        + (stock.length === 0 ? '' : ` ${capitalized(listed(stock))}, which cannot be reached this way.`),
      objects: [named(pod, 'pod'), ...[...mapped, ...classes].filter((name, i, all) => all.indexOf(name) === i).map(name => ({ kind: 'DeviceClass', name, role: 'class' as const }))],
      help: [
        ...(classes.length === 0 ? [] : [{ text: `use a ResourceClaim or template of class ${listed(classes, 'or', 4)} in place of the resource`, kind: 'use-claim' as const }]),
        ...(implicit !== undefined ? [
          { text: `create DeviceClass ${implicit}`, kind: 'create-object' as const },
          ...(near === undefined ? [] : [{ text: `recreate the pod with ${IMPLICIT_DOMAIN}/${near}`, kind: 'change-pod' as const }]),
        ] : [isOn
          ? { text: `set spec.extendedResourceName: ${resource} on ${meant === '' ? 'a class' : `class ${meant}`}${recreate}`, kind: 'enable-feature' as const }
          : { text: `enable gate DRAExtendedResource in kube-apiserver, kube-scheduler and kubelet, set spec.extendedResourceName: ${resource} on ${meant === '' ? 'a class' : `class ${meant}`}${recreate}`, kind: 'enable-feature' as const },
        { text: `install a device plugin that offers ${resource}`, kind: 'repair-driver' as const }]),
      ],
    };
  });
}

/** The class that a resource stands for without naming it: from 1.35 every class has such a resource. */
function implicitClass(resource: string, target: Target): string | undefined {
  const isImplicit = resource.startsWith(`${IMPLICIT_DOMAIN}/`) && target.atLeast('1.35') && target.isOn('DRAExtendedResource', 'kube-scheduler');
  return isImplicit ? resource.slice(IMPLICIT_DOMAIN.length + 1) : undefined;
}
