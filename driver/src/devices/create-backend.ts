import { nearest, show } from 'cdk8s-dra/model';

import type { BackendHost } from './backend-host.js';
import type { DeviceBackend } from './backend.js';
import { FpgaBackend } from './fpga/fpga-backend.js';
import { FPGA_SETTINGS } from './fpga/fpga-settings.js';
import { GpuBackend } from './gpu/gpu-backend.js';
import { GPU_SETTINGS } from './gpu/gpu-settings.js';
import { NicBackend } from './nic/nic-backend.js';
import { NIC_SETTINGS } from './nic/nic-settings.js';
import { NodeFailure } from './node-failure.js';
import { SimulatedBackend } from './simulated/simulated-backend.js';
import { SIMULATED_SETTINGS } from './simulated/simulated-settings.js';
import { decode, describeField } from './strict-decode.js';
import type { Decoded, FieldProblem } from './strict-decode.js';

type Create = (host: BackendHost) => DeviceBackend;

const BACKENDS: { readonly [name: string]: (section: unknown) => Decoded<Create> } = {
  gpu: (section) => made(decode(GPU_SETTINGS, section), (settings) => (host) => new GpuBackend(settings, host)),
  fpga: (section) => made(decode(FPGA_SETTINGS, section), (settings) => (host) => new FpgaBackend(settings, host)),
  nic: (section) => made(decode(NIC_SETTINGS, section), (settings) => (host) => new NicBackend(settings, host)),
  simulated: (section) => made(decode(SIMULATED_SETTINGS, section), (settings) => (host) => new SimulatedBackend(settings, host)),
};

/** What is wrong with the `devices` section of the agent's configuration, field by field. */
export function devicesProblems(section: unknown): readonly FieldProblem[] {
  const decoded = decodeDevices(section);
  return 'problems' in decoded ? decoded.problems : [];
}

/**
 * The backend that the `devices` section of the agent's configuration asks for.
 *
 * @throws NodeFailure, terminal, that names each wrong field.
 */
export function createBackend(section: unknown, host: BackendHost): DeviceBackend {
  const decoded = decodeDevices(section);
  if ('value' in decoded) return decoded.value(host);
  const said = decoded.problems.map((problem) => describeField({ ...problem, path: ['devices', ...problem.path] }, 'devices')).join('\n');
  throw new NodeFailure('DRA340', 'terminal', said);
}

function decodeDevices(section: unknown): Decoded<Create> {
  const name = typeof section === 'object' && section !== null && Object.hasOwn(section, 'backend') ? (section as { readonly backend: unknown }).backend : undefined;
  const decodeSection = typeof name === 'string' && Object.hasOwn(BACKENDS, name) ? BACKENDS[name] : undefined;
  if (decodeSection !== undefined) return decodeSection(section);
  const near = typeof name === 'string' ? nearest(name, Object.keys(BACKENDS)) : undefined;
  return {
    problems: [{
      path: ['backend'],
      rule: `must be one of ${Object.keys(BACKENDS).join(', ')}, ${name === undefined ? 'but is missing' : `got ${show(name)}`}`,
      help: near === undefined ? 'Name the kind of hardware that the agent offers.' : `Did you mean '${near}'?`,
    }],
  };
}

function made<T>(decoded: Decoded<T>, create: (settings: T) => Create): Decoded<Create> {
  return 'value' in decoded ? { value: create(decoded.value) } : decoded;
}
