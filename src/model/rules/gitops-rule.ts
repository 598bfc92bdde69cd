import { claimSpecsOf } from './claim-spec';
import { Place } from './place';
import { report } from './report';
import type { Rule } from './rule';
import { RESOURCE_GROUP } from '../target';

/** What makes a GitOps engine see a difference on every pass. */
export const GITOPS_RULE: Rule = {
  codes: ['DRA170', 'DRA171'],
  run(context) {
    for (const { object, requests } of claimSpecsOf(context.manifests)) {
      // Objects read back from a cluster are no declaration.
      if (isFromServer(Place.root(object))) continue;
      for (const { place } of requests.flatMap(({ needs }) => needs)) {
        const missing = [
          ...place.at('allocationMode').isSet ? [] : ['allocationMode: ExactCount'],
          ...place.at('count').isSet || place.at('allocationMode').text === 'All' ? [] : ['count: 1'],
        ];
        if (missing.length === 0) continue;
        report(context, 'DRA170', place, {
          message: 'The API server adds defaults here, which a GitOps engine may take for a change on every pass.', help: `Write ${missing.join(' and ')}.`,
        });
      }
    }
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

function isFromServer(object: Place): boolean {
  return object.at('metadata', 'uid').isSet;
}
