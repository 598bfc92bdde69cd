import { checkOneOf, checkSize, checkText, checkUnique } from './checks';
import { claimSpecsOf, referencesOf } from './claim-spec';
import type { ClaimRequest, ClaimSpec, DeviceNeed } from './claim-spec';
import { driverOfClass, isMemoryOf } from './known-drivers';
import type { Place } from './place';
import { report, reportProblem } from './report';
import type { Rule, RuleContext } from './rule';
import { checkToleration } from './taints';
import { byteAmountProblem } from '../byte-amount';
import { countProblem, LIMITS } from '../limits';
import type { LimitKey } from '../limits';
import { dnsLabelProblem, dnsSubdomainProblem, fullyQualifiedNameProblem, qualifiedNameProblem } from '../names';
import { nearest } from '../near-miss';
import { show } from '../problem';
import { Quantity } from '../quantity';
import { capacityQuantityProblem } from '../request-policy';

/** Claims and claim templates by the rules of the API server, and the device limit that only the scheduler knows. */
export const CLAIMS_RULE: Rule = {
  codes: ['DRA109', 'DRA114', 'DRA120', 'DRA121', 'DRA122', 'DRA123', 'DRA124', 'DRA125', 'DRA127', 'DRA134', 'DRA184'],
  run(context) {
    for (const spec of claimSpecsOf(context.manifests)) checkClaim(context, spec);
  },
};

function checkClaim(context: RuleContext, spec: ClaimSpec): void {
  const devices = spec.place.at('devices');
  checkAsks(context, spec);
  checkSize(context, devices.at('requests'), 'requestsPerClaim');
  checkUnique(context, spec.requests.map(({ place }) => place), (place) => place.at('name').text, 'requests');
  for (const request of spec.requests) checkRequest(context, request);
  checkDeviceCount(context, spec);
  checkConstraints(context, spec, devices.at('constraints'));
  checkSize(context, devices.at('config'), 'configs');
  for (const config of devices.at('config').items()) checkReferences(context, spec, config.at('requests'), 'requestsPerConfig');
}

/** Allowed, and hardly what somebody wrote a claim for. */
function checkAsks(context: RuleContext, { object, place }: ClaimSpec): void {
  const devices = place.at('devices');
  const requests = devices.at('requests');
  // Requests in a wrong place, in a wrong form or of an old version are told where they stand.
  const isReadable = holdsOnly(place, ['devices']) && (!devices.isSet || holdsOnly(devices, ['requests', 'constraints', 'config']));
  if (!isReadable || (requests.isSet && !(Array.isArray(requests.value) && requests.value.length === 0))) return;
  report(context, 'DRA184', requests, {
    message: `${object.kind} '${object.name}' asks for no device: pods run with the claim, and get nothing by it.`,
    help: 'Write what is needed into devices.requests, or take the claim out of the pods that name it.',
  });
}

function holdsOnly(place: Place, fields: readonly string[]): boolean {
  return place.fields !== undefined && place.entries().every(([field]) => fields.includes(field));
}

function checkRequest(context: RuleContext, { place, needs, prioritized }: ClaimRequest): void {
  checkText(context, 'DRA121', place.at('name'), dnsLabelProblem);
  const isFlat = place.object.version === 'v1beta1';
  if (!isFlat && place.fields !== undefined && !place.at('deviceClassName').isSet) {
    checkOneOf(context, place, ['exactly', 'firstAvailable'], 'Use exactly for one kind of device, firstAvailable for alternatives in order of preference.');
  } else if (isFlat && prioritized && place.at('deviceClassName').isSet) {
    report(context, 'DRA124', place, { message: 'Exactly one of deviceClassName, firstAvailable must be set, got both.', help: 'Remove one of the two.' });
  }
  checkSize(context, place.at('firstAvailable'), 'alternatives');
  if (prioritized) checkUnique(context, needs.map((need) => need.place), (need) => need.at('name').text, 'alternatives of one request');
  for (const need of needs) checkNeed(context, need);
}

function checkNeed(context: RuleContext, { place, isSubRequest }: DeviceNeed): void {
  if (isSubRequest) checkText(context, 'DRA121', place.at('name'), dnsLabelProblem);
  const className = place.at('deviceClassName');
  if (place.fields !== undefined && className.text === '') {
    report(context, 'DRA114', className, { message: '\'deviceClassName\' must not be empty.', help: 'Name the DeviceClass that the devices come from.' });
  } else if (className.text !== undefined) {
    checkText(context, 'DRA121', className, dnsSubdomainProblem);
  }
  checkSize(context, place.at('selectors'), 'selectors');
  checkCount(context, place);
  checkSize(context, place.at('tolerations'), 'tolerations');
  for (const toleration of place.at('tolerations').items()) checkToleration(context, toleration);
  for (const [key, amount] of place.at('capacity', 'requests').entries()) {
    const problem = qualifiedNameProblem(key);
    checkAmount(context, amount, isMemoryOf(driverOfClass(context.manifests, className.text ?? ''), key));
    if (problem !== undefined) report(context, 'DRA121', amount, { message: `The capacity name ${problem.rule}, got ${show(key)}.`, help: problem.help });
  }
}

