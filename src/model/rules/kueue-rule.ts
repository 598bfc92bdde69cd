import type { ClaimSpec } from './claim-spec';
import { migrationsIn } from './ownership-plan';
import { Place } from './place';
import { containersOf, podClaimsOf, specBehind } from './pod-claims';
import type { PodClaim } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import type { ManifestSet, PodSite } from '../manifests/manifest-set';
import { countedName, KUEUE_QUEUE_LABEL } from '../migration/kueue';
import { canBeServed } from '../migration/path-choice';
import { RESOURCE_GROUP, type Target } from '../target';

const CODE = 'DRA423';

/** Workloads of Kueue's queues: only forms that Kueue counts. */
export const KUEUE_RULE: Rule = {
  codes: [CODE],
  run(context) {
    const { manifests, target } = context;
    const queued = manifests.podSites().filter(({ object }) => Place.root(object).at('metadata', 'labels', KUEUE_QUEUE_LABEL).text !== undefined);
    if (queued.length === 0) return;
    const [classes, served] = [countedClasses(manifests, target), servedResources(manifests, target)];
    for (const site of queued) {
      for (const claim of podClaimsOf(site)) checkClaim(context, claim, classes);
      // The API server fills in the requests of a bare pod, and of no template.
      if (site.object.kind !== 'Pod') checkRequests(context, site, served);
    }
  },
};

/** Classes that queues of the input count; undefined where no queue counts a pool of the input, so that the mapping is somebody else's. */
function countedClasses(manifests: ManifestSet, target: Target): ReadonlySet<string> | undefined {
  const covered = new Set(manifests.ofKind('kueue.x-k8s.io', 'ClusterQueue').flatMap(queue => Place.root(queue).at('spec', 'resourceGroups').items()
    .flatMap(group => group.at('coveredResources').items().map(({ text }) => text))));
  const pools = migrationsIn(manifests, target).filter(({ migration: { name } }) => covered.has(countedName(name)));
  return pools.length === 0 ? undefined : new Set(pools.flatMap(({ migration: { spec } }) => spec.deviceClassNames));
}

/** Extended resources that a class serves, or will. */
function servedResources(manifests: ManifestSet, target: Target): ReadonlySet<string> {
  const migrations = migrationsIn(manifests, target).map(({ migration }) => migration);
  const old = migrations.flatMap(({ spec }) => spec.legacy?.resources.map(({ name }) => name) ?? []);
  const moving = old.filter(name => canBeServed(name, migrations, target));
  const written = target.enabled('DRAExtendedResource')
    ? manifests.ofKind(RESOURCE_GROUP, 'DeviceClass').map(object => Place.root(object).at('spec', 'extendedResourceName').text ?? '')
    : [];
  return new Set([...moving, ...written]);
}

function checkClaim(context: RuleContext, claim: PodClaim, classes: ReadonlySet<string> | undefined): void {
  if (claim.claimName !== undefined) {
    report(context, CODE, claim.place.at('resourceClaimName'), {
      message: `The workload of a queue names the claim '${claim.claimName}': Kueue counts claims of templates only, and refuses others.`,
      help: 'Use resourceClaimTemplateName, or take the workload out of the queue.',
    });
    return;
  }
  const spec = specBehind(context.manifests, claim);
  if (spec === undefined) return;
  const at = claim.place.at('resourceClaimTemplateName');
  for (const [what, help] of uncountable(spec)) {
    report(context, CODE, at, { message: `The workload of a queue uses the template '${claim.templateName ?? ''}', which has ${what}: Kueue refuses it.`, help });
  }
  if (classes === undefined) return;
  const unmapped = [...new Set(needsOf(spec).map(need => need.at('deviceClassName').text ?? ''))].filter(name => name !== '' && !classes.has(name)).sort();
  for (const name of unmapped) {
    report(context, CODE, at, {
      message: `The workload of a queue asks for class '${name}', which no queue of the input counts: Kueue refuses a class that is not mapped.`,
      help: `Count the pool of the class in a KueueQuota, or ask for one of ${[...classes].sort().join(', ')}.`,
    });
  }
}

const INTO_CLASS = 'Put the selection into the class; a template for a queue holds a class and a count.';

/** What Kueue refuses in a claim, with the way out, in its own order. */
function uncountable(spec: ClaimSpec): ReadonlyArray<readonly [string, string]> {
  const devices = spec.place.at('devices');
  const isUsed = (list: Place) => list.items().length > 0;
  const needs = needsOf(spec);
  return ([
    ['constraints', 'Make a class whose devices belong together, or take the workload out of the queue.', isUsed(devices.at('constraints'))],
    ['config', 'Put the config into the class.', isUsed(devices.at('config'))],
    ['firstAvailable', 'Ask for one class.', spec.requests.some(({ prioritized }) => prioritized)],
    ['a selector in a request', INTO_CLASS, needs.some(need => isUsed(need.at('selectors')))],
    ['adminAccess', 'Take the workload out of the queue.', needs.some(need => need.at('adminAccess').value === true)],
    ['allocationMode All', 'Write how many: allocationMode ExactCount and count.', needs.some(need => need.at('allocationMode').text === 'All')],
  ] as const).flatMap(([what, help, has]) => (has ? [[what, help] as const] : []));
}

function needsOf({ requests }: ClaimSpec): readonly Place[] {
  return requests.flatMap(({ needs }) => needs.map(({ place }) => place));
}

function checkRequests(context: RuleContext, site: PodSite, served: ReadonlySet<string>): void {
  for (const { place, label } of containersOf(site)) {
    for (const [name, limit] of place.at('resources', 'limits').entries()) {
      if (!served.has(name) || place.at('resources', 'requests', name).isSet) continue;
      report(context, CODE, limit, {
        message: `Container ${label} of a workload of a queue limits '${name}' without requesting it: once a class serves the resource, Kueue counts requests only and waits for ever.`,
        help: 'Write the same amount in requests.',
      });
    }
  }
}
