import type { ClusterView } from './cluster-view';
import { field, objectAt, objectsAt, textAt, textMapAt, textsAt, quantitiesAt } from './json-field';
import { podRequests } from './pod-resources';
import type { ViewObject } from './view-object';
import { matchesNode, readNodeSelector } from '../allocator';
import type { AllocationNode } from '../allocator';
import type { JsonObject } from '../manifests/manifest-set';
import { handoverTaint } from '../node-contract';
import { Quantity } from '../quantity';

/** A rule of the scheduler that has nothing to do with devices. */
export type NodeRule = 'cordoned' | 'node-name' | 'taint' | 'affinity' | 'features' | 'resources';

/** Why a node is out, whatever its devices. */
export interface NodeObjection {
  readonly rule: NodeRule;
  /** What is wrong, equal for nodes that are out for the same reason. */
  readonly detail: string;
  /** The way out, an imperative; '' when the node can never do. */
  readonly remedy: string;
}

/** The pod's side of every comparison with a node, read once. */
export class PodDemand {
  private readonly requests: ReadonlyMap<string, Quantity>;
  private readonly tolerations: readonly JsonObject[];
  private readonly nodeSelector: Readonly<Record<string, string>>;
  private readonly features: readonly string[];

  /**
   * @param devices Extended resources that devices answer on nodes that do not offer them.
   * @param isHiddenByZero Whether an offer of 0, which a device plugin leaves behind, hides devices from the scheduler too (1.34).
   */
  public constructor(
    private readonly view: ClusterView,
    private readonly pod: ViewObject,
    private readonly devices: ReadonlySet<string> = new Set(),
    private readonly isHiddenByZero = false,
  ) {
    this.requests = podRequests(pod.value);
    this.tolerations = objectsAt(pod.value, 'spec', 'tolerations');
    this.nodeSelector = textMapAt(pod.value, 'spec', 'nodeSelector');
    this.features = neededFeatures(pod.value);
  }

  /** Every rule that keeps the pod off a node, in the order of the scheduler's filters; none when only devices can. */
  public objectionsTo(node: ViewObject): readonly NodeObjection[] {
    const cordon = this.cordon(node);
    return [cordon, this.nodeName(node), this.taint(node, cordon !== undefined), ...this.affinity(node), this.undeclared(node), this.shortage(node)]
      .flatMap(one => one ?? []);
  }

  private cordon({ value }: ViewObject): NodeObjection | undefined {
    if (field(value, 'spec', 'unschedulable') !== true) return undefined;
    const taint = { key: UNSCHEDULABLE, effect: 'NoSchedule' };
    if (this.tolerations.some(toleration => tolerates(toleration, taint))) return undefined;
    return { rule: 'cordoned', detail: 'cordoned', remedy: 'uncordon the node' };
  }

  private nodeName(node: ViewObject): NodeObjection | undefined {
    const wanted = textAt(this.pod.value, 'spec', 'nodeName');
    return wanted === '' || wanted === node.name ? undefined : { rule: 'node-name', detail: `not ${wanted}, which the pod names`, remedy: 'make the pod without spec.nodeName' };
  }

  /** The scheduler names the first taint; who tolerates that alone meets the next. */
  private taint({ value }: ViewObject, isCordoned: boolean): NodeObjection | undefined {
    const taints = objectsAt(value, 'spec', 'taints').filter(one => {
      const effect = textAt(one, 'effect');
      // The cordon is told before, with its own words; what is left of one that is lifted counts like any taint.
      return (effect === 'NoSchedule' || effect === 'NoExecute') && !(isCordoned && textAt(one, 'key') === UNSCHEDULABLE)
        && !this.tolerations.some(toleration => tolerates(toleration, one));
    });
    if (taints.length === 0) return undefined;
    const shown = taints.map(showTaint).join(', ');
    const isMoving = taints.some(isHandover);
    const ends = [...new Set(taints.flatMap(one => endOf(one) ?? []))];
    const others = taints.filter(one => endOf(one) === undefined).map(showTaint);
    const [s, it] = others.length === 1 ? ['', 'it'] : ['s', 'them'];
    const tolerate = others.length === 0 ? [] : [`tolerate the node taint${s} ${others.join(', ')} in the pod, or remove ${it} from the node`];
    return {
      rule: 'taint',
      detail: isMoving ? `in handover (tainted ${shown}), so that neither a device plugin nor a DRA driver takes new pods there` : `tainted ${shown}`,
      remedy: [...ends, ...tolerate].join(', and '),
    };
  }

