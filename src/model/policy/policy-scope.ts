import type { WorkloadKind } from './workload-kinds';
import type { ValidatingAdmissionPolicyBindingSpec, ValidatingAdmissionPolicySpec } from '../../../imports/types';

/** Whom and what the policies of a cluster are about. */
export interface PolicyScope {
  /** Namespaces beside `kube-system` that no policy touches. */
  readonly systemNamespaces?: readonly string[];
  /** Groups that may grant admin access to devices; `system:masters` where absent. */
  readonly platformGroups?: readonly string[];
  /** Users whose pods and claims for an admitted owner pass; where absent, every service account of another namespace. */
  readonly controllerAccounts?: readonly string[];
  /** Kinds of workload beside those of WORKLOAD_KINDS. */
  readonly workloads?: readonly WorkloadKind[];
  /** Labels of the namespaces that need a DeviceAccess. */
  readonly tenantNamespaceLabels?: { readonly [key: string]: string };
}

/** A policy with the one binding that puts it into force; both have this name. */
export interface AdmissionPolicy {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicySpec;
  readonly binding: ValidatingAdmissionPolicyBindingSpec;
}
