import { listed } from './wording';
import type { JsonObject } from '../manifests/manifest-set';
import type { Quantity } from '../quantity';
import type { Target } from '../target/target';
import type { ClusterView } from '../view/cluster-view';
import { shareDevices } from '../view/device-sharing';
import { field, objectAt, objectsAt, quantitiesAt, textAt, wholeAt } from '../view/json-field';
import { isAllocated } from '../view/pod-claims';
import type { PodClaim } from '../view/pod-claims';
import { IMPLICIT_DOMAIN, isExtendedResource, requestsOf } from '../view/pod-resources';
import type { ViewObject } from '../view/view-object';

/** One way to satisfy a request. */
export interface Need {
  /** Place of the claim among those to allocate, and of the request in it. */
  readonly claim: number;
  readonly request: number;
  /** Place in `firstAvailable`; undefined for `exactly`. */
  readonly alternative?: number;
  /** As results name it. */
  readonly reference: string;
  /** As texts name it: `request r`, with its claim where two claims have such a request. */
  readonly title: string;
  /** The extended resource that stands for it, so that it has neither selectors nor tolerations. */
  readonly resource?: string;
  readonly className: string;
  /** Of the request alone; '' for one without an expression. */
  readonly selectors: readonly string[];
  readonly count: number;
  readonly all: boolean;
  readonly adminAccess: boolean;
  readonly tolerations: readonly JsonObject[];
  /** Amounts asked of each device. */
  readonly capacity: ReadonlyMap<string, Quantity>;
}

/** A claim that the scheduler has to allocate for the pod. */
export interface ClaimDemand {
  /** As the allocator names it. */
  readonly reference: string;
  /** As texts name it: `claim c (template t)`. */
  readonly label: string;
  readonly object: JsonObject;
  /** Alternatives of each request. */
  readonly requests: readonly (readonly Need[])[];
}

/** What the claims that are not allocated yet ask for; a claim that does not exist yet is read from its template. */
export function demandOf(pod: ViewObject, claims: readonly PodClaim[]): readonly ClaimDemand[] {
  const objects = claims.flatMap(({ name, templateName, template, claim, state }): { label: string; object: JsonObject }[] => {
    if (state === 'not-needed' || (claim !== undefined && isAllocated(claim))) return [];
    if (claim !== undefined) return [{ label: `claim ${claim.name}${templateName === '' ? '' : ` (template ${templateName})`}`, object: claim.value }];
    if (template === undefined) return [];
    const object = { metadata: { name: `${pod.name}-${name}`, namespace: pod.namespace }, spec: objectAt(template.value, 'spec', 'spec') };
    return [{ label: `claim ${name} (template ${templateName})`, object }];
  });
  const demand = objects.map(({ label, object }, index) => claimDemand(label, object, index));
  const asksFor = (name: string) => ({ requests }: ClaimDemand): boolean => requests.flat().some(({ reference }) => reference === name);
  const isTwice = ({ reference }: Need): boolean => demand.filter(asksFor(reference)).length > 1;
  return demand.map(claim => ({
    ...claim,
    requests: claim.requests.map(alternatives => alternatives.map((need): Need => {
      return isTwice(need) ? { ...need, title: `${need.title} of ${claim.label}` } : need;
    })),
  }));
}

export function claimDemand(label: string, object: JsonObject, index: number): ClaimDemand {
  const namespace = textAt(object, 'metadata', 'namespace');
  const name = textAt(object, 'metadata', 'name');
  const requests = objectsAt(object, 'spec', 'devices', 'requests').map((request, place) => {
    const base = textAt(request, 'name');
    const alternatives = objectsAt(request, 'firstAvailable');
    if (alternatives.length === 0) return [needOf(objectAt(request, 'exactly'), base, { claim: index, request: place })];
    return alternatives.map((one, alternative) => needOf(one, `${base}/${textAt(one, 'name')}`, { claim: index, request: place, alternative }));
  });
  return { reference: namespace === '' ? name : `${namespace}/${name}`, label, object, requests };
}

function needOf(request: JsonObject, reference: string, place: Pick<Need, 'claim' | 'request' | 'alternative'>): Need {
  return {
    ...place,
    reference,
    title: `request ${reference}`,
    className: textAt(request, 'deviceClassName'),
    selectors: objectsAt(request, 'selectors').map(selector => textAt(selector, 'cel', 'expression')),
    count: wholeAt(request, 'count') || 1,
    all: textAt(request, 'allocationMode') === 'All',
    adminAccess: field(request, 'adminAccess') === true,
    tolerations: objectsAt(request, 'tolerations'),
    capacity: quantitiesAt(request, 'capacity', 'requests'),
  };
}

/** Claims with one request, or alternative of one, written anew. */
export function withNeed(claims: readonly ClaimDemand[], need: Need, change: (request: JsonObject) => JsonObject): readonly JsonObject[] {
  return claims.map(({ object }, index) => {
    if (index !== need.claim) return object;
    const requests = objectsAt(object, 'spec', 'devices', 'requests').map((request, place): JsonObject => {
      if (place !== need.request) return request;
      if (need.alternative === undefined) return { ...request, exactly: change(objectAt(request, 'exactly')) };
      return { ...request, firstAvailable: objectsAt(request, 'firstAvailable').map((one, i) => (i === need.alternative ? change(one) : one)) };
    });
    return withDevices(object, { requests });
  });
}

