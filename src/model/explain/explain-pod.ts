import { boundCause } from './bound-causes';
import { claimCauses } from './claim-causes';
import type { DetailedCause, PodExplanation } from './explanation';
import { named } from './holders';
import { bindingCauses, extendedCauses, queueCauses } from './queue-causes';
import { lacksDevices, schedulingCauses } from './scheduling-causes';
import type { SchedulingAnswer } from './scheduling-causes';
import { asksForDevices, situationOf } from './situation';
import type { Situation } from './situation';
import { capitalized, listed } from './wording';
import type { Target } from '../target/target';
import { messageOf } from '../view/cluster-view';
import type { ClusterView } from '../view/cluster-view';
import { textAt } from '../view/json-field';
import { referenceOf } from '../view/view-object';

/** Why a pod is where it is, and what would help; undefined when the view does not have it. Never throws, whatever the objects hold. */
export function explainPod(view: ClusterView, namespace: string, name: string, target: Target): PodExplanation | undefined {
  const pod = view.find('Pod', namespace, name);
  if (pod === undefined) return undefined;
  const situation = situationOf(view, pod, target);
  const [main, ...others] = causesOf(situation);
  return {
    pod: referenceOf(pod),
    kubernetes: target.minor,
    ...main,
    others: others.map(({ cause, because }) => ({ cause, because })),
    unknown: [...situation.unknown].sort(),
  };
}

/** Everything that holds the pod, in the order in which it has to be dealt with; at least one. */
function causesOf(situation: Situation): readonly [DetailedCause, ...DetailedCause[]] {
  const bound = boundCause(situation);
  if (bound) return [bound];
  const claims = claimCauses(situation);
  const queue = queueCauses(situation);
  const binding = bindingCauses(situation);
  const extended = extendedCauses(situation);
  // Without its claim a pod has no devices to look for.
  const isOpen = situation.claims.some(({ state, template, claim }) => claim === undefined && template === undefined && state !== 'not-needed');
  const scheduling: SchedulingAnswer = isOpen || binding.length > 0 || extended.length > 0 ? NOTHING : schedulingCauses(situation);
  const before = [...claims, ...queue, ...binding, ...extended];
  const further = scheduling.causes.filter(({ cause }) => !before.some(one => one.cause === cause));
  if (!asksForDevices(situation)) return [noDevices(situation, [...queue, ...scheduling.causes]), ...queue, ...scheduling.causes];
  const [first, ...rest] = [...before, ...further];
  if (first === undefined) return [scheduling.fitting.length === 0 ? missingInput(situation) : fitsNow(situation, scheduling)];
  if (before.length > 0 && scheduling.fitting.length > 0 && queue.includes(first)) {
    return [{ ...first, because: `${first.because} Devices are no obstacle: ${scheduling.stock}, and the pod fits on ${listed(scheduling.fitting, 'and', 4)}.` }, ...rest];
  }
  return [first, ...rest];
}

function noDevices({ pod }: Situation, found: readonly DetailedCause[]): DetailedCause {
  return {
    cause: 'DRA202',
    because: `The pod asks for no devices, neither by claims nor by an extended resource: Dynamic Resource Allocation has nothing to do with its waiting.${found.length === 0 ? ' Nothing here says what else holds it.' : ` ${found[0].because}`}`,
    objects: [named(pod, 'pod')],
    help: found[0]?.help ?? [],
  };
}

function missingInput(situation: Situation): DetailedCause {
  const { pod, unknown, view } = situation;
  if (!view.isKnown('Node')) unknown.add('nodes');
  lacksDevices(situation);
  return {
    cause: 'DRA205',
    because: `What is needed for an answer is missing from the input${unknown.size === 0 ? '' : `: ${listed([...unknown].sort())}`}.`,
    objects: [named(pod, 'pod')],
    help: [{ text: 'take the whole cluster with kubectl-dra collect, or add the missing objects', kind: 'wait' }],
  };
}

function fitsNow(situation: Situation, { fitting, stock }: SchedulingAnswer): DetailedCause {
  const { pod, view } = situation;
  const last = view.eventsOf(pod).filter(event => textAt(event.value, 'reason') === 'FailedScheduling').map(messageOf).pop();
  return {
    cause: 'DRA203',
    because: `Nothing in these objects holds the pod: it fits on ${listed(fitting, 'and', 4)}${stock === '' ? '' : ` (${stock})`}. The scheduler has not come to it since things changed, does not run, or knows what is not here.`
      + (last === undefined ? ' It has left no word on the pod.' : ` Its last word, maybe out of date: ${capitalized(last)}`),
    objects: [named(pod, 'pod'), ...fitting.slice(0, 4).map(name => ({ kind: 'Node', name, role: 'node' as const }))],
    help: [{ text: 'wait for the next attempt of the scheduler (within about five minutes while it runs), or label the pod to have it tried at once', kind: 'wait' }],
  };
}

const NOTHING: SchedulingAnswer = { causes: [], fitting: [], stock: '' };
