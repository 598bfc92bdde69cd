import { claimSpecsOf } from './claim-spec';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { RESOURCE_GROUP } from '../target';

/** What makes a GitOps engine see a difference on every pass. */
export const GITOPS_RULE: Rule = {
  codes: ['DRA170', 'DRA171'],
  run(context) {
    checkDefaults(context);
    for (const kind of ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'DeviceTaintRule']) {
      for (const object of context.manifests.ofKind(RESOURCE_GROUP, kind)) {
        const metadata = Place.root(object).at('metadata');
        const field = ['resourceVersion', 'uid'].find((name) => metadata.at(name).isSet);
        if (field === undefined) continue;
        report(context, 'DRA171', metadata.at(field), {
          message: `'${field}' is the server's: applied again it conflicts as soon as the object has changed.`, help: 'Remove resourceVersion, uid, creationTimestamp, managedFields and status before you keep the object in Git.',
        });
      }
    }
  },
};

/** Told once: most manifests leave these defaults out, nothing breaks by it, and a finding for each would hide the others. */
function checkDefaults(context: RuleContext): void {
  const specs = [...claimSpecsOf(context.manifests)]
    // Objects read back from a cluster are no declaration.
    .filter(({ object }) => !isFromServer(Place.root(object)))
    .map(({ requests }) => requests.flatMap(({ needs }) => needs).map(({ place }) => ({ place, missing: missingDefaults(place) })))
    .map((needs) => needs.filter(({ missing }) => missing.length > 0))
    .filter((needs) => needs.length > 0);
  if (specs.length === 0) return;
  const [{ place, missing }] = specs[0];
  const others = specs.length === 1 ? '' : `, and to ${specs.length - 1} more ${specs.length === 2 ? 'claim or template' : 'claims and templates'} of this input`;
  report(context, 'DRA170', place, {
    message: `The API server adds defaults here${others}; a GitOps engine may take them for a change on every pass.`,
    help: `Write ${missing.join(' and ')}${specs.length === 1 ? '' : ', and likewise in the others'}, if such an engine applies them.`,
  });
}

function missingDefaults(request: Place): string[] {
  return [
    ...request.at('allocationMode').isSet ? [] : ['allocationMode: ExactCount'],
    ...request.at('count').isSet || request.at('allocationMode').text === 'All' ? [] : ['count: 1'],
  ];
}

function isFromServer(object: Place): boolean {
  return object.at('metadata', 'uid').isSet;
}
