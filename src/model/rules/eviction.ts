import type { ClaimSpec, DeviceNeed } from './claim-spec';
import { Place } from './place';
import { report } from './report';
import type { RuleContext } from './rule';
import { featuresOf, implementationFor } from '../allocator/features';
import { variantOf } from '../allocator/variant';

/** C-121: what lets a pod onto a tainted device need not keep it there: the eviction controller reads the tolerations of the allocation. */
export function checkEviction(context: RuleContext, spec: ClaimSpec): void {
  const { target } = context;
  if (!target.enabled('DRADeviceTaints')) return;
  const losesThem = variantOf(target.minor, implementationFor(target.minor, featuresOf(target))).oldTaints;
  for (const need of spec.requests.flatMap(({ needs }) => needs)) checkTolerations(context, need, losesThem);
  checkAllocation(context, spec);
}

function checkTolerations(context: RuleContext, { place }: DeviceNeed, losesThem: boolean): void {
  const tolerations = place.at('tolerations').items();
  const lasting = tolerations.filter(isForEviction);
  for (const toleration of tolerations) {
    if (toleration.fields === undefined) continue;
    if (losesThem && (isForEviction(toleration) || !toleration.at('effect').text)) {
      report(context, 'DRA183', toleration, {
        message: `The scheduler of ${context.target.minor} does not hand tolerations on: a pod on a device with a NoExecute taint is scheduled and ended at once.`,
        help: 'Target 1.35 or later, or remove the taint from the device before pods use it.',
      });
    } else if (!toleration.at('effect').text && !lasting.some((other) => covers(other, toleration))) {
      report(context, 'DRA183', toleration, {
        severity: 'info',
        message: 'Without effect this lets pods onto devices with a NoExecute taint, and does not keep them there: only tolerations with that effect count for eviction.',
        help: 'Add the same toleration with effect: NoExecute, or write effect: NoSchedule.',
      });
    }
  }
}

/** `getEvictionTime` in `pkg/controller/devicetainteviction` looks at these only, in every minor. */
function isForEviction(toleration: Place): boolean {
  return toleration.at('effect').text === 'NoExecute';
}

function covers(other: Place, toleration: Place): boolean {
  const key = other.at('key').text ?? '';
  const isSame = ['key', 'value', 'operator'].every((field) => (other.at(field).text ?? '') === (toleration.at(field).text ?? ''));
  return isSame || (other.at('operator').text === 'Exists' && (key === '' || key === toleration.at('key').text));
}

/** A claim as a server wrote it: devices allocated without the tolerations that their request has. */
function checkAllocation(context: RuleContext, { object, requests }: ClaimSpec): void {
  const needs = requests.flatMap((request) => request.needs);
  for (const result of Place.root(object).at('status', 'allocation', 'devices', 'results').items()) {
    const need = needs.find(({ reference }) => reference === result.at('request').text);
    if (need === undefined || result.at('tolerations').items().length > 0 || !need.place.at('tolerations').items().some(isForEviction)) continue;
    report(context, 'DRA183', result, {
      message: `The request '${need.reference}' tolerates NoExecute, and its allocation does not: a taint of that effect ends the pods of this claim.`,
      help: 'End the pods at a time of your choice, so that the claim is allocated anew by a scheduler of 1.35 or later.',
    });
  }
}
