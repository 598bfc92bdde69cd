import { column, conditions, count, crd, dnsSubdomain, flag, keyedList, object, set, text } from './crd-schema';
import type { CustomResourceDefinition } from '../../../imports/types';

/** The only name that the policies look for in a namespace. */
export const ACCESS_NAME = 'default';

/** What a namespace may use: spec from Git, found by name in the namespace of a request. */
export interface DeviceAccessSpec {
  /** Classes that claims and templates of the namespace may name. */
  readonly classes?: readonly AllowedClass[];
  /** Whether templates that are not in Git are refused. */
  readonly templates?: readonly string[];
  readonly limits?: {
    /** Pods that may share one claim; 256, the API's own limit, where absent. */
    readonly consumersPerClaim?: number;
    /** Devices of one claim. */
    readonly devicesPerClaim?: number;
  };
  /** What a refused person is told beside the rule: whom to ask. */
  readonly message?: string;
}

/** A class that a namespace may use. */
export interface AllowedClass {
  readonly name: string;
  /** Whether pods may ask for it by its implicit name `deviceclass.resource.kubernetes.io/<class>`; false where absent. */
  readonly implicitResource?: boolean;
}

/** CRD of DeviceAccess. */
export const DEVICE_ACCESS_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceAccess',
  plural: 'deviceaccesses',
  shortName: 'da',
  scope: 'Namespaced',
  columns: [column('Classes', '.spec.classes[*].name'), column('Age', '.metadata.creationTimestamp', 'date')],
  schema: object({
    spec: object({
      classes: keyedList('name', object({ name: dnsSubdomain(), implicitResource: flag() }, ['name']), 128),
      templates: set(dnsSubdomain(), 256),
      limits: object({ consumersPerClaim: { ...count(1), maximum: 256 }, devicesPerClaim: { ...count(1), maximum: 32 } }),
      message: text(1024),
    }),
    status: object({ conditions: conditions() }),
  }, ['spec'], [{ rule: `self.metadata.name == '${ACCESS_NAME}'`, message: `must be named ${ACCESS_NAME}: the policies read no other` }]),
});
