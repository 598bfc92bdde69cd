import { checkDriverName, checkOneOf, checkSize, checkText, checkTexts, checkTotal, checkUnique } from './checks';
import { checkNodeAllocatable } from './node-allocatable';
import { checkNodeConditions } from './node-conditions';
import { Place } from './place';
import { report, reportProblem } from './report';
import type { Rule, RuleContext } from './rule';
import { checkCounterSets, checkPartitionType } from './slice-counters';
import type { Pool } from './slice-counters';
import { checkTaint } from './taints';
import { ATTRIBUTE_FIELDS, attributeValueProblem } from '../attribute-value';
import { dnsLabelProblem, dnsSubdomainProblem, driverNameProblem, labelKeyProblem, poolNameProblem, qualifiedNameProblem } from '../names';
import { show } from '../problem';
import { requestPolicyProblem } from '../request-policy';
import type { Amount, RequestPolicy } from '../request-policy';
import { RESOURCE_GROUP } from '../target';

/** ResourceSlices by the rules of the API server. */
export const SLICES_RULE: Rule = {
  codes: ['DRA109', 'DRA120', 'DRA121', 'DRA124', 'DRA125', 'DRA127', 'DRA128', 'DRA129'],
  run(context) {
    const specs = context.manifests.ofKind(RESOURCE_GROUP, 'ResourceSlice').map((object) => Place.root(object).at('spec'));
    const pools = new Map<string, Place[]>();
    for (const spec of specs) {
      const key = poolKey(spec);
      const slices = pools.get(key);
      if (slices === undefined) pools.set(key, [spec]);
      else slices.push(spec);
    }
    for (const slices of pools.values()) {
      const sets = slices.flatMap((slice) => slice.at('sharedCounters').items());
      for (const spec of slices) checkSlice(context, spec, { slices: slices.length, sets });
      checkPoolNames(context, slices);
    }
  },
};

/** One generation of one pool. */
function poolKey(spec: Place): string {
  return show([spec.at('driver').value, spec.at('pool', 'name').value, spec.at('pool', 'generation').value]);
}

/** Names are unique in a pool: the API server sees one slice only, the scheduler leaves the whole pool out. */
function checkPoolNames(context: RuleContext, slices: readonly Place[]): void {
  const owners = new Map<string, Place>();
  for (const slice of slices) {
    for (const device of slice.at('devices').items()) {
      const name = device.at('name').text;
      const first = name === undefined ? undefined : owners.get(name);
      if (name !== undefined && first === undefined) owners.set(name, device);
      if (first === undefined || first.object === device.object) continue;
      report(context, 'DRA129', device, {
        message: `The device '${name}' is in two slices of the pool, '${first.object.name}' and '${device.object.name}': nothing of the pool is allocated.`,
        help: 'Give every device of a pool a name of its own.',
      });
    }
  }
}

function checkSlice(context: RuleContext, spec: Place, pool: Pool): void {
  if (spec.fields === undefined) return;
  checkDriverName(context, spec.at('driver'), driverNameProblem);
  checkPool(context, spec.at('pool'));
  checkNodes(context, spec);
  const devices = spec.at('devices').items().map((place) => ({ place, body: spec.object.version === 'v1beta1' ? place.at('basic') : place }));
  if (context.target.atLeast('1.35') && spec.at('sharedCounters').isSet && spec.at('devices').isSet) {
    report(context, 'DRA129', spec, {
      message: 'A slice must have sharedCounters or devices, got both: from Kubernetes 1.35 on the API server refuses that.',
      help: 'Put the counter sets into a slice of their own in the same pool, and count it in resourceSliceCount.',
    });
  }
  const hasExtras = devices.some(({ body }) => hasEntries(body.at('taints')) || hasEntries(body.at('consumesCounters')) || hasLists(body));
  checkSize(context, spec.at('devices'), 'devicesPerSlice');
  if (hasExtras && devices.length <= 128) checkSize(context, spec.at('devices'), 'devicesPerSliceWithExtras');
  checkUnique(context, devices.map(({ place }) => place), (place) => place.at('name').text, 'devices');
  const perDevice = spec.at('perDeviceNodeSelection').value === true;
  for (const { place, body } of devices) checkDevice(context, place, body, perDevice);
  checkCounterSets(context, spec, devices.map(({ body }) => body), pool);
  checkPartitionType(context, spec, devices.map(({ body }) => body));
  checkSkippedOperations(context, spec);
}