/** Claims without one constraint. */
export function withoutConstraint(claims: readonly ClaimDemand[], claim: number, constraint: number): readonly JsonObject[] {
  return claims.map(({ object }, index) => {
    if (index !== claim) return object;
    return withDevices(object, { constraints: objectsAt(object, 'spec', 'devices', 'constraints').filter((_, i) => i !== constraint) });
  });
}

function withDevices(claim: JsonObject, change: JsonObject): JsonObject {
  return { ...claim, spec: { ...objectAt(claim, 'spec'), devices: { ...objectAt(claim, 'spec', 'devices'), ...change } } };
}

/** An extended resource that a pod asks for, and the class that answers it. */
export interface ExtendedRequest {
  readonly resource: string;
  /** Undefined when no class answers it in this cluster. */
  readonly className?: string;
  /** What the scheduler would put into its claim. */
  readonly requests: readonly ContainerRequest[];
}

/** Devices for one container; steps that end before it may use them too. */
export interface ContainerRequest {
  /** As the scheduler names it. */
  readonly name: string;
  readonly container: string;
  readonly count: number;
}

/** The extended resources of a pod, sorted by name. */
export function extendedRequests(view: ClusterView, pod: ViewObject, target: Target): readonly ExtendedRequest[] {
  const containers = containersOf(pod.value);
  const asked = containers.flatMap(({ requests }) => [...requests].filter(([name, amount]) => isExtendedResource(name) && amount.sign() > 0));
  const names = new Set(asked.map(([name]) => name));
  return [...names].sort().map(resource => {
    const className = classFor(view, resource, target);
    return { resource, requests: requestsFor(containers, resource, target), ...(className === undefined ? {} : { className }) };
  });
}

interface Container {
  readonly name: string;
  /** An init container that ends before the next begins. */
  readonly isStep: boolean;
  readonly requests: ReadonlyMap<string, Quantity>;
}

function containersOf(pod: JsonObject): readonly Container[] {
  const read = (isInit: boolean) => (container: JsonObject): Container => (
    { name: textAt(container, 'name'), isStep: isInit && textAt(container, 'restartPolicy') !== 'Always', requests: requestsOf(container) }
  );
  return [...objectsAt(pod, 'spec', 'initContainers').map(read(true)), ...objectsAt(pod, 'spec', 'containers').map(read(false))];
}

/** From 1.35 on steps share devices; before, each container has its own (`createDeviceRequests`). */
function requestsFor(containers: readonly Container[], resource: string, target: Target): readonly ContainerRequest[] {
  const asks = containers.map(container => ({ count: wanted(container, resource), isStep: container.isStep && target.atLeast('1.35') }));
  return shareDevices(asks).flatMap(({ own }, index): ContainerRequest[] => {
    const { name, requests } = containers[index];
    return own === 0 ? [] : [{ name: `container-${index}-request-${[...requests.keys()].sort().indexOf(resource)}`, container: name, count: own }];
  });
}

/** Of a fraction the scheduler makes no request. */
function wanted({ requests }: Container, resource: string): number {
  const amount = requests.get(resource);
  return amount?.isWhole() === true ? Number(amount.value()) : 0;
}

/** Of two classes with one name the newest counts, then the one that sorts first. */
function classFor(view: ClusterView, resource: string, target: Target): string | undefined {
  if (!target.isOn('DRAExtendedResource', 'kube-scheduler')) return undefined;
  const explicit = view.all('DeviceClass').filter(({ value }) => textAt(value, 'spec', 'extendedResourceName') === resource);
  const created = ({ value }: ViewObject): string => textAt(value, 'metadata', 'creationTimestamp');
  const [newest] = [...explicit].sort((a, b) => (created(a) > created(b) ? -1 : created(a) < created(b) ? 1 : a.name < b.name ? -1 : 1));
  if (newest !== undefined) return newest.name;
  if (!target.atLeast('1.35') || !resource.startsWith(`${IMPLICIT_DOMAIN}/`)) return undefined;
  const name = resource.slice(IMPLICIT_DOMAIN.length + 1);
  return view.find('DeviceClass', '', name) && name;
}

/** What that claim asks for. */
export function extendedDemand(pod: ViewObject, requests: readonly ExtendedRequest[], index: number): ClaimDemand {
  const label = `the claim that the scheduler makes for ${listed(requests.map(({ resource }) => resource))}`;
  const demand = claimDemand(label, extendedClaim(pod, requests), index);
  const titles = inOrder(requests).map(({ resource, container }) => ({ resource, title: `the request of container ${container} for ${resource}` }));
  return { ...demand, requests: demand.requests.map((needs, i) => needs.map(need => ({ ...need, ...titles[i] }))) };
}

/** The claim that the scheduler would make for extended resources on a node that does not offer them itself. */
export function extendedClaim(pod: ViewObject, requests: readonly ExtendedRequest[]): JsonObject {
  return {
    metadata: { name: `${pod.name}-extended-resources`, namespace: pod.namespace },
    spec: {
      devices: {
        requests: inOrder(requests).map(({ name, className = '', count }) => ({ name, exactly: { deviceClassName: className, allocationMode: 'ExactCount', count } })),
      },
    },
  };
}

/** As the scheduler sorts them. */
function inOrder(requests: readonly ExtendedRequest[]): ReadonlyArray<ContainerRequest & { readonly resource: string; readonly className?: string }> {
  const all = requests.flatMap(({ resource, className, requests: own }) => {
    return own.map(request => ({ ...request, resource, ...(className === undefined ? {} : { className }) }));
  });
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}
