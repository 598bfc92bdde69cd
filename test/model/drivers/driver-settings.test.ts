import { profileById, settingsProblems } from '../../../src/model/drivers';
import type { DriverProfileFacts } from '../../../src/model/drivers';

function found(id: string, featureGates: Record<string, boolean>): string[] {
  return settingsProblems(profileById(id) as DriverProfileFacts, { featureGates }).map(problem => `${problem.gate}: ${problem.rule}`);
}

test.each<[string, string, Record<string, boolean>, string[]]>([
  ['no gates are no problem', 'nvidia-gpu', {}, []],
  ['a gate alone is no problem', 'nvidia-gpu', { DynamicMIG: true }, []],
  [
    'dynamic MIG and MPS exclude each other',
    'nvidia-gpu',
    { DynamicMIG: true, MPSSupport: true },
    ['DynamicMIG: must not be on together with MPSSupport'],
  ],
  ['an excluded gate that is off is no problem', 'nvidia-gpu', { DynamicMIG: true, MPSSupport: false }, []],
  ['pass-through and health checks exclude each other', 'nvidia-gpu', { PassthroughSupport: true, NVMLDeviceHealthCheck: true }, [
    'PassthroughSupport: must not be on together with NVMLDeviceHealthCheck',
  ]],
  ['metadata needs pass-through', 'nvidia-gpu', { DeviceMetadata: true }, ['DeviceMetadata: must not be on without PassthroughSupport']],
  ['a default-on gate counts as on', 'nvidia-compute-domain', { IMEXDaemonsWithDNSNames: false }, [
    'ComputeDomainCliques: must not be on without IMEXDaemonsWithDNSNames',
  ]],
  ['a misspelt gate is named', 'nvidia-gpu', { MPSSuport: true }, ['MPSSuport: must be a feature gate of gpu.nvidia.com']],
  ['a gate of another component is let pass', 'nvidia-gpu', { ContextualLogging: true, ComputeDomainCliques: true }, []],
  ['a driver without gates has no problems', 'sriov', { Anything: true }, []],
])('%s', (_name, id, gates, problems) => {
  expect(found(id, gates)).toEqual(problems);
});
