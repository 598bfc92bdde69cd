import type { DeviceOrderProps, FpgaDevicesProps, GpuDevicesProps, SimulatedDevicesProps } from './device-props';
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
    return new AgentDevices('gpu', props, { writesSys: false, capabilities: [], folders: ['/etc/cdi'] });
  }

  /** FPGAs, with images from an allow-list. */
  public static fpga(props: FpgaDevicesProps = {}): AgentDevices {
    const folders = props.images === undefined ? [] : [props.images.folder];
    return new AgentDevices('fpga', props, { writesSys: props.images !== undefined, capabilities: [], folders });
  }

  /** Network functions: SR-IOV, RDMA and plain ports. */
  public static nic(props: NicDevicesProps): AgentDevices {
    const offers = props.offers.map((offer) => offer._settings);
    // Limits and resets are written into sysfs; the limit is network administration to the kernel.
    const writes = props.offers.some((offer) => offer._writesSys);
    return new AgentDevices('nic', { ...props, offers }, { writesSys: writes, capabilities: writes ? ['NET_ADMIN'] : [], folders: [] });
  }

  /** Devices that only pretend, for rehearsals and tests; everything around them is real. */
  public static simulated(props: SimulatedDevicesProps): AgentDevices {
    return new AgentDevices('simulated', props, { writesSys: false, capabilities: [], folders: [] });
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
  readonly writesSys: boolean;
  readonly capabilities: string[];
  /** Folders of the host beside /sys, /proc and /dev. */
  readonly folders: string[];
}
