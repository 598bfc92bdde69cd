import { AGENT_FPGA, AGENT_GPU, AGENT_NIC, AGENT_SIM, configProblems, type DriverProfileFacts } from '../../../src/model/drivers';

const GPU = { apiVersion: 'gpu.cdk8s-dra.dev/v1alpha1', kind: 'GpuConfig' };
const FPGA = { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig' };
const NIC = { apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig' };
const SIM = { apiVersion: 'sim.cdk8s-dra.dev/v1alpha1', kind: 'SimulatedConfig' };

test.each<[DriverProfileFacts, object]>([
  [AGENT_GPU, { ...GPU, includeCardNode: true }],
  [AGENT_GPU, GPU],
  [AGENT_FPGA, { ...FPGA, image: 'crypto-v2' }],
  [AGENT_NIC, { ...NIC, interfaceName: 'net1' }],
  [AGENT_SIM, { ...SIM, mode: 'fast', level: 3 }],
])('$id reads %j', (profile, parameters) => {
  expect(configProblems(profile, parameters)).toEqual([]);
});

// C-077: config that is wrong must never come as far as the hardware.
test.each<[DriverProfileFacts, unknown, string, string]>([
  [AGENT_GPU, { ...GPU, kind: 'GpuConfg' }, 'kind', 'must be "GpuConfig", got "GpuConfg"'],
  [AGENT_GPU, { ...GPU, apiVersion: 'gpu.nvidia.com/v1beta1' }, 'apiVersion', 'must be "gpu.cdk8s-dra.dev/v1alpha1", got "gpu.nvidia.com/v1beta1"'],
  [AGENT_GPU, { kind: 'GpuConfig' }, 'apiVersion', 'must be "gpu.cdk8s-dra.dev/v1alpha1", but is missing'],
  [AGENT_GPU, { ...GPU, includeCardnode: true }, 'includeCardnode', 'must be a field that gpu.cdk8s-dra.dev knows; it refuses the claim on the node'],
  [AGENT_GPU, { ...GPU, includeCardNode: 'true' }, 'includeCardNode', 'must be true or false, got "true"'],
  // A field without a value in YAML: somebody forgot it.
  [AGENT_GPU, { ...GPU, includeCardNode: null }, 'includeCardNode', 'must be true or false, got null'],
  [AGENT_GPU, [GPU], '', 'must be a JSON object'],
  [AGENT_GPU, 'text', '', 'must be a JSON object'],
  [AGENT_FPGA, { ...FPGA, image: '/etc/passwd' }, 'image', 'must be the id of an image: lower-case letters, digits and \'-\', got "/etc/passwd"'],
  [AGENT_FPGA, { ...FPGA, image: '' }, 'image', 'must be the id of an image: lower-case letters, digits and \'-\', got ""'],
  [AGENT_FPGA, { ...FPGA, image: 'x'.repeat(27) }, 'image', `must be at most 26 characters long, got "${'x'.repeat(27)}"`],
  [AGENT_FPGA, { ...FPGA, file: 'x.gbs' }, 'file', 'must be a field that fpga.cdk8s-dra.dev knows; it refuses the claim on the node'],
  [AGENT_NIC, { ...NIC, interfaceName: 'with space' }, 'interfaceName', expect.stringContaining('must be the name of a network interface') as never],
  [AGENT_NIC, { ...NIC, interfaceName: '..' }, 'interfaceName', expect.stringContaining('must be the name of a network interface') as never],
  [AGENT_NIC, { ...NIC, interfaceName: 'x'.repeat(16) }, 'interfaceName', 'must be at most 15 characters long, got "xxxxxxxxxxxxxxxx"'],
  [AGENT_SIM, { ...SIM, level: 11 }, 'level', 'must be at most 10, got 11'],
  [AGENT_SIM, { ...SIM, mode: 'FAST' }, 'mode', 'must be a word of lower-case letters, digits and \'-\', got "FAST"'],
])('$id refuses %j', (profile, parameters, path, rule) => {
  expect(configProblems(profile, parameters).map(problem => [problem.path, problem.rule])).toEqual([[path, rule]]);
});
