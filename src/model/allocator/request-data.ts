import type { CapacityNeed } from './capacity';
import type { DeviceClass, Request } from './claim';

/** One request, or one alternative of a request, that needs devices. */
export interface RequestData {
  /** Place among all requests and alternatives of an attempt. */
  readonly key: number;
  readonly request: Request;
  /** The name of the request, for an alternative that of its parent. */
  readonly baseName: string;
  /** The name of the alternative. */
  readonly subName?: string;
  readonly deviceClass: DeviceClass;
  readonly adminAccess: boolean;
  readonly all: boolean;
  readonly deviceCount: number;
  /** For mode All: the places of the devices in the attempt. */
  readonly allDevices: readonly number[];
  /** Judgements of the selectors by device: 0 open, 1 no, 2 yes. */
  readonly matches: Uint8Array;
  /** What the request takes of each device, as far as known. */
  readonly needs: (CapacityNeed | undefined)[];
}

/** The name in results: `request` or `request/alternative`. */
export function resultName(data: RequestData): string {
  return data.subName === undefined ? data.baseName : `${data.baseName}/${data.subName}`;
}
