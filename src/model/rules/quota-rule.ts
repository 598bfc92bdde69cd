import { deviceClass } from './device-classes';
import { classOwner } from './known-drivers';
import { nearestName } from './near-names';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { quotaKeyProblem } from '../resource-keys';
import { RESOURCE_GROUP } from '../target';

/** Counted by quota as devices of a class, and from the extended resource gate on also by implicit name. */
const DEVICES_SUFFIX = '.deviceclass.resource.k8s.io/devices';
const IMPLICIT_PREFIX = 'requests.deviceclass.resource.kubernetes.io/';

/** ResourceQuota keys for devices: right form, and a class that exists. */
export const QUOTA_RULE: Rule = {
  codes: ['DRA158'],
  run(context) {
    for (const object of context.manifests.ofKind('', 'ResourceQuota')) {
      for (const [key, place] of Place.root(object).at('spec', 'hard').entries()) checkKey(context, key, place);
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

const FORMS = `Write <class>${DEVICES_SUFFIX}, or ${IMPLICIT_PREFIX}<class> for extended resources.`;

function checkClass(context: RuleContext, key: string, place: Place): void {
  const className = classIn(key);
  if (className === undefined) {
    report(context, 'DRA158', place, { message: `Quota counts nothing under '${key}'.`, help: FORMS });
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
