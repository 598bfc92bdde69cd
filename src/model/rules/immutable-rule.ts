import { claimSpecOf } from './claim-spec';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { firstDifference, storedClaimSpec, storedValue } from './stored-value';
import type { FieldPath } from '../manifests/manifest';
import { formatPath } from '../manifests/manifest';
import type { ManifestObject, ManifestSet } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';

/** What nobody can change in an object of a kind, and what to do instead. */
interface Fixed {
  readonly group: string;
  readonly kind: string;
  readonly paths: readonly FieldPath[];
  readonly help: string;
}

const FIXED: readonly Fixed[] = [
  {
    group: RESOURCE_GROUP,
    kind: 'ResourceClaimTemplate',
    paths: [['spec', 'metadata'], ['spec', 'spec']],
    help: 'Write a template with another name, let the workloads name it, and remove this one when none does any more.',
  },
  {
    group: RESOURCE_GROUP,
    kind: 'ResourceClaim',
    paths: [['spec']],
    help: 'Write a claim with another name and let the pods name it, or delete this one first, which waits for the pods that use it.',
  },
  {
    group: RESOURCE_GROUP,
    kind: 'ResourceSlice',
    paths: [['spec', 'driver'], ['spec', 'pool', 'name'], ['spec', 'nodeName']],
    help: 'Write a slice with another name, and remove this one.',
  },
  { group: '', kind: 'Pod', paths: [['spec', 'resourceClaims']], help: 'Delete the pod and make it anew, or leave that to a Deployment or Job.' },
  { group: 'batch', kind: 'Job', paths: [['spec', 'template', 'spec', 'resourceClaims']], help: 'Write a Job with another name, or delete this one first.' },
];

/** Changes between two commits that the API server refuses (`ValidateImmutableField`); silent without the manifests of the commit before. */
export const IMMUTABLE_RULE: Rule = {
  codes: ['DRA172'],
  run(context) {
    if (context.previous === undefined) return;
    for (const fixed of FIXED) {
      for (const object of context.manifests.ofKind(fixed.group, fixed.kind)) {
        const before = object.name === '' ? undefined : context.previous.find(fixed.group, fixed.kind, object.namespace, object.name);
        if (before !== undefined && !isForced(object)) checkObject(context, fixed, object, { before, previous: context.previous });
      }
    }
  },
};

interface Before {
  readonly before: ManifestObject;
  readonly previous: ManifestSet;
}

function checkObject(context: RuleContext, { paths, help }: Fixed, object: ManifestObject, { before, previous }: Before): void {
  for (const path of paths) {
    const place = Place.root(object).at(...path);
    const difference = firstDifference(stored(previous, before, path), stored(context.manifests, object, path));
    if (difference === undefined) continue;
    // Other versions write a request in another place.
    const at = object.version === 'v1beta1' ? place : place.at(...difference);
    report(context, 'DRA172', at, {
      message: `${object.kind} '${object.name}' was there before with another ${formatPath([...path, ...difference])}: the API server refuses to change it.`, help,
    });
    return;
  }
}

/** As the API server keeps it, so that what it fills in is no change. */
function stored(manifests: ManifestSet, object: ManifestObject, path: FieldPath): unknown {
  const spec = claimSpecOf(manifests, object);
  const isSpec = spec !== undefined && formatPath(spec.place.path) === formatPath(path);
  return isSpec ? storedClaimSpec(spec) : storedValue(Place.root(object).at(...path).value);
}

/** Argo CD and Flux delete such an object and make it anew. */
function isForced(object: ManifestObject): boolean {
  const annotations = Place.root(object).at('metadata', 'annotations');
  const options = annotations.at('argocd.argoproj.io/sync-options').text?.split(',').map((option) => option.trim()) ?? [];
  return options.includes('Force=true') || annotations.at('kustomize.toolkit.fluxcd.io/force').text?.toLowerCase() === 'enabled';
}
