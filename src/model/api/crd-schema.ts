import type { CustomResourceDefinition } from '../../../imports/types';

/** Kubernetes API group of this project's own objects. */
export const API_GROUP = 'cdk8s-dra.dev';
/** Served and stored version; schemas only grow. */
export const API_VERSION = 'v1alpha1';

/** A part of a structural schema; every text, list and map has an upper bound, since the cost of CEL rules is estimated from it. */
export interface Schema {
  readonly [field: string]: unknown;
}

/** A rule in CEL over the value that it is attached to. */
export interface SchemaRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly jsonPath: string;
  readonly type: string;
  readonly priority?: number;
}

/** What one of our kinds is called, and what it looks like. */
export interface CrdProps {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly columns: readonly PrinterColumn[];
  readonly schema: Schema;
}

/** The CRD of one of our kinds. */
export function crd({ kind, plural, shortName, scope, columns, schema }: CrdProps): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${API_GROUP}` },
    spec: {
      group: API_GROUP,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames: [shortName] },
      versions: [{
        name: API_VERSION,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [...columns],
        schema: { openAPIV3Schema: schema },
      }],
    },
  };
}

export function column(name: string, jsonPath: string, type = 'string', priority = 0): PrinterColumn {
  return { name, jsonPath, type, ...(priority === 0 ? {} : { priority }) };
}

export function text(maxLength: number): Schema {
  return { type: 'string', maxLength };
}

/** A text that is one of a few words. */
export function word(...values: readonly string[]): Schema {
  // The cost of a rule is estimated from it, whatever the words are.
  return { type: 'string', maxLength: Math.max(...values.map(({ length }) => length)), enum: values };
}

export function dnsLabel(): Schema {
  return { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
}

export function dnsSubdomain(maxLength = 253): Schema {
  return { type: 'string', minLength: 1, maxLength, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$' };
}

export function count(minimum = 0): Schema {
  return { type: 'integer', format: 'int64', minimum };
}

export function flag(): Schema {
  return { type: 'boolean' };
}

export function time(): Schema {
  return { type: 'string', format: 'date-time' };
}

/** An absolute number, or a share such as `10%`. */
export function countOrPercent(): Schema {
  return { 'x-kubernetes-int-or-string': true, 'anyOf': [{ type: 'integer' }, { type: 'string' }], 'maxLength': 10, 'pattern': '^(0|[1-9][0-9]{0,6}|([0-9]|[1-9][0-9]|100)%)$' };
}

/** A list that has one owner in server-side apply. */
export function list(items: Schema, maxItems: number): Schema {
  return { 'type': 'array', maxItems, items, 'x-kubernetes-list-type': 'atomic' };
}

/** A list without repetition, whose entries can have different owners. */
export function set(items: Schema, maxItems: number): Schema {
  return { 'type': 'array', maxItems, items, 'x-kubernetes-list-type': 'set' };
}

/** A list of objects that `key` tells apart. */
export function keyedList(key: string, items: Schema, maxItems: number): Schema {
  return { 'type': 'array', maxItems, items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] };
}

export function map(values: Schema, maxProperties: number): Schema {
  return { type: 'object', additionalProperties: values, maxProperties };
}

export function object(properties: { readonly [name: string]: Schema }, required: readonly string[] = [], rules: readonly SchemaRule[] = []): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}

/** A label selector as in `metav1.LabelSelector`. */
export function labelSelector(): Schema {
  return object({
    matchLabels: map(text(63), 32),
    matchExpressions: list(object({
      key: { ...text(317), minLength: 1 },
      operator: word('In', 'NotIn', 'Exists', 'DoesNotExist'),
      values: list(text(63), 64),
    }, ['key', 'operator'], [{
      rule: "(self.operator in ['In', 'NotIn']) == (has(self.values) && self.values.size() > 0)",
      message: 'In and NotIn need values, Exists and DoesNotExist have none',
      fieldPath: '.values',
    }]), 32),
  });
}

/** `status.conditions` as other controllers write them. */
export function conditions(): Schema {
  return keyedList('type', object({
    type: { ...text(316), minLength: 1 },
    status: word('True', 'False', 'Unknown'),
    reason: text(1024),
    message: text(32768),
    lastTransitionTime: time(),
    observedGeneration: count(),
  }, ['type', 'status']), 16);
}
