import { Allocator } from './allocator';
import type { AllocateResult, AllocatorOptions, AttemptOptions, ClusterDevices } from './allocator';

/** A question to the scheduler, as JSON of the v1 API. */
export interface AllocateInput extends ClusterDevices {
  readonly node: unknown;
  readonly claims: readonly unknown[];
}

export interface AllocateOptions extends AttemptOptions, AllocatorOptions {}

/** Allocates all claims on a node, or none; for many nodes make one `Allocator`. */
export function allocate(input: AllocateInput, options: AllocateOptions = {}): AllocateResult {
  return new Allocator(input, options).allocate(input.node, input.claims, options);
}
