import type { ClusterView } from '../view/cluster-view';
import { messageOf } from '../view/cluster-view';
import { objectsAt, textAt } from '../view/json-field';
import type { ViewObject } from '../view/view-object';

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Whom a pod leaves its scheduling to. */
export function schedulerOf({ value }: ViewObject): string {
  return textAt(value, 'spec', 'schedulerName') || DEFAULT_SCHEDULER;
}

/** What the scheduler left on a pod when it refused it last. */
export interface SchedulerWord {
  readonly message: string;
  /** Whether it gave up with an error: it then tries again by itself, after a pause, without waiting for a change. */
  readonly isError: boolean;
  /** '' when unknown. */
  readonly time: string;
}

/** The condition of the pod, which is written anew with each attempt, or else the last event. */
export function lastWord(view: ClusterView, pod: ViewObject): SchedulerWord | undefined {
  const condition = objectsAt(pod.value, 'status', 'conditions').find(one => textAt(one, 'type') === 'PodScheduled' && textAt(one, 'status') === 'False');
  const message = textAt(condition, 'message');
  if (condition !== undefined && message !== '' && textAt(condition, 'reason') !== 'SchedulingGated') {
    return { message, isError: textAt(condition, 'reason') === 'SchedulerError', time: textAt(condition, 'lastTransitionTime') };
  }
  const event = view.eventsOf(pod).filter(one => textAt(one.value, 'reason') === 'FailedScheduling').pop();
  if (event === undefined) return undefined;
  const said = messageOf(event);
  return { message: said, isError: !/^\d+\/\d+ nodes are available/.test(said), time: textAt(event.value, 'lastTimestamp') || textAt(event.value, 'eventTime') };
}

/** What one of the scheduler's texts about devices means. */
export interface Meaning {
  readonly text: RegExp;
  /** Code of `model/failures`; absent where the text alone says too little. */
  readonly cause?: string;
  /** A clause, for people. */
  readonly meaning: string;
}

/** The meaning of a message of the scheduler, whole as it stands on a pod; undefined when nothing in it is about devices. */
export function meaningOf(message: string): Meaning | undefined {
  return MEANINGS.find(({ text }) => text.test(message));
}

/*
 * Texts of pkg/scheduler/framework/plugins/dynamicresources in kubernetes v1.34.4, v1.35.4, v1.36.3 and v1.37.2, and of what it calls in
 * k8s.io/dynamic-resource-allocation. Special ones stand before those that may stand beside them.
 */
