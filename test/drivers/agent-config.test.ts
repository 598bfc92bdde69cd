import { App, Chart, Testing } from 'cdk8s';
import { AgentConfig, DeviceClass, DeviceConfig, DeviceRequest, DriverProfile, ResourceClaimTemplate } from '../../src';

const chart = () => new Chart(new App(), 'chart', { namespace: 'team' });

/** The opaque config of a class that has this one alone. */
function emitted(config: DeviceConfig): unknown {
  const scope = chart();
  new DeviceClass(scope, 'class', { config: [config] });
  return Testing.synth(scope)[0].spec.config[0].opaque;
}

test.each<[string, DeviceConfig, string, object]>([
  ['gpu', AgentConfig.gpu({ includeCardNode: true }), 'gpu.cdk8s-dra.dev', { kind: 'GpuConfig', includeCardNode: true }],
  ['fpga', AgentConfig.fpga({ image: 'crypto-v2' }), 'fpga.cdk8s-dra.dev', { kind: 'FpgaConfig', image: 'crypto-v2' }],
  ['nic', AgentConfig.nic({ interfaceName: 'net1' }), 'nic.cdk8s-dra.dev', { kind: 'NicConfig', interfaceName: 'net1' }],
  ['sim', AgentConfig.sim({ mode: 'fast', level: 3 }), 'sim.cdk8s-dra.dev', { kind: 'SimulatedConfig', mode: 'fast', level: 3 }],
  ['sim', AgentConfig.sim({ level: undefined }), 'sim.cdk8s-dra.dev', { kind: 'SimulatedConfig' }],
])('a configuration for %s is one of its driver', (family, config, driver, fields) => {
  expect(emitted(config)).toEqual({ driver, parameters: { apiVersion: `${family}.cdk8s-dra.dev/v1alpha1`, ...fields } });
});

test('in a claim it is for the requests that it names', () => {
  const scope = chart();
  const fpga = new DeviceClass(scope, 'fpga', { driver: DriverProfile.agentFpga() });
  new ResourceClaimTemplate(scope, 'claim', {
    requests: [DeviceRequest.exactly('a', { deviceClass: fpga }), DeviceRequest.exactly('b', { deviceClass: fpga })],
    config: [AgentConfig.fpga({ image: 'crypto-v2', requests: ['b'] })],
  });

  expect(Testing.synth(scope)[1].spec.spec.devices.config.map(({ requests }: any) => requests)).toEqual([['b']]);
});

test('an agent under a name of its own has its kinds of configuration', () => {
  const driver = DriverProfile.custom({ driverName: 'boards.example.com', family: 'fpga' });

  expect(emitted(AgentConfig.fpga({ image: 'crypto-v2', driver }))).toMatchObject({
    driver: 'boards.example.com', parameters: { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1' },
  });
});

test.each<[string, DeviceConfig, RegExp]>([
  ['a file for an image', AgentConfig.fpga({ image: 'crypto-v2.gbs' }), /parameters\.image: 'image' must be the id of an image.*got "crypto-v2\.gbs"/],
  ['a long name of an interface', AgentConfig.nic({ interfaceName: 'x'.repeat(16) }), /parameters\.interfaceName: 'interfaceName' must be at most 15 characters long/],
  ['a level that is not there', AgentConfig.sim({ level: 11 }), /parameters\.level: 'level' must be at most 10, got 11/],
  ['an unknown field', DeviceConfig.opaque({
    driver: DriverProfile.agentGpu(), parameters: { apiVersion: 'gpu.cdk8s-dra.dev/v1alpha1', kind: 'GpuConfig', includeCardnode: true },
  }), /parameters\.includeCardnode: 'includeCardnode' must be a field that gpu\.cdk8s-dra\.dev knows.*Did you mean 'includeCardNode'/],
])('%s is refused by the constructor', (_, config, message) => {
  expect(() => new DeviceClass(chart(), 'class', { config: [config] })).toThrow(message);
});
