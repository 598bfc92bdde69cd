import { qualifiedNameProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import { ARRANGEMENT_FIELDS } from '../arrangement.js';
import { absolutePath, dnsLabel, quantity, text, wholeNumber } from '../settings-fields.js';
import { rule } from '../strict-decode.js';

/** Texts in which `{index}` stands for the number of the device, from 0 on. */
const template = text;

const attributeTemplate = z.union([
  z.strictObject({ string: z.string() }),
  z.strictObject({ int: z.union([z.int(), z.string()]) }),
  z.strictObject({ bool: z.boolean() }),
  z.strictObject({ version: z.string() }),
]);

const name = z.string().check(rule(qualifiedNameProblem));

const attributes = z.optional(z.record(name, attributeTemplate));

const capacity = z.optional(z.record(name, z.strictObject({
  value: quantity,
  /** What a claim gets that asks for nothing; with it claims may ask for a part. */
  default: z.optional(quantity),
  min: z.optional(quantity),
  max: z.optional(quantity),
  step: z.optional(quantity),
  validValues: z.optional(z.array(quantity)),
})));

const counters = z.record(dnsLabel, quantity);

const count = z.optional(z.int().check(z.minimum(1), z.maximum(4096)));

const profile = z.strictObject({ name: dnsLabel, count, counters, attributes, capacity });

const simulatedDevice = z.strictObject({
  name: template,
  count,
  /** What the hardware would call itself; its name, unless given. */
  identity: z.optional(template),
  attributes,
  capacity,
  /** Several claims may have shares of it, at most so many at once. */
  maxShares: z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  /** Pieces of hardware that it shares with others; itself, unless given. */
  parts: z.optional(z.array(template)),
  /** Nodes of the host that containers get, under whatever path. */
  deviceNodes: z.optional(z.array(z.strictObject({ path: template, hostPath: z.optional(template), permissions: z.optional(text) }))),
  mounts: z.optional(z.array(z.strictObject({ hostPath: template, containerPath: template, options: z.optional(z.array(text)) }))),
  env: z.optional(z.record(z.string().check(rule((key) => (/^[A-Za-z_]\w*$/.test(key) ? undefined : {
    rule: 'must be the name of an environment variable', help: 'Use letters, digits and \'_\'.',
  }))), z.string())),
  /** Parts of it that are devices too and take from common counters. */
  partitions: z.optional(z.strictObject({
    counters,
    /** Offer the whole as well, which takes all counters. */
    whole: z.optional(z.boolean()),
    profiles: z.array(profile).check(z.minLength(1)),
  })),
});

/** The settings of the simulated backend. */
export const SIMULATED_SETTINGS = z.strictObject({
  backend: z.literal('simulated'),
  ...ARRANGEMENT_FIELDS,
  fleet: z.array(simulatedDevice),
  /** Time that the pretended hardware takes. */
  prepareMilliseconds: z.optional(wholeNumber),
  unprepareMilliseconds: z.optional(wholeNumber),
  /** Folder of the agent with what the pretended hardware would remember; without one it forgets when the agent ends. */
  stateFolder: z.optional(absolutePath),
  /** Folder of the agent in which a file is a fault: `gpu-0.fail-prepare`, `all.unhealthy`. */
  switchFolder: z.optional(absolutePath),
});

export type SimulatedSettings = z.infer<typeof SIMULATED_SETTINGS>;
export type SimulatedDevice = z.infer<typeof simulatedDevice>;
export type AttributeTemplate = z.infer<typeof attributeTemplate>;
export type CapacitySettings = NonNullable<z.infer<typeof capacity>>;