  private affinity({ name, value }: ViewObject): readonly NodeObjection[] {
    const labels = textMapAt(value, 'metadata', 'labels');
    const missing = Object.entries(this.nodeSelector).filter(([key, wanted]) => labels[key] !== wanted).map(([key, wanted]) => `${key}=${wanted}`).sort();
    const objections: NodeObjection[] = [];
    if (missing.length > 0) {
      const [s, it] = missing.length === 1 ? ['', 'it'] : ['s', 'them'];
      const shown = missing.join(', ');
      objections.push({
        rule: 'affinity',
        detail: `without the label${s} ${shown} of the pod's nodeSelector`,
        remedy: `label the node with ${shown}, or drop ${it} from the pod's nodeSelector`,
      });
    }
    const required = field(this.pod.value, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
    if (required !== undefined && !matchesAffinity(required, { name, labels, declaredFeatures: [] })) {
      objections.push({ rule: 'affinity', detail: `outside the required node affinity of the pod${conditionsText(required)}`, remedy: 'widen the required node affinity of the pod' });
    }
    return objections;
  }

  private undeclared({ value }: ViewObject): NodeObjection | undefined {
    if (this.features.length === 0) return undefined;
    const declared = textsAt(value, 'status', 'declaredFeatures');
    const missing = this.features.find(feature => !declared.includes(feature));
    if (missing === undefined || !this.view.all('Node').some(node => textsAt(node.value, 'status', 'declaredFeatures').length > 0)) return undefined;
    return { rule: 'features', detail: `without the declared feature ${missing}`, remedy: `upgrade the kubelet of the node, so that it declares ${missing}` };
  }

  private shortage(node: ViewObject): NodeObjection | undefined {
    const allocatable = quantitiesAt(node.value, 'status', 'allocatable');
    const pods = this.view.podsOn(node.name).filter(pod => pod.uid !== this.pod.uid || pod.name !== this.pod.name);
    const room = allocatable.get('pods');
    if (room !== undefined && room.compareTo(Quantity.of(BigInt(pods.length + 1))) < 0) {
      return { rule: 'resources', detail: `full: ${pods.length} of ${room.toString()} places for pods are taken`, remedy: 'end a pod of the node' };
    }
    for (const [name, wanted] of this.requests) {
      const offered = allocatable.get(name);
      if (this.devices.has(name) && (offered === undefined || (offered.isZero() && !this.isHiddenByZero))) continue;
      if (wanted.isZero()) continue;
      let free = offered ?? Quantity.of(0n);
      for (const pod of pods) {
        const used = this.requestsOf(pod).get(name);
        if (used) free = free.sub(used);
      }
      if (free.compareTo(wanted) >= 0) continue;
      const shown = free.sign() < 0 ? '0' : free.toString();
      const offer = offered === undefined || offered.isZero() ? `has no ${name}` : `has ${shown} of ${offered.toString()} ${name} free`;
      const isLeftover = offered?.isZero() === true;
      const why = isLeftover ? 'a device plugin was there and left an offer of 0, so that before 1.35' : 'while its device plugin offers any,';
      const plugin = this.devices.has(name) ? `; ${why} DRA devices are not asked there` : '';
      const less = shown === '0' ? [] : [`ask for at most ${shown} of ${name}`];
      const fits = offered !== undefined && offered.compareTo(wanted) >= 0;
      return {
        rule: 'resources',
        detail: `short of ${name}: the pod asks for ${wanted.toString()}, the node ${offer}${plugin}`,
        remedy: isLeftover && this.devices.has(name)
          ? `remove ${name} from the node's status, or make the node anew`
          : [...(fits ? [`free ${wanted.toString()} of ${name} on the node`] : []), ...less].join(', or '),
      };
    }
    return undefined;
  }

  private requestsOf(pod: ViewObject): ReadonlyMap<string, Quantity> {
    let requests = REQUESTS.get(pod.value);
    if (requests === undefined) REQUESTS.set(pod.value, requests = podRequests(pod.value));
    return requests;
  }
}

/** The taint that stands for a cordon. */
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** Taints that Kubernetes sets by the state of a node, and sets again when somebody removes them. */
const KEPT_BY_CONTROLLERS: ReadonlyMap<string, string> = new Map([
  ['node.kubernetes.io/not-ready', 'make the node ready (its kubelet says why it is not)'],
  ['node.kubernetes.io/unreachable', 'bring the kubelet of the node back, which does not report'],
  ['node.kubernetes.io/network-unavailable', 'let the network of the node come up'],
  ['node.kubernetes.io/memory-pressure', 'free memory on the node'],
  ['node.kubernetes.io/disk-pressure', 'free disk space on the node'],
  ['node.kubernetes.io/pid-pressure', 'end processes on the node'],
  [UNSCHEDULABLE, 'wait until Kubernetes takes the taint of the cordon off, which is lifted already'],
  ['node.cloudprovider.kubernetes.io/uninitialized', 'let the cloud controller manager initialize the node'],
]);

function isHandover(taint: unknown): boolean {
  return textAt(taint, 'key').startsWith(handoverTaint(''));
}

/** What ends a taint that is neither to be tolerated nor to be removed by hand. */
function endOf(taint: unknown): string | undefined {
  if (isHandover(taint)) return 'let the handover of the node end';
  return KEPT_BY_CONTROLLERS.get(textAt(taint, 'key'));
}

const REQUESTS = new WeakMap<JsonObject, ReadonlyMap<string, Quantity>>();

/** Whether a node selector, as in claims and affinities, admits a node; one that cannot be read admits none. */
export function matchesSelector(selector: unknown, node: AllocationNode): boolean {
  try {
    const nodeSelector = readNodeSelector(selector, 'nodeSelector', false);
    return matchesNode({ allNodes: false, ...(nodeSelector ? { nodeSelector } : {}) }, node) === true;
  } catch {
    return false;
  }
}

/** Whether a required node affinity admits a node: of a term that cannot be read the others are tried (`LazyErrorNodeSelector`). */
function matchesAffinity(affinity: unknown, node: AllocationNode): boolean {
  const terms = field(affinity, 'nodeSelectorTerms');
  return Array.isArray(terms) && terms.some(term => matchesSelector({ nodeSelectorTerms: [term] }, node));
}

/** What an affinity asks for, where it is short enough to be said. */
function conditionsText(affinity: unknown): string {
  const terms = objectsAt(affinity, 'nodeSelectorTerms').map(term => {
    const conditions = [...objectsAt(term, 'matchExpressions'), ...objectsAt(term, 'matchFields')];
    return conditions.map(one => [textAt(one, 'key'), textAt(one, 'operator'), textsAt(one, 'values').join(', ')].filter(part => part !== '').join(' ')).join(' and ');
  });
  const text = terms.join('; or ');
  return text === '' || text.length > MOST_OF_AFFINITY ? '' : ` (${text})`;
}

/** Characters; a longer affinity is better read in the pod. */
const MOST_OF_AFFINITY = 200;

/** A node as selectors see it. */
export function nodeOf({ name, value }: ViewObject): AllocationNode {
  return { name, labels: textMapAt(value, 'metadata', 'labels'), declaredFeatures: textsAt(value, 'status', 'declaredFeatures') };
}

/** Rules of other filters that the pod sets and nobody judges here. */
export function unjudgedRules(pod: JsonObject): readonly string[] {
  const spec = objectAt(pod, 'spec');
  const affinity = objectAt(spec, 'affinity');
  const hostPorts = objectsAt(spec, 'containers').some(container => objectsAt(container, 'ports').some(port => field(port, 'hostPort') !== undefined));
  return [
    ...(objectsAt(affinity, 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution').length > 0 ? ['pod affinity'] : []),
    ...(objectsAt(affinity, 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution').length > 0 ? ['pod anti-affinity'] : []),
    ...(objectsAt(spec, 'topologySpreadConstraints').some(one => textAt(one, 'whenUnsatisfiable') !== 'ScheduleAnyway') ? ['topology spread'] : []),
    ...(objectsAt(spec, 'volumes').some(one => field(one, 'persistentVolumeClaim') !== undefined || field(one, 'ephemeral') !== undefined) ? ['volumes'] : []),
    ...(hostPorts ? ['host ports'] : []),
  ];
}

/** `key=value:effect`, as kubectl shows it. */
export function showTaint(taint: unknown): string {
  const value = textAt(taint, 'value');
  return `${textAt(taint, 'key')}${value === '' ? '' : `=${value}`}:${textAt(taint, 'effect')}`;
}

function tolerates(toleration: JsonObject, taint: unknown): boolean {
  const effect = textAt(toleration, 'effect');
  if (effect !== '' && effect !== textAt(taint, 'effect')) return false;
  const key = textAt(toleration, 'key');
  if (key !== '' && key !== textAt(taint, 'key')) return false;
  const operator = textAt(toleration, 'operator') || 'Equal';
  return operator === 'Exists' || (operator === 'Equal' && key !== '' && textAt(toleration, 'value') === textAt(taint, 'value'));
}

/** Features that a node must declare for this pod (KEP-5328), of those that can be read off a pod. */
function neededFeatures(pod: JsonObject): readonly string[] {
  const containers = [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
  const restartsAll = containers.some(container => objectsAt(container, 'restartPolicyRules').some(rule => textAt(rule, 'action') === 'RestartAllContainers'));
  return restartsAll ? ['RestartAllContainersOnContainerExits'] : [];
}
