import { checkSize, checkText } from './checks';
import { claimSpecsOf } from './claim-spec';
import { deviceClass } from './device-classes';
import { classOwner } from './known-drivers';
import { nearestName } from './near-names';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import type { ManifestObject } from '../manifests/manifest-set';
import { extendedResourceNameProblem } from '../names';
import { RESOURCE_GROUP } from '../target';

/** DeviceClasses themselves, and requests that name one. */
export const CLASSES_RULE: Rule = {
  codes: ['DRA120', 'DRA130', 'DRA152', 'DRA153'],
  run(context) {
    const classes = context.manifests.ofKind(RESOURCE_GROUP, 'DeviceClass');
    for (const object of classes) {
      const spec = Place.root(object).at('spec');
      checkSize(context, spec.at('selectors'), 'selectors');
      checkSize(context, spec.at('config'), 'configs');
      checkText(context, 'DRA153', spec.at('extendedResourceName'), extendedResourceNameProblem);
    }
    checkSharedNames(context, classes);
    for (const spec of claimSpecsOf(context.manifests)) {
      for (const need of spec.requests.flatMap(({ needs }) => needs)) checkClass(context, need.place.at('deviceClassName'));
    }
  },
};

function checkSharedNames(context: RuleContext, classes: readonly ManifestObject[]): void {
  const owners = new Map<string, ManifestObject>();
  for (const object of classes) {
    const place = Place.root(object).at('spec', 'extendedResourceName');
    if (!place.text) continue;
    const first = owners.get(place.text);
    if (first === undefined || first.name === object.name) {
      owners.set(place.text, object);
      continue;
    }
    report(context, 'DRA152', place, {
      message: `The classes '${first.name}' and '${object.name}' both answer for '${place.text}': the newest one gets all requests, the other none.`,
      help: 'Keep the name on one class.',
    });
  }
}

function checkClass(context: RuleContext, place: Place): void {
  if (!place.text || deviceClass(context.manifests, place.text) !== undefined || classOwner(place.text) !== undefined) return;
  const meant = nearestName(context.manifests, RESOURCE_GROUP, 'DeviceClass', place.text);
  report(context, 'DRA130', place, {
    severity: meant === undefined ? 'info' : 'warning',
    message: `The DeviceClass '${place.text}' is not among the manifests checked.`,
    help: meant === undefined ? 'Make sure that the driver or the platform installs it: without it the pod stays Pending.' : `Did you mean '${meant}'?`,
  });
}
