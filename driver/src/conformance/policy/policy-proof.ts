import { isApiError } from '../../kube/api-error.js';
import type { Impersonation } from '../../kube/connection.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { KubeObject } from '../../kube/object.js';
import {
  CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES, VALIDATING_ADMISSION_POLICIES, VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '../../kube/resource.js';
import { IMPERSONATE, need } from '../contract.js';
import type { Need } from '../contract.js';
import type { Trial } from '../trial.js';

/** One request of one user, and what must come of it. */
export interface PolicyCase {
  readonly what: string;
  readonly as: Impersonation;
  /** Words of the refusal that is promised; absent, the request must pass. */
  readonly refused?: readonly string[];
  /** Sends the request; with a dry run, so that nothing stays. */
  send(client: KubeClient): Promise<KubeObject>;
}

export interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface PolicyProof {
  /** Spec of a ValidatingAdmissionPolicy; absent, only permissions are proven. */
  readonly policy?: unknown;
  /** What the service account may do everywhere. */
  readonly clusterRules?: readonly RbacRule[];
  /** What the service account may do in the scratch namespace. */
  readonly rules?: readonly RbacRule[];
  /** Name of the service account; it need not exist. */
  readonly account: string;
  readonly cases: readonly PolicyCase[];
}

export const POLICY_NEEDS: readonly Need[] = [
  ...[VALIDATING_ADMISSION_POLICIES, VALIDATING_ADMISSION_POLICY_BINDINGS, CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS].flatMap((one) => need(one, ['create', 'delete', 'list'])),
  ...IMPERSONATE,
];

export const RBAC_NEEDS: readonly Need[] = [...[ROLES, ROLE_BINDINGS].flatMap((one) => need(one, ['create'])), ...IMPERSONATE];

/**
 * Installs permissions and policy and sends every case as its user: what must pass has to pass, what must fail has to fail
 * with the promised words.
 *
 * Permissions and policies reach the server's caches a moment after they are stored, so the first cases are repeated until they come
 * out right, and only then is everything judged.
 */
export async function provePolicy(trial: Trial, { policy, clusterRules, rules, account, cases }: PolicyProof): Promise<void> {
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: trial.namespace }];
  if (clusterRules !== undefined) {
    const role = await trial.create(CLUSTER_ROLES, { rules: clusterRules });
    await trial.create(CLUSTER_ROLE_BINDINGS, { roleRef: roleRef('ClusterRole', role), subjects });
  }
  if (rules !== undefined) {
    const role = await trial.create(ROLES, { rules });
    await trial.create(ROLE_BINDINGS, { roleRef: roleRef('Role', role), subjects });
  }
  if (policy !== undefined) {
    const stored = await trial.create(VALIDATING_ADMISSION_POLICIES, { spec: policy });
    await trial.create(VALIDATING_ADMISSION_POLICY_BINDINGS, { spec: { policyName: stored.metadata?.name, validationActions: ['Deny'] } });
  }
  for (const representative of [cases.find(({ refused }) => refused === undefined), cases.find(({ refused }) => refused !== undefined)]) {
    if (representative !== undefined) await trial.eventually(`that ${representative.what} is decided as promised`, () => isAsPromised(trial, representative), 15_000);
  }
  if (trial.faults.length === 0) {
    for (const one of cases) {
      const work = one.send(trial.client.as(one.as));
      if (one.refused === undefined) await trial.accepts(one.what, work);
      else await trial.refuses(one.what, work, ...one.refused);
    }
  }
}

function roleRef(kind: string, { metadata }: KubeObject): unknown {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata?.name };
}

async function isAsPromised(trial: Trial, { as, refused, send }: PolicyCase): Promise<true | undefined> {
  try {
    await send(trial.client.as(as));
    return refused === undefined ? true : undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return refused?.every((words) => error.message.includes(words)) === true ? true : undefined;
  }
}
