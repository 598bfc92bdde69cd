import { LIMITS } from '../limits';
import { nearest } from '../near-miss';
import { quotaShortage } from './claim-quota';
import type { QuotaShortage } from './claim-quota';
import type { DetailedCause, Help } from './explanation';
import { classStock } from './free-devices';
import { endingText, named, removalText } from './holders';
import type { Situation } from './situation';
import { capitalized, listed } from './wording';
import { messageOf } from '../view/cluster-view';
import { field, objectAt, objectsAt, textAt } from '../view/json-field';
import type { PodClaim } from '../view/pod-claims';
import { consumersOf, isAllocated, isConsumer } from '../view/pod-claims';

/** What is wrong with the claims themselves, in the order of the pod; while there is anything, the scheduler does not look at the pod. */
export function claimCauses(situation: Situation): readonly DetailedCause[] {
  const { target, claims } = situation;
  if (claims.length > 0 && !target.isOn('DynamicResourceAllocation', 'kube-scheduler')) {
    return [{
      cause: 'DRA219',
      because: 'The scheduler has feature gate DynamicResourceAllocation off, so no claim is ever allocated.',
      objects: [],
      help: [{ text: 'switch DynamicResourceAllocation on in all components', kind: 'enable-feature' }],
    }];
  }
  return [...claims.flatMap(claim => claimCause(situation, claim) ?? []), ...missingClasses(situation)];
}

function claimCause(situation: Situation, claim: PodClaim): DetailedCause | undefined {
  const { pod, view } = situation;
  switch (claim.state) {
    case 'template-missing': return templateMissing(situation, claim);
    case 'not-created': return notCreated(situation, claim);
    case 'missing': {
      if (!view.isKnown('ResourceClaim')) {
        situation.unknown.add(`ResourceClaim ${pod.namespace}/${claim.claimName}`);
        return undefined;
      }
      const elsewhere = view.all('ResourceClaim').filter(({ name }) => name === claim.claimName).map(({ namespace }) => namespace);
      const meant = nearest(claim.claimName, view.inNamespace('ResourceClaim', pod.namespace).map(({ name }) => name));
      const hint = elsewhere.length > 0 ? `; one of that name is in ${namespaces(elsewhere)}, and claims are not shared across namespaces` : meant ? `; there is ${meant}` : '';
      const hasNoTemplate = claim.templateName !== '' && claim.template === undefined && view.isKnown('ResourceClaimTemplate');
      return {
        cause: 'DRA211',
        because: `The pod uses ResourceClaim ${claim.claimName}, which does not exist in namespace ${pod.namespace}${hint}. The scheduler does not look at the pod and says nothing.`
          + (hasNoTemplate ? ` It cannot be made again either: its template ${claim.templateName} is gone too.` : ''),
        objects: [{ kind: 'ResourceClaim', namespace: pod.namespace, name: claim.claimName, role: 'claim' }],
        help: claim.templateName === ''
          ? [{ text: `create ResourceClaim ${claim.claimName} in namespace ${pod.namespace}`, kind: 'create-object' }]
          : hasNoTemplate ? [{ text: `create ResourceClaimTemplate ${claim.templateName} in namespace ${pod.namespace}`, kind: 'create-object' }] : [
            { text: 'wait for the claim controller, which makes the claim again while it runs', kind: 'wait' },
            { text: 'recreate the pod: the claim made for it was deleted', kind: 'change-pod' },
          ],
      };
    }
    case 'deleting': return {
      cause: 'DRA216',
      because: `ResourceClaim ${claim.claimName} is being deleted${stillUsed(claim)}. Until it is gone and made again, no pod can start with it.`,
      objects: objectsOf(claim),
      help: [{ text: `let claim ${claim.claimName} go (end what uses it), then create it again`, kind: 'delete-object' }],
    };
    case 'not-owned': {
      const owner = objectsAt(claim.claim?.value, 'metadata', 'ownerReferences').map(one => `${textAt(one, 'kind')} ${textAt(one, 'name')} with uid ${textAt(one, 'uid')}`);
      return {
        cause: 'DRA215',
        because: `ResourceClaim ${claim.claimName} stands in the status of the pod as made for it, but ${owner.length === 0 ? 'has no owner' : `belongs to ${listed(owner)}`}; this pod has uid ${pod.uid}. `
          + 'The scheduler does not look at the pod and says nothing.',
        objects: objectsOf(claim),
        help: [{ text: `delete claim ${claim.claimName} if nobody needs it, and recreate the pod`, kind: 'delete-object' }],
      };
    }
    case 'ready': return consumersFull(situation, claim) ?? unstamped(situation, claim);
    default: return undefined;
  }
}