function checkPool(context: RuleContext, pool: Place): void {
  checkText(context, 'DRA121', pool.at('name'), poolNameProblem);
  for (const [field, least] of [['generation', 0], ['resourceSliceCount', 1]] as const) {
    const { value } = pool.at(field);
    if (typeof value !== 'number' || value >= least) continue;
    report(context, 'DRA129', pool.at(field), {
      message: `'${field}' must be at least ${least}, got ${value}.`,
      help: field === 'generation' ? 'Start with 1 and count up with every change of the pool.' : 'Write how many slices the pool has in this generation.',
    });
  }
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];

function checkNodes(context: RuleContext, spec: Place): void {
  const chosen = NODE_FIELDS.filter((field) => isChosen(spec.at(field)));
  if (chosen.length !== 1) {
    report(context, 'DRA129', spec, {
      message: `Exactly one of ${NODE_FIELDS.join(', ')} must be set, got ${chosen.length === 0 ? 'none' : chosen.join(' and ')}.`,
      help: 'Use nodeName for devices of a node, allNodes or nodeSelector for devices that several nodes reach.',
    });
  }
  checkNodeChoice(context, spec);
  const terms = spec.at('nodeSelector', 'nodeSelectorTerms');
  if (spec.at('nodeSelector').fields !== undefined && terms.items().length !== 1) {
    report(context, 'DRA129', terms, {
      message: `A slice must have exactly one node selector term, got ${terms.items().length}.`, help: 'Join the conditions in one term, or use a slice for each.',
    });
  }
}

function checkNodeChoice(context: RuleContext, place: Place): void {
  checkText(context, 'DRA129', place.at('nodeName'), dnsSubdomainProblem);
  checkNodeConditions(context, place.at('nodeSelector'));
  for (const field of ['allNodes', 'perDeviceNodeSelection']) {
    if (place.at(field).value !== false) continue;
    report(context, 'DRA129', place.at(field), { message: `'${field}' must be either unset or true, got false.`, help: 'Remove it.' });
  }
}

function isChosen(place: Place): boolean {
  return place.isSet && place.value !== false && place.value !== '';
}

function hasEntries(place: Place): boolean {
  return place.items().length > 0;
}

function hasLists(body: Place): boolean {
  return body.at('attributes').entries().some(([, attribute]) => ATTRIBUTE_FIELDS.slice(4).some((field) => attribute.at(field).isSet));
}

function checkDevice(context: RuleContext, place: Place, body: Place, perDevice: boolean): void {
  checkText(context, 'DRA121', place.at('name'), dnsLabelProblem);
  checkKeys(context, body.at('attributes'), 'attribute');
  checkKeys(context, body.at('capacity'), 'capacity');
  const attributes = body.at('attributes').entries();
  checkTotal(context, body, 'attributesAndCapacities', attributes.length + body.at('capacity').entries().length);
  checkTotal(context, body, 'attributeValues', attributes.reduce((sum, [, attribute]) => sum + Math.max(1, countItems(attribute)), 0));
  for (const [, attribute] of attributes) checkAttribute(context, attribute);
  for (const [, capacity] of body.at('capacity').entries()) checkCapacity(context, capacity, body.at('allowMultipleAllocations').value === true);
  checkSize(context, body.at('taints'), 'taintsPerDevice');
  for (const taint of body.at('taints').items()) checkTaint(context, taint);
  checkBinding(context, body);
  checkNodeAllocatable(context, body);
  const chosen = ['nodeName', 'nodeSelector', 'allNodes'].filter((field) => isChosen(body.at(field)));
  if (!perDevice && chosen.length > 0) {
    report(context, 'DRA129', body.at(chosen[0]), {
      message: `'${chosen[0]}' of a device can only be set when perDeviceNodeSelection of the slice is true.`, help: 'Set perDeviceNodeSelection: true in the slice, or remove it here.',
    });
  } else if (perDevice) {
    if (body.fields !== undefined) checkOneOf(context, body, ['nodeName', 'nodeSelector', 'allNodes'], 'Say for each device which nodes reach it.');
    checkNodeChoice(context, body);
    const terms = body.at('nodeSelector', 'nodeSelectorTerms');
    if (body.at('nodeSelector').fields !== undefined && terms.items().length === 0) {
      report(context, 'DRA129', terms, { message: 'A node selector must have at least one term, got none.', help: 'Write the term, or allNodes: true.' });
    }
  }
}

