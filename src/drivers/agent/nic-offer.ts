import type { HardwareMatch, SharedAmount } from './device-props';

/** Whether containers get RDMA devices with a network function. */
export enum RdmaUse {
  /** Where the function has some. */
  AUTO = 'auto',
  /** A function without RDMA is not offered. */
  REQUIRED = 'required',
  /** Never. */
  NONE = 'none',
}

/** What brings a network function back to a clean state. */
export enum NicScrub {
  /** Nothing. */
  NONE = 'none',
  /** A reset of the PCI function. */
  FUNCTION_RESET = 'function-reset',
}

/** Properties of an offer of network functions. */
export interface NicOfferProps {
  /** Physical functions that it is about; must say something, so that a node never gives away all its ports by accident. */
  readonly match: HardwareMatch;
  /**
   * Whether containers get RDMA devices.
   * @default RdmaUse.AUTO
   */
  readonly rdma?: RdmaUse;
  /**
   * What happens when a function is given back.
   * @default NicScrub.NONE
   */
  readonly scrub?: NicScrub;
}

/** Who sets the rate limit of a share. */
export enum RateLimiter {
  /** The agent, in the file that NVIDIA's kernel drivers have for it. */
  SYSFS = 'sysfs',
  /** Whoever gives the function to the pod, such as a CNI plugin. */
  HAND_OVER = 'hand-over',
}

/** Properties of an offer of bandwidth. */
export interface SharedBandwidthProps extends NicOfferProps {
  /** Bits per second, as quantities: 10G. */
  readonly bandwidth: SharedAmount;
  /** Who sets the limit. */
  readonly rate: RateLimiter;
  /**
   * Claims that may have a share of a port at once, 1 to 1000.
   * @default - as many as there are virtual functions
   */
  readonly maxShares?: number;
}

/** What a NodeAgent offers of network functions. */
export class NicOffer {
  /** Each virtual function is a device. */
  public static virtualFunctions(props: NicOfferProps): NicOffer {
    return new NicOffer({ as: 'virtual-functions', ...props }, props.scrub);
  }

  /** Each physical function is a device, with its interface. */
  public static port(props: NicOfferProps): NicOffer {
    return new NicOffer({ as: 'port', ...props }, props.scrub);
  }

  /** Each physical function is a device of which claims take bandwidth; each gets a virtual function with a rate limit. */
  public static sharedBandwidth(props: SharedBandwidthProps): NicOffer {
    const { value, ...amount } = props.bandwidth;
    const bandwidth = { ...(value === undefined ? {} : { total: value }), ...amount };
    return new NicOffer({ as: 'shared-bandwidth', ...props, bandwidth }, props.scrub, props.rate);
  }

  /** @internal */
  public readonly _resets: boolean;
  /** @internal */
  public readonly _limits: boolean;

  private constructor(
    /** @internal */
    public readonly _settings: object,
    scrub?: NicScrub,
    rate?: RateLimiter,
  ) {
    this._resets = scrub === NicScrub.FUNCTION_RESET;
    this._limits = rate === RateLimiter.SYSFS;
  }
}
