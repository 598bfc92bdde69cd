import { isNamedBy, pluginsOfPath } from '../../../src/model/drivers';

test.each([
  ['nvidia.com/gpu', 'nvidia.com/gpu'],
  ['nvidia.com/mig-<slices>g.<memory>gb', 'nvidia.com/mig-1g.5gb'],
  ['nvidia.com/mig-<slices>g.<memory>gb', 'nvidia.com/mig-3g.40gb'],
  ['amd.com/<compute>_<memory>', 'amd.com/cpx_nps4'],
  ['qat.intel.com/<services>', 'qat.intel.com/sym-asym'],
])('%s names %s', (pattern, resource) => {
  expect(isNamedBy(pattern, resource)).toBe(true);
});

test.each([
  ['nvidia.com/gpu', 'nvidia.com/gpu.shared'],
  ['nvidia.com/mig-<slices>g.<memory>gb', 'nvidia.com/mig-1g.gb'],
  ['nvidia.com/mig-<slices>g.<memory>gb', 'nvidia.com/mig-g.5gb'],
  ['nvidia.com/mig-<slices>g.<memory>gb', 'nvidia.com/mig-1g.5gb.me'],
  ['amd.com/<compute>_<memory>', 'amd.com/gpu'],
  ['amd.com/<compute>_<memory>', 'example.com/cpx_nps4'],
  ['qat.intel.com/<services>', 'qat.intel.com/'],
  // Each plugin of such a pattern would have every resource.
  ['<prefix>/<pool>', 'nvidia.com/gpu'],
])('%s does not name %s', (pattern, resource) => {
  expect(isNamedBy(pattern, resource)).toBe(false);
});

test.each([
  ['nvidia.com/mig-1g.5gb', ['NVIDIA/k8s-device-plugin']],
  ['amd.com/cpx_nps4', ['ROCm/k8s-device-plugin']],
  ['example.com/gpu', []],
])('of a pool that our agent takes over, the plugin of %s is found by the resource', (name, projects) => {
  expect(pluginsOfPath({ driver: 'gpu.cdk8s-dra.dev', legacy: { resources: [{ name }] } }).map(({ project }) => project)).toEqual(projects);
});
