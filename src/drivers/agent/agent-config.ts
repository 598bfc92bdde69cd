import { DeviceConfig } from '../../dra/device-config';
import { DeviceDriver } from '../../dra/device-driver';
import { AGENT_FPGA, AGENT_GPU, AGENT_NIC, AGENT_SIM, type DriverProfileFacts } from '../../model/drivers';

/** What every configuration for a driver of the node agent has. */
export interface AgentConfigProps {
  /**
   * The driver, where the agent runs under a name of your own.
   * @default - `gpu.cdk8s-dra.dev` and the like
   */
  readonly driver?: DeviceDriver;
  /**
   * Names of the requests it is for; not allowed in a class.
   * @default - all requests of the claim
   */
  readonly requests?: string[];
}

/** What a container gets with a GPU. */
export interface AgentGpuConfigProps extends AgentConfigProps {
  /** Whether it gets the device node for display and mode setting too, beside the one for compute; of AMD and Intel. */
  readonly includeCardNode: boolean;
}

/** What is loaded into an FPGA. */
export interface AgentFpgaConfigProps extends AgentConfigProps {
  /** Id of an image that the agent's settings allow. */
  readonly image: string;
}

/** What whoever moves a network interface into the pod is told. */
export interface AgentNicConfigProps extends AgentConfigProps {
  /** Name of the interface in the pod, at most 15 characters. */
  readonly interfaceName: string;
}

/** What the container of a simulated device sees in its environment. */
export interface AgentSimConfigProps extends AgentConfigProps {
  /**
   * A word of lower-case letters, digits and `-`, at most 32 characters.
   * @default - none
   */
  readonly mode?: string;
  /**
   * A number from 0 to 10.
   * @default - none
   */
  readonly level?: number;
}

/** Configuration of classes and claims for the drivers that a NodeAgent is; the claim's counts after the class's, field by field. */
export class AgentConfig {
  /** For GPUs. */
  public static gpu(props: AgentGpuConfigProps): DeviceConfig {
    return config(AGENT_GPU, props);
  }

  /** For FPGAs. */
  public static fpga(props: AgentFpgaConfigProps): DeviceConfig {
    return config(AGENT_FPGA, props);
  }

  /** For network functions. */
  public static nic(props: AgentNicConfigProps): DeviceConfig {
    return config(AGENT_NIC, props);
  }

  /** For simulated devices. */
  public static sim(props: AgentSimConfigProps): DeviceConfig {
    return config(AGENT_SIM, props);
  }

  private constructor() {}
}

/** The properties are named as the fields are. */
function config({ driverName, family, configKinds: [kind] }: DriverProfileFacts, props: AgentConfigProps): DeviceConfig {
  const { driver = new DeviceDriver(driverName, family), requests } = props;
  const given = Object.entries(props).filter(([name, value]) => value !== undefined && kind.fields.some(field => field.name === name));
  return DeviceConfig.opaque({ driver, requests, parameters: { apiVersion: kind.apiVersion, kind: kind.kind, ...Object.fromEntries(given) } });
}
