import { compareMinors } from '../../target/versions';
import type { Minor } from '../../target/versions';
import { makeEnvironment } from '../environment';
import type { Environment, SizedType } from '../environment';
import { baseParts } from '../kubernetes-environment';
import { ANY, BOOL, BYTES, DOUBLE, DURATION, DYN, INT, isSameType, listType, mapType, NULL, STRING, structType, TIMESTAMP, UINT } from '../types/type';
import type { Type } from '../types/type';

/** Name of the type whose fields are the variables of a policy. */
const VARIABLES = 'kubernetes.variables';

function typed(type: Type): SizedType {
  return { type, maxSize: 0 };
}

function listOf(element: SizedType): SizedType {
  return { type: listType(element.type), maxSize: 0, element };
}

function struct(name: string, fields: Readonly<Record<string, Type | SizedType>>): SizedType {
  const sized = Object.entries(fields).map(([field, type]) => [field, 'kind' in type ? typed(type) : type] as const);
  return { type: structType(name), maxSize: 0, fields: new Map(sized) };
}

const STRINGS = listType(STRING);
const KIND = struct('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = struct('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });

/** Types of `k8s.io/apiserver/pkg/admission/plugin/cel/compile.go`. */
const REQUEST = struct('kubernetes.AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: struct('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: STRINGS, extra: mapType(STRING, STRINGS) }),
  dryRun: BOOL,
  options: DYN,
});

const NAMESPACE = struct('kubernetes.Namespace', {
  metadata: struct('kubernetes.NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapType(STRING, STRING),
    annotations: mapType(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  }),
  spec: struct('kubernetes.NamespaceSpec', { finalizers: STRINGS }),
  status: struct('kubernetes.NamespaceStatus', {
    conditions: listOf(struct('kubernetes.NamespaceCondition', {
      status: STRING,
      type: STRING,
      lastTransitionTime: TIMESTAMP,
      message: STRING,
      reason: STRING,
    })),
    phase: STRING,
  }),
});

/** Order of the variables, in which their values are given too. */
export const ADMISSION_VARIABLES = ['object', 'oldObject', 'namespaceObject', 'request', 'variables', 'params'] as const;

/**
 * The environment of the expressions of admission policies in a release. `params` only with a `paramKind`; without
 * `authorizer`, which asks a cluster.
 */
export function admissionEnvironment(minor: Minor, envType: 'stored' | 'new', hasParams: boolean): Environment {
  const types: Readonly<Record<typeof ADMISSION_VARIABLES[number], SizedType>> = {
    object: typed(DYN),
    oldObject: typed(DYN),
    namespaceObject: NAMESPACE,
    request: REQUEST,
    variables: struct(VARIABLES, {}),
    params: typed(DYN),
  };
  const names = ADMISSION_VARIABLES.filter((name) => hasParams || name !== 'params');
  return makeEnvironment(compareMinors(minor, '1.37') >= 0 ? '0.29' : '0.26', baseParts(minor, envType), {
    variables: new Map(names.map((name) => [name, types[name]])),
    sizes: () => undefined,
  });
}

/** The environment where the variables of the policy so far have these types. */
export function withVariables(environment: Environment, types: ReadonlyMap<string, Type>): Environment {
  const fields = new Map([...types].map(([name, type]) => [name, fieldType(type)]));
  return { ...environment, structs: new Map([...environment.structs, [VARIABLES, fields]]) };
}

const KEPT: readonly Type[] = [ANY, BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT];

/** Variables of Kubernetes' own types and of optional ones are dyn to the expressions that use them. */
function fieldType(type: Type): Type {
  if (type.kind === 'list') return listType(fieldType(type.parameters[0]));
  if (type.kind === 'map') return mapType(fieldType(type.parameters[0]), fieldType(type.parameters[1]));
  return type.nullable !== true && KEPT.some((kept) => isSameType(kept, type)) ? type : DYN;
}