function checkKeys(context: RuleContext, map: Place, what: string): void {
  for (const [key, place] of map.entries()) {
    const problem = qualifiedNameProblem(key);
    if (problem === undefined) continue;
    // The API server lets names with several slashes and domains in upper case through; no selector reaches them.
    const isTaken = key.split('/').length > 2 || qualifiedNameProblem(key.replace(/^[^/]*\//, (domain) => domain.toLowerCase())) === undefined;
    report(context, 'DRA121', place, {
      severity: isTaken ? 'warning' : undefined, message: `The ${what} name ${problem.rule}, got ${show(key)}.`, help: problem.help,
    });
  }
}

function countItems(attribute: Place): number {
  return ATTRIBUTE_FIELDS.slice(4).reduce((sum, field) => sum + attribute.at(field).items().length, 0);
}

function checkAttribute(context: RuleContext, attribute: Place): void {
  if (attribute.value === null) {
    report(context, 'DRA124', attribute, {
      message: `The attribute '${attribute.field}' must have a value, got null.`, help: 'Write its type and value, such as {string: A100}, or remove the line.',
    });
    return;
  }
  const given = attribute.entries().filter(([, value]) => value.isSet);
  // Wrong types and unknown fields are the matter of the schema, lists in an old target too.
  const isJudged = attribute.fields !== undefined && given.every(([field, value]) => {
    return (field === 'string' || field === 'version' ? value.text !== undefined : field === 'bool' ? typeof value.value === 'boolean' : field === 'int')
      || (ATTRIBUTE_FIELDS.slice(4) as readonly string[]).includes(field);
  });
  if (!isJudged || (given.some(([field]) => field.endsWith('s')) && !context.target.atLeast('1.36'))) return;
  const problem = attributeValueProblem(attribute.fields, context.target.minor);
  if (problem !== undefined) reportProblem(context, given.length === 1 ? 'DRA125' : 'DRA124', attribute, problem);
}

function checkCapacity(context: RuleContext, capacity: Place, shareable: boolean): void {
  const policy = capacity.at('requestPolicy');
  if (policy.fields === undefined) return;
  if (!shareable) {
    report(context, 'DRA128', policy, {
      message: 'A request policy needs allowMultipleAllocations: true in the device: a device that is taken whole gives no amounts.',
      help: 'Set allowMultipleAllocations: true, or remove the policy.',
    });
    return;
  }
  // Go reads an absent quantity as 0.
  const amount = amountOf(capacity.at('value')) ?? 0;
  const range = policy.at('validRange');
  const given: RequestPolicy = {
    default: amountOf(policy.at('default')),
    // Go reads null in a list as an amount of 0.
    validValues: policy.at('validValues').items().map((item) => (item.value === null ? 0 : amountOf(item))).filter((value) => value !== undefined),
    validRange: range.fields === undefined ? undefined : {
      min: amountOf(range.at('min')), max: amountOf(range.at('max')), step: amountOf(range.at('step')),
    },
  };
  const problem = requestPolicyProblem(amount, given, context.target.enabled('DRAFractionalCapacityRange'));
  if (problem !== undefined) reportProblem(context, 'DRA128', policy, problem);
}

function amountOf(place: Place): Amount | undefined {
  const { value } = place;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function checkBinding(context: RuleContext, body: Place): void {
  const [ready, failed] = [body.at('bindingConditions'), body.at('bindingFailureConditions')];
  checkSize(context, ready, 'bindingConditions');
  checkSize(context, failed, 'bindingFailureConditions');
  for (const list of [ready, failed]) {
    checkUnique(context, list.items(), (item) => item.text, `entries of ${list.field}`);
    checkTexts(context, 'DRA129', list, labelKeyProblem);
  }
  if (hasEntries(ready) !== hasEntries(failed)) {
    const missing = hasEntries(ready) ? 'bindingFailureConditions' : 'bindingConditions';
    report(context, 'DRA129', body.at(missing), {
      message: `${missing} must be set too: a device that is waited for can also fail, and the other way round.`, help: `Add ${missing}.`,
    });
  }
  const both = new Set(ready.items().map((item) => item.text));
  for (const item of failed.items()) {
    if (item.text === undefined || !both.has(item.text)) continue;
    report(context, 'DRA129', item, { message: `'${item.text}' must not stand in both bindingConditions and bindingFailureConditions.`, help: 'Use two names.' });
  }
}

function checkSkippedOperations(context: RuleContext, spec: Place): void {
  checkUnique(context, spec.at('skipNodeOperations').items(), (item) => item.text, 'entries of skipNodeOperations');
  const skipped = spec.at('skipNodeOperations').items().map((item) => item.text);
  if (skipped.includes('NodePrepareResources') && !skipped.includes('NodeUnprepareResources') && !skipped.includes('*')) {
    report(context, 'DRA129', spec.at('skipNodeOperations'), {
      message: 'NodePrepareResources can only be skipped together with NodeUnprepareResources.', help: 'Add NodeUnprepareResources, or write "*".',
    });
  }
}
