import type { FieldPath, Manifest } from './manifest';
import { KINDS } from '../../../imports/fields';

/** A JSON object whose fields nobody has checked yet. */
export type JsonObject = { readonly [field: string]: unknown };

/** `value` as a JSON object; undefined for null, lists and scalars. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : undefined;
}

/** One object of the input with its identity read out; fields that are missing or of a wrong type read as ''. */
export interface ManifestObject {
  readonly manifest: Manifest;
  /** Place in the input, counted from 0 over all files. */
  readonly index: number;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** '' for cluster-scoped kinds and where the manifest leaves the namespace to whoever applies it. */
  readonly namespace: string;
  /** '' for objects that the server names (`generateName`). */
  readonly name: string;
  readonly value: JsonObject;
}

/** A pod spec inside any object, with the number of pods made from it. */
export interface PodSite {
  readonly object: ManifestObject;
  /** Whether Kubernetes itself reads it; a controller may fill placeholders of a custom kind first. */
  readonly isBuiltIn: boolean;
  /** Path of the pod spec, e.g. `['spec', 'template', 'spec']`. */
  readonly path: FieldPath;
  readonly spec: JsonObject;
  /** Pods that exist at the same time; Infinity for one per node. */
  readonly pods: number;
}

/** All objects of one check in input order: lists flattened, found by kind and by identity. */
export class ManifestSet {
  public readonly objects: readonly ManifestObject[];
  /** The `…List` manifests whose items stand in `objects`. */
  public readonly lists: readonly Manifest[];
  private readonly byKind = new Map<string, ManifestObject[]>();
  private readonly byIdentity = new Map<string, ManifestObject>();
  private readonly byName = new Map<string, ManifestObject[]>();
  private sites?: readonly PodSite[];

  public constructor(manifests: readonly Manifest[]) {
    const objects: ManifestObject[] = [];
    const lists: Manifest[] = [];
    for (const manifest of manifests) flatten(manifest, '', '', objects, lists);
    this.objects = objects;
    this.lists = lists;
    for (const object of objects) {
      add(this.byKind, `${object.group}/${object.kind}`, object);
      add(this.byName, `${object.group}/${object.kind}/${object.name}`, object);
      const key = identityOf(object);
      if (key !== undefined && !this.byIdentity.has(key)) this.byIdentity.set(key, object);
    }
  }

  /** A set of some objects of this one, to judge them as if nothing else were there. */
  public only(objects: readonly ManifestObject[]): ManifestSet {
    return new ManifestSet(objects.map(({ manifest, value, apiVersion, kind }) => ({ ...manifest, value: { ...value, apiVersion, kind } })));
  }

  /** Objects of a kind in any version, in input order. */
  public ofKind(group: string, kind: string): readonly ManifestObject[] {
    return this.byKind.get(`${group}/${kind}`) ?? [];
  }

  /** The first object with this identity; `namespace` is '' for cluster-scoped kinds. */
  public find(group: string, kind: string, namespace: string, name: string): ManifestObject | undefined {
    return this.byIdentity.get(identity(group, kind, namespace, name));
  }

  /** Objects of a kind and name in all namespaces, in input order. */
  public named(group: string, kind: string, name: string): readonly ManifestObject[] {
    return this.byName.get(`${group}/${kind}/${name}`) ?? [];
  }

  /** Every pod spec in every workload, custom kinds included. */
  public podSites(): readonly PodSite[] {
    this.sites ??= this.objects.flatMap((object) => podSitesOf(object));
    return this.sites;
  }
}

function add(map: Map<string, ManifestObject[]>, key: string, object: ManifestObject): void {
  const objects = map.get(key);
  if (objects === undefined) map.set(key, [object]);
  else objects.push(object);
}

/** What makes two manifests the same object; undefined while it has no name. */
export function identityOf(object: ManifestObject): string | undefined {
  return object.name === '' ? undefined : identity(object.group, object.kind, object.namespace, object.name);
}

function identity(group: string, kind: string, namespace: string, name: string): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

