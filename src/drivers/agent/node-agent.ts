import { Construct } from 'constructs';
import { agentConfiguration, agentMistakes, agentPlaces } from './agent-configuration';
import { agentDaemonSetSpec } from './agent-daemon-set';
import { agentRules } from './agent-rules';
import type { NodeAgentProps } from './node-agent-props';
import { refuseMistakes } from '../../dra/refusal';
import { nodeBoundReportsPolicy } from '../../model/policy/node-bound-reports';
import { nodeBoundSlicesPolicy } from '../../model/policy/node-bound-slices';
import { KubernetesTarget } from '../../target/kubernetes-target';
import { refuseNoPlace } from '../node-daemon-mistakes';
import { NodeDaemonParts } from '../node-daemon-parts';

/**
 * The node agent of a family of devices on the nodes of a pool: it offers its own devices by DRA, and tells as a witness what is held by whom.
 *
 * Emits ServiceAccount, ClusterRole, ClusterRoleBinding, ConfigMap and DaemonSet, all named by the construct id, in the chart's namespace;
 * admission policies that bind what it writes to its own node; a NetworkPolicy, and a PodMonitor on request. The container is unprivileged,
 * unless FPGAs are programmed by a program.
 */
export class NodeAgent extends Construct {
  /** Name of the account that the agent runs as. */
  public readonly serviceAccountName: string;
  /** Name of the DaemonSet. */
  public readonly daemonSetName: string;

  public constructor(scope: Construct, id: string, props: NodeAgentProps) {
    super(scope, id);
    this.serviceAccountName = id;
    this.daemonSetName = id;
    const { devices, witness = true, driver } = props;
    if (devices === undefined && !witness) {
      throw new Error(`[${this.node.path}] A node agent must offer devices or be a witness, got neither. Pass devices, or leave witness out.`);
    }
    refuseNoPlace(this.node.path, props);
    const mistakes = agentMistakes(props);
    if (mistakes.length > 0) throw new Error(`[${this.node.path}] The agent would refuse its configuration:\n  ${mistakes.join('\n  ')}`);
    const parts = new NodeDaemonParts(this, 'node-agent');
    if (props.createNamespace) parts.addNamespace();
    parts.addAccount(agentRules(props, KubernetesTarget.find(this)._target), props.openShift ?? false);
    if (devices !== undefined) parts.addPolicy('SlicesPolicy', 'own-slices', nodeBoundSlicesPolicy(parts.username, driver.driverName));
    if (witness) parts.addPolicy('ReportsPolicy', 'own-reports', nodeBoundReportsPolicy(parts.username));
    parts.add('ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', body: { data: { 'agent.yaml': agentConfiguration(props) } } });
    if (props.networkPolicy ?? true) this.addNetworkPolicy(parts, props);
    if (props.podMonitor) this.addPodMonitor(parts);
    const body = { spec: agentDaemonSetSpec(id, props) };
    refuseMistakes(this, parts.add('DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet', body }), body);
  }

  private addNetworkPolicy(parts: NodeDaemonParts, props: NodeAgentProps): void {
    parts.add('NetworkPolicy', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      body: {
        spec: {
          podSelector: { matchLabels: { 'app.kubernetes.io/name': parts.name } },
          policyTypes: ['Ingress'],
          ingress: [{ ports: [{ port: agentPlaces(props).metricsPort, protocol: 'TCP' }] }],
        },
      },
    });
  }

  private addPodMonitor(parts: NodeDaemonParts): void {
    parts.add('PodMonitor', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      body: {
        spec: {
          selector: { matchLabels: { 'app.kubernetes.io/name': parts.name } },
          podMetricsEndpoints: [{
            port: 'metrics',
            path: '/metrics',
            // A thousand agents tell their nodes apart by it.
            relabelings: [{ action: 'replace', sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'node' }],
          }],
        },
      },
    });
  }
}