/** The API server takes any quantity; less than nothing, a suffix alone, or a few bytes of memory is a slip. */
function checkAmount(context: RuleContext, amount: Place, isMemory: boolean): void {
  const text = typeof amount.value === 'number' ? String(amount.value) : amount.text;
  if (text === undefined || !(Quantity.tryParse(text) instanceof Quantity)) return;
  const problem = capacityQuantityProblem(text) ?? (isMemory ? byteAmountProblem(text) : undefined);
  if (problem !== undefined) reportProblem(context, 'DRA125', amount, problem, 'warning');
}

function checkCount(context: RuleContext, place: Place): void {
  const count = place.at('count');
  if (place.at('allocationMode').text === 'All') {
    if (count.isSet && count.value !== 0) {
      report(context, 'DRA122', count, {
        message: `'count' must not be set when allocationMode is All, got ${show(count.value)}.`,
        help: 'Remove count to take every matching device of a node, or allocationMode to take that many.',
      });
    }
    return;
  }
  // Other types are the matter of the schema.
  if (typeof count.value !== 'number' || !Number.isInteger(count.value)) return;
  if (count.value === 0) {
    report(context, 'DRA122', count, {
      severity: 'warning',
      message: '\'count\' is 0, which the API server takes for absent: the request gets one device.',
      help: 'Remove the request, or write the count that is meant.',
    });
    return;
  }
  const problem = countProblem(count.value);
  if (problem !== undefined) reportProblem(context, 'DRA122', count, problem);
}

/** The largest number of devices that the requests can add up to. Mode All is left out: it depends on the node. */
function checkDeviceCount(context: RuleContext, spec: ClaimSpec): void {
  const most = LIMITS.resultsPerClaim.max;
  const counts = spec.requests.map(({ needs }) => Math.max(0, ...needs.map(({ place }) => countOf(place))));
  const sum = counts.reduce((total, count) => total + count, 0);
  // One count above the limit is told at that count.
  if (sum <= most || counts.some((count) => count > most)) return;
  report(context, 'DRA123', spec.place.at('devices', 'requests'), {
    message: `The requests add up to ${sum} devices, but a claim can hold at most ${most}: the API server takes it, the scheduler never allocates it.`,
    help: 'Split the claim; a pod may have several claims, each with its own devices.',
  });
}

function countOf(place: Place): number {
  if (place.at('allocationMode').text === 'All') return 0;
  const count = place.at('count').value;
  return typeof count === 'number' && count > 0 ? count : 1;
}

function checkConstraints(context: RuleContext, spec: ClaimSpec, constraints: Place): void {
  checkSize(context, constraints, 'constraints');
  for (const constraint of constraints.items()) {
    if (constraint.fields === undefined) continue;
    checkOneOf(context, constraint, ['matchAttribute', 'distinctAttribute'], 'Write each condition as a constraint of its own.');
    checkText(context, 'DRA121', constraint.at('matchAttribute'), fullyQualifiedNameProblem);
    checkText(context, 'DRA121', constraint.at('distinctAttribute'), fullyQualifiedNameProblem);
    checkReferences(context, spec, constraint.at('requests'), 'requestsPerConstraint');
  }
}

/** Requests named by a constraint or a config entry. */
function checkReferences(context: RuleContext, spec: ClaimSpec, list: Place, limit: LimitKey): void {
  checkSize(context, list, limit);
  checkUnique(context, list.items(), (item) => item.text, 'entries of this list');
  if (spec.requests.some(({ name }) => name === '')) return;
  const known = referencesOf(spec);
  for (const item of list.items()) {
    // Go reads null in a list of texts as an empty text.
    const text = item.value === null ? '' : item.text;
    if (text === undefined || known.includes(text)) continue;
    const meant = nearest(text, known);
    report(context, 'DRA134', item, {
      message: `This claim has no request '${text}': the API server refuses it.`,
      help: meant === undefined ? `Name one of ${known.join(', ') || 'the requests'}, or leave the list out to mean all.` : `Did you mean '${meant}'?`,
    });
  }
}
