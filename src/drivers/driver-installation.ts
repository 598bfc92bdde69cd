import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceDriver } from './device-driver';
import { driverDaemonSetSpec } from './driver-daemon-set';
import { driverRules, OPENSHIFT_PRIVILEGED_SCC } from './driver-rules';
import type { HostFolder } from './host-folder';
import type { NodeToleration } from './node-toleration';
import { draObject } from '../dra/dra-object';
import { refuseMistakes } from '../dra/refusal';
import { nodeBoundSlicesPolicy } from '../model/policy/node-bound-slices';
import { KubernetesTarget } from '../platform/kubernetes-target';

/** Properties of a DriverInstallation. */
export interface DriverInstallationProps {
  /** The driver that is installed. */
  readonly driver: DeviceDriver;
  /** Image of the driver, with a tag or digest. */
  readonly image: string;
  /**
   * Whether the chart's namespace is made too, with the pod security label that host folders need.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * Command of the container.
   * @default - the image's own
   */
  readonly command?: string[];
  /**
   * Arguments; `$(NODE_NAME)`, `$(POD_UID)`, `$(NAMESPACE)`, `$(KUBELET_REGISTRAR_DIRECTORY_PATH)`, `$(KUBELET_PLUGINS_DIRECTORY_PATH)`
   * and `$(CDI_ROOT)` are filled in by kubelet.
   * @default - none
   */
  readonly args?: string[];
  /**
   * Further environment variables.
   * @default - none
   */
  readonly env?: { readonly [name: string]: string };
  /**
   * Kubelet's root folder on the host.
   * @default '/var/lib/kubelet'
   */
  readonly kubeletRoot?: string;
  /**
   * Folder on the host where the container runtime looks for CDI files.
   * @default '/var/run/cdi'
   */
  readonly cdiRoot?: string;
  /**
   * Further folders of the host that the driver needs, e.g. `/sys`.
   * @default - none
   */
  readonly hostFolders?: HostFolder[];
  /**
   * Labels of the nodes that the driver runs on.
   * @default - every node
   */
  readonly nodeLabels?: { readonly [key: string]: string };
  /**
   * Node taints that the driver tolerates, beside the one of a node whose devices change owner.
   * @default - none
   */
  readonly tolerations?: NodeToleration[];
  /**
   * Whether the container is privileged; otherwise it runs as root with all capabilities dropped.
   * @default false
   */
  readonly privileged?: boolean;
  /**
   * Linux capabilities of an unprivileged container, e.g. `SYS_ADMIN`.
   * @default - none
   */
  readonly capabilities?: string[];
  /**
   * Whether a new pod starts before the old one ends, for upgrades without a gap; the driver must use sockets named by `POD_UID`.
   * @default false
   */
  readonly surge?: boolean;
  /**
   * Whether the driver writes device status into claims; brings the permission for it, bound to node and driver from 1.36.
   * @default false
   */
  readonly writesClaimStatus?: boolean;
  /**
   * Whether the driver writes Events.
   * @default false
   */
  readonly writesEvents?: boolean;
  /**
   * Port of the driver's gRPC health service.
   * @default - no probes
   */
  readonly healthPort?: number;
  /**
   * Whether the account may use OpenShift's `privileged` security context constraints, which host folders need there.
   * @default false
   */
  readonly openShift?: boolean;
}

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
