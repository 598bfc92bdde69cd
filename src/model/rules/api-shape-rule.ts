import { claimSpecsOf } from './claim-spec';
import { Place } from './place';
import { podPlace } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { isBetween } from './schema';
import { KINDS, MINORS } from '../../../imports/fields';
import type { Minor } from '../../../imports/fields';
import { API_GROUP, ownCrd } from '../api';
import type { JsonObject, ManifestObject, PodSite } from '../manifests/manifest-set';
import { nearest } from '../near-miss';
import { gatedFields, isResourceKind, RESOURCE_GROUP, RESOURCE_KINDS, servedVersions } from '../target';

/** API versions that the target serves, and shapes that belong to another version. */
export const API_SHAPE_RULE: Rule = {
  codes: ['DRA116', 'DRA117', 'DRA118'],
  run(context) {
    for (const object of context.manifests.objects) {
      if (object.group === RESOURCE_GROUP) checkResourceVersion(context, object);
      else checkBuiltIn(context, object);
    }
    for (const spec of claimSpecsOf(context.manifests)) {
      for (const request of spec.requests) checkRequestShape(context, request.place);
    }
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'ResourceSlice')) {
      for (const device of Place.root(object).at('spec', 'devices').items()) checkDeviceShape(context, device);
    }
    for (const site of context.manifests.podSites()) checkPodClaims(context, site);
  },
};

/** Whether a field that a type does not have is one of another API version, which this rule explains. */
export function isKnownElsewhere(definition: string, field: string, parent: JsonObject): boolean {
  switch (definition) {
    case 'resource.v1.DeviceRequest':
    case 'resource.v1beta2.DeviceRequest':
      return FLAT_FIELDS.includes(field);
    case 'resource.v1beta1.DeviceRequest':
      return field === 'exactly';
    case 'resource.v1.Device':
    case 'resource.v1beta2.Device':
      return field === 'basic';
    case 'resource.v1beta1.Device':
      return parent.basic === undefined;
    case 'core.v1.PodResourceClaim':
      return field === 'source';
    default:
      return false;
  }
}

/** What v1beta1 keeps in the request itself, and v1beta2 and v1 under `exactly`. */
const FLAT_FIELDS = ['deviceClassName', 'selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'];

function checkResourceVersion(context: RuleContext, object: ManifestObject): void {
  const { target } = context;
  const place = Place.root(object);
  if (object.kind.endsWith('List')) return;
  if (!isResourceKind(object.kind)) {
    const meant = GONE_KINDS[object.kind] ?? nearest(object.kind, RESOURCE_KINDS);
    report(context, 'DRA116', place.at('kind'), {
      message: `No Kubernetes from ${MINORS[0]} on knows the kind ${object.kind} in ${RESOURCE_GROUP}.`,
      help: meant === undefined ? `The kinds are ${RESOURCE_KINDS.join(', ')}.` : `Use ${meant}.`,
    });
    return;
  }
  const { served, onByDefault, preferred } = servedVersions(object.kind, target.minor);
  const version = object.version as typeof served[number];
  if (onByDefault.includes(version)) {
    const support = target.kindSupport(object.kind);
    if (!support.supported) {
      report(context, 'DRA116', place.at('apiVersion'), { message: `${target} stores a ${object.kind} and does not act on it.`, help: support.help });
    }
    return;
  }
  if (preferred !== undefined && onByDefault.includes(preferred)) {
    report(context, 'DRA116', place.at('apiVersion'), {
      message: notServed(context, object, served.includes(version) ? 'only with --runtime-config' : undefined),
      help: `Write apiVersion: ${RESOURCE_GROUP}/${preferred}${object.version === 'v1beta2' || object.kind === 'DeviceClass' ? '' : `; a ${object.kind} has another shape there`}.`,
    });
    return;
  }
  const support = target.kindSupport(object.kind);
  if (support.supported && served.includes(version)) return;
  report(context, 'DRA116', place.at('apiVersion'), {
    message: notServed(context, object, served.includes(version) ? 'only on demand' : undefined),
    help: support.supported ? `Write apiVersion: ${target.apiVersionOf(object.kind)}.` : `${support.help}${otherVersion(served, version)}`,
  });
}

