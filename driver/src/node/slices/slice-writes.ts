import { sameContent, withKnownTimes } from './same-content.js';
import { sliceName, sliceObject } from './slice-object.js';
import type { OwnerNode, SliceContent, SliceDevice, SliceObject } from './slice-object.js';

/** One request. */
export type SliceWrite =
  | { readonly kind: 'create'; readonly slice: SliceObject }
  /** Only if nobody else wrote since: `metadata.resourceVersion` is that of the slice read. */
  | { readonly kind: 'update'; readonly slice: SliceObject }
  | { readonly kind: 'delete'; readonly name: string; readonly uid: string };

export interface WritesInput {
  readonly driver: string;
  readonly node: OwnerNode;
  /** Undefined: there shall be no pool. */
  readonly wanted: readonly SliceContent[] | undefined;
  /** All slices of this driver and node, whoever made them. */
  readonly found: readonly SliceObject[];
  /** What this agent published last, so that a slice that somebody deleted comes back as it was. */
  readonly published: PublishedPool | undefined;
}

export interface PublishedPool {
  readonly generation: number;
  readonly slices: readonly SliceContent[];
}

export interface Writes {
  /** In the order in which they must happen. */
  readonly writes: readonly SliceWrite[];
  /** What the pool is once they have. */
  readonly pool: PublishedPool | undefined;
}

/**
 * The requests that make the pool what it should be; none when it is.
 *
 * The allocator takes a pool only when all slices of its newest generation are there. One changed slice is one step in itself; more than
 * that gets a new generation on all, or the allocator would see half of a change.
 */
export function sliceWrites({ driver, node, wanted, found, published }: WritesInput): Writes {
  if (wanted === undefined) return { writes: found.map(removal), pool: undefined };
  const names = wanted.map((_, index) => sliceName(index, driver, node.name));
  const byName = new Map(found.filter((slice) => canBeUpdated(slice, node)).map((slice) => [slice.metadata?.name ?? '', slice]));
  const places = names.map((name) => byName.get(name));
  const obsolete = found.filter((slice) => !places.includes(slice));
  const known = new Map(found.flatMap(({ spec }) => spec.devices ?? []).map((device): [string, SliceDevice] => [device.name, device]));
  const contents = wanted.map((content) => withKnownTimes(content, known));

  const generations = found.filter(({ spec }) => spec.pool.name === node.name).map(generationOf);
  const newest = Math.max(0, published?.generation ?? 0, ...generations);
  const whole = keepsGeneration(contents, places, obsolete, newest, published);
  const generation = whole ? Math.max(newest, 1) : newest + 1;

  const updates: SliceWrite[] = [];
  const creates: SliceWrite[] = [];
  contents.forEach((content, index) => {
    const name = names[index]!;
    const there = places[index];
    const slice = sliceObject(name, driver, node, content, generation, contents.length);
    if (there === undefined) creates.push({ kind: 'create', slice });
    else if (!isCurrent(there, slice)) updates.push({ kind: 'update', slice: updated(there, slice) });
  });
  return { writes: [...obsolete.map(removal), ...updates, ...creates], pool: { generation, slices: contents } };
}

/** Whether the change is one step in itself. */
function keepsGeneration(
  contents: readonly SliceContent[],
  places: readonly (SliceObject | undefined)[],
  obsolete: readonly SliceObject[],
  newest: number,
  published: PublishedPool | undefined,
): boolean {
  const ofPool = places.filter((slice) => slice !== undefined);
  // A pool that nobody sees yet, or that somebody deleted whole, begins where it was.
  if (ofPool.length === 0 && obsolete.length === 0) return published === undefined || sameContents(contents, published.slices);
  if (obsolete.length > 0 || ofPool.some((slice) => generationOf(slice) !== newest || countOf(slice) !== contents.length)) return false;
  const changed = contents.filter((content, index) => places[index] !== undefined && !sameContent(content, places[index].spec)).length;
  if (ofPool.length === contents.length) return changed <= 1;
  if (changed > 0 || published?.generation !== newest) return false;
  return contents.every((content, index) => places[index] !== undefined || isSame(content, published.slices[index]));
}

function sameContents(one: readonly SliceContent[], two: readonly SliceContent[]): boolean {
  return one.length === two.length && one.every((content, index) => isSame(content, two[index]));
}

function isSame(one: SliceContent, two: SliceContent | undefined): boolean {
  return two !== undefined && sameContent(one, two);
}

/** Pool and node of a slice never change; with wrong ones it makes room. A slice on its way out is none. */
function canBeUpdated({ metadata, spec }: SliceObject, node: OwnerNode): boolean {
  return metadata?.deletionTimestamp === undefined && spec.pool.name === node.name && spec.nodeName === node.name;
}

function isCurrent(there: SliceObject, slice: SliceObject): boolean {
  return generationOf(there) === generationOf(slice)
    && countOf(there) === countOf(slice)
    && there.metadata?.ownerReferences?.some(({ uid }) => uid === slice.metadata?.ownerReferences?.[0]?.uid) === true
    && sameContent(there.spec, slice.spec);
}

/** Numbers from the API may be bigints. */
function generationOf({ spec }: SliceObject): number {
  return Number(spec.pool.generation);
}

function countOf({ spec }: SliceObject): number {
  return Number(spec.pool.resourceSliceCount);
}

/** Labels and annotations of others stay. */
function updated(there: SliceObject, slice: SliceObject): SliceObject {
  return { ...slice, metadata: { ...there.metadata, ...slice.metadata, managedFields: undefined } };
}

function removal({ metadata }: SliceObject): SliceWrite {
  return { kind: 'delete', name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}
