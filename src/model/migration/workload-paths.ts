import { bridges } from './bridge';
import type { PlannedMigration } from './plan';
import { platformPart, type PlatformDaemon } from './platform-daemons';
import { shownNames } from './pool-phases';
import { profileForResource } from '../drivers';
import type { ManifestObject, ManifestSet, PodSite } from '../manifests/manifest-set';
import { isAtLeast } from '../phases/phase';
import type { Target } from '../target';
import { isExtendedResource, requestsOf } from '../view';
import { shareDevices } from '../view/device-sharing';
import type { DeviceShare } from '../view/device-sharing';
import { field, objectsAt, textAt, textMapAt } from '../view/json-field';

/** How a workload comes over: the bridge serves it as it is, it needs a claim template, or it cannot. */
export type WayOver = 'bridge' | 'template' | 'blocked';

/** A workload of a device plugin's resources, and what becomes of it. */
export interface WorkloadPath {
  /** `Deployment vision/notebook`. */
  readonly workload: string;
  readonly way: WayOver;
  /** What it asks for, e.g. `8 nvidia.com/gpu`. */
  readonly asks: readonly string[];
  /** Why this way, a sentence each. */
  readonly because: readonly string[];
  /** Whether it relies on preemption, which does not free devices that claims or the bridge hold. */
  readonly preemption?: string;
  /** What else changes for it, a sentence each. */
  readonly notes: readonly string[];
  /** The claim template to make. */
  readonly template?: object;
  /** What the pod template gets, and what it loses. */
  readonly podChange?: { readonly add: object; readonly remove: readonly string[] };
}

/** The daemons among manifests that serve devices or look after them, sorted; a driver that takes no device, such as one of storage, is left out. */
export function platformDaemons(set: ManifestSet): readonly PlatformDaemon[] {
  const found = new Map<string, PlatformDaemon>();
  for (const site of set.podSites()) {
    const part = askedBy(site).length === 0 ? platformPart(site) : undefined;
    const daemon = subjectOf(site.object).name;
    if (part !== undefined && (part.part !== 'driver' || bypassing(site, []) !== undefined)) found.set(daemon, { daemon, ...part });
  }
  return [...found.values()].sort((a, b) => (a.daemon < b.daemon ? -1 : 1));
}

/** The workloads of manifests that ask a device plugin for something, sorted: what is blocked first. */
export function workloadPaths(set: ManifestSet, migrations: readonly PlannedMigration[], target: Target): readonly WorkloadPath[] {
  const resources = new Map<string, ResourceWay>();
  const wayOf = (resource: string) => {
    let way = resources.get(resource);
    if (way === undefined) resources.set(resource, way = resourceWay(resource, set, migrations, target));
    return way;
  };
  const present = new Set(set.objects.map(nameOf));
  const templates = new Map<string, number>();
  const told = new Set<string>();
  const paths = set.podSites().flatMap((site): WorkloadPath[] => {
    const subject = subjectOf(site.object);
    if (subject.name !== nameOf(site.object) && present.has(subject.name)) return [];
    const known = `${subject.name} ${askedBy(site).map(({ container, resource, count }) => `${container} ${resource} ${count}`).join()}`;
    // Pods of one controller that the input does not hold are one workload.
    if (site.object.kind === 'Pod' && told.has(known)) return [];
    told.add(known);
    const count = (templates.get(subject.name) ?? 0) + 1;
    const path = pathOf(site, { ...subject, templateName: `${subject.base}-devices${count === 1 ? '' : `-${count}`}` }, wayOf);
    if (path === undefined) return [];
    templates.set(subject.name, count);
    return [path];
  });
  return paths.sort((a, b) => ORDER.indexOf(a.way) - ORDER.indexOf(b.way) || (a.workload < b.workload ? -1 : a.workload > b.workload ? 1 : 0));
}

const ORDER: readonly WayOver[] = ['blocked', 'template', 'bridge'];

