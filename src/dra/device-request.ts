import type { CapacityRequest } from './capacity-request';
import type { DerivedAttribute } from './derived-attribute';
import type { IDeviceClass } from './device-class';
import type { DeviceSelector } from './device-selector';
import type { DeviceToleration } from './device-toleration';
import type { DeviceRequest as RequestJson, DeviceSubRequest as SubRequestJson, ExactDeviceRequest as ExactJson } from '../../imports/types';

/** How many of the matching devices a request takes. */
export enum AllocationMode {
  /** As many as `count` says. */
  EXACT_COUNT = 'ExactCount',
  /** All matching devices of one node, at least one; none of them may be in use. */
  ALL = 'All',
}

/** What a request and an alternative have in common. */
export interface DeviceRequestOptions {
  /** The class that devices must belong to. */
  readonly deviceClass: IDeviceClass;
  /**
   * Number of devices; must be left out with `AllocationMode.ALL`. All requests of a claim together get at most 32 devices.
   * @default 1
   */
  readonly count?: number;
  /**
   * Which of the matching devices are taken.
   * @default AllocationMode.EXACT_COUNT
   */
  readonly allocationMode?: AllocationMode;
  /**
   * Further conditions beside those of the class; all must hold, at most 32.
   * @default - the class alone decides
   */
  readonly selectors?: DeviceSelector[];
  /**
   * Taints that the request accepts, at most 16. Carried by feature gate DRADeviceTaints.
   * @default - devices with a NoSchedule or NoExecute taint are left alone
   */
  readonly tolerations?: DeviceToleration[];
  /**
   * How much of each device is needed. Carried by feature gate DRAConsumableCapacity.
   * @default - the driver's default share, or the whole device
   */
  readonly capacity?: CapacityRequest[];
  /**
   * Attributes computed from others, for constraints only; at most 32. Carried by feature gate DRADerivedAttributes (alpha in 1.37).
   * @default - none
   */
  readonly derivedAttributes?: DerivedAttribute[];
}

/** What an exact request asks for. */
export interface ExactDeviceRequestProps extends DeviceRequestOptions {
  /**
   * Access to devices in use by others, for monitoring; the namespace needs the label `resource.kubernetes.io/admin-access: "true"`.
   * @default false
   */
  readonly adminAccess?: boolean;
}

/** One alternative of a `firstAvailable` request. */
export interface DeviceSubRequest extends DeviceRequestOptions {
  /** Name inside the request, a DNS label; results say `request/alternative`. */
  readonly name: string;
}

/** One group of equal devices that a claim asks for. */
export class DeviceRequest {
  /**
   * A request for devices of one class.
   *
   * @param name a DNS label, unique in the claim; containers and constraints refer to it
   */
  public static exactly(name: string, props: ExactDeviceRequestProps): DeviceRequest {
    return new DeviceRequest(name, () => ({ exactly: exactJson(props) }));
  }

  /**
   * A request that takes the first alternative, in order, that a node can serve. At most 8; beta in 1.34, stable from 1.36.
   *
   * @param name a DNS label, unique in the claim; containers refer to it, not to the alternative
   */
  public static firstAvailable(name: string, alternatives: DeviceSubRequest[]): DeviceRequest {
    return new DeviceRequest(name, () => ({ firstAvailable: alternatives.map(subRequestJson) }));
  }

  private constructor(public readonly name: string, private readonly choice: () => Omit<RequestJson, 'name'>) {}

  /** @internal */
  public _toJson(): RequestJson {
    return { name: this.name, ...this.choice() };
  }
}

function exactJson(props: ExactDeviceRequestProps): ExactJson {
  return { ...optionsJson(props), ...(props.adminAccess === undefined ? {} : { adminAccess: props.adminAccess }) };
}

function subRequestJson(props: DeviceSubRequest): SubRequestJson {
  return { name: props.name, ...optionsJson(props) };
}

/**
 * Defaults are written out: a request list is atomic for server-side apply,
 * so a GitOps engine would otherwise see a difference on every pass.
 */
function optionsJson(props: DeviceRequestOptions): Omit<ExactJson, 'adminAccess'> {
  const mode = props.allocationMode ?? AllocationMode.EXACT_COUNT;
  const count = mode === AllocationMode.ALL ? props.count : props.count ?? 1;
  return {
    deviceClassName: props.deviceClass.deviceClassName,
    allocationMode: mode,
    ...(count === undefined ? {} : { count }),
    ...list('selectors', props.selectors?.map(selector => ({ cel: { expression: selector.expression } }))),
    ...list('tolerations', props.tolerations?.map(toleration => toleration._toJson())),
    ...(props.capacity && props.capacity.length > 0 ? { capacity: { requests: capacityJson(props.capacity) } } : {}),
    ...list('derivedAttributes', props.derivedAttributes?.map(({ name, expression }) => ({ name, expression }))),
  };
}

function capacityJson(requests: CapacityRequest[]): { [name: string]: string } {
  const json: { [name: string]: string } = {};
  for (const { name, quantity } of requests) {
    if (name in json) throw new Error(`Capacity '${name}' must be requested once, got ${json[name]} and ${quantity}. Keep the larger one.`);
    json[name] = quantity;
  }
  return json;
}

function list<K extends string, T>(key: K, items: T[] | undefined): { [P in K]?: T[] } {
  return items && items.length > 0 ? { [key]: items } as { [P in K]?: T[] } : {};
}
