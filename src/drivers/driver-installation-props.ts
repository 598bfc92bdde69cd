import type { HostFolder } from './host-folder';
import type { NodeToleration } from './node-toleration';
import type { DeviceDriver } from '../dra/device-driver';

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
   * Migration whose nodes it serves: it runs where the label `cdk8s-dra.dev/<family>-pool` has this value and the owner is `dra`.
   * @default - every node that `nodeLabels` selects, whoever owns its devices
   */
  readonly pool?: string;
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
