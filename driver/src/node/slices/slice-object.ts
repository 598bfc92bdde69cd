import { createHash } from 'node:crypto';

import type { AttributeValue, CounterConsumption, CounterSet, DeviceCapacity } from '../../devices/inventory.js';
import type { KubeObject } from '../../kube/object.js';

/** A ResourceSlice, with the fields that this agent writes. */
export interface SliceObject extends KubeObject {
  readonly spec: SliceSpec;
}

export interface SliceSpec extends SliceContent {
  readonly driver: string;
  readonly nodeName: string;
  readonly pool: { readonly name: string; readonly generation: number; readonly resourceSliceCount: number };
}

/** What one slice of a pool says, whatever the generation. */
export interface SliceContent {
  readonly devices?: readonly SliceDevice[];
  readonly sharedCounters?: readonly CounterSet[];
}

export interface SliceDevice {
  readonly name: string;
  readonly attributes?: { readonly [name: string]: AttributeValue };
  readonly capacity?: { readonly [name: string]: DeviceCapacity };
  readonly allowMultipleAllocations?: boolean;
  readonly consumesCounters?: readonly CounterConsumption[];
  readonly taints?: readonly SliceTaint[];
}

export interface SliceTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'NoExecute' | 'None';
  readonly timeAdded?: string;
}

/** The node whose devices these are, as the owner of their slices. */
export interface OwnerNode {
  readonly name: string;
  readonly uid: string;
}

/**
 * The name of a slice: the same after a restart and on another agent, so that two of them can never publish a device twice.
 *
 * The number stands first, as the allocator takes slices of a pool in the order of their names from 1.36 on.
 */
export function sliceName(index: number, driver: string, node: string): string {
  const full = `${index.toString(16).padStart(5, '0')}-${driver}-${node}`;
  if (full.length <= MAX_NAME) return full;
  const hash = createHash('sha256').update(full).digest('hex').slice(0, HASH);
  return `${full.slice(0, MAX_NAME - HASH - 1).replace(/[.-]+$/, '')}-${hash}`;
}

const MAX_NAME = 253;
const HASH = 16;

/** The object of a slice. */
export function sliceObject(name: string, driver: string, node: OwnerNode, content: SliceContent, generation: number, count: number): SliceObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true }] },
    spec: { driver, nodeName: node.name, pool: { name: node.name, generation, resourceSliceCount: count }, ...content },
  };
}
