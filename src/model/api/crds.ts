import { API_GROUP } from './crd-schema';
import { DEVICE_ACCESS_CRD } from './device-access';
import { DEVICE_HOLD_CRD } from './device-hold';
import { DEVICE_MIGRATION_CRD } from './device-migration';
import { DEVICE_NODE_REPORT_CRD } from './device-node-report';
import { DEVICE_ROUTING_CRD } from './device-routing';
import { DEVICE_TENANT_CRD } from './device-tenant';
import type { CustomResourceDefinition } from '../../../imports/types';

/** The CRDs of all our kinds, by name of the kind. */
export const CRDS: readonly CustomResourceDefinition[] = [
  DEVICE_ACCESS_CRD, DEVICE_HOLD_CRD, DEVICE_MIGRATION_CRD, DEVICE_NODE_REPORT_CRD, DEVICE_ROUTING_CRD, DEVICE_TENANT_CRD,
];

/** The CRD of a kind of our group; undefined for any other kind. */
export function ownCrd(group: string, kind: string): CustomResourceDefinition | undefined {
  return group === API_GROUP ? CRDS.find(({ spec }) => spec.names.kind === kind) : undefined;
}
