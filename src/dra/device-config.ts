import type { DeviceDriver } from './device-driver';
import type { DeviceClaimConfiguration, DeviceClassConfiguration } from '../../imports/types';

/** Parameters for a driver. */
export interface OpaqueConfigProps {
  /** The driver that reads the parameters; others ignore them. */
  readonly driver: DeviceDriver;
  /** A JSON object of at most 10 KiB, as the driver's own API defines it. */
  readonly parameters: { readonly [key: string]: any };
  /**
   * Names of the requests it is for; not allowed in a class.
   * @default - all requests of the claim
   */
  readonly requests?: string[];
}

/** Configuration that a class or claim hands to a driver, passed on unread by Kubernetes. */
export class DeviceConfig {
  /** Parameters in the driver's own format. */
  public static opaque(props: OpaqueConfigProps): DeviceConfig {
    return new DeviceConfig(props);
  }

  private constructor(private readonly props: OpaqueConfigProps) {}

  /** @internal */
  public _toClaimJson(): DeviceClaimConfiguration {
    const requests = this.props.requests;
    return { ...(requests && requests.length > 0 ? { requests } : {}), ...this._toClassJson() };
  }

  /** @internal */
  public _toClassJson(): DeviceClassConfiguration {
    return { opaque: { driver: this.props.driver.driverName, parameters: this.props.parameters } };
  }

  /** @internal */
  public get _requests(): string[] {
    return this.props.requests ?? [];
  }
}
