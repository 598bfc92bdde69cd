const DRIVER = 'gpu.nvidia.com';
const A = `device.attributes["${DRIVER}"]`;
const C = `device.capacity["${DRIVER}"]`;

/** As the driver of NVIDIA publishes a whole GPU. */
const GPU = {
  driver: DRIVER,
  attributes: {
    'addressingMode': { string: 'HMM' },
    'architecture': { string: 'Ampere' },
    'brand': { string: 'Nvidia' },
    'cudaComputeCapability': { version: '8.0.0' },
    'cudaDriverVersion': { version: '13.0.0' },
    'driverVersion': { version: '580.65.6' },
    'pciBusID': { string: '0000:07:00.0' },
    'productName': { string: 'NVIDIA A100-SXM4-80GB' },
    'resource.kubernetes.io/pcieRoot': { string: 'pci0000:00' },
    'type': { string: 'gpu' },
    'uuid': { string: 'GPU-4cf8db2d-06c0-7d70-1a51-e59b25b2c16c' },
  },
  capacity: { memory: { value: '80Gi' } },
};

/** As many attributes as a device can have. */
const LARGE = {
  ...GPU,
  attributes: { ...GPU.attributes, ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`extra${i}`, i % 2 === 0 ? { int: i } : { version: `1.${i}.0` }])) },
};

/** What people write, and one selector for each group of functions. */
const SELECTORS = {
  'driver': `device.driver == "${DRIVER}"`,
  'one attribute': `${A}.architecture == "Ampere"`,
  'class and model': `device.driver == "${DRIVER}" && ${A}.type == "gpu" && ${A}.productName.lowerAscii().matches("^.*a100.*$")`,
  'guarded by in': `"architecture" in ${A} && ${A}.architecture == "Ampere"`,
  'guarded by has': `has(${A}.architecture) && ${A}.architecture in ["Ampere", "Hopper"]`,
  'optional': `${A}.?architecture.orValue("") == "Ampere"`,
  'version': `${A}.driverVersion.compareTo(semver("535.0.0")) >= 0`,
  'capacity': `${C}.memory.compareTo(quantity("40Gi")) >= 0`,
  'capacity, optional': `${C}.?memory.orValue(quantity("0")).isGreaterThan(quantity("40Gi"))`,
  'bind, three attributes': `cel.bind(gpu, ${A}, gpu.type == "gpu" && gpu.brand == "Nvidia" && gpu.architecture != "Hopper")`,
  'seven terms': `device.driver == "${DRIVER}" && ${A}.type == "gpu" && ${A}.architecture in ["Ampere", "Hopper"] && ${A}.productName.startsWith("NVIDIA") && `
    + `${A}.driverVersion.isGreaterThan(semver("535.0.0")) && ${C}.memory.isGreaterThan(quantity("40Gi")) && device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:00"`,
  'missing key': `${A}.nosuch == "a"`,
  'missing key behind &&': `device.driver == "${DRIVER}" && ${A}.nosuch == "a"`,
  'missing domain': 'device.attributes["other.example.com"].model == "a"',
  'missing key, optional': `${A}.?nosuch.orValue("a") == "a"`,
  'loop over attributes': `${A}.exists(name, name == "uuid")`,
  'loop over two variables': '["a", "b", "c"].all(i, name, i < 5 && name != "d")',
  'text functions': `${A}.productName.split("-").map(part, part.lowerAscii()).join("_").contains("a100")`,
  'lists and sets': 'sets.contains([1, 2, 3], [2]) && [3, 1, 2].sort().slice(0, 2) == [1, 2]',
  'address': 'cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))',
  'URL': 'url("https://host.example.com:8443/a?x=1").getHostname() == "host.example.com"',
  'format': '"%s-%d".format(["gpu", 3]) == "gpu-3" && !format.dns1123Label().validate("gpu-3").hasValue()',
};

const COMPILED = {
  ...Object.fromEntries(['driver', 'one attribute', 'guarded by has', 'optional', 'version', 'capacity', 'bind, three attributes', 'seven terms', 'loop over attributes']
    .map(name => [name, SELECTORS[name]])),
  'regular expression, another each time': `${A}.productName.matches("^NVIDIA (A100|H100)-{n}$")`,
};

export const EVALUATIONS = [
  ...Object.entries(SELECTORS).map(([name, expression]) => ({ name, wanted: { ratio: 0.5 }, question: { kind: 'eval', expression, device: GPU } })),
  ...['one attribute', 'seven terms', 'missing key'].map(name => ({
    name: `${name}, device with 32 attributes`, wanted: { ratio: 0.5 }, question: { kind: 'eval', expression: SELECTORS[name], device: LARGE },
  })),
];

export const COMPILATIONS = Object.entries(COMPILED).map(([name, expression]) => ({ name: `compile: ${name}`, wanted: { microseconds: 100 }, question: { kind: 'compile', expression } }));