/** What becomes of a resource, whoever asks for it. */
interface ResourceWay {
  readonly way: WayOver;
  readonly because: string;
  /** '' where none is known. */
  readonly deviceClassName: string;
}

function resourceWay(resource: string, set: ManifestSet, migrations: readonly PlannedMigration[], target: Target): ResourceWay {
  const pools = migrations.filter(({ spec }) => spec.legacy?.resources.some(({ name }) => name === resource));
  const [first] = [...pools].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (first === undefined) return withoutMigration(resource, set, target);
  const deviceClassName = first.spec.deviceClassNames[0] ?? '';
  const legacy = pools.flatMap(({ spec }) => spec.legacy?.resources.filter(({ name }) => name === resource) ?? []);
  const shared = legacy.find(({ unitsPerDevice = 1 }) => unitsPerDevice > 1);
  if (shared !== undefined) {
    return { way: 'blocked', deviceClassName, because: `A unit of ${resource} is a share of a device (${shared.unitsPerDevice} units each, by time-slicing or MPS), and a claim for class ${deviceClassName} takes a whole one. Offer a class of shared or partitioned devices first.` };
  }
  const partition = legacy.find(one => one.partition !== undefined)?.partition;
  if (partition !== undefined) return { way: 'template', deviceClassName, because: `A unit of ${resource} is the partition ${partition}, which the bridge cannot name; class ${deviceClassName} must offer it.` };
  // Where the plan leads, not where it stands today.
  const ahead = migrations.map(({ name, spec }) => ({ name, spec: isAtLeast(spec.phase, 'Expand') ? spec : { ...spec, phase: 'Expand' as const } }));
  const { open, closed } = bridges(ahead, target);
  const bridge = open.find(one => one.resource === resource);
  if (bridge === undefined) return { way: 'template', deviceClassName, because: `No class serves ${resource}: ${closed.find(one => one.resource === resource)?.why ?? 'the bridge is closed'}.` };
  const behind = pools.filter(({ spec }) => !isAtLeast(spec.phase, 'Expand')).map(({ name }) => name);
  const when = behind.length === 0 ? 'now' : `once ${shownNames(behind)} ${behind.length === 1 ? 'is' : 'are'} in Expand`;
  return { way: 'bridge', deviceClassName: bridge.deviceClassName, because: `Class ${bridge.deviceClassName} serves ${resource} ${when}.` };
}

/** Somebody who moves without our objects: a class that carries the name, or the class that the vendor's driver installs. */
function withoutMigration(resource: string, set: ManifestSet, target: Target): ResourceWay {
  const carrier = set.ofKind('resource.k8s.io', 'DeviceClass').find(({ value }) => textAt(value, 'spec', 'extendedResourceName') === resource)?.name;
  const profile = profileForResource(resource);
  const installed = profile?.installedClasses.find(({ extendedResourceName }) => extendedResourceName === resource);
  const deviceClassName = carrier ?? installed?.name ?? '';
  if (deviceClassName === '') {
    return { way: 'blocked', deviceClassName, because: `No DeviceMigration takes ${resource} over and no class is known for it. Plan its pool first, or leave it with the device plugin.` };
  }
  if (!target.atLeast('1.36') || !target.fieldSupport('DeviceClassSpec', 'extendedResourceName').supported) {
    return { way: 'template', deviceClassName, because: `Kubernetes ${target.minor} does not let a class serve ${resource}; class ${deviceClassName} offers the devices.` };
  }
  return carrier !== undefined
    ? { way: 'bridge', deviceClassName, because: `Class ${carrier} carries ${resource}.` }
    : { way: 'bridge', deviceClassName, because: `Class ${deviceClassName}, which the chart of ${profile?.driverName ?? 'its driver'} installs, can carry ${resource}; no DeviceMigration says when.` };
}

