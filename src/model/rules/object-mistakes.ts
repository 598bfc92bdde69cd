import { runRules } from '.';
import { API_SHAPE_RULE } from './api-shape-rule';
import { CLAIMS_RULE } from './claims-rule';
import { CLASSES_RULE } from './classes-rule';
import { CONFIG_RULE } from './config-rule';
import { DERIVED_ATTRIBUTES_RULE } from './derived-attributes-rule';
import { FIELDS_RULE } from './fields-rule';
import type { Finding } from './finding';
import { LEGACY_VENDOR_RULE } from './legacy-vendor-rule';
import { OBJECTS_RULE } from './objects-rule';
import { OWN_OBJECTS_RULE } from './own-objects-rule';
import type { Rule } from './rule';
import { SELECTORS_RULE } from './selectors-rule';
import { SLICES_RULE } from './slices-rule';
import { TAINT_RULES_RULE } from './taint-rules-rule';
import type { Manifest } from '../manifests/manifest';
import type { Target } from '../target';

/** Rules that need no other object to judge one. */
const LOCAL_RULES: readonly Rule[] = [
  OBJECTS_RULE, API_SHAPE_RULE, FIELDS_RULE, OWN_OBJECTS_RULE, LEGACY_VENDOR_RULE, CLAIMS_RULE, DERIVED_ATTRIBUTES_RULE, CLASSES_RULE, CONFIG_RULE,
  SLICES_RULE, TAINT_RULES_RULE, SELECTORS_RULE,
];

/** Limits and values: what is only odd in foreign manifests (a count of 0, a negative amount) is a slip in a program. */
const VALUES = /^DRA12\d$/;

/** What makes one object wrong by itself, whatever stands beside it. */
export function objectMistakes(manifest: Manifest, target: Target): Finding[] {
  return runRules([manifest], target, { rules: LOCAL_RULES })
    .filter(({ code, severity }) => severity === 'error' || (severity === 'warning' && VALUES.test(code)));
}
