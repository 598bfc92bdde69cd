import * as z from 'zod/mini';

import { opaqueConfig } from '../opaque-config.js';
import { rule } from '../strict-decode.js';

/** What a claim or class may ask of a simulated device: its container sees both as environment variables. */
export const SIMULATED_CONFIG = opaqueConfig('sim', 'SimulatedConfig', {
  mode: z.optional(z.string().check(rule((mode) => (/^[a-z0-9-]{1,32}$/.test(mode) ? undefined : {
    rule: 'must have 1 to 32 lower-case letters, digits or \'-\'', help: 'Choose any such word.',
  })))),
  level: z.optional(z.int().check(z.minimum(0), z.maximum(10))),
});
