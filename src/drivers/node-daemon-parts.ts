import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { OPENSHIFT_PRIVILEGED_SCC } from './driver-rules';
import type { PolicyRule, ValidatingAdmissionPolicySpec } from '../../imports/types';
import { draObject } from '../dra/dra-object';

/**
 * The objects around a DaemonSet that works on nodes, all named after its construct.
 *
 * Everything that names the account is made from the account here, so none of it can miss.
 */
export class NodeDaemonParts {
  public readonly namespace: string;

  public constructor(private readonly owner: Construct, private readonly component: string) {
    this.namespace = chartNamespace(owner);
  }

  public get name(): string {
    return this.owner.node.id;
  }

  /** The user name of the account in requests. */
  public get username(): string {
    return `system:serviceaccount:${this.namespace}:${this.name}`;
  }

  /** The chart's namespace, with the label that host folders need. */
  public addNamespace(): void {
    this.add('Namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      clusterScoped: true,
      // One component whoever makes it: drivers and agents share a namespace, and their manifests must agree on it.
      metadata: { name: this.namespace, labels: { 'app.kubernetes.io/component': 'driver', 'pod-security.kubernetes.io/enforce': 'privileged' } },
      body: {},
    });
  }

  public addAccount(rules: readonly PolicyRule[], openShift: boolean): void {
    this.add('ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', body: {} });
    this.add('ClusterRole', { apiVersion: RBAC, kind: 'ClusterRole', clusterScoped: true, body: { rules } });
    this.addClusterRoleBinding('ClusterRoleBinding', this.name, this.name);
    if (openShift) this.addClusterRoleBinding('SecurityContextConstraints', `${this.name}-scc`, OPENSHIFT_PRIVILEGED_SCC);
  }

  /** A policy and its binding; `suffix` follows the name of the construct. */
  public addPolicy(id: string, suffix: string, spec: ValidatingAdmissionPolicySpec): void {
    const name = `${this.name}-${suffix}`;
    this.add(id, { apiVersion: ADMISSION, kind: 'ValidatingAdmissionPolicy', clusterScoped: true, metadata: { name }, body: { spec } });
    this.add(`${id}Binding`, {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      clusterScoped: true,
      metadata: { name },
      body: { spec: { policyName: name, validationActions: ['Deny'] } },
    });
  }

  public add(id: string, part: Part): ApiObject {
    return draObject(new Construct(this.owner, id), {
      apiVersion: part.apiVersion,
      kind: part.kind,
      clusterScoped: part.clusterScoped ?? false,
      component: this.component,
      metadata: { ...part.metadata, name: part.metadata?.name ?? this.name },
      body: part.body,
    });
  }

  private addClusterRoleBinding(id: string, name: string, role: string): void {
    this.add(id, {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      clusterScoped: true,
      metadata: { name },
      body: {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name: this.name, namespace: this.namespace }],
      },
    });
  }
}

const RBAC = 'rbac.authorization.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';

interface Part {
  readonly apiVersion: string;
  readonly kind: string;
  readonly clusterScoped?: boolean;
  readonly metadata?: ApiObjectMetadata;
  readonly body: { readonly [field: string]: unknown };
}

function chartNamespace(construct: Construct): string {
  const { namespace } = Chart.of(construct);
  if (namespace !== undefined) return namespace;
  throw new Error(`[${construct.node.path}] The chart of a driver must have a namespace, got none: the policy that binds the driver to its `
    + "node names the account with its namespace. Make the chart with { namespace: 'dra-drivers' }.");
}
