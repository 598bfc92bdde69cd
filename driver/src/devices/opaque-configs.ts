import { FPGA_CONFIG } from './fpga/fpga-config.js';
import { GPU_CONFIG } from './gpu/gpu-config.js';
import { NIC_CONFIG } from './nic/nic-config.js';
import { configFieldProblems } from './opaque-config.js';
import { SIMULATED_CONFIG } from './simulated/simulated-config.js';
import type { FieldProblem } from './strict-decode.js';

const CONFIGS = [GPU_CONFIG, FPGA_CONFIG, NIC_CONFIG, SIMULATED_CONFIG];

/**
 * Faults of opaque parameters for a driver of ours, as the node agent would find them on the node; undefined for another driver.
 *
 * For linters that look at claims and classes before they are applied.
 */
export function opaqueConfigProblems(driverName: string, parameters: unknown): readonly FieldProblem[] | undefined {
  const config = CONFIGS.find(({ apiVersion }) => apiVersion === `${driverName}/v1alpha1`);
  return config === undefined ? undefined : configFieldProblems(config, parameters);
}