function templateMissing({ view, pod }: Situation, claim: PodClaim): DetailedCause {
  const elsewhere = view.all('ResourceClaimTemplate').filter(({ name }) => name === claim.templateName).map(({ namespace }) => namespace);
  const meant = nearest(claim.templateName, view.inNamespace('ResourceClaimTemplate', pod.namespace).map(({ name }) => name));
  const hint = elsewhere.length > 0
    ? ` (one of that name exists in ${namespaces(elsewhere)}, but templates are not shared across namespaces)`
    : meant === undefined ? '' : ` (there is ${meant})`;
  return {
    cause: 'DRA210',
    because: `The pod names ResourceClaimTemplate ${claim.templateName}, which does not exist in namespace ${pod.namespace}${hint}. `
      + 'Its claim cannot be made, and the scheduler does not look at the pod and says nothing.',
    objects: [{ kind: 'ResourceClaimTemplate', namespace: pod.namespace, name: claim.templateName, role: 'template' }],
    help: [
      { text: `create ResourceClaimTemplate ${claim.templateName} in namespace ${pod.namespace}`, kind: 'create-object' },
      ...(meant === undefined ? [] : [{ text: `recreate the pod with template ${meant}`, kind: 'change-pod' } as const]),
    ],
  };
}

/** Why the claim controller made no claim: what it reported last, checked against what is there now. */
function notCreated(situation: Situation, claim: PodClaim): DetailedCause {
  const { view, pod, unknown } = situation;
  const spec = objectAt(claim.template?.value, 'spec', 'spec');
  const shortage = claim.template && quotaShortage(view, situation.target, pod.namespace, spec);
  if (shortage) return quotaCause(situation, claim, shortage);
  const said = view.eventsOf(pod).filter(event => textAt(event.value, 'reason') === 'FailedResourceClaimCreation').map(messageOf)
    .filter(message => message.includes(`PodResourceClaim ${claim.name}:`)).pop();
  const objects = objectsOf(claim);
  if (said === undefined) {
    if (!view.isKnown('Event')) unknown.add('events about the pod');
    if (!view.isKnown('ResourceQuota')) unknown.add('resource quotas');
    return {
      cause: 'DRA214',
      because: `The claim for ${claim.name} has not been made from template ${claim.templateName}, and nothing here says why: `
        + 'the claim controller has not come to it, does not run, or its events have expired (they live for an hour).',
      objects,
      help: [{ text: 'look at the resource claim controller in kube-controller-manager', kind: 'wait' }],
    };
  }
  const why = said.replace(/^.*?PodResourceClaim [^:]*: /, '').replace(/^create ResourceClaim : /, '');
  const policy = /ValidatingAdmissionPolicy '([^']+)'(?: with binding '([^']+)')? denied request: (.*)$/s.exec(why);
  if (policy) {
    return {
      cause: 'DRA213',
      because: `ValidatingAdmissionPolicy ${policy[1]}${policy[2] === undefined ? '' : ` (binding ${policy[2]})`} refuses the claim for ${claim.name}: ${policy[3]}`,
      objects: [...objects, { kind: 'ValidatingAdmissionPolicy', name: policy[1], role: 'policy' }],
      help: [{ text: `make the template fit what the policy asks for, or change ${policy[1]}`, kind: 'change-policy' }],
    };
  }
  if (why.includes('admin access to devices requires')) {
    return {
      cause: 'DRA213',
      because: `The claim for ${claim.name} asks for admin access, which namespace ${pod.namespace} does not allow.`,
      objects: [...objects, { kind: 'Namespace', name: pod.namespace, role: 'policy' }],
      help: [{ text: `label namespace ${pod.namespace} with resource.kubernetes.io/admin-access=true, or ask without adminAccess`, kind: 'change-policy' }],
    };
  }
  if (why.includes('exceeded quota')) {
    return {
      cause: 'DRA212',
      because: `The claim for ${claim.name} was refused by a quota: ${why}. ${view.isKnown('ResourceQuota') ? 'The quota has room by now; the claim controller tries again after growing pauses.' : ''}`.trim(),
      objects,
      help: view.isKnown('ResourceQuota') ? [{ text: 'wait for the claim controller, or recreate the pod', kind: 'wait' }] : [{ text: 'raise the quota, or ask for less', kind: 'raise-quota' }],
    };
  }
  if (/webhook .* denied|is forbidden/.test(why)) {
    return { cause: 'DRA213', because: `Admission refuses the claim for ${claim.name}: ${why}`, objects, help: [{ text: 'make the template fit what admission asks for', kind: 'change-policy' }] };
  }
  if (/template .* not found/.test(why) && claim.template !== undefined) {
    return {
      cause: 'DRA214',
      because: `Template ${claim.templateName} was missing when the claim controller looked last, and exists now; it tries again after growing pauses.`,
      objects,
      help: [{ text: 'wait for the claim controller, or recreate the pod', kind: 'wait' }],
    };
  }
  return {
    cause: 'DRA214',
    because: `The claim for ${claim.name} cannot be made from template ${claim.templateName}: ${why}`,
    objects,
    help: [{ text: 'mend the template: make one with another name, since templates cannot be changed', kind: 'create-object' }],
  };
}

