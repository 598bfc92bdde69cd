import { Construct } from 'constructs';
import { driverDaemonSetSpec } from './driver-daemon-set';
import type { DriverInstallationProps } from './driver-installation-props';
import { driverRules } from './driver-rules';
import { refuseNoPlace } from './node-daemon-mistakes';
import { NodeDaemonParts } from './node-daemon-parts';
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

  public constructor(scope: Construct, id: string, props: DriverInstallationProps) {
    super(scope, id);
    refuseNoPlace(this.node.path, props);
    const parts = new NodeDaemonParts(this, 'driver');
    this.serviceAccountName = id;
    this.daemonSetName = id;
    if (props.createNamespace) parts.addNamespace();
    const target = KubernetesTarget.find(this)._target;
    parts.addAccount(driverRules({ driverName: props.driver.driverName, target, ...props }), props.openShift ?? false);
    parts.addPolicy('Policy', 'own-slices', nodeBoundSlicesPolicy(parts.username, props.driver.driverName));
    const body = { spec: driverDaemonSetSpec({ ...props, name: id, serviceAccountName: id }) };
    refuseMistakes(this, parts.add('DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet', body }), body);
  }
}