function flatten(manifest: Manifest, kindOfItems: string, versionOfItems: string, objects: ManifestObject[], lists: Manifest[]): void {
  const value = asObject(manifest.value) ?? {};
  const kind = textOf(value.kind) || kindOfItems;
  const apiVersion = textOf(value.apiVersion) || versionOfItems;
  if (kind.endsWith('List') && 'items' in value) {
    lists.push(manifest);
    if (!Array.isArray(value.items)) return;
    // Items of a typed list, as an API server returns them, carry neither kind nor apiVersion.
    const itemKind = kind === 'List' ? '' : kind.slice(0, -'List'.length);
    value.items.forEach((item: unknown, index) => {
      const object = asObject(item);
      if (object === undefined) return;
      const base = [...manifest.base ?? [], 'items', index];
      flatten({ value: object, source: manifest.source, base }, itemKind, itemKind === '' ? '' : apiVersion, objects, lists);
    });
    return;
  }
  const metadata = asObject(value.metadata) ?? {};
  const slash = apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  objects.push({
    manifest,
    index: objects.length,
    apiVersion,
    group,
    version: apiVersion.slice(slash + 1),
    kind,
    namespace: CLUSTER_SCOPED.has(`${group}/${kind}`) ? '' : textOf(metadata.namespace),
    name: textOf(metadata.name),
    value,
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const CLUSTER_SCOPED = new Set(Object.entries(KINDS).filter(([, info]) => !info.namespaced).map(([key]) => {
  const [group, kind] = [key.split('/').slice(0, -2).join('/'), key.slice(key.lastIndexOf('/') + 1)];
  return `${group}/${kind}`;
}));

const POD_SPEC_PATHS: { readonly [kind: string]: FieldPath } = {
  '/Pod': ['spec'],
  '/PodTemplate': ['template', 'spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
};

function podSitesOf(object: ManifestObject): PodSite[] {
  const known = POD_SPEC_PATHS[`${object.group}/${object.kind}`];
  const sites: PodSite[] = [];
  if (known !== undefined) {
    let pods = object.kind === 'DaemonSet' ? Infinity : 1;
    let parent: unknown = object.value;
    for (const step of known) {
      parent = asObject(parent)?.[String(step)];
      pods *= copies(parent);
    }
    const spec = asObject(parent);
    if (spec !== undefined) sites.push({ object, isBuiltIn: true, path: known, spec, pods });
  } else if (mayHoldPods(object.group)) {
    search(object, object.value, [], 1, sites);
  }
  return sites;
}

/** Groups of Kubernetes itself have no other pod specs than those listed; `x-k8s.io` is where JobSet, LeaderWorkerSet and Kueue live. */
function mayHoldPods(group: string): boolean {
  return group !== '' && group !== 'apps' && group !== 'batch' && (!group.endsWith('.k8s.io') || group.endsWith('.x-k8s.io'));
}

/** Deep enough for pod specs in known operators (RayJob nests seven levels), bounded for hostile input. */
const SEARCH_DEPTH = 16;

function search(object: ManifestObject, value: unknown, path: (string | number)[], pods: number, sites: PodSite[]): void {
  if (path.length > SEARCH_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => search(object, item, [...path, index], pods, sites));
    return;
  }
  const fields = value as JsonObject;
  if (Array.isArray(fields.containers) && (isPodSpecPath(path) || Array.isArray(fields.resourceClaims))) {
    sites.push({ object, isBuiltIn: false, path, spec: fields, pods });
    return;
  }
  const inside = pods * copies(fields);
  for (const field of Object.keys(fields)) {
    if (typeof fields[field] === 'object') search(object, fields[field], [...path, field], inside * (field === 'workerTemplate' ? workersOf(fields) : 1), sites);
  }
}

/** Of a group of a LeaderWorkerSet; one of its pods is the leader, with the same template unless it has its own. */
function workersOf({ size, leaderTemplate }: JsonObject): number {
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) return 1;
  return asObject(leaderTemplate) === undefined ? size : size - 1;
}

/** `template.spec`, `workerTemplate.spec` and the like; elsewhere, as in KServe's `predictor`, pod specs are known by what they hold. */
function isPodSpecPath(path: readonly (string | number)[]): boolean {
  const [parent, last] = path.slice(-2);
  return path[path.length - 1] === 'podSpec' || (last === 'spec' && /template$/i.test(String(parent)));
}

/** How many pods one template makes at the same time, as far as the object says so. */
function copies(value: unknown): number {
  const fields = asObject(value);
  if (fields === undefined) return 1;
  const count = (field: string): number => {
    const given = fields[field];
    return typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : 1;
  };
  const atOnce = typeof fields.completions === 'number' ? Math.min(count('parallelism'), count('completions')) : count('parallelism');
  return count('replicas') * atOnce;
}
