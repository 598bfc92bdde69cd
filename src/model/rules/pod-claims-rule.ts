import { checkText } from './checks';
import { hasRequest, referencesOf } from './claim-spec';
import { driverOfClass } from './known-drivers';
import { nearestName } from './near-names';
import type { Place } from './place';
import { isPlaceholder } from './placeholder';
import { containersOf, lookUp, podClaimsOf, podPlace, specBehind } from './pod-claims';
import type { PodClaim, PodContainer } from './pod-claims';
import { report, reportProblem } from './report';
import type { Rule, RuleContext } from './rule';
import { profileForDriver } from '../drivers';
import type { PodSite } from '../manifests/manifest-set';
import { dnsLabelProblem, dnsSubdomainProblem } from '../names';
import { nearest } from '../near-miss';
import { RESOURCE_GROUP } from '../target';

/** Claims of pods: what an entry names, and which containers use it. */
export const POD_CLAIMS_RULE: Rule = {
  codes: ['DRA109', 'DRA112', 'DRA115', 'DRA121', 'DRA124', 'DRA131', 'DRA132', 'DRA133', 'DRA135', 'DRA139'],
  run(context) {
    for (const site of context.manifests.podSites()) {
      const claims = podClaimsOf(site);
      const containers = containersOf(site);
      checkNames(context, claims);
      for (const claim of claims) checkForms(context, claim);
      for (const claim of claims) {
        checkSource(context, claim);
        checkTarget(context, claim);
      }
      const byName = new Map(claims.filter((claim) => claim.name !== undefined).map((claim) => [claim.name, claim]));
      for (const container of containers) checkContainer(context, container, byName, site);
      checkUnused(context, claims, containers, site);
      checkOtherPlaces(context, site);
    }
  },
};

function checkNames(context: RuleContext, claims: readonly PodClaim[]): void {
  const seen = new Set<string>();
  for (const { name, place } of claims) {
    if (name === undefined) continue;
    if (seen.has(name)) {
      report(context, 'DRA109', place.at('name'), {
        message: `Two entries of resourceClaims are named '${name}': the API server refuses the pod.`,
        help: 'Give each a name of its own; containers refer to it.',
      });
    }
    seen.add(name);
  }
}

function checkForms(context: RuleContext, { place, site }: PodClaim): void {
  const forms = [['name', dnsLabelProblem], ['resourceClaimName', dnsSubdomainProblem], ['resourceClaimTemplateName', dnsSubdomainProblem]] as const;
  for (const [field, validate] of forms) {
    if (!isPlaceholder(place.at(field).text ?? '', site.isBuiltIn)) checkText(context, 'DRA121', place.at(field), validate);
  }
}

/** Devices belong to containers: not to the pod as a whole, and not to containers that come later for debugging. */
function checkOtherPlaces(context: RuleContext, site: PodSite): void {
  const pod = podPlace(site);
  const ephemeral = pod.at('ephemeralContainers').items().map((container) => container.at('resources', 'claims'));
  for (const claims of [pod.at('resources', 'claims'), ...ephemeral]) {
    if (claims.items().length === 0) continue;
    report(context, 'DRA112', claims, {
      message: 'Claims can be used by containers and init containers only: the API server refuses them here.',
      help: 'Move the entries to resources.claims of the container that needs the devices.',
    });
  }
  for (const list of ['limits', 'requests']) {
    for (const [name, amount] of pod.at('resources', list).entries()) {
      if (!name.includes('/')) continue;
      report(context, 'DRA115', amount, {
        message: `A pod as a whole can only have cpu, memory and hugepages, got '${name}': the API server refuses it.`,
        help: `Move ${name} to the resources of the container that needs the devices.`,
      });
    }
  }
}

function checkSource(context: RuleContext, { place }: PodClaim): void {
  const hasClaim = place.at('resourceClaimName').isSet;
  const hasTemplate = place.at('resourceClaimTemplateName').isSet;
  // The nested form of old manifests has a finding of its own.
  if (place.fields === undefined || hasClaim !== hasTemplate || place.at('source').isSet) return;
  report(context, 'DRA124', place, {
    message: hasClaim
      ? 'A pod claim must name a claim or a template, got both resourceClaimName and resourceClaimTemplateName.'
      : 'A pod claim must have resourceClaimName or resourceClaimTemplateName, got neither.',
    help: 'Use resourceClaimTemplateName for devices of its own for each pod, resourceClaimName for a claim that pods share.',
  });
}

