import type { Failure } from './failure';

/** A class with one selector. */
function classWith(expression: string): string {
  return `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: >-
        ${expression}
`;
}

const CEL = 'k8s.io/dynamic-resource-allocation cel/compile.go';
const MINE = 'device.driver == "gpu.acme.example"';
const DOMAIN = '"gpu.acme.example"';

/** CEL selectors, taint selectors, and names of drivers and classes. */
export const SELECTOR_FAILURES: readonly Failure[] = [
  {
    code: 'DRA140',
    name: 'selector-refused',
    title: 'A selector does not compile',
    severity: 'error',
    why: 'The API server compiles CEL when the object is created and refuses what is no expression, too long, or asks for anything but device.',
    fix: 'Correct the part that is marked.',
    wrong: classWith(`${MINE} and device.attributes[${DOMAIN}].?model.orValue("") == "A100"`),
    right: classWith(`${MINE} && device.attributes[${DOMAIN}].?model.orValue("") == "A100"`),
    source: CEL,
  },
  {
    code: 'DRA141',
    name: 'selector-wrong-type',
    title: 'A selector compares things that cannot be compared',
    severity: 'error',
    why: 'Capacities are quantities and versions are versions, neither numbers nor texts: the comparison is refused, or fails on the first device and ends the whole scheduling attempt.',
    fix: 'Write .compareTo(quantity("40Gi")) >= 0 for capacities, .compareTo(semver("1.2.3")) >= 0 for versions.',
    wrong: classWith(`${MINE} && device.capacity[${DOMAIN}].memory >= 40`),
    right: classWith(`${MINE} && device.capacity[${DOMAIN}].memory.compareTo(quantity("40Gi")) >= 0`),
    source: CEL,
  },
  {
    code: 'DRA142',
    name: 'selector-unguarded',
    title: 'A selector reads an attribute that a device may lack',
    severity: 'warning',
    why: 'A device without the attribute is no mismatch but an error (no such key), which ends the scheduling attempt of the pod for all nodes.',
    fix: 'Ask first with "id" in device.attributes["domain"] or has(…), or read with .?id.orValue(…).',
    wrong: classWith(`${MINE} && device.attributes[${DOMAIN}].model == "A100"`),
    right: classWith(`${MINE} && device.attributes[${DOMAIN}].?model.orValue("") == "A100"`),
    source: `${CEL}; Kubernetes documentation, Dynamic Resource Allocation`,
  },
  {
    code: 'DRA143',
    name: 'selector-unknown-attribute',
    title: 'A selector reads a name that the driver does not publish',
    severity: 'warning',
    why: 'The expression compiles, as any name could exist. It then matches no device, or fails.',
    fix: 'Use the name that the driver publishes; kubectl get resourceslices shows it.',
    wrong: classWith('device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].?productname.orValue("") == "A100"'),
    right: classWith('device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].?productName.orValue("") == "A100"'),
    source: 'the driver profiles of this project',
  },
  {
    code: 'DRA144',
    name: 'selector-wrong-domain',
    title: 'A selector looks in a domain where nothing is',
    severity: 'error',
    why: 'Attributes without a domain belong to the domain of their driver: not to the class, not to the vendor. In another domain every device looks empty.',
    fix: 'Use the name of the driver as domain, and a C identifier after it.',
    wrong: classWith(`${MINE} && device.attributes[${DOMAIN}].product-name == "A100"`),
    right: classWith(`${MINE} && device.attributes[${DOMAIN}].?productName.orValue("") == "A100"`),
    source: CEL,
  },
  {
    code: 'DRA145',
    name: 'selector-too-new',
    title: 'A selector uses a function that the target does not have',
    severity: 'error',
    why: 'New expressions are compiled with the functions of the release before, so that a rollback of the API server is possible, and without what stands behind a feature gate that is off, such as includes(): it refuses the object.',
    fix: 'Use functions of the release before the target, or switch the gate on.',
    wrong: classWith(`${MINE} && device.attributes[${DOMAIN}].includes("a")`),
    right: classWith(MINE),
    source: 'k8s.io/apiserver pkg/cel/environment/base.go',
  },
  {
    code: 'DRA146',
    name: 'selector-constant',
    title: 'A selector does not look at the device',
    severity: 'warning',
    why: 'It is the same for every device: all match, or none.',
    fix: 'Test device.driver, device.attributes or device.capacity, or leave the selector out.',
    wrong: classWith('true'),
    right: classWith(MINE),
    source: CEL,
  },
  {
    code: 'DRA147',
    name: 'class-for-any-driver',
    title: 'A class takes devices of every driver',
    severity: 'warning',
    why: 'A second driver in the cluster makes its devices candidates too. Selectors that read attributes of the first driver then fail on them.',
    fix: 'Begin with device.driver == "<driver name>".',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec: {}
`,
    right: classWith(MINE),
    source: 'Kubernetes documentation, Dynamic Resource Allocation',
  },
  {
    code: 'DRA148',
    name: 'unknown-driver-name',
    title: 'Config or a selector is for a driver whose name is nearly a known one',
    severity: 'warning',
    why: 'Config is handed to the driver that it names. Where that driver allocates no device of the claim, nobody reads it. A class for a driver that publishes nothing has no devices.',
    fix: 'Correct the name of the driver.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.nvidia.com"
  config:
  - opaque:
      driver: gpus.nvidia.com
      parameters: {}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.nvidia.com"
`,
    source: 'the driver profiles of this project',
  },
  {
    code: 'DRA149',
    name: 'taint-rule-scope',
    title: 'A taint rule reaches no device, or far more than one',
    severity: 'warning',
    why: 'A DeviceTaintRule without deviceSelector taints nothing, with an empty one every device of every driver: with NoExecute that ends all pods with devices, whatever their disruption budgets.',
    fix: 'Name the driver, and pool and device for a single one. Try a rule with effect None first: its status tells how many pods it would end.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata:
  name: broken-gpu
spec:
  deviceSelector: {}
  taint: {key: example.com/broken, effect: NoExecute}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata:
  name: broken-gpu
spec:
  deviceSelector: {driver: gpu.acme.example, pool: node-1, device: gpu-0}
  taint: {key: example.com/broken, effect: NoExecute}
`,
    kubernetes: '1.37',
    source: 'k8s.io/api resource/v1/types.go DeviceTaintRuleSpec; kubernetes/kubernetes pkg/controller/devicetainteviction',
  },
];
