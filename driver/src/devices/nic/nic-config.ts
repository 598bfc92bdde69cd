import * as z from 'zod/mini';

import { opaqueConfig } from '../opaque-config.js';
import { rule } from '../strict-decode.js';

/** What a claim or class may ask of a network device. */
export const NIC_CONFIG = opaqueConfig('nic', 'NicConfig', {
  /** Name of the interface inside the pod, for whoever moves it there. */
  interfaceName: z.optional(z.string().check(rule((name) => (/^(?!\.{1,2}$)[^\s/:]{1,15}$/.test(name) ? undefined : {
    rule: 'must be the name of a network interface: 1 to 15 characters without spaces, \'/\' and \':\'', help: 'Write for example net1.',
  })))),
});
