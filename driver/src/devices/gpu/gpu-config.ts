import * as z from 'zod/mini';

import { opaqueConfig } from '../opaque-config.js';

/** What a claim or class may ask of a GPU. */
export const GPU_CONFIG = opaqueConfig('gpu', 'GpuConfig', {
  /** Give the container the node for display and mode setting too, `/dev/dri/card0`, beside the one for rendering and compute. AMD and Intel. */
  includeCardNode: z.optional(z.boolean()),
});
