import * as z from 'zod/mini';

import { opaqueConfig } from '../opaque-config.js';
import { dnsLabel } from '../settings-fields.js';

/** What a claim or class may ask of an FPGA. */
export const FPGA_CONFIG = opaqueConfig('fpga', 'FpgaConfig', {
  /** Id of an image of the platform's list; never a file. */
  image: z.optional(dnsLabel),
});
