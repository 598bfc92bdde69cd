import { findFailure } from 'cdk8s-dra/model';

import type { NetworkData } from '../../devices/backend.js';
import type { NodeFailure } from '../../devices/node-failure.js';
import type { AllocatedDevice } from '../claims/allocation.js';
import type { ClaimRecord } from '../claims/record/claim-record.js';
import type { Isolation } from '../device-state.js';

/** An entry of `status.devices` of a claim, as far as the agent writes it. */
export interface DeviceStatus {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string;
  readonly conditions?: readonly Condition[];
  readonly networkData?: NetworkData;
}

export interface Condition {
  /** `Healthy`, `Prepared`; each is there only while it is `False`. */
  readonly type: string;
  readonly status: 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** What a claim that has its devices should say: addresses, and what is wrong with a device now. Devices with neither are left out. */
export function statusOfRecord(driver: string, { devices }: ClaimRecord, isolations: readonly Isolation[]): readonly DeviceStatus[] {
  return devices.flatMap(({ pool, device, shareId, prepared }) => {
    const networkData = prepared?.networkData;
    const sick = isolations.find((isolation) => isolation.device === device);
    if (networkData === undefined && sick === undefined) return [];
    return [{
      ...keyOf(driver, { pool, device, ...(shareId === undefined ? {} : { shareId }) }),
      ...(sick === undefined ? {} : { conditions: [condition('Healthy', sick.code, sick.message, sick.since)] }),
      ...(networkData === undefined ? {} : { networkData }),
    }];
  });
}

/** What a claim should say whose devices will never be prepared. */
export function statusOfFailure(
  driver: string, devices: readonly AllocatedDevice[], { code, message }: NodeFailure, since: string,
): readonly DeviceStatus[] {
  return devices.map((device) => ({ ...keyOf(driver, device), conditions: [condition('Prepared', code, message, since)] }));
}

function keyOf(driver: string, { pool, device, shareId }: Pick<AllocatedDevice, 'pool' | 'device' | 'shareId'>) {
  return { driver, pool, device, ...(shareId === undefined ? {} : { shareID: shareId }) };
}

/** The code first, so that `kubectl-dra explain` reads it back. */
function condition(type: string, code: string, message: string, since: string): Condition {
  const name = findFailure(code)?.name ?? 'unknown';
  const reason = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { type, status: 'False', reason, message: `${code} ${name}: ${message}`.slice(0, MAX_MESSAGE), lastTransitionTime: withoutFractions(since) };
}

/** The API takes 32 KiB; a person reads less. */
const MAX_MESSAGE = 1024;

/** Times of conditions have a grain of a second; what the server cuts off would be another value each time. */
function withoutFractions(time: string): string {
  return time.replace(/\.\d+(?=Z$)/, '');
}
