import { opaqueConfigProblems } from '../../src/devices/opaque-configs.js';
import { fieldName } from '../../src/devices/strict-decode.js';

const GPU = { apiVersion: 'gpu.cdk8s-dra.dev/v1alpha1', kind: 'GpuConfig' };

test.each([
  ['gpu.cdk8s-dra.dev', { ...GPU, includeCardNode: true }],
  ['gpu.cdk8s-dra.dev', GPU],
  ['fpga.cdk8s-dra.dev', { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig', image: 'crypto-v2' }],
  ['nic.cdk8s-dra.dev', { apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig', interfaceName: 'net1' }],
  ['sim.cdk8s-dra.dev', { apiVersion: 'sim.cdk8s-dra.dev/v1alpha1', kind: 'SimulatedConfig', mode: 'fast', level: 3 }],
])('%s reads %j', (driver, parameters) => {
  expect(opaqueConfigProblems(driver, parameters)).toEqual([]);
});

// C-077: config that is wrong must never come as far as the hardware.
test.each<[unknown, string, string]>([
  [{ ...GPU, kind: 'GpuConfg' }, 'kind', 'must be "GpuConfig", got "GpuConfg"'],
  [{ ...GPU, apiVersion: 'gpu.nvidia.com/v1beta1' }, 'apiVersion', 'must be "gpu.cdk8s-dra.dev/v1alpha1", got "gpu.nvidia.com/v1beta1"'],
  [{ kind: 'GpuConfig' }, 'apiVersion', 'must be "gpu.cdk8s-dra.dev/v1alpha1", but is missing'],
  [{ ...GPU, includeCardnode: true }, 'includeCardnode', 'is not a field here'],
  [{ ...GPU, includeCardNode: 'true' }, 'includeCardNode', 'must be true or false, got "true"'],
  [{ ...GPU, includeCardNode: null }, 'includeCardNode', 'must be true or false, got null'],
  [{ ...GPU, filler: 'x'.repeat(10 * 1024) }, '', 'must be at most 10240 bytes as JSON'],
  [[GPU], '', 'must be a JSON object'],
  ['text', '', 'must be a JSON object'],
])('%j is refused', (parameters, field, rule) => {
  expect(opaqueConfigProblems('gpu.cdk8s-dra.dev', parameters)?.map((problem) => [fieldName(problem.path), problem.rule])).toEqual([[field, rule]]);
});

test.each<[string, unknown]>([
  ['fpga.cdk8s-dra.dev', { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig', image: '/etc/passwd' }],
  ['fpga.cdk8s-dra.dev', { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig', file: 'x.gbs' }],
  ['nic.cdk8s-dra.dev', { apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig', interfaceName: 'with space' }],
  ['nic.cdk8s-dra.dev', { apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig', interfaceName: '..' }],
  ['nic.cdk8s-dra.dev', { apiVersion: 'nic.cdk8s-dra.dev/v1alpha1', kind: 'NicConfig', interfaceName: 'x'.repeat(16) }],
  ['sim.cdk8s-dra.dev', { apiVersion: 'sim.cdk8s-dra.dev/v1alpha1', kind: 'SimulatedConfig', level: 11 }],
])('%s refuses %j', (driver, parameters) => {
  expect(opaqueConfigProblems(driver, parameters)).toHaveLength(1);
});

test('parameters of other drivers are not judged', () => {
  expect(opaqueConfigProblems('gpu.nvidia.com', { anything: true })).toBeUndefined();
});