const MEANINGS: readonly Meaning[] = [
  // Writing the allocation: a policy, such as a fence, may refuse it.
  {
    text: /(?:add (?:allocation and )?reservation to claim|add finalizer to claim|create claim for extended resources|update pod \S+ ExtendedResourceClaimStatus).*(?:denied|forbidden)/s,
    cause: 'DRA213',
    meaning: 'the scheduler found devices, and admission refuses what it writes',
  },
  { text: /reservation to claim.*Too many/s, cause: 'DRA220', meaning: 'the claim has as many consumers as it can have' },
  // Defects.
  {
    text: /number of allocations \d+ is smaller than number of claims|internal error(?:,|: update)|claim allocation not found for node|extended resource claim not found for node/,
    cause: 'DRA208',
    meaning: 'the scheduler contradicts itself',
  },
  {
    text: /unable to convert state into stateData|state is not podGroupStateData|nil allocated state|unexpected object|assumed pod status does not match|invalid DynamicResources state/,
    cause: 'DRA208',
    meaning: 'the scheduler contradicts itself',
  },
  // Claims.
  { text: /ResourceClaim not created yet/, cause: 'DRA214', meaning: 'the claim has not been made from its template' },
  { text: /resourceclaim "?[^"]*"? not found|resourceclaim\.resource\.k8s\.io "[^"]*" not found/, cause: 'DRA211', meaning: 'the claim does not exist' },
  { text: /resourceclaim "[^"]*" is being deleted/, cause: 'DRA216', meaning: 'the claim is being deleted' },
  {
    text: /was not created for (?:[Pp]od|PodGroup) |does not belong to a PodGroup|belongs to PodGroup|is not in the same namespace as Pod/,
    cause: 'DRA215',
    meaning: 'the claim was made for another pod',
  },
  { text: /resourceclaim in use/, cause: 'DRA220', meaning: 'the claim has as many consumers as it can have' },
  {
    text: /node.allocatable resource claim \S+ (?:shared by multiple pods|is already used by another pod|has a mapped device and cannot be shared across pods)/,
    cause: 'DRA220',
    meaning: 'the claim stands for CPU or memory and serves one pod only',
  },
  { text: /node-allocatable resource claim not referenced by any container/, cause: 'DRA240', meaning: 'no container uses the claim, which stands for CPU or memory' },
  { text: /device class \S+ does not exist|could not retrieve device class/, cause: 'DRA218', meaning: 'the class does not exist' },
  // Features.
  {
    text: /feature is disabled|requires DRAOptionalNodeOperations|no allocator available for feature set|no NodeMatches implementation|plugin disabled/,
    cause: 'DRA219',
    meaning: 'a feature that the claim needs is off in the scheduler',
  },
  {
    text: /unknown request type|unsupported (?:request|count mode)|empty constraint|CEL expression empty|missing device class name/,
    cause: 'DRA219',
    meaning: 'the claim uses something that this scheduler does not know: it is older than the API server, or a feature is off',
  },
  // The allocator's errors, which end the attempt.
  { text: /adding \d+ devices exceeds|exceeds the claim limit|exact count \d+ is too large|allocation max size exceeded/, cause: 'DRA262', meaning: 'the claim asks for more devices than a claim can have' },
  { text: /asks for all devices, but|because a claim constraint would not be satisfied/, cause: 'DRA263', meaning: 'a request for all devices cannot be judged at one node, which ends the attempt for all' },
  {
    text: /CEL (?:runtime|compile) error|CEL result of type|derived attribute \S+|convert Device |attribute \S+: |parse semantic version|none of the supported fields are set|CEL environment|must evaluate to|CEL native result|unsupported CEL return type|list element|list size/,
    cause: 'DRA261',
    meaning: 'a selector ends in an error at some device, which ends the attempt for all nodes',
  },
  {
    text: /(?:checking|computing consumed|rechecking) capacity|capacity value is negative|range arithmetic|must be representable in milli units|requested capacity has not been defined|DeviceCapacity|ConsumedCapacity is nil|consumed capacity/,
    cause: 'DRA258',
    meaning: 'a capacity that is asked for, or published, cannot be used',
  },
  {
    text: /pool \S+ is invalid: |duplicate device name|duplicate counter set name|counter set \S+ not found|counter \S+ not found in counter set/,
    cause: 'DRA255',
    meaning: 'a pool is invalid; up to 1.34 that ends the attempt for all nodes',
  },
  {
    text: /node selection for|parse node selector|create NodeSelector|unsupported ResourceSlice\.NodeSelector|failed to add node slice|convert ResourceSlice/,
    cause: 'DRA255',
    meaning: 'a slice says in a way that cannot be read for which nodes it is',
  },
  { text: /invalid resource pools were encountered/, cause: 'DRA255', meaning: 'some pool of the node is invalid, maybe one that has nothing to do with the pod' },
  { text: /timed out trying to allocate devices|filter operation aborted|asked by caller to stop|stop allocation/, cause: 'DRA265', meaning: 'the search for devices did not end in time' },
  // Between choice and start.
  { text: /device binding (?:timeout|failed)|binding failed: reason=|claim \S+ binding timeout/, cause: 'DRA272', meaning: 'the devices that were chosen did not become ready' },
  {
    text: /got (?:deleted|allocated elsewhere|deallocated elsewhere) in the meantime|(?:finalizer|reservation) to claim|get updated claim|(?:get|update) resourceclaim|create claim for extended resources|ExtendedResourceClaimStatus|NodeAllocatableResourceClaimStatuses/,
    cause: 'DRA203',
    meaning: 'somebody else changed the claim, or writing it failed; the scheduler tries again by itself',
  },
  { text: /is in the process of being allocated/, cause: 'DRA203', meaning: 'the claim is just being allocated for another pod' },
  {
    text: /gather allocation state|gather pool information|listing (?:ResourceClaims|resource slices)|retrieving extended resource|processing pod resource claims|device \S+ (?:not found in pool|does not match node)|conflicting concurrent/,
    cause: 'DRA208',
    meaning: 'the scheduler cannot make sense of what it knows of claims and slices',
  },
  // Reasons of single nodes.
  { text: /resourceclaim not available on the node|cannot schedule extended resource claim/, cause: 'DRA217', meaning: 'a claim of the pod is allocated for other nodes' },
  { text: /cannot fit resource/, cause: 'DRA232', meaning: 'neither a device plugin nor a class answers an extended resource there' },
  { text: /is insufficient to cover/, cause: 'DRA240', meaning: 'the pod asks for less CPU or memory than its claims take' },
  { text: /deallocation (?:and deletion )?of (?:PodGroup )?ResourceClaims? completed|deletion of ResourceClaim completed|ResourceClaim unreserved/, cause: 'DRA217', meaning: 'a claim that kept the pod off was released, to be allocated anew' },
  { text: /cannot allocate all claims/, meaning: 'some nodes have no devices that do; the text does not say why' },
  { text: /Insufficient (?!cpu|memory|ephemeral-storage|pods)\S+\/\S+/, meaning: 'some nodes offer too little of an extended resource' },
];