function quotaCause(situation: Situation, claim: PodClaim, shortage: QuotaShortage): DetailedCause {
  const { quota, key, limit, used, requested, users, className } = shortage;
  const left = Number(limit.value()) - Number(used.value());
  const excess = requested - left;
  const single = users.filter(({ amount }) => amount >= excess);
  const help: Help[] = [
    { text: `raise ${key} of ResourceQuota ${quota.name} to at least ${Number(used.value()) + requested}`, kind: 'raise-quota' },
    ...(single.length > 0
      ? [{ text: listed(single.map(one => removalText(one.claim, situation.view)), 'or', 8), kind: 'delete-object' } as const]
      : users.length > 0 ? [{ text: `end users of the quota until ${excess} more ${excess === 1 ? 'is' : 'are'} left: ${listed(users.map(one => removalText(one.claim, situation.view)), 'and', 8)}`, kind: 'delete-object' } as const] : []),
    ...(className !== undefined && left > 0 ? [{ text: `ask for at most ${left}, in another template`, kind: 'change-claim' } as const] : []),
  ];
  const shown = className === undefined ? `${requested} of ${key}` : `${requested} x ${className}, template ${claim.templateName}`;
  return {
    cause: 'DRA212',
    because: `The claim for ${claim.name} (${shown}) is refused by ResourceQuota ${quota.name}: ${key} is limited to ${limit.toString()}, `
      + `${users.length === 0 ? `${used.toString()} are used` : `${listed(users.map(one => `claim ${one.claim.name} uses ${one.amount}`))}`}, so ${Math.max(0, left)} ${left === 1 ? 'is' : 'are'} left. `
      + `A claim counts as long as it exists, used or not.${className === undefined ? '' : ` ${capitalized(classStock(situation, className))}.`}`,
    objects: [named(quota, 'quota'), ...objectsOf(claim), ...users.map(one => named(one.claim, 'holder'))],
    help,
  };
}

