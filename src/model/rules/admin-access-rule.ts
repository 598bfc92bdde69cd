import { claimSpecsOf } from './claim-spec';
import { Place } from './place';
import { report } from './report';
import type { Rule } from './rule';

/** Namespace label without which the API server refuses claims with admin access (`pkg/registry/resource/utils.go`). */
const ADMIN_LABEL = 'resource.kubernetes.io/admin-access';

/** Admin access only in namespaces that allow it. */
export const ADMIN_ACCESS_RULE: Rule = {
  codes: ['DRA156'],
  run(context) {
    for (const { object, requests } of claimSpecsOf(context.manifests)) {
      for (const { place, isSubRequest } of requests.flatMap(({ needs }) => needs)) {
        const access = place.at('adminAccess');
        // Alternatives have no such field.
        if (access.value !== true || isSubRequest) continue;
        const namespace = object.namespace === '' ? undefined : context.manifests.find('', 'Namespace', '', object.namespace);
        const label = namespace === undefined ? undefined : Place.root(namespace).at('metadata', 'labels', ADMIN_LABEL).value;
        if (label === 'true') continue;
        report(context, 'DRA156', access, {
          severity: namespace === undefined ? 'warning' : 'error',
          message: namespace === undefined
            ? `Admin access needs the label ${ADMIN_LABEL}: "true" on ${object.namespace === '' ? 'the namespace' : `the namespace '${object.namespace}'`}, which is not among the manifests checked.`
            : `Admin access needs the label ${ADMIN_LABEL}: "true" on the namespace '${object.namespace}': the API server refuses the ${object.kind}.`,
          help: 'Add the label to the Namespace, and give only administrators the right to edit namespaces.',
        });
      }
    }
  },
};
