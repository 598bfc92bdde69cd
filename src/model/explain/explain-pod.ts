import { boundCause } from './bound-causes';
import { claimCauses } from './claim-causes';
import { contradictions } from './contradictions';
import type { DetailedCause, KnownBug, PodExplanation } from './explanation';
import { fitsNow } from './fits-now';
import { named } from './holders';
import { bugsOfAllocation } from './known-bugs';
import { bindingCauses, extendedCauses, queueCauses } from './queue-causes';
import { lastWord, meaningOf } from './scheduler-words';
import { lacksDevices, schedulingCauses } from './scheduling-causes';
import type { SchedulingAnswer } from './scheduling-causes';
import { asksForDevices, situationOf } from './situation';
import type { Situation } from './situation';
import { listed, sentence } from './wording';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { referenceOf } from '../view/view-object';

/** Why a pod is where it is, and what would help; undefined when the view does not have it. Never throws, whatever the objects hold. */
export function explainPod(view: ClusterView, namespace: string, name: string, target: Target): PodExplanation | undefined {
  const pod = view.find('Pod', namespace, name);
  if (pod === undefined) return undefined;
  const situation = situationOf(view, pod, target);
  const causes = [...causesOf(situation), ...contradictions(situation)] as const;
  const [{ bugs: _, ...main }, ...others] = causes;
  return {
    pod: referenceOf(pod),
    kubernetes: target.minor,
    ...main,
    others: others.map(({ cause, because }) => ({ cause, because })),
    knownBugs: distinct([...causes.flatMap(({ bugs = [] }) => bugs), ...bugsOfAllocation(situation)]),
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
  if (first === undefined) {
    const isAnswered = scheduling.fitting.length > 0 || scheduling.defect !== undefined;
    return isAnswered ? [fitsNow(situation, scheduling)] : missingInput(situation);
  }
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

function missingInput(situation: Situation): [DetailedCause, ...DetailedCause[]] {
  const { pod, unknown, view } = situation;
  const word = lastWord(view, pod);
  const meaning = word && meaningOf(word.message);
  if (!view.isKnown('Node')) unknown.add('nodes');
  lacksDevices(situation);
  const missing: DetailedCause = {
    cause: 'DRA205',
    because: `What is needed for an answer is missing from the input${unknown.size === 0 ? '' : `: ${listed([...unknown].sort())}`}.`,
    objects: [named(pod, 'pod')],
    help: [{ text: 'take the whole cluster with kubectl-dra collect, or add the missing objects', kind: 'wait' }],
  };
  if (word === undefined || meaning?.cause === undefined) return [missing];
  return [missing, { cause: meaning.cause, because: `The scheduler said: ${sentence(word.message)} That is to say: ${meaning.meaning}.`, objects: [], help: [] }];
}

function distinct(bugs: readonly KnownBug[]): readonly KnownBug[] {
  return bugs.filter((bug, i) => bugs.findIndex(({ id }) => id === bug.id) === i);
}

const NOTHING: SchedulingAnswer = { causes: [], fitting: [], stock: '' };