/** `how`: on which condition the target serves it after all. */
function notServed({ target }: RuleContext, { kind, apiVersion }: ManifestObject, how: string | undefined): string {
  const verb = how === undefined ? 'does not serve' : 'serves';
  return `Kubernetes ${target.minor} ${verb} ${kind} in ${apiVersion}${how === undefined ? '' : ` ${how}`}.`;
}

/** Which version to write when the target can serve the kind, only not in this one. */
function otherVersion<V extends string>(served: readonly V[], version: V): string {
  return served.length === 0 || served.includes(version) ? '' : ` Then write apiVersion: ${RESOURCE_GROUP}/${served[served.length - 1]}.`;
}

/** Kinds of DRA before 1.32, and what took their place. */
const GONE_KINDS: { readonly [kind: string]: string } = {
  PodSchedulingContext: 'nothing in its place: the scheduler allocates devices itself',
  ResourceClass: 'DeviceClass',
  ResourceClassParameters: 'DeviceClass with spec.selectors and spec.config',
  ResourceClaimParameters: 'selectors and config in the ResourceClaim',
};

const KNOWN_GROUPS = new Map<string, string[]>();
for (const key of Object.keys(KINDS)) {
  const [kind, version] = key.split('/').reverse();
  const group = key.slice(0, Math.max(0, key.length - kind.length - version.length - 2));
  KNOWN_GROUPS.set(group, [...KNOWN_GROUPS.get(group) ?? [], `${version}/${kind}`]);
}

/** Kinds that requests and answers use and no manifest stores. */
const TRANSIENT = ['DeleteOptions', 'Eviction', 'List', 'Scale', 'Status', 'Table', 'TokenRequest'];

/** A kind of ours or of DRA in a group of nearly the right name: taken for somebody else's, it would not be looked at. */
function checkNearGroup(context: RuleContext, object: ManifestObject): void {
  const group = isResourceKind(object.kind) ? RESOURCE_GROUP : ownCrd(API_GROUP, object.kind) !== undefined ? API_GROUP : undefined;
  if (group === undefined || nearest(object.group, [group]) === undefined) return;
  report(context, 'DRA116', Place.root(object).at('apiVersion'), {
    message: `${object.kind} is a kind of ${group}, got ${object.apiVersion}: no server knows it there.`,
    help: `Write apiVersion: ${group}/${object.version}.`,
  });
}

function checkBuiltIn(context: RuleContext, object: ManifestObject): void {
  const kinds = KNOWN_GROUPS.get(object.group);
  if (kinds === undefined) return checkNearGroup(context, object);
  if (object.kind === '' || object.apiVersion === '' || TRANSIENT.includes(object.kind)) return;
  const { minor } = context.target;
  const key = `${object.apiVersion}/${object.kind}`;
  const info = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined;
  const isKnown = info !== undefined && isBetween(minor, info.since, info.until);
  if (isKnown && isStable(object.version)) return;
  const known = versionsOf(object, kinds);
  const versions = known.filter(({ since, until }) => isBetween(minor, since, until));
  const stable = versions.filter(({ version }) => isStable(version));
  const place = Place.root(object);
  if (isKnown && stable.length === 0) {
    checkOnDemand(context, object, known);
  } else if (info === undefined && versions.length === 0) {
    const meant = nearest(object.kind, kinds.map((other) => other.slice(other.indexOf('/') + 1)));
    report(context, 'DRA116', place.at('kind'), {
      message: `Kubernetes ${minor} has no kind ${object.kind} in ${object.apiVersion}.`,
      help: meant === undefined ? 'Use what took its place, or the group that defines it.' : `Did you mean ${meant}?`,
    });
  } else {
    const others = (stable.length > 0 ? stable : versions).map(({ version }) => inGroup(object, version));
    const onDemand = stable.length > 0 ? '' : ', which is served only with --runtime-config';
    report(context, 'DRA116', place.at('apiVersion'), {
      message: notServed(context, object, isKnown ? 'only with --runtime-config' : undefined),
      help: others.length === 0
        ? `It exists ${span(info?.since ?? MINORS[0], info?.until ?? MINORS[MINORS.length - 1])}.`
        : `Write apiVersion: ${others.join(' or ')}${onDemand}.`,
    });
  }
}

