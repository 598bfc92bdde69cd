import type { LegacyPathSpec, LegacyResourceSpec } from '../model/api';
import { profileForDriver } from '../model/drivers';

/** What one unit of an extended resource stands for. */
export interface LegacyUnit {
  /**
   * Units that the plugin advertises for one whole device; more than 1 with time-slicing or MPS.
   * @default 1
   */
  readonly unitsPerDevice?: number;
  /**
   * The part of a device that a unit is, e.g. the MIG profile `1g.5gb`.
   * @default - a unit is a whole device, or a share of its time
   */
  readonly partition?: string;
}

/** Options of a legacy path with one resource. */
export interface LegacyPathOptions extends LegacyUnit {
  /**
   * Project of the device plugin, e.g. `NVIDIA/k8s-device-plugin`.
   * @default - the plugin that the driver's profile names, if there is one
   */
  readonly plugin?: string;
}

/** One extended resource of a device plugin. */
export interface LegacyResource extends LegacyUnit {
  /** Full name, e.g. `nvidia.com/mig-1g.5gb`. */
  readonly name: string;
}

/** The way that workloads get devices of a pool today. */
export class LegacyPath {
  /** One extended resource of a device plugin, e.g. `nvidia.com/gpu`. */
  public static extendedResource(name: string, options: LegacyPathOptions = {}): LegacyPath {
    const { plugin, ...unit } = options;
    return new LegacyPath([{ name, ...unit }], plugin);
  }

  /**
   * Several extended resources of one device plugin.
   *
   * @param plugin project of the plugin; without it the one that the driver's profile names
   */
  public static extendedResources(resources: LegacyResource[], plugin?: string): LegacyPath {
    return new LegacyPath(resources, plugin);
  }

  private constructor(private readonly resources: readonly LegacyResource[], private readonly plugin: string | undefined) {}

  /** @internal */
  public _toJson(driverName: string): LegacyPathSpec {
    const plugin = this.plugin ?? profileForDriver(driverName)?.legacy[0]?.project;
    return {
      resources: [...this.resources].sort((a, b) => (a.name < b.name ? -1 : 1)).map(resourceSpec),
      ...(plugin === undefined ? {} : { plugin }),
    };
  }
}

function resourceSpec({ name, unitsPerDevice, partition }: LegacyResource): LegacyResourceSpec {
  // How many parts a device has is the driver's matter, and differs by device.
  const units = unitsPerDevice ?? (partition === undefined ? 1 : undefined);
  return { name, ...(units === undefined ? {} : { unitsPerDevice: units }), ...(partition === undefined ? {} : { partition }) };
}
