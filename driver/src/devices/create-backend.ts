import { backendName, BACKEND_SETTINGS, strict } from 'cdk8s-dra/model';
import type { FieldProblem } from 'cdk8s-dra/model';

import type { BackendHost } from './backend-host.js';
import type { DeviceBackend } from './backend.js';
import { FpgaBackend } from './fpga/fpga-backend.js';
import { GpuBackend } from './gpu/gpu-backend.js';
import { NicBackend } from './nic/nic-backend.js';
import { NodeFailure } from './node-failure.js';
import { SimulatedBackend } from './simulated/simulated-backend.js';

/**
 * The backend that the `devices` section of the agent's configuration asks for.
 *
 * @throws NodeFailure, terminal, that names each wrong field.
 */
export function createBackend(section: unknown, host: BackendHost): DeviceBackend {
  const name = backendName(section);
  if (typeof name !== 'string') throw refusal([name]);
  switch (name) {
    case 'gpu': return new GpuBackend(settingsOf(BACKEND_SETTINGS.gpu, section), host);
    case 'fpga': return new FpgaBackend(settingsOf(BACKEND_SETTINGS.fpga, section), host);
    case 'nic': return new NicBackend(settingsOf(BACKEND_SETTINGS.nic, section), host);
    case 'simulated': return new SimulatedBackend(settingsOf(BACKEND_SETTINGS.simulated, section), host);
  }
}

function settingsOf<T>(form: strict.Form<T>, section: unknown): T {
  const decoded = strict.decode(form, section);
  if ('value' in decoded) return decoded.value;
  throw refusal(decoded.problems);
}

function refusal(problems: readonly FieldProblem[]): NodeFailure {
  const said = problems.map((problem) => strict.describeField({ ...problem, path: ['devices', ...problem.path] }, 'devices')).join('\n');
  return new NodeFailure('DRA340', 'terminal', said);
}
