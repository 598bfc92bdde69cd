import type { SharingSettings } from 'cdk8s-dra/model';
import { Quantity } from 'cdk8s-dra/model';

import type { ContainerEdits, Mount } from '../backend.js';
import type { DeviceClaim } from '../device-claim.js';
import type { HostRoot } from '../host/host-root.js';
import type { DeviceCapacity, InventoryDevice, ReportProblem } from '../inventory.js';
import { NodeFailure } from '../node-failure.js';

/** A share of a GPU, as it stands in a claim's record. */
export interface GpuShare {
  readonly enforcement: 'mps' | 'none';
  readonly pipeDirectory?: string;
  readonly shmDirectory?: string;
  readonly memoryMebibytes?: number;
  readonly computePercent?: number;
}

/** The device as one that several claims may have, or undefined with a report when the settings do not fit it. */
export function sharedDevice(
  device: InventoryDevice, { maxShares, capacity = {} }: SharingSettings, report: ReportProblem,
): InventoryDevice | undefined {
  const shared: { [name: string]: DeviceCapacity } = {};
  for (const [name, { value, default: byDefault, min, max, step }] of Object.entries(capacity)) {
    const whole = value ?? device.capacity[name]?.value;
    if (whole === undefined) {
      report({ code: 'DRA348', subject: device.name, message: `${device.name} is not offered: how much ${name} there is to share is not known. Set value in its entry of sharing, or memory in an entry of products.` });
      return undefined;
    }
    const validRange = { min, ...(max !== undefined && { max }), ...(step !== undefined && { step }) };
    shared[name] = { value: whole, requestPolicy: { default: byDefault, validRange } };
  }
  // So that the scheduler knows the limit too, each share takes one of these.
  shared.shares = { value: String(maxShares), requestPolicy: { default: '1', validValues: ['1'] } };
  return { ...device, capacity: { ...device.capacity, ...shared }, allowMultipleAllocations: true, maxShares };
}

/** What a claim's share is, from the amounts that its allocation names. */
export function shareOf(claim: DeviceClaim, { enforcement, mps }: SharingSettings, address: string): GpuShare {
  if (claim.shareId === undefined) {
    throw new NodeFailure('DRA353', 'terminal', `The allocation of ${claim.device.name} names no share, but the device is shared. Delete the claim and make it anew.`, { devices: [claim.device.name] });
  }
  const memory = claim.consumedCapacity.memory;
  const compute = claim.consumedCapacity.compute;
  const at = (directory: string): string => directory.replaceAll('{address}', address);
  return {
    enforcement,
    ...(mps && { pipeDirectory: at(mps.pipeDirectory) }),
    ...(mps?.shmDirectory !== undefined && { shmDirectory: at(mps.shmDirectory) }),
    ...(memory !== undefined && { memoryMebibytes: wholeUnits(claim, 'memory', memory, 1024n * 1024n) }),
    ...(compute !== undefined && { computePercent: Math.min(100, wholeUnits(claim, 'compute', compute, 1n)) }),
  };
}

/** What keeps a container to its share. */
export async function shareEdits(root: HostRoot, device: string, share: GpuShare): Promise<ContainerEdits> {
  const { enforcement, pipeDirectory, shmDirectory, memoryMebibytes, computePercent } = share;
  if (enforcement === 'none' || pipeDirectory === undefined) return {};
  // The daemon makes it when it starts; without a daemon programs of the container would find no GPU.
  if (!await root.exists(`${pipeDirectory}/control`)) {
    throw new NodeFailure('DRA350', 'retryable', `${device} cannot be shared: no MPS control daemon listens in ${pipeDirectory}. Start nvidia-cuda-mps-control for the GPU; the claim is tried again by itself.`, { devices: [device] });
  }
  const mounts: Mount[] = [
    { hostPath: pipeDirectory, containerPath: pipeDirectory, options: ['rw', 'nosuid', 'nodev', 'bind'] },
    ...(shmDirectory === undefined ? [] : [{ hostPath: shmDirectory, containerPath: '/dev/shm', options: ['rw', 'nosuid', 'nodev', 'bind'] }]),
  ];
  return {
    env: [
      ...(computePercent === undefined ? [] : [`CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=${computePercent}`]),
      // The device is the only one that programs see through this daemon, hence number 0.
      ...(memoryMebibytes === undefined ? [] : [`CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=${memoryMebibytes}M`]),
      `CUDA_MPS_PIPE_DIRECTORY=${pipeDirectory}`,
    ].sort(),
    mounts,
  };
}

function wholeUnits(claim: DeviceClaim, name: string, amount: string, unit: bigint): number {
  const parsed = Quantity.tryParse(amount);
  const whole = claim.device.capacity[name]?.value;
  const units = parsed instanceof Quantity ? parsed.value() / unit : 0n;
  if (!(parsed instanceof Quantity) || units <= 0n || whole === undefined || parsed.compareTo(Quantity.parse(whole)) > 0) {
    throw new NodeFailure('DRA353', 'terminal', `The allocation gives ${amount} ${name} of ${claim.device.name}, which has ${whole ?? 'none'}. Delete the claim and make it anew.`, { devices: [claim.device.name] });
  }
  return Number(units);
}
