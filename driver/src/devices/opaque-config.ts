import { opaqueProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import type { DeviceClaim } from './device-claim.js';
import type { JsonObject } from './json.js';
import { NodeFailure } from './node-failure.js';
import { decode, describeField } from './strict-decode.js';
import type { FieldProblem } from './strict-decode.js';

/** A kind of opaque configuration that a backend reads. */
export interface OpaqueConfig {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: z.core.$ZodType;
}

/** Every field is optional, since a class may set one and a claim another. */
export function opaqueConfig(family: string, kind: string, fields: Record<string, z.ZodMiniOptional>): OpaqueConfig {
  const apiVersion = `${family}.cdk8s-dra.dev/v1alpha1`;
  return { apiVersion, kind, schema: z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), ...fields }) };
}

/** What is wrong with parameters, whoever asks: the node agent before it prepares, or a linter before anything is applied. */
export function configFieldProblems({ schema }: OpaqueConfig, parameters: unknown): readonly FieldProblem[] {
  const whole = opaqueProblem(parameters);
  if (whole !== undefined) return [{ ...whole, path: [] }];
  const decoded = decode(schema, parameters);
  return 'problems' in decoded ? decoded.problems : [];
}

/** The configuration of one device: those of class and claim in their order, a later one wins field by field. Refuses what is wrong as terminal. */
export function claimConfig(config: OpaqueConfig, claim: DeviceClaim): JsonObject {
  const merged: { [field: string]: JsonObject[string] } = {};
  for (const parameters of claim.config) {
    const problems = configFieldProblems(config, parameters);
    if (problems.length > 0) {
      const said = problems.slice(0, MAX_SAID).map((problem) => describeField(problem, 'the configuration')).join(' ');
      throw new NodeFailure('DRA341', 'terminal', `The configuration for ${claim.device.name} is refused: ${said}`, { devices: [claim.device.name] });
    }
    for (const [field, value] of Object.entries(parameters)) {
      if (field !== 'apiVersion' && field !== 'kind') merged[field] = value;
    }
  }
  return merged;
}

/** An event of a pod has 1024 characters. */
const MAX_SAID = 3;
