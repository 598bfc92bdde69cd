import { deviceClass } from './device-classes';
import { classOwner } from './known-drivers';
import { nearestName } from './near-names';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { show } from '../problem';
import { Quantity } from '../quantity';
import { hasScopes } from '../quota-scopes';
import { isCountedInWholes, quotaKeyProblem } from '../resource-keys';
import { RESOURCE_GROUP } from '../target';

/** Counted by quota as devices of a class, and from the extended resource gate on also by implicit name. */
const DEVICES_SUFFIX = '.deviceclass.resource.k8s.io/devices';
const IMPLICIT_PREFIX = 'requests.deviceclass.resource.kubernetes.io/';

/** ResourceQuota keys for devices: right form, and a class that exists. */
export const QUOTA_RULE: Rule = {
  codes: ['DRA125', 'DRA158'],
  run(context) {
    for (const object of context.manifests.ofKind('', 'ResourceQuota')) {
      const spec = Place.root(object).at('spec');
      for (const [key, place] of spec.at('hard').entries()) {
        checkKey(context, key, place);
        checkAmount(context, key, place);
        checkScopes(context, spec, key, place);
      }
      for (const condition of spec.at('scopeSelector', 'matchExpressions').items()) checkScopeCondition(context, condition);
    }
  },
};

function checkKey(context: RuleContext, key: string, place: Place): void {
  const problem = quotaKeyProblem(key);
  if (problem !== undefined) {
    const help = key.includes('deviceclass.resource') ? FORMS : problem.help;
    report(context, 'DRA158', place, { severity: 'error', message: `The key '${key}' of a quota ${problem.rule}: the API server refuses it.`, help });
  } else if (key.includes('deviceclass.resource')) {
    checkClass(context, key, place);
  } else if (isUncounted(key)) {
    report(context, 'DRA158', place, {
      message: `Quota counts nothing under '${key}': extended resources are counted by what pods request.`,
      help: `Write requests.${key.replace(/^limits\./, '')}.`,
    });
  }
}

function checkAmount(context: RuleContext, key: string, place: Place): void {
  const amount = Quantity.fromJson(place.value ?? 0);
  if (!(amount instanceof Quantity) || (amount.sign() >= 0 && (amount.isWhole() || !isCountedInWholes(key)))) return;
  report(context, 'DRA125', place, {
    message: `'${key}' of a quota must be ${amount.sign() < 0 ? '0 or more' : 'a whole number'}, got ${show(place.value)}: the API server refuses the quota.`,
    help: 'Write how many there may be.',
  });
}

function checkScopes(context: RuleContext, spec: Place, key: string, place: Place): void {
  if (!hasScopes(spec.value) || !(key.endsWith(DEVICES_SUFFIX) || key === CLAIM_COUNT)) return;
  report(context, 'DRA158', place, {
    message: `A quota with scopes counts nothing under '${key}': scopes select pods, and claims have none.`,
    help: 'Put the key into a quota without scopes; by priority only extended resources can be counted, under requests.<name>.',
  });
}

/** As `validateScopedResourceSelectorRequirement` counts the values. */
function checkScopeCondition(context: RuleContext, condition: Place): void {
  const operator = condition.at('operator').text;
  const count = condition.at('values').items().length;
  const wanted = operator === 'In' || operator === 'NotIn' ? 'at least one value' : operator === 'Exists' || operator === 'DoesNotExist' ? 'no values' : undefined;
  if (wanted === undefined || (wanted === 'no values') === (count === 0)) return;
  report(context, 'DRA125', condition, {
    message: `The operator ${operator} of a scope must have ${wanted}, got ${count}: the API server refuses the quota.`, help: 'Correct the values or the operator.',
  });
}

const CLAIM_COUNT = 'count/resourceclaims.resource.k8s.io';

const FORMS = `Write <class>${DEVICES_SUFFIX}, or ${IMPLICIT_PREFIX}<class> for extended resources.`;

function checkClass(context: RuleContext, key: string, place: Place): void {
  const className = classIn(key);
  if (className === undefined) {
    report(context, 'DRA158', place, { message: `Quota counts nothing under '${key}'.`, help: FORMS });
  } else if (key.startsWith(IMPLICIT_PREFIX) && !(context.target.atLeast('1.35') && context.target.enabled('DRAExtendedResource'))) {
    report(context, 'DRA158', place, {
      message: `${context.target} counts nothing under '${key}': it serves no class by its implicit name.`, help: `Write ${className}${DEVICES_SUFFIX}, which counts claims.`,
    });
  } else if (deviceClass(context.manifests, className) === undefined && classOwner(className) === undefined) {
    const meant = nearestName(context.manifests, RESOURCE_GROUP, 'DeviceClass', className);
    report(context, 'DRA158', place, {
      severity: meant === undefined ? 'info' : 'warning',
      message: `The DeviceClass '${className}' is not among the manifests checked: without it the quota counts nothing.`,
      help: meant === undefined ? 'Correct the name if it is none of an installed class.' : `Did you mean '${meant}'?`,
    });
  }
}

function classIn(key: string): string | undefined {
  if (key.endsWith(DEVICES_SUFFIX)) return key.slice(0, -DEVICES_SUFFIX.length) || undefined;
  return key.startsWith(IMPLICIT_PREFIX) ? key.slice(IMPLICIT_PREFIX.length) || undefined : undefined;
}

/** The name of an extended resource without the prefix that quota wants (`pkg/quota/v1/evaluator/core/pods.go`); keys of other kinds are Kubernetes' own. */
function isUncounted(key: string): boolean {
  return key.includes('/') && !key.startsWith('requests.') && !key.startsWith('count/') && !/k8s\.io\/|kubernetes\.io\//.test(key);
}
