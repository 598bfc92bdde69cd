import { AREAS } from '../contract.js';
import type { Contract } from '../contract.js';
import { ACCESS_CONTRACTS } from './access.js';
import { API_VERSION_CONTRACTS } from './api-versions.js';
import { CLAIM_LIFE_CONTRACTS } from './claim-life.js';
import { DEFAULT_CONTRACTS } from './defaults.js';
import { FIELD_CONTRACTS } from './fields.js';
import { GATE_CONTRACTS } from './gates.js';
import { IMMUTABILITY_CONTRACTS } from './immutability.js';
import { LIMIT_CONTRACTS } from './limits.js';
import { QUOTA_CONTRACTS } from './quota.js';
import { REFUSAL_CONTRACTS } from './refusals.js';
import { SCHEMA_CONTRACTS } from './schema.js';
import { STATUS_LIMIT_CONTRACTS } from './status-limits.js';
import { TEMPLATE_CLAIM_CONTRACTS } from './template-claims.js';
import { WATCHING_CONTRACTS } from './watching.js';
import { LAB_ALLOCATION_CONTRACTS } from '../lab/allocation.js';
import { LAB_CLAIM_LIFE_CONTRACTS } from '../lab/claim-life.js';
import { LAB_MESSAGE_CONTRACTS } from '../lab/messages.js';
import { LAB_POOL_CONTRACTS } from '../lab/pools.js';

const ALL: readonly Contract[] = [
  ...API_VERSION_CONTRACTS,
  ...SCHEMA_CONTRACTS,
  ...GATE_CONTRACTS,
  ...WATCHING_CONTRACTS,
  ...FIELD_CONTRACTS,
  ...LIMIT_CONTRACTS,
  ...STATUS_LIMIT_CONTRACTS,
  ...REFUSAL_CONTRACTS,
  ...IMMUTABILITY_CONTRACTS,
  ...DEFAULT_CONTRACTS,
  ...CLAIM_LIFE_CONTRACTS,
  ...TEMPLATE_CLAIM_CONTRACTS,
  ...ACCESS_CONTRACTS,
  ...QUOTA_CONTRACTS,
  ...LAB_CLAIM_LIFE_CONTRACTS,
  ...LAB_ALLOCATION_CONTRACTS,
  ...LAB_POOL_CONTRACTS,
  ...LAB_MESSAGE_CONTRACTS,
];

/** Every contract, by area. */
export const CONTRACTS: readonly Contract[] = AREAS.flatMap((area) => ALL.filter((contract) => contract.area === area));
