import { deviceClass } from './device-classes';
import { classOwner } from './known-drivers';
import { nearestName } from './near-names';
import { Place } from './place';
import { containersOf } from './pod-claims';
import type { PodContainer } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { NAME_LENGTHS } from '../names';
import { show } from '../problem';
import { Quantity } from '../quantity';
import { containerResourceProblem } from '../resource-keys';
import { RESOURCE_GROUP } from '../target';

/** Each class answers for this name without being told to, from 1.35 on (`pkg/apis/resource/types.go`). */
const IMPLICIT_PREFIX = 'deviceclass.resource.kubernetes.io/';

const GATE = 'DRAExtendedResource';

/** Extended resources in containers: form, amounts, and whether DRA can serve them. */
export const EXTENDED_RESOURCES_RULE: Rule = {
  codes: ['DRA125', 'DRA153', 'DRA154', 'DRA155'],
  run(context) {
    const byResource = new Map<string, string>();
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceClass')) {
      const name = Place.root(object).at('spec', 'extendedResourceName').text;
      if (name) byResource.set(name, object.name);
    }
    for (const site of context.manifests.podSites()) {
      for (const container of containersOf(site)) checkContainer(context, container, byResource);
    }
  },
};

function checkContainer(context: RuleContext, { place, label }: PodContainer, byResource: ReadonlyMap<string, string>): void {
  const [requests, limits] = [place.at('resources', 'requests'), place.at('resources', 'limits')];
  const names = new Set([...Object.keys(limits.fields ?? {}), ...Object.keys(requests.fields ?? {})]);
  for (const name of names) {
    const at = limits.at(name).isSet ? limits.at(name) : requests.at(name);
    for (const amount of [requests.at(name), limits.at(name)]) checkSign(context, amount);
    if (name.startsWith(IMPLICIT_PREFIX)) {
      checkImplicit(context, at, name.slice(IMPLICIT_PREFIX.length));
      checkOvercommit(context, label, requests.at(name), limits.at(name));
      continue;
    }
    const problem = containerResourceProblem(name);
    if (problem !== undefined) {
      report(context, 'DRA153', at, { message: `The resource '${name}' of container ${label} ${problem.rule}: the API server refuses the pod.`, help: problem.help });
    } else if (name.includes('/') && !name.includes('kubernetes.io/')) {
      checkAmounts(context, label, requests.at(name), limits.at(name));
      checkServed(context, at, name, byResource.get(name));
    }
  }
}

/** Of any resource, as `ValidateResourceQuantityValue` does. */
function checkSign(context: RuleContext, amount: Place): void {
  const quantity = Quantity.fromJson(amount.value ?? 0);
  if (!(quantity instanceof Quantity) || quantity.sign() >= 0) return;
  report(context, 'DRA125', amount, {
    message: `'${amount.field}' must not be negative, got ${show(amount.value)}: the API server refuses the pod.`, help: 'Write an amount of 0 or more.',
  });
}

/** To Kubernetes an implicit name is one of its own, and may have a limit above the request. */
function checkOvercommit(context: RuleContext, container: string, request: Place, limit: Place): void {
  const [asked, most] = [Quantity.fromJson(request.value), Quantity.fromJson(limit.value)];
  if (!request.isSet || !limit.isSet || !(asked instanceof Quantity) || !(most instanceof Quantity) || asked.compareTo(most) <= 0) return;
  report(context, 'DRA155', request, {
    message: `Container ${container} requests ${show(request.value)} of '${request.field}' with a limit of ${show(limit.value)}: the API server refuses a request above the limit.`,
    help: 'Write the same amount in both.',
  });
}

/** Extended resources count whole units and cannot be overcommitted (`validateResourceRequirements`). */
function checkAmounts(context: RuleContext, container: string, request: Place, limit: Place): void {
  const [asked, most] = [Quantity.fromJson(request.value ?? 0), Quantity.fromJson(limit.value ?? 0)];
  for (const [place, amount] of [[request, asked], [limit, most]] as const) {
    if (!place.isSet || !(amount instanceof Quantity) || amount.isWhole()) continue;
    report(context, 'DRA155', place, {
      message: `An amount of '${place.field}' must be a whole number, got ${show(place.value)}: the API server refuses the pod.`, help: 'Write how many units the container takes.',
    });
  }
  if (request.isSet && !limit.isSet) {
    report(context, 'DRA155', request, {
      message: `Container ${container} requests '${request.field}' without a limit: the API server refuses the pod.`, help: 'Write the same amount in limits.',
    });
  } else if (request.isSet && asked instanceof Quantity && most instanceof Quantity && !asked.equals(most)) {
    report(context, 'DRA155', request, {
      message: `Container ${container} requests ${show(request.value)} of '${request.field}' with a limit of ${show(limit.value)}: they must be equal.`,
      help: 'Write the same amount in both.',
    });
  }
}

function checkServed(context: RuleContext, place: Place, name: string, className: string | undefined): void {
  if (className === undefined || context.target.enabled(GATE)) return;
  report(context, 'DRA154', place, {
    severity: 'warning',
    message: `The class '${className}' cannot answer for '${name}' on ${context.target}: only nodes with a device plugin can run this pod.`,
    help: context.target.fieldSupport('DeviceClassSpec', 'extendedResourceName').supported ? 'Switch the gate on in all components.' : helpOf(context),
  });
}

function helpOf(context: RuleContext): string {
  const support = context.target.fieldSupport('DeviceClassSpec', 'extendedResourceName');
  return support.supported ? '' : support.help;
}

function checkImplicit(context: RuleContext, place: Place, className: string): void {
  if (className === '' || className.includes('/') || className.length > NAME_LENGTHS.dnsLabel) {
    report(context, 'DRA153', place, {
      message: `The part after '${IMPLICIT_PREFIX}' must be the name of a DeviceClass of at most ${NAME_LENGTHS.dnsLabel} characters, got ${show(className)}.`,
      help: 'Use a class with a shorter name, or give it an extendedResourceName.',
    });
    return;
  }
  if (!context.target.enabled(GATE) || !context.target.atLeast('1.35')) {
    report(context, 'DRA154', place, {
      message: `${context.target} does not serve '${IMPLICIT_PREFIX}${className}': no node ever has it.`,
      help: context.target.atLeast('1.35') ? helpOf(context) : `Target 1.35 or later with ${GATE}=true, or 1.36, or use a claim.`,
    });
    return;
  }
  const amount = Quantity.fromJson(place.value);
  if (amount instanceof Quantity && !amount.isWhole()) {
    report(context, 'DRA155', place, {
      message: `An amount of devices must be a whole number, got ${show(place.value)}: the API server takes it, and the container gets no device.`,
      help: 'Write how many devices the container takes.',
    });
  }
  if (deviceClass(context.manifests, className) !== undefined || classOwner(className) !== undefined) return;
  const meant = nearestName(context.manifests, RESOURCE_GROUP, 'DeviceClass', className);
  report(context, 'DRA153', place, {
    severity: meant === undefined ? 'info' : 'warning',
    message: `The DeviceClass '${className}' is not among the manifests checked.`,
    help: meant === undefined ? 'Make sure that the driver or the platform installs it.' : `Did you mean '${IMPLICIT_PREFIX}${meant}'?`,
  });
}
