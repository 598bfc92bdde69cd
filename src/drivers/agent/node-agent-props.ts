import type { AgentDevices } from './agent-devices';
import type { DeviceDriver } from '../../dra/device-driver';
import type { NodeToleration } from '../node-toleration';

/** Properties of a NodeAgent. */
export interface NodeAgentProps {
  /**
   * Name and family of the driver that the agent is, or whose devices it watches as a witness. Where it offers devices, the agent's own driver for
   * them (`DriverProfile.agentGpu()` …) or a custom one; another project's name is refused.
   */
  readonly driver: DeviceDriver;
  /** Image of the agent, with a tag or digest. */
  readonly image: string;
  /**
   * Hardware that the agent offers.
   * @default - none: it is a witness only, for devices that somebody else drives
   */
  readonly devices?: AgentDevices;
  /**
   * Whether it reports what the node's devices are held by, on the old path too, as DeviceNodeReport; the CRD must be there.
   * @default true
   */
  readonly witness?: boolean;
  /**
   * Pool whose nodes it runs on, the value of the node label `cdk8s-dra.dev/<family>-pool`, at most 63 characters.
   * @default - all nodes with that label, whatever its value
   */
  readonly pool?: string;
  /**
   * Further labels that a node must have.
   * @default - none
   */
  readonly nodeLabels?: { readonly [key: string]: string };
  /**
   * Node taints that it tolerates, beside the one of a node whose devices change owner.
   * @default - none
   */
  readonly tolerations?: NodeToleration[];
  /**
   * Whether the chart's namespace is made too, with the pod security label that host folders need.
   * @default false
   */
  readonly createNamespace?: boolean;
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
   * Whether the status of claims tells addresses of network devices, sick devices, and why devices will never be prepared.
   * @default false
   */
  readonly writesClaimStatus?: boolean;
  /**
   * Port of metrics and probes.
   * @default 9464
   */
  readonly metricsPort?: number;
  /**
   * Whether a PodMonitor for the Prometheus operator is made; its CRD must be there.
   * @default false
   */
  readonly podMonitor?: boolean;
  /**
   * Whether a NetworkPolicy is made that lets nothing but metrics in.
   * @default true
   */
  readonly networkPolicy?: boolean;
  /**
   * Whether the account may use OpenShift's `privileged` security context constraints, which host folders need there.
   * @default false
   */
  readonly openShift?: boolean;
}
