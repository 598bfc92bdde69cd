import { Place } from './place';
import { podClaimsOf } from './pod-claims';
import type { PodClaim } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { LIMITS } from '../limits';
import { RESOURCE_GROUP } from '../target';

/** Written by the claim controller on claims that it makes for a pod. */
const POD_CLAIM_ANNOTATION = 'resource.kubernetes.io/pod-claim-name';

/** Claims that several pods use, and claims that outlive the pod they were made for. */
export const SHARING_RULE: Rule = {
  codes: ['DRA150', 'DRA151', 'DRA157'],
  run(context) {
    const users = new Map<string, PodClaim[]>();
    for (const claim of context.manifests.podSites().flatMap((site) => podClaimsOf(site))) {
      if (!claim.claimName) continue;
      const key = `${claim.site.object.namespace}/${claim.claimName}`;
      const same = users.get(key);
      if (same === undefined) users.set(key, [claim]);
      else same.push(claim);
    }
    for (const claims of users.values()) checkConsumers(context, claims);
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'ResourceClaim')) checkOwner(context, Place.root(object));
  },
};

function checkConsumers(context: RuleContext, claims: readonly PodClaim[]): void {
  const most = LIMITS.consumers.max;
  const pods = claims.reduce((sum, { site }) => sum + site.pods, 0);
  const [first] = claims;
  const place = first.place.at('resourceClaimName');
  const named = `the claim '${first.claimName}'`;
  if (Number.isFinite(pods) && pods > most) {
    report(context, 'DRA151', place, {
      message: `${pods} pods use ${named}, but a claim takes at most ${most} consumers: the others never start.`,
      help: 'Use resourceClaimTemplateName, or several claims.',
    });
    return;
  }
  if (pods <= 1) return;
  const several = claims.filter(({ site }) => site.pods > 1);
  // Separate workloads that name one claim on purpose are the use of a named claim; copies of one pod rarely are.
  const replicated = several[0];
  report(context, 'DRA150', (replicated ?? first).place.at('resourceClaimName'), {
    severity: replicated === undefined ? 'info' : 'warning',
    message: Number.isFinite(pods)
      ? `${pods} pods share ${named}: they get the same devices and run where those are.`
      : `Every pod of this ${(replicated ?? first).site.object.kind} names ${named}: only pods on the node of its devices can start.`,
    help: 'Use resourceClaimTemplateName to give every pod devices of its own; keep the claim where sharing is meant.',
  });
}

/** C-038: nobody deletes a pod's claim that has no owner, and the next pod of that name cannot use it. */
function checkOwner(context: RuleContext, claim: Place): void {
  const annotation = claim.at('metadata', 'annotations', POD_CLAIM_ANNOTATION);
  if (!annotation.isSet || claim.at('metadata', 'ownerReferences').items().length > 0) return;
  report(context, 'DRA157', annotation, {
    message: 'This claim says that it was made for a pod, but no pod owns it: it stays when the pod is gone.',
    help: 'Use a ResourceClaimTemplate, or set metadata.ownerReferences to the pod.',
  });
}