function checkTarget(context: RuleContext, claim: PodClaim): void {
  const { manifests } = context;
  const { namespace } = claim.site.object;
  const isClaim = claim.claimName !== undefined;
  const name = claim.claimName ?? claim.templateName;
  if (name === undefined || dnsSubdomainProblem(name) !== undefined || (isClaim && claim.templateName !== undefined)) return;
  const [kind, other] = isClaim ? ['ResourceClaim', 'ResourceClaimTemplate'] : ['ResourceClaimTemplate', 'ResourceClaim'];
  const place = claim.place.at(isClaim ? 'resourceClaimName' : 'resourceClaimTemplateName');
  const { found, elsewhere } = lookUp(manifests, RESOURCE_GROUP, kind, namespace, name);
  if (found !== undefined) return;
  if (elsewhere !== undefined) {
    report(context, 'DRA139', place, {
      message: `The ${kind} '${name}' is in namespace '${elsewhere.namespace}', the pod in '${namespace}': a pod sees only its own namespace.`,
      help: isClaim
        ? 'Claims cannot be shared over namespaces: give each namespace its own, or run the pods in one.'
        : `Put a template of this name into '${namespace}' too.`,
    });
    return;
  }
  const mixedUp = lookUp(manifests, RESOURCE_GROUP, other, namespace, name).found;
  const meant = nearestName(manifests, RESOURCE_GROUP, kind, name, namespace);
  let help = `Create it before the pod: until it exists the pod stays Pending${isClaim ? ', and nothing says why' : ''}.`;
  if (mixedUp !== undefined) help = `There is a ${other} of this name: use ${isClaim ? 'resourceClaimTemplateName' : 'resourceClaimName'}.`;
  else if (meant !== undefined) help = `Did you mean '${meant}'?`;
  report(context, 'DRA131', place, {
    severity: mixedUp === undefined && meant === undefined && manifests.ofKind(RESOURCE_GROUP, kind).length === 0 ? 'info' : 'warning',
    message: `The ${kind} '${name}' is not among the manifests checked.`,
    help,
  });
}

function checkContainer(
  context: RuleContext, { place, label }: PodContainer, claims: ReadonlyMap<string | undefined, PodClaim>, { isBuiltIn }: PodSite,
): void {
  const seen = new Set<string>();
  const isOpen = [...claims.keys()].some((key) => isPlaceholder(key ?? '', isBuiltIn));
  for (const entry of place.at('resources', 'claims').items()) {
    const name = entry.at('name').text;
    if (name === undefined) continue;
    const claim = claims.get(name);
    // A name that comes later may be that of any entry, and the other way round.
    if (claim === undefined && !isOpen && !isPlaceholder(name, isBuiltIn)) {
      const meant = nearest(name, [...claims.keys()].filter((key) => key !== undefined));
      report(context, 'DRA132', entry.at('name'), {
        message: `Container ${label} uses the claim '${name}', which resourceClaims of the pod do not have: the API server refuses the pod.`,
        help: meant === undefined ? 'Add an entry of this name to resourceClaims of the pod spec.' : `Did you mean '${meant}'?`,
      });
    }
    const request = entry.at('request').text;
    const key = request ? `${name}/${request}` : name;
    if (seen.has(key) || seen.has(name) || (!request && [...seen].some((other) => other.startsWith(`${name}/`)))) {
      report(context, 'DRA109', entry, {
        message: `Container ${label} lists the claim '${name}' twice${request ? ` for '${request}'` : ''}.`,
        help: 'List a claim once as a whole, or once for each request.',
      });
    }
    seen.add(key);
    if (request && !isPlaceholder(request, isBuiltIn)) checkRequest(context, entry.at('request'), request, claim);
  }
}

function checkRequest(context: RuleContext, place: Place, request: string, claim: PodClaim | undefined): void {
  if (request.includes('/')) {
    report(context, 'DRA133', place, {
      message: `A container must name a request of the claim, not one of its alternatives, got '${request}': the API server refuses the pod.`,
      help: `Write '${request.slice(0, request.indexOf('/'))}': the container gets whichever alternative was chosen.`,
    });
    return;
  }
  const problem = dnsLabelProblem(request);
  if (problem !== undefined) return reportProblem(context, 'DRA121', place, problem);
  const spec = claim === undefined ? undefined : specBehind(context.manifests, claim);
  if (spec === undefined || spec.requests.length === 0 || hasRequest(spec, request)) return;
  const names = referencesOf(spec).filter((name) => !name.includes('/'));
  const meant = nearest(request, names);
  report(context, 'DRA133', place, {
    message: `${spec.object.kind} '${spec.object.name}' has no request '${request}': the container would get no device.`,
    help: meant === undefined ? `Its requests are ${names.join(', ')}.` : `Did you mean '${meant}'?`,
  });
}

function checkUnused(context: RuleContext, claims: readonly PodClaim[], containers: readonly PodContainer[], site: PodSite): void {
  if (claims.length === 0) return;
  const used = new Set(containers.flatMap(({ place }) => place.at('resources', 'claims').items()).map((entry) => entry.at('name').text));
  // Which entry a name that comes later means is not known.
  if ([...used].some((name) => isPlaceholder(name ?? '', site.isBuiltIn))) return;
  for (const claim of claims) {
    if (claim.name === undefined || used.has(claim.name) || isPlaceholder(claim.name, site.isBuiltIn)) continue;
    const { name, place } = claim;
    const drivers = driversBehind(context, claim);
    // A network device is put into the network namespace of the whole pod.
    if (drivers?.some((driver) => profileForDriver(driver)?.family === 'nic')) continue;
    report(context, 'DRA135', place, {
      severity: drivers === undefined ? 'info' : undefined,
      message: `No container of this ${site.object.kind} uses the claim '${name}': its devices are allocated and prepared, and nobody can see them.`,
      help: `Add {name: ${name}} to resources.claims of the container that needs the devices, or remove the entry.`,
    });
  }
}

/** The drivers that a claim gets devices from; undefined when the input tells neither claim nor class. */
function driversBehind(context: RuleContext, claim: PodClaim): string[] | undefined {
  const needs = specBehind(context.manifests, claim)?.requests.flatMap((request) => request.needs);
  const drivers = needs?.map(({ place }) => driverOfClass(context.manifests, place.at('deviceClassName').text ?? ''));
  const known = drivers?.filter((driver) => driver !== undefined);
  return known === undefined || known.length === 0 ? undefined : known;
}