interface Asked {
  readonly container: string;
  readonly resource: string;
  readonly count: number;
  readonly path: string;
  /** Devices of its own; an init container first takes those of what begins after it. */
  readonly own: number;
  /** Places of the containers whose devices it gets. */
  readonly from: readonly number[];
  /** Its place among init containers and containers. */
  readonly place: number;
}

/** Who is told about: the object, or the controller that made a pod. */
interface Subject {
  readonly name: string;
  /** What names of new objects begin with. */
  readonly base: string;
  readonly templateName: string;
}

function subjectOf(object: ManifestObject): Omit<Subject, 'templateName'> {
  const owner = objectsAt(object.value, 'metadata', 'ownerReferences').find(one => one.controller === true);
  if (owner === undefined) return { name: nameOf(object), base: object.name === '' ? 'workload' : object.name };
  const base = textAt(owner, 'name');
  return { name: `${textAt(owner, 'kind')} ${object.namespace === '' ? '' : `${object.namespace}/`}${base}`, base };
}

function pathOf(site: PodSite, { name: workload, templateName }: Subject, wayOf: (resource: string) => ResourceWay): WorkloadPath | undefined {
  const asked = askedBy(site);
  const bypass = bypassing(site, asked);
  if (asked.length === 0) {
    return bypass === undefined || platformPart(site) !== undefined ? undefined : { workload, way: 'blocked', asks: [], because: [bypass], notes: [] };
  }
  const resources = [...new Set(asked.map(({ resource }) => resource))].sort();
  const ways = resources.map(wayOf);
  // A pod takes its devices of one kind on one way, so the slowest decides.
  const way = bypass !== undefined ? 'blocked' : ORDER.find(one => ways.some(({ way: of }) => of === one)) ?? 'blocked';
  const preemption = preemptionOf(site.spec);
  const needsTemplate = way === 'template';
  return {
    workload,
    way,
    asks: resources.map(resource => `${asked.filter(one => one.resource === resource).reduce((sum, { own }) => sum + own, 0)} ${resource}`),
    because: [
      ...(bypass === undefined ? [] : [bypass]),
      ...ways.filter(one => bypass !== undefined || one.way === way).map(({ because }) => because),
    ],
    ...(preemption === undefined ? {} : { preemption }),
    notes: notesOf(site),
    ...(needsTemplate ? { template: templateFor(site.object.namespace, templateName, asked, wayOf), podChange: changeFor(templateName, asked) } : {}),
  };
}

/** What each container asks a device plugin for. */
function askedBy({ spec }: PodSite): readonly Asked[] {
  const containers = (['initContainers', 'containers'] as const).flatMap(list => objectsAt(spec, list).map((container, index) => {
    const vendors = [...requestsOf(container)].filter(([name, amount]) => isVendors(name) && amount.sign() > 0);
    return {
      name: textAt(container, 'name'),
      path: `${list}[${index}]`,
      isStep: list === 'initContainers' && textAt(container, 'restartPolicy') !== 'Always',
      amounts: new Map(vendors.map(([name, amount]) => [name, Number(amount.value())])),
    };
  }));
  const shares = new Map<string, readonly DeviceShare[]>();
  for (const resource of new Set(containers.flatMap(({ amounts }) => [...amounts.keys()]))) {
    shares.set(resource, shareDevices(containers.map(({ amounts, isStep }) => ({ count: amounts.get(resource) ?? 0, isStep }))));
  }
  return containers.flatMap(({ name, path, amounts }, place) => [...amounts].flatMap(([resource, count]): Asked[] => {
    const share = shares.get(resource)?.[place];
    return share === undefined ? [] : [{ container: name, resource, count, path, place, ...share }];
  }));
}

function isVendors(name: string): boolean {
  return isExtendedResource(name) && !name.startsWith('deviceclass.resource.kubernetes.io/');
}

