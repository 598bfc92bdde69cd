import { vendorOf } from '../../../src/model/drivers';

test.each([
  ['gpu.nvidia.com', 'nvidia.com'],
  ['compute-domain.nvidia.com', 'nvidia.com'],
  ['nvidia.com/mig-1g.5gb', 'nvidia.com'],
  ['amd.com/gpu', 'amd.com'],
  ['gpu.intel.com/i915', 'intel.com'],
  ['intel.com/gaudi', 'intel.com'],
  ['google.com/tpu', 'google.com'],
])('%s is of %s', (name, vendor) => {
  expect(vendorOf(name)).toBe(vendor);
});

test.each(['', 'gpu', 'example.com/gpu', 'notnvidia.com/gpu', 'nvidia.com.example/gpu', 'dra.net', 'gpu.cdk8s-dra.dev', 'sriovnetwork.k8snetworkplumbingwg.io'])(
  '%p is of no known vendor', (name) => {
    expect(vendorOf(name)).toBeUndefined();
  },
);
