import { column, conditions, count, crd, dnsLabel, dnsSubdomain, flag, keyedList, list, object, set, text, word } from './crd-schema';
import type { CustomResourceDefinition } from '../../../imports/types';

/** A team with its namespaces and what it may hold, on both ways together. */
export interface DeviceTenantSpec {
  readonly namespaces: readonly string[];
  readonly offers?: readonly string[];
  readonly quota?: TenantQuotaSpec;
  /** How long a claim may stay unused before it is reported, e.g. `24h`. */
  readonly unusedClaimTtl?: string;
  /** Whether the tenant is leaving: nothing new, what runs goes on. */
  readonly offboard?: boolean;
}

export interface TenantQuotaSpec {
  /** Who counts; never two. */
  readonly source: 'Kueue' | 'ResourceQuota' | 'Ledger';
  readonly devices?: ReadonlyArray<{ readonly deviceClassName: string; readonly count: number }>;
  readonly capacity?: ReadonlyArray<{ readonly deviceClassName: string; readonly name: string; readonly amount: string }>;
  readonly concurrentClaims?: number;
}

/** CRD of DeviceTenant. */
export const DEVICE_TENANT_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceTenant',
  plural: 'devicetenants',
  shortName: 'dt',
  scope: 'Cluster',
  columns: [
    column('Namespaces', '.spec.namespaces'),
    column('Quota', '.spec.quota.source'),
    column('Offboard', '.spec.offboard', 'boolean'),
    column('Age', '.metadata.creationTimestamp', 'date'),
  ],
  schema: object({
    spec: object({
      namespaces: { ...set(dnsLabel(), 64), minItems: 1 },
      offers: set(dnsSubdomain(), 128),
      quota: object({
        source: word('Kueue', 'ResourceQuota', 'Ledger'),
        devices: keyedList('deviceClassName', object({ deviceClassName: dnsSubdomain(), count: count() }, ['deviceClassName', 'count']), 128),
        capacity: list(object({ deviceClassName: dnsSubdomain(), name: text(127), amount: text(64) }, ['deviceClassName', 'name', 'amount']), 128),
        concurrentClaims: count(),
      }, ['source']),
      unusedClaimTtl: text(16),
      offboard: flag(),
    }, ['namespaces']),
    status: object({
      conditions: conditions(),
      phase: word('Active', 'Offboarding', 'Offboarded'),
      usage: keyedList('deviceClassName', object({ deviceClassName: text(253), legacy: count(), dra: count() }, ['deviceClassName']), 128),
      holders: list(text(512), 64),
    }),
  }, ['spec']),
});
