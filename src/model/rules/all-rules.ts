import { ADMIN_ACCESS_RULE } from './admin-access-rule';
import { ALLOCATION_RULE } from './allocation-rule';
import { API_SHAPE_RULE } from './api-shape-rule';
import { CLAIMS_RULE } from './claims-rule';
import { CLASSES_RULE } from './classes-rule';
import { CONFIG_RULE } from './config-rule';
import { CONTAINERS_RULE } from './containers-rule';
import { DERIVED_ATTRIBUTES_RULE } from './derived-attributes-rule';
import { DRIVER_DEPLOYMENT_RULE } from './driver-deployment-rule';
import { EXTENDED_RESOURCES_RULE } from './extended-resources-rule';
import { FIELDS_RULE } from './fields-rule';
import { GITOPS_RULE } from './gitops-rule';
import { IMMUTABLE_RULE } from './immutable-rule';
import { KUEUE_RULE } from './kueue-rule';
import { LEGACY_VENDOR_RULE } from './legacy-vendor-rule';
import { MIGRATIONS_RULE } from './migrations-rule';
import { MOVES_RULE } from './moves-rule';
import { OBJECTS_RULE } from './objects-rule';
import { OWN_OBJECTS_RULE } from './own-objects-rule';
import { POD_CLAIMS_RULE } from './pod-claims-rule';
import { POLICIES_RULE } from './policies-rule';
import { QUOTA_RULE } from './quota-rule';
import { RBAC_RULE } from './rbac-rule';
import type { Rule } from './rule';
import { SELECTORS_RULE } from './selectors-rule';
import { SHARING_RULE } from './sharing-rule';
import { SLICES_RULE } from './slices-rule';
import { SNAPSHOT_RULE } from './snapshot-rule';
import { TAINT_RULES_RULE } from './taint-rules-rule';

/** Every rule; the order has no meaning, findings are sorted. */
export const ALL_RULES: readonly Rule[] = [
  OBJECTS_RULE,
  API_SHAPE_RULE,
  FIELDS_RULE,
  OWN_OBJECTS_RULE,
  CLAIMS_RULE,
  DERIVED_ATTRIBUTES_RULE,
  CLASSES_RULE,
  CONFIG_RULE,
  SLICES_RULE,
  TAINT_RULES_RULE,
  SELECTORS_RULE,
  CONTAINERS_RULE,
  POD_CLAIMS_RULE,
  SHARING_RULE,
  ADMIN_ACCESS_RULE,
  EXTENDED_RESOURCES_RULE,
  QUOTA_RULE,
  RBAC_RULE,
  POLICIES_RULE,
  DRIVER_DEPLOYMENT_RULE,
  GITOPS_RULE,
  IMMUTABLE_RULE,
  ALLOCATION_RULE,
  LEGACY_VENDOR_RULE,
  MIGRATIONS_RULE,
  KUEUE_RULE,
  MOVES_RULE,
  SNAPSHOT_RULE,
];
