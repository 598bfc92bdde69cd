import { AGENT_FPGA } from './agent-fpga';
import { AGENT_GPU } from './agent-gpu';
import { AGENT_NIC } from './agent-nic';
import { AGENT_SIM } from './agent-sim';
import { AMD_GPU } from './amd-gpu';
import { DRA_CPU } from './dra-cpu';
import { DRANET } from './dranet';
import { EXAMPLE_CPU, EXAMPLE_GPU, EXAMPLE_NET } from './example-driver';
import { GOOGLE_TPU } from './google-tpu';
import { INTEL_GAUDI, INTEL_GPU, INTEL_QAT } from './intel';
import { NVIDIA_COMPUTE_DOMAIN } from './nvidia-compute-domain';
import { NVIDIA_GPU } from './nvidia-gpu';
import type { DriverProfileFacts } from './profile';
import { SRIOV } from './sriov';

/** Every driver that this project knows, sorted by id. */
export const DRIVER_PROFILES: readonly DriverProfileFacts[] = [
  AGENT_FPGA, AGENT_GPU, AGENT_NIC, AGENT_SIM, AMD_GPU, DRA_CPU, DRANET, EXAMPLE_CPU, EXAMPLE_GPU, EXAMPLE_NET, GOOGLE_TPU,
  INTEL_GAUDI, INTEL_GPU, INTEL_QAT,
  NVIDIA_COMPUTE_DOMAIN, NVIDIA_GPU, SRIOV,
];

const BY_DRIVER = new Map(DRIVER_PROFILES.map(profile => [profile.driverName, profile]));
const BY_ID = new Map(DRIVER_PROFILES.map(profile => [profile.id, profile]));

/** The profile of a driver by the name that devices and claims carry; undefined for a driver that is not known. */
export function profileForDriver(driverName: string): DriverProfileFacts | undefined {
  return BY_DRIVER.get(driverName);
}

/** A profile by its own name, e.g. `nvidia-gpu`. */
export function profileById(id: string): DriverProfileFacts | undefined {
  return BY_ID.get(id);
}
