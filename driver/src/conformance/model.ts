/** The parts of the model that only the contracts need, past the model's own index. */
export { limitIn, LIMITS } from '../../../lib/src/model/limits.js';
export type { Limit, LimitKey } from '../../../lib/src/model/limits.js';
export { DEFINITIONS, KINDS } from '../../../lib/imports/fields.js';
export type { Field } from '../../../lib/imports/fields.js';
export { nodeBoundSlicesPolicy } from '../../../lib/src/model/policy/node-bound-slices.js';
