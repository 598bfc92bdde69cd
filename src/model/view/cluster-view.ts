import { collectionOf } from './collection';
import type { Collection } from './collection';
import { textAt } from './json-field';
import { hasOldShape, referenceOf, viewObject } from './view-object';
import type { ViewKind, ViewObject } from './view-object';
import type { Manifest } from '../manifests/manifest';
import { ManifestSet } from '../manifests/manifest-set';
import type { JsonObject } from '../manifests/manifest-set';

/** One change, as a watch reports it. */
export interface ViewEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: JsonObject;
}

/** The objects of a cluster that decide about devices and pods, by kind and name; kept current by events. */
export class ClusterView {
  /** The view of manifests as read from files: Lists are taken apart, other kinds ignored, the last of two equal objects counts. */
  public static of(manifests: readonly Manifest[]): ClusterView {
    const set = new ManifestSet(manifests);
    const collections = set.lists.flatMap(list => collectionOf(list.value) ?? []);
    const view = new ClusterView(collections.length === 1 ? collections[0] : undefined);
    // Items of a typed list carry neither kind nor apiVersion.
    for (const { value, kind, apiVersion } of set.objects) {
      const object = { ...value, apiVersion, kind };
      view.noteRepetition(object);
      view.put(object);
    }
    return view;
  }

  private readonly objects = new Map<ViewKind, Map<string, ViewObject>>();
  private readonly sorted = new Map<ViewKind, readonly ViewObject[]>();
  private readonly unread = new Map<string, string>();
  private readonly repeated = new Set<string>();
  private podsByNode: ReadonlyMap<string, readonly ViewObject[]> | undefined;
  private eventsByObject: ReadonlyMap<string, readonly ViewObject[]> | undefined;

  /** An empty view, of a cluster that says this of itself. */
  public constructor(public readonly collection?: Collection) {}

  /** Takes a change; what is of no interest changes nothing. */
  public apply({ type, object }: ViewEvent): void {
    if (type === 'DELETED') this.remove(object);
    else this.put(object);
  }

  public put(value: JsonObject): void {
    const object = viewObject(value);
    if (object === undefined) return;
    const reference = referenceOf(object);
    if (hasOldShape(value)) {
      this.unread.set(`${object.kind} ${reference}`, textAt(value, 'apiVersion'));
      return;
    }
    let ofKind = this.objects.get(object.kind);
    if (ofKind === undefined) this.objects.set(object.kind, ofKind = new Map());
    ofKind.set(reference, object);
    this.forget(object.kind);
  }

  public remove(value: JsonObject): void {
    const object = viewObject(value);
    if (object === undefined) return;
    this.unread.delete(`${object.kind} ${referenceOf(object)}`);
    if (this.objects.get(object.kind)?.delete(referenceOf(object))) this.forget(object.kind);
  }

  /** All objects of a kind, sorted by namespace and name. */
  public all(kind: ViewKind): readonly ViewObject[] {
    let sorted = this.sorted.get(kind);
    if (sorted === undefined) this.sorted.set(kind, sorted = [...this.objects.get(kind)?.values() ?? []].sort(byReference));
    return sorted;
  }

  /** All objects of a kind in a namespace, sorted by name. */
  public inNamespace(kind: ViewKind, namespace: string): readonly ViewObject[] {
    return this.all(kind).filter(object => object.namespace === namespace);
  }

  /** `namespace` is '' for cluster-scoped kinds. */
  public find(kind: ViewKind, namespace: string, name: string): ViewObject | undefined {
    return this.objects.get(kind)?.get(referenceOf({ namespace, name }));
  }

  /** Whether the absence of an object says anything: some objects of the kind are there, or all were asked for. */
  public isKnown(kind: ViewKind): boolean {
    return (this.objects.get(kind)?.size ?? 0) > 0 || this.collection?.kinds.includes(kind) === true;
  }

  /** Objects of files that stand there more than once, and not in the same words, `Kind namespace/name`, sorted. */
  public repeatedObjects(): readonly string[] {
    return [...this.repeated].sort();
  }

  /** Objects in an API version that is not read, `Kind namespace/name in version`, sorted. */
  public unreadObjects(): readonly string[] {
    return [...this.unread].map(([name, version]) => `${name} in ${version}`).sort();
  }

  /** Pods that a node carries or that the scheduler has given it, finished ones left out, sorted by name. */
  public podsOn(node: string): readonly ViewObject[] {
    this.podsByNode ??= grouped(this.all('Pod').filter(pod => !isFinished(pod)), pod => {
      return textAt(pod.value, 'spec', 'nodeName') || textAt(pod.value, 'status', 'nominatedNodeName');
    });
    return this.podsByNode.get(node) ?? [];
  }

  /** Events about an object, oldest first. */
  public eventsOf({ kind, namespace, name, uid }: Pick<ViewObject, 'kind' | 'namespace' | 'name' | 'uid'>): readonly ViewObject[] {
    this.eventsByObject ??= grouped([...this.all('Event')].sort(byTime), event => {
      const about = aboutOf(event.value);
      return `${textAt(about, 'kind')}/${textAt(about, 'namespace')}/${textAt(about, 'name')}`;
    });
    return (this.eventsByObject.get(`${kind}/${namespace}/${name}`) ?? []).filter(event => {
      const about = textAt(aboutOf(event.value), 'uid');
      return about === '' || uid === '' || about === uid;
    });
  }

  private noteRepetition(value: JsonObject): void {
    const object = viewObject(value);
    const before = object && this.find(object.kind, object.namespace, object.name);
    if (object !== undefined && before !== undefined && wordsOf(before.value) !== wordsOf(value)) this.repeated.add(`${object.kind} ${referenceOf(object)}`);
  }

  private forget(kind: ViewKind): void {
    this.sorted.delete(kind);
    if (kind === 'Pod') this.podsByNode = undefined;
    if (kind === 'Event') this.eventsByObject = undefined;
  }
}

/** Whether a pod holds nothing any more. */
export function isFinished(pod: ViewObject): boolean {
  const phase = textAt(pod.value, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

/** The text of an event, whichever of its two groups it has. */
export function messageOf(event: ViewObject): string {
  return textAt(event.value, 'message') || textAt(event.value, 'note');
}

/** The component that an event comes from. */
export function sourceOf(event: ViewObject): string {
  return textAt(event.value, 'reportingComponent') || textAt(event.value, 'reportingController') || textAt(event.value, 'source', 'component');
}

/** As JSON, which knows no whole numbers beyond 2^53. */
function wordsOf(value: JsonObject): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}

function aboutOf(event: JsonObject): unknown {
  return event.involvedObject ?? event.regarding;
}

/** When an event happened last. */
function timeOf({ value }: ViewObject): string {
  return textAt(value, 'series', 'lastObservedTime') || textAt(value, 'lastTimestamp') || textAt(value, 'deprecatedLastTimestamp')
    || textAt(value, 'eventTime') || textAt(value, 'metadata', 'creationTimestamp');
}

function byTime(a: ViewObject, b: ViewObject): number {
  return compare(timeOf(a), timeOf(b)) || byReference(a, b);
}

function byReference(a: ViewObject, b: ViewObject): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function grouped(objects: readonly ViewObject[], keyOf: (object: ViewObject) => string): ReadonlyMap<string, readonly ViewObject[]> {
  const groups = new Map<string, ViewObject[]>();
  for (const object of objects) {
    const group = groups.get(keyOf(object));
    if (group) group.push(object);
    else groups.set(keyOf(object), [object]);
  }
  return groups;
}