function consumersFull({ pod }: Situation, { claim }: PodClaim): DetailedCause | undefined {
  if (claim === undefined) return undefined;
  const consumers = consumersOf(claim);
  if (consumers.length < LIMITS.consumers.max || isConsumer(pod, claim)) return undefined;
  return {
    cause: 'DRA220',
    because: `Claim ${claim.name} has ${consumers.length} consumers, the most that a claim can have.`,
    objects: [named(claim, 'claim')],
    help: [{ text: `end a consumer of claim ${claim.name}, or use a claim template`, kind: 'change-claim' }],
  };
}

/**
 * An allocation without a time, from before an upgrade or from an outside tool: the scheduler adds the time when it adds a consumer, and the
 * API server refuses to change an allocation (pkg/scheduler/framework/plugins/dynamicresources bindClaim, seen on 1.36.3 and 1.37.2).
 */
function unstamped({ pod, target, view }: Situation, { claim }: PodClaim): DetailedCause | undefined {
  if (claim === undefined || !isAllocated(claim) || field(claim.value, 'status', 'allocation', 'allocationTimestamp') !== undefined) return undefined;
  if (!target.isOn('DRADeviceBindingConditions', 'kube-scheduler') || !target.isOn('DRAResourceClaimDeviceStatus', 'kube-scheduler')) return undefined;
  if (isConsumer(pod, claim)) return undefined;
  const consumers = consumersOf(claim);
  return {
    cause: 'DRA221',
    because: `Claim ${claim.name} is allocated without allocationTimestamp: before an upgrade of the cluster, or by something other than its scheduler. `
      + `The scheduler of ${target.minor} wants to add the time together with the pod, and the API server refuses to change an allocation.`,
    objects: [named(claim, 'claim'), ...consumers.map(({ name }) => ({ kind: 'Pod', namespace: claim.namespace, name, role: 'holder' as const }))],
    help: [
      { text: `${endingText(claim, view)}, so that the claim is allocated anew`, kind: 'delete-object' },
      { text: 'give the pod a claim of its own, or a claim template', kind: 'change-claim' },
    ],
  };
}

function missingClasses({ demand, view, unknown }: Situation): readonly DetailedCause[] {
  const needed = new Map<string, { label: string; alternatives: number }>();
  for (const { label, requests } of demand) {
    for (const alternatives of requests) for (const { className } of alternatives) if (className !== '') needed.set(className, { label, alternatives: alternatives.length });
  }
  const missing = [...needed].filter(([name]) => view.find('DeviceClass', '', name) === undefined).sort();
  if (missing.length === 0) return [];
  if (!view.isKnown('DeviceClass')) {
    unknown.add(`device classes: ${listed(missing.map(([name]) => name))}`);
    return [];
  }
  return missing.map(([name, { label, alternatives }]) => {
    const meant = nearest(name, view.all('DeviceClass').map(one => one.name));
    return {
      cause: 'DRA218',
      because: `${capitalized(label)} asks for class ${name}, which does not exist${meant === undefined ? '' : ` (there is ${meant})`}.`
        + (alternatives > 1 ? ' One missing class among the alternatives of a request is enough to refuse the pod.' : ''),
      objects: [{ kind: 'DeviceClass', name, role: 'class' as const }],
      help: [{ text: `create DeviceClass ${name}`, kind: 'create-object' as const }],
    };
  });
}

function namespaces(names: readonly string[]): string {
  return `${names.length === 1 ? 'namespace' : 'namespaces'} ${listed(names)}`;
}

function objectsOf({ claim, template }: PodClaim): DetailedCause['objects'] {
  return [...(claim ? [named(claim, 'claim')] : []), ...(template ? [named(template, 'template')] : [])];
}

function stillUsed({ claim }: PodClaim): string {
  if (claim === undefined) return '';
  const consumers = consumersOf(claim);
  if (consumers.length > 0) return ` and still used by ${listed(consumers.map(({ name }) => name))}`;
  return isAllocated(claim) ? ' and still allocated: the claim controller has to release it' : '';
}
