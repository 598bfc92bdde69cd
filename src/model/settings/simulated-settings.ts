import { absolutePath, ARRANGEMENT_FIELDS, dnsLabel, maxShares, quantities, quantity, wholeNumber, words } from './settings-fields';
import { qualifiedNameProblem } from '../names';
import { flag, list, object, oneField, oneOf, optional, record, text, whole, type Form, type ReadBy } from '../strict-reader';

/** Texts in which `{index}` stands for the number of the device, from 0 on. */
const template = words;

/** A number, or a text that is one when it is filled in. */
const wholeTemplate: Form<number | string> = { read: (given, path, problems) => (typeof given === 'string' ? given : whole().read(given, path, problems)) };

const attributeTemplate = oneField({ string: text(), int: wholeTemplate, bool: flag(), version: text() });

const attributes = optional(record(attributeTemplate, qualifiedNameProblem));

const capacity = optional(record(object({
  value: quantity,
  /** What a claim gets that asks for nothing; with it claims may ask for a part. */
  default: optional(quantity),
  min: optional(quantity),
  max: optional(quantity),
  step: optional(quantity),
  validValues: optional(list(quantity)),
}), qualifiedNameProblem));

const count = optional(whole({ min: 1, max: 4096 }));

const profile = object({ name: dnsLabel, count, counters: quantities, attributes, capacity });

const environment = record(text(), name => (/^[A-Za-z_]\w*$/.test(name) ? undefined : {
  rule: 'must be the name of an environment variable', help: 'Use letters, digits and \'_\'.',
}));

const device = object({
  name: template,
  count,
  /** What the hardware would call itself; its name, unless given. */
  identity: optional(template),
  attributes,
  capacity,
  /** Several claims may have shares of it, at most so many at once. */
  maxShares: optional(maxShares),
  /** Pieces of hardware that it shares with others; itself, unless given. */
  parts: optional(list(template)),
  /** Nodes of the host that containers get, under whatever path. */
  deviceNodes: optional(list(object({ path: template, hostPath: optional(template), permissions: optional(words) }))),
  mounts: optional(list(object({ hostPath: template, containerPath: template, options: optional(list(words)) }))),
  env: optional(environment),
  /** Parts of it that are devices too and take from common counters. */
  partitions: optional(object({
    counters: quantities,
    /** Offer the whole as well, which takes all counters. */
    whole: optional(flag()),
    profiles: list(profile, { min: 1 }),
  })),
});

/** The settings of the simulated backend. */
export const SIMULATED_SETTINGS = object({
  backend: oneOf('simulated'),
  ...ARRANGEMENT_FIELDS,
  fleet: list(device),
  /** Time that the pretended hardware takes. */
  prepareMilliseconds: optional(wholeNumber),
  unprepareMilliseconds: optional(wholeNumber),
  /** Folder of the agent with what the pretended hardware would remember; without one it forgets when the agent ends. */
  stateFolder: optional(absolutePath),
  /** Folder of the agent in which a file is a fault: `gpu-0.fail-prepare`, `all.unhealthy`. */
  switchFolder: optional(absolutePath),
});

export type SimulatedSettings = ReadBy<typeof SIMULATED_SETTINGS>;
export type SimulatedDeviceSettings = ReadBy<typeof device>;
export type AttributeTemplate = ReadBy<typeof attributeTemplate>;
export type CapacitySettings = NonNullable<ReadBy<typeof capacity>>;
