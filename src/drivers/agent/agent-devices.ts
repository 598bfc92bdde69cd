import { FpgaLoader, type DeviceOrderProps, type FpgaDevicesProps, type GpuDevicesProps, type SimulatedDevicesProps } from './device-props';
import { deviceSection } from './device-section';
import type { NicOffer } from './nic-offer';

/** Properties of network devices. */
export interface NicDevicesProps extends DeviceOrderProps {
  /** What is offered; the first that fits a physical function counts, and one that none fits is left alone. */
  readonly offers: NicOffer[];
}

/** Hardware that a NodeAgent offers. */
export class AgentDevices {
  /** GPUs of NVIDIA, AMD and Intel, found in the host's files. */
  public static gpu(props: GpuDevicesProps = {}): AgentDevices {
    const { cdiFolders = ['/etc/cdi', '/var/run/cdi'], sharing = [] } = props;
    // The folder of a card is made when its daemon starts, so the one above all of them is looked into.
    const daemons = sharing.flatMap(({ mps }) => (mps === undefined ? [] : [mps.pipeDirectory.replace(/\/[^/]*\{address\}.*$/, '')]));
    return new AgentDevices('gpu', props, { folders: [...cdiFolders, ...daemons] });
  }

  /** FPGAs, with images from an allow-list. With FpgaLoader.COMMAND the agent's container is privileged: the program opens the host's device nodes. */
  public static fpga(props: FpgaDevicesProps = {}): AgentDevices {
    const ways = Object.values(props.programming ?? {}).map(({ by }) => by);
    return new AgentDevices('fpga', props, {
      writesSys: ways.includes(FpgaLoader.MANAGER),
      privileged: ways.includes(FpgaLoader.COMMAND),
      folders: props.images === undefined ? [] : [props.images.folder],
    });
  }

  /** Network functions: SR-IOV, RDMA and plain ports. */
  public static nic(props: NicDevicesProps): AgentDevices {
    const offers = props.offers.map((offer) => offer._settings);
    // Resets and limits are written into sysfs; the limit is network administration to the kernel.
    return new AgentDevices('nic', { ...props, offers }, {
      writesSys: props.offers.some((offer) => offer._resets || offer._limits),
      capabilities: props.offers.some((offer) => offer._limits) ? ['NET_ADMIN'] : [],
    });
  }

  /** Devices that only pretend, for rehearsals and tests; everything around them is real. */
  public static simulated(props: SimulatedDevicesProps): AgentDevices {
    return new AgentDevices('simulated', props, {});
  }

  /** @internal */
  public readonly _section: { readonly [field: string]: unknown };

  private constructor(
    backend: string,
    props: object,
    /** @internal */
    public readonly _needs: DeviceNeeds,
  ) {
    this._section = deviceSection(backend, props);
  }
}

/** What a backend needs of its container. */
export interface DeviceNeeds {
  readonly writesSys?: boolean;
  readonly privileged?: boolean;
  readonly capabilities?: string[];
  /** Folders of the host beside /sys, /proc and /dev. */
  readonly folders?: string[];
}
