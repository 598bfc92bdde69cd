import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { driverDaemonSetSpec } from './driver-daemon-set';
import type { DriverInstallationProps } from './driver-installation-props';
import { driverRules, OPENSHIFT_PRIVILEGED_SCC } from './driver-rules';
import type { DeviceDriver } from '../dra/device-driver';
import { draObject } from '../dra/dra-object';
import { refuseMistakes } from '../dra/refusal';
import { nodeBoundSlicesPolicy } from '../model/policy/node-bound-slices';
import { KubernetesTarget } from '../target/kubernetes-target';

/**
 * A DRA driver on its nodes: DaemonSet, account, least permissions and the policy that binds it to its own node.
 *
 * Emits ServiceAccount, ClusterRole, ClusterRoleBinding, ValidatingAdmissionPolicy, its binding and DaemonSet, all named by the
 * construct id, in the chart's namespace. Everything that names the account is made from the account here, so none of it can miss.
 */
export class DriverInstallation extends Construct {
  /** Name of the account that the driver runs as. */
  public readonly serviceAccountName: string;
  /** Name of the DaemonSet. */
  public readonly daemonSetName: string;
  private readonly home: string;

  public constructor(scope: Construct, id: string, props: DriverInstallationProps) {
    super(scope, id);
    this.home = chartNamespace(this);
    this.serviceAccountName = id;
    this.daemonSetName = id;
    if (props.createNamespace) this.addNamespace();
    this.addAccount(props);
    this.addPolicy(props.driver);
    const body = { spec: driverDaemonSetSpec({ ...props, name: id, serviceAccountName: id }) };
    refuseMistakes(this, this.add('DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet', body }), body);
  }

  private addNamespace(): void {
    this.add('Namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      clusterScoped: true,
      metadata: { name: this.home, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
      body: {},
    });
  }

  private addAccount(props: DriverInstallationProps): void {
    const account = { kind: 'ServiceAccount', name: this.serviceAccountName, namespace: this.home };
    const target = KubernetesTarget.find(this)._target;
    this.add('ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount', body: {} });
    this.add('ClusterRole', {
      apiVersion: RBAC,
      kind: 'ClusterRole',
      clusterScoped: true,
      body: { rules: driverRules({ driverName: props.driver.driverName, target, ...props }) },
    });
    this.addClusterRoleBinding('ClusterRoleBinding', this.node.id, this.node.id, account);
    if (props.openShift) this.addClusterRoleBinding('SecurityContextConstraints', `${this.node.id}-scc`, OPENSHIFT_PRIVILEGED_SCC, account);
  }

  private addClusterRoleBinding(id: string, name: string, role: string, subject: { kind: string; name: string; namespace: string }): void {
    this.add(id, {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      clusterScoped: true,
      metadata: { name },
      body: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [subject] },
    });
  }

  private addPolicy(driver: DeviceDriver): void {
    const name = `${this.node.id}-own-slices`;
    const username = `system:serviceaccount:${this.home}:${this.serviceAccountName}`;
    this.add('Policy', {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicy',
      clusterScoped: true,
      metadata: { name },
      body: { spec: nodeBoundSlicesPolicy(username, driver.driverName) },
    });
    this.add('PolicyBinding', {
      apiVersion: ADMISSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      clusterScoped: true,
      metadata: { name },
      body: { spec: { policyName: name, validationActions: ['Deny'] } },
    });
  }

  private add(id: string, part: Part): ApiObject {
    const scope = new Construct(this, id);
    return draObject(scope, {
      apiVersion: part.apiVersion,
      kind: part.kind,
      clusterScoped: part.clusterScoped ?? false,
      component: 'driver',
      metadata: { ...part.metadata, name: part.metadata?.name ?? this.node.id },
      body: part.body,
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
