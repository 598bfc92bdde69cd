import { member } from './overload';
import type { Library } from './overload';
import { BOOL, STRING, structType } from '../types/type';

const AUTHORIZER = structType('kubernetes.authorization.Authorizer');
const PATH = structType('kubernetes.authorization.PathCheck');
const GROUP = structType('kubernetes.authorization.GroupCheck');
const RESOURCE = structType('kubernetes.authorization.ResourceCheck');
const DECISION = structType('kubernetes.authorization.Decision');

/**
 * Questions to the authorizer (`k8s.io/apiserver/pkg/cel/library/authz.go`). They are declared everywhere, but only an API server has
 * something to ask, so that here none of them ever finds a value of its types.
 */
export const AUTHORIZERS: Library = {
  overloads: [
    member('path', 'authorizer_path', [AUTHORIZER, STRING], PATH),
    member('group', 'authorizer_group', [AUTHORIZER, STRING], GROUP),
    member('serviceAccount', 'authorizer_serviceaccount', [AUTHORIZER, STRING, STRING], AUTHORIZER),
    member('resource', 'groupcheck_resource', [GROUP, STRING], RESOURCE),
    member('subresource', 'resourcecheck_subresource', [RESOURCE, STRING], RESOURCE),
    member('namespace', 'resourcecheck_namespace', [RESOURCE, STRING], RESOURCE),
    member('name', 'resourcecheck_name', [RESOURCE, STRING], RESOURCE),
    member('check', 'pathcheck_check', [PATH, STRING], DECISION),
    member('check', 'resourcecheck_check', [RESOURCE, STRING], DECISION),
    member('errored', 'decision_errored', [DECISION], BOOL),
    member('error', 'decision_error', [DECISION], STRING),
    member('allowed', 'decision_allowed', [DECISION], BOOL),
    member('reason', 'decision_reason', [DECISION], STRING),
    member('fieldSelector', 'authorizer_fieldselector', [RESOURCE, STRING], RESOURCE),
    member('labelSelector', 'authorizer_labelselector', [RESOURCE, STRING], RESOURCE),
  ],
};

/** Fixed cost of asking: no more than two questions fit into an expression. */
export const CHECK_COST = 350_000;