/** Devices that are opened without being asked for are used twice, whoever owns them. */
function bypassing({ spec }: PodSite, asked: readonly Asked[]): string | undefined {
  for (const container of objectsAt(spec, 'containers')) {
    const name = textAt(container, 'name');
    if (asked.some(one => one.container === name)) continue;
    const visible = objectsAt(container, 'env').find(one => textAt(one, 'name') === 'NVIDIA_VISIBLE_DEVICES');
    const value = textAt(visible, 'value');
    if (value !== '' && value !== 'void' && value !== 'none') {
      return `Container ${name} takes GPUs by NVIDIA_VISIBLE_DEVICES=${value} without asking anybody: on a node of DRA it shares them with whoever holds them. Let it ask, or set it to void.`;
    }
  }
  return undefined;
}

function preemptionOf(spec: unknown): string | undefined {
  const name = textAt(spec, 'priorityClassName');
  const priority = field(spec, 'priority');
  const isHigh = typeof priority === 'number' ? priority > 0 : name !== '';
  if (!isHigh || textAt(spec, 'preemptionPolicy') === 'Never') return undefined;
  return `It has ${name === '' ? `priority ${String(priority)}` : `priority class ${name}`}: the scheduler preempts nobody to free devices of claims, so it waits where it would push others aside today.`;
}

function notesOf({ spec, object }: PodSite): readonly string[] {
  const selector = Object.keys(textMapAt(spec, 'nodeSelector')).filter(key => /^(nvidia\.com|amd\.com|gpu\.intel\.com|intel\.feature\.node\.kubernetes\.io)\//.test(key)).sort();
  return [
    ...(selector.length === 0 ? [] : [`It chooses nodes by ${selector.join(', ')}, which the vendor's discovery writes; a class with that need says it better, and nodes of DRA may not have the label.`]),
    ...(textAt(spec, 'nodeName') !== '' && object.kind !== 'Pod' ? ['It names its node, so the scheduler is not asked and its claims are never allocated.'] : []),
    ...(object.kind === 'DaemonSet' ? ['A DaemonSet takes a device on every node for itself. For monitoring, ask with admin access.'] : []),
  ];
}

/** One request a container, so that no container sees what is another's; an init container gets the devices of what begins after it. */
function templateFor(namespace: string, name: string, asked: readonly Asked[], wayOf: (resource: string) => ResourceWay): object {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name, ...(namespace === '' ? {} : { namespace }) },
    spec: {
      spec: {
        devices: {
          requests: asked.flatMap((one, index) => (one.own === 0 ? [] : [{
            name: requestName(one, index, asked),
            exactly: { deviceClassName: wayOf(one.resource).deviceClassName, allocationMode: 'ExactCount', count: one.own },
          }])),
        },
      },
    },
  };
}

function changeFor(templateName: string, asked: readonly Asked[]): WorkloadPath['podChange'] {
  const containers = [...new Set(asked.map(({ container }) => container))];
  return {
    add: {
      resourceClaims: [{ name: 'devices', resourceClaimTemplateName: templateName }],
      containers: containers.map(name => ({
        name,
        resources: { claims: asked.filter(one => one.container === name).flatMap(one => requestsOfContainer(one, asked)).map(request => ({ name: 'devices', request })) },
      })),
    },
    remove: [...new Set(asked.map(({ path, resource }) => `${path}.resources: ${resource}`))],
  };
}

function requestsOfContainer({ resource, from }: Asked, asked: readonly Asked[]): readonly string[] {
  return asked.flatMap((one, index) => (one.resource === resource && from.includes(one.place) ? [requestName(one, index, asked)] : []));
}

/** Names of requests are DNS labels, as names of containers are. */
function requestName({ container }: Asked, index: number, asked: readonly Asked[]): string {
  const base = container === '' ? `devices-${index + 1}` : container;
  return asked.filter(one => one.container === container).length > 1 ? `${base.slice(0, 58)}-${index + 1}` : base;
}

function nameOf({ kind, namespace, name, value }: ManifestObject): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name === '' ? textAt(value, 'metadata', 'generateName') : name}`;
}
