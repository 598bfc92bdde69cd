import { type ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceAttribute } from './device-attribute';
import type { DeviceDriver } from './device-driver';
import { draObject } from './dra-object';
import { refuseMistakes } from './refusal';
import type { SliceDevice } from './slice-device';
import { counterValues, nodeSelectorJson, sliceDeviceJson } from './slice-device-json';
import type { ResourceSliceSpec } from '../../imports/types';

/** Which nodes reach the devices of a slice. */
export class SliceNodes {
  /** Every node, as for devices on a fabric. */
  public static everyNode(): SliceNodes {
    return new SliceNodes({ allNodes: true });
  }

  /** Nodes with all of these labels. */
  public static labels(labels: { readonly [key: string]: string }): SliceNodes {
    return new SliceNodes({ nodeSelector: nodeSelectorJson(labels) });
  }

  /** One node; its kubelet deletes such slices when it starts, so they are normally the driver's own business. */
  public static node(name: string): SliceNodes {
    return new SliceNodes({ nodeName: name });
  }

  /** Each device says for itself. Carried by feature gate DRAPartitionableDevices. */
  public static perDevice(): SliceNodes {
    return new SliceNodes({ perDeviceNodeSelection: true });
  }

  private constructor(private readonly json: Partial<ResourceSliceSpec>) {}

  /** @internal */
  public _toJson(): Partial<ResourceSliceSpec> {
    return this.json;
  }
}

/** Pool of devices that a slice is part of. */
export interface SlicePool {
  /** Name of the pool, at most 253 characters. */
  readonly name: string;
  /**
   * Grows with each change of the pool; slices of older generations are ignored.
   * @default 1
   */
  readonly generation?: number;
  /**
   * How many slices make up this generation; the pool is unusable until all are there.
   * @default 1
   */
  readonly resourceSliceCount?: number;
}

/** Counters that several devices of the pool draw from. */
export interface SharedCounters {
  /** A DNS label, unique in the pool. */
  readonly name: string;
  /** Quantities by counter name, at most 32. */
  readonly counters: { readonly [name: string]: string };
}

/** Properties of a ResourceSlice. */
export interface ResourceSliceProps {
  /**
   * Metadata of the slice.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
  /** Driver that prepares the devices. */
  readonly driver: DeviceDriver;
  /** Pool the slice belongs to. */
  readonly pool: SlicePool;
  /** Nodes that reach the devices. */
  readonly nodes: SliceNodes;
  /**
   * At most 128, or 64 where a device has taints, counters or list attributes. From 1.35 not together with `sharedCounters`.
   * @default - none
   */
  readonly devices?: SliceDevice[];
  /**
   * At most 8 sets. Carried by feature gate DRAPartitionableDevices. From 1.35 they need a slice of their own.
   * @default - none
   */
  readonly sharedCounters?: SharedCounters[];
  /**
   * Attribute that names a partition's type. Carried by feature gate DRAPartitionableDevicesType (alpha in 1.37).
   * @default - none
   */
  readonly partitionTypeAttribute?: DeviceAttribute;
  /**
   * Calls that kubelet leaves out: `NodePrepareResources`, `NodeUnprepareResources` or `*`.
   * Carried by feature gate DRAOptionalNodeOperations (alpha in 1.37).
   * @default - none
   */
  readonly skipNodeOperations?: string[];
}

/**
 * Devices that no node agent publishes, such as those on a fabric, described by hand.
 *
 * Devices of a node belong to the driver on that node. Emits a cluster-scoped `resource.k8s.io/v1` ResourceSlice.
 */
export class ResourceSlice extends Construct {
  public readonly resourceSliceName: string;
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: ResourceSliceProps) {
    super(scope, id);
    const body = { spec: specJson(props) };
    this.object = draObject(this, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      clusterScoped: true,
      component: 'resource-slice',
      metadata: props.metadata,
      body,
    });
    this.resourceSliceName = this.object.name;
    refuseMistakes(this, this.object, body);
  }
}

function specJson(props: ResourceSliceProps): ResourceSliceSpec {
  const { name, generation = 1, resourceSliceCount = 1 } = props.pool;
  return {
    driver: props.driver.driverName,
    pool: { name, generation, resourceSliceCount },
    ...props.nodes._toJson(),
    ...(props.devices ? { devices: props.devices.map(sliceDeviceJson) } : {}),
    ...(props.sharedCounters
      ? { sharedCounters: props.sharedCounters.map(set => ({ name: set.name, counters: counterValues(set.counters) })) }
      : {}),
    ...(props.partitionTypeAttribute ? { partitionTypeAttribute: props.partitionTypeAttribute.qualifiedName } : {}),
    ...(props.skipNodeOperations ? { skipNodeOperations: props.skipNodeOperations } : {}),
  };
}