/** Alpha and beta versions are off by default, without exception in the known minors (`pkg/controlplane/instance.go`). */
function isStable(version: string): boolean {
  return /^v\d+$/.test(version);
}

interface KindVersion {
  readonly version: string;
  readonly since?: Minor;
  readonly until?: Minor;
}

/** Every version of an object's kind in its group, in any minor. */
function versionsOf(object: ManifestObject, kinds: readonly string[]): KindVersion[] {
  return kinds.filter((other) => other.endsWith(`/${object.kind}`)).map((other) => {
    const version = other.slice(0, other.indexOf('/'));
    const { since, until } = KINDS[`${inGroup(object, version)}/${object.kind}`];
    return { version, since, until };
  });
}

function inGroup({ group }: ManifestObject, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** A kind that the target has in alpha or beta versions only; whoever has its gate on serves it, too. */
function checkOnDemand(context: RuleContext, object: ManifestObject, known: readonly KindVersion[]): void {
  const { target } = context;
  const support = gatedFields(object.kind).length > 0 ? target.kindSupport(object.kind) : undefined;
  if (support?.supported === true) return;
  const stable = known.filter(({ version }) => isStable(version)).map(({ since }) => since);
  const first = MINORS.find((minor) => stable.includes(minor));
  const later = first === undefined ? '' : ` Kubernetes ${first} serves it by default.`;
  report(context, 'DRA116', Place.root(object).at('apiVersion'), {
    message: notServed(context, object, 'only on demand'),
    help: `${support?.supported === false ? `${support.help} Also serve` : 'Serve'} the API: --runtime-config=${object.apiVersion}=true.${later}`,
  });
}

function span(since: string, until: string): string {
  return since === until ? `in Kubernetes ${since} alone` : `from Kubernetes ${since} to ${until}`;
}

function checkRequestShape(context: RuleContext, request: Place): void {
  const { version, apiVersion } = request.object;
  // Of a version that no cluster serves any more, only that is told.
  if (version.startsWith('v1alpha')) return;
  if (version === 'v1beta1') {
    if (request.at('exactly').isSet) {
      report(context, 'DRA117', request.at('exactly'), {
        message: `'exactly' does not exist in ${apiVersion}: the request itself holds deviceClassName, count and the like there.`,
        help: `Write apiVersion: ${RESOURCE_GROUP}/v1 and keep 'exactly'.`,
      });
    }
    return;
  }
  const flat = FLAT_FIELDS.filter((field) => request.at(field).isSet);
  if (flat.length === 0) return;
  report(context, 'DRA117', request.at(flat[0]), {
    message: `${flat.join(', ')} ${flat.length === 1 ? 'stands' : 'stand'} in the request itself, the shape of v1beta1; ${apiVersion} drops what is not under 'exactly'.`,
    help: `Move ${flat.length === 1 ? 'it' : 'them'} one level deeper, under 'exactly:'.`,
  });
}

function checkDeviceShape(context: RuleContext, device: Place): void {
  const { version, apiVersion } = device.object;
  if (version !== 'v1beta1') {
    if (!device.at('basic').isSet) return;
    report(context, 'DRA117', device.at('basic'), {
      message: `'basic' is the shape of v1beta1; ${apiVersion} drops it with all that it holds.`,
      help: 'Move its fields up into the device.',
    });
  } else if (!device.at('basic').isSet && (device.at('attributes').isSet || device.at('capacity').isSet)) {
    report(context, 'DRA117', device, {
      message: `In ${apiVersion} attributes and capacity of a device stand under 'basic', elsewhere they are dropped.`,
      help: `Write apiVersion: ${RESOURCE_GROUP}/v1 and keep them where they are.`,
    });
  }
}

function checkPodClaims(context: RuleContext, site: PodSite): void {
  for (const claim of podPlace(site).at('resourceClaims').items()) {
    const source = claim.at('source');
    if (!source.isSet) continue;
    report(context, 'DRA118', source, {
      message: '\'source\' of a pod claim is the form of Kubernetes before 1.31; it is dropped, and the entry then names neither claim nor template.',
      help: 'Move resourceClaimName or resourceClaimTemplateName up beside \'name\'.',
    });
  }
}
