import { TaintEffect } from './device-taint';
import type { DeviceToleration as Json } from '../../imports/types';

/** Options of a toleration. */
export interface DeviceTolerationOptions {
  /**
   * Effect that is tolerated. Without it the scheduler takes a device with any effect of the taint, and the pod is evicted again where
   * that is `NoExecute` (1.34 to 1.37, finding DRA183): to stay, add a toleration with that effect.
   * @default - every effect
   */
  readonly effect?: TaintEffect;
  /**
   * How long a running pod stays after a `NoExecute` taint appears, in seconds.
   * @default - for ever
   */
  readonly tolerationSeconds?: number;
}

/** Lets a request take devices that carry a matching taint. */
export class DeviceToleration {
  /** Tolerates the taint with this key and value. */
  public static equal(key: string, value: string, options: DeviceTolerationOptions = {}): DeviceToleration {
    return new DeviceToleration({ key, operator: 'Equal', value, ...options });
  }

  /** Tolerates every taint with this key, whatever its value. */
  public static exists(key: string, options: DeviceTolerationOptions = {}): DeviceToleration {
    return new DeviceToleration({ key, operator: 'Exists', ...options });
  }

  /** Tolerates every taint; for monitoring, rarely for workloads. */
  public static everything(options: DeviceTolerationOptions = {}): DeviceToleration {
    return new DeviceToleration({ operator: 'Exists', ...options });
  }

  private constructor(private readonly json: Json) {}

  /** @internal */
  public _toJson(): Json {
    return this.json;
  }
}
