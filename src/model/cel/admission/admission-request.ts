import { valueOfJson } from './json-value';
import type { Value } from '../evaluate/value';

/** A request as policies see it (`admission.k8s.io/v1` AdmissionRequest without its objects). */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly dryRun?: boolean;
  /** Options of the operation, such as DeleteOptions. */
  readonly options?: unknown;
}

/** The variable `request`. What is empty is not there: expressions meet `no such key`, or ask with `has` or `.?`. */
export function requestValue(request: AdmissionRequest): Value {
  const { operation, kind, resource, subResource, name, namespace, userInfo, dryRun = false, options } = request;
  const { username, uid, groups = [], extra = {} } = userInfo;
  return valueOfJson({
    uid: '',
    kind,
    resource,
    subResource: text(subResource),
    // Who matched the request brought it to the version that the policy names, which is that of the request.
    requestKind: kind,
    requestResource: resource,
    requestSubResource: text(subResource),
    name: text(name),
    namespace: text(namespace),
    operation,
    userInfo: {
      username: text(username),
      uid: text(uid),
      groups: groups.length === 0 ? undefined : groups,
      extra: Object.keys(extra).length === 0 ? undefined : extra,
    },
    object: null,
    oldObject: null,
    dryRun,
    options: options ?? null,
  });
}

function text(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
