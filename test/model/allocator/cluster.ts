import { Allocator, celEvaluator, featuresWith } from '../../../src/model/allocator';
import type { AllocateResult, AllocatorFeatures, AttemptOptions, Implementation } from '../../../src/model/allocator';
import type { Minor } from '../../../src/model/target';

export type Json = Readonly<Record<string, unknown>>;

export const DRIVER = 'gpu.example.com';

/** A cluster in which tests ask for devices: one node `n1`, one class `gpu` that selects everything. */
export interface Cluster {
  readonly minor?: Minor;
  readonly gates?: Readonly<Record<string, boolean>>;
  /** Features that no gate of the minor turns on. */
  readonly features?: Partial<AllocatorFeatures>;
  readonly implementation?: Implementation;
  readonly slices: readonly Json[];
  readonly classes?: readonly Json[];
  readonly claims: readonly Json[];
  readonly allocated?: readonly Json[];
  readonly node?: Json;
}

export function ask(cluster: Cluster, options?: AttemptOptions): AllocateResult {
  const minor = cluster.minor ?? '1.36';
  const gates = cluster.gates ?? {};
  const allocator = new Allocator(
    { slices: cluster.slices, classes: cluster.classes ?? [deviceClass('gpu')], allocated: cluster.allocated ?? [] },
    {
      minor,
      features: { ...featuresWith(minor, gates), ...cluster.features },
      evaluator: celEvaluator(minor, gates),
      implementation: cluster.implementation,
    },
  );
  return allocator.allocate(cluster.node ?? { metadata: { name: 'n1', labels: { zone: 'a' } } }, cluster.claims, options);
}

/** The devices that were chosen, as `request=pool/device` in order; or the error; or `none`. */
export function outcome(cluster: Cluster): string {
  const answer = ask(cluster);
  if (answer.error !== undefined) return answer.error;
  if (!answer.results) return 'none';
  return answer.results.map(({ devices }) => (devices.results ?? []).map(one => `${one.request}=${one.pool}/${one.device}`).join(' ')).join(' | ');
}

export function deviceClass(name: string, spec: Json = {}): Json {
  return { metadata: { name }, spec };
}

export function device(name: string, more: Json = {}): Json {
  return { name, ...more };
}

export function withAttributes(name: string, attributes: Json, more: Json = {}): Json {
  return { name, attributes, ...more };
}

/** A slice of pool `p` on node n1, alone in its pool, of generation 1. */
export function slice(devices: readonly Json[], spec: Json = {}, name = 's'): Json {
  const { pool, ...more } = spec;
  const place = ['nodeName', 'allNodes', 'nodeSelector', 'perDeviceNodeSelection'].some(field => field in more) ? {} : { nodeName: 'n1' };
  return {
    metadata: { name },
    spec: { driver: DRIVER, pool: { name: 'p', generation: 1, resourceSliceCount: 1, ...pool as Json }, ...place, ...more, devices },
  };
}

export function claim(requests: readonly Json[], more: Json = {}, name = 'c'): Json {
  return { metadata: { name, namespace: 'ns' }, spec: { devices: { requests, ...more } } };
}

export function exactly(name: string, more: Json = {}): Json {
  return { name, exactly: { deviceClassName: 'gpu', ...more } };
}

export function alternative(name: string, more: Json = {}): Json {
  return { name, deviceClassName: 'gpu', ...more };
}

export function cel(expression: string): Json {
  return { selectors: [{ cel: { expression } }] };
}
