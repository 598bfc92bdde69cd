import * as fc from 'fast-check';
import { checkSelector, MAX_SELECTOR_BYTES } from '../../../src/model/cel/selector-check';
import type { SelectorOptions } from '../../../src/model/cel/selector-finding';

const GPU = 'gpu.example.com';

test.each<[string, SelectorOptions?]>([
  ['device.driver == "gpu.example.com"', { driverName: GPU }],
  ['device.driver == \'gpu.example.com\' && device.attributes[\'gpu.example.com\'].?type.orValue(\'\') == \'mig\'', { driverName: GPU }],
  ['has(device.attributes["gpu.example.com"].productName) && device.attributes["gpu.example.com"].productName.lowerAscii().matches("^.*a100.*$")'],
  ['"profile" in device.attributes["gpu.example.com"] && device.attributes["gpu.example.com"].profile in ["1g.5gb", "2g.10gb"]', { driverName: GPU }],
  ['device.capacity["gpu.example.com"].?memory.orValue(quantity("0")).compareTo(quantity("40Gi")) >= 0', { driverName: GPU }],
  ['has(device.capacity["gpu.example.com"].memory) && device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("10Gi"))'],
  ['has(device.capacity["d"].memory) && device.capacity["d"].memory == quantity("80Gi")'],
  ['has(device.attributes["d"].driverVersion) && device.attributes["d"].driverVersion.compareTo(semver("550.54.15")) >= 0'],
  ['device.attributes["d"].?cudaComputeCapability.orValue(semver("0.0.0")).isLessThan(semver("9.0", true))'],
  ['device.driver == "dra.example" && has(device.attributes["dra.example"].rdma) && device.attributes["dra.example"].rdma == true', { driverName: 'dra.example' }],
  ['device.attributes["cloud.dra.example"].?rdmaType.orValue("") != ""', { driverName: 'dra.example' }],
  ['device.attributes["resource.kubernetes.io"].?pcieRoot.orValue("") == "pci0000:00"', { driverName: GPU }],
  ['device.attributes["dra.example"].?ipv4.orValue("") == "10.0.0.1"'],
  ['cel.bind(nic, device.attributes["dra.example"], has(nic.ifName) && nic.ifName.startsWith("eth") && !(has(nic.virtual) && nic.virtual))'],
  ['["Ampere", "Hopper"].exists(name, name == device.attributes["d"].?architecture.orValue(""))'],
  ['device.attributes["d"].?health.orValue(true) && (device.attributes["d"].?index.orValue(0) - 1) % 2 == 0 // every second'],
  ['device.driver in ["a.example", "gpu.example.com"]', { driverName: GPU }],
  ['device.driver == "nic.example.com" || device.driver == "gpu.example.com"', { driverName: GPU }],
  ['device.attributes["d"].?family.hasValue() ? device.attributes["d"].family == "Max" : false'],
  ['has(device.attributes["d"].a) && has(device.attributes["d"].b) && device.attributes["d"].a-device.attributes["d"].b > 0'],
  ['has(device.attributes["d"].a) && device.attributes["d"].a-int("1") > 0 && device.attributes["d"].a-1 > 0'],
  ['["a"].all(node, device.driver != node) && device.attributes["d"].?x.or(optional.of("y")).orValue("") == "x"'],
  ['device.allowMultipleAllocations', { minor: '1.35' }],
  ['device.?driver.orValue("") != ""'],
  ['device.?attributes.hasValue()'],
  ['"model" in device.attributes["d"] && device.attributes["d"].`model` == "A"', { minor: '1.37' }],
  ['1in[1] && device.driver != ""'],
])('%s is fine', (expression, options = {}) => {
  expect(checkSelector(expression, options)).toEqual([]);
});

/** Expression, findings as `id severity: marked text`, and a part of the first help. */
test.each<[string, string[], string, SelectorOptions?]>([
  ['', ['cel-empty error: '], 'Leave the selector out'],
  [' // later', ['cel-empty error:  // later'], 'Leave the selector out'],
  ['true', ['cel-constant warning: true'], 'device.driver'],
  ['device.driver = "d"', ['cel-syntax error: ='], 'compare with =='],
  ['device.driver == “d”', ['cel-syntax error: “d”'], 'straight quotes'],
  ['device.driver == "d" & true', ['cel-syntax error: &'], 'Write &&'],
  ['(device.driver == "d"', ['cel-unbalanced error: ('], 'Add the missing )'],
  ['device.driver == "d")', ['cel-unbalanced error: )'], 'Remove the )'],
  ['device.attributes["d").x', ['cel-unbalanced error: )'], 'Add the missing ] before'],
  ['device.driver == "d" AND true', ['cel-operator-word error: AND'], 'Write &&.'],
  ['device.driver == "d" or true', ['cel-operator-word error: or'], 'Write ||.'],
  ['not (device.driver == "d")', ['cel-operator-word error: not'], 'Write !.'],
  ['node.name == "n"', ['cel-unknown-variable error: node'], 'nodeSelector'],
  ['object.driver == "n"', ['cel-unknown-variable error: object'], 'admission'],
  ['attributes["d"].?x.orValue(1) == 1', ['cel-unknown-variable error: attributes'], 'Write device.attributes.'],
  ['devices.driver == "n"', ['cel-unknown-variable error: devices'], 'Did you mean device?'],
  ['device.driver == "d" && True', ['cel-unknown-variable error: True'], 'Write true.'],
  ['has(device.attributes["d"]["x"])', ['cel-has error: has(device.attributes["d"]["x"])'], 'in device.attributes'],
  ['device.capacity["d"].?m.orValue(quantity("1")).sign() == 1', ['cel-sign-method error: sign'], 'sign(x)'],
  ['device.attributes["d"].`model` == "A"', ['cel-syntax error: `model`'], 'index', { minor: '1.36' }],
  ['device.attributes["d"].?l.orValue([]).includes("a")', ['cel-too-new warning: includes'], 'target', { minor: '1.35' }],
  ['device.attributes["d"].some-long-id == 1', ['cel-hyphen error: some-long-id'], 'some_long_id'],
  ['device.attributes["d"].?some-id.orValue(1) == 1', ['cel-hyphen error: some-id'], 'some_id'],
  ['"some-id" in device.attributes["d"]', ['cel-impossible-id error: "some-id"'], 'some_id'],
  ['device.attributes["d"]["some-id"] == 1', ['cel-impossible-id error: "some-id"'], 'some_id'],
  ['device.attributes["d"][?"e.com/x"].orValue(1) == 1', ['cel-impossible-id error: "e.com/x"'], 'device.attributes["e.com"].x'],
  [`device.attributes["d"].?${'x'.repeat(33)}.orValue(1) == 1`, [`cel-impossible-id error: ${'x'.repeat(33)}`], 'shorter name'],
  ['device.attributes["d.com/x"].y == 1', ['cel-impossible-domain error: "d.com/x"'], 'device.attributes["d.com"].x'],
  ['device.attributes["d_d"].?y.orValue(1) == 1', ['cel-impossible-domain error: "d_d"'], ''],
  ['device.attributes["GPU.example.com"].?y.orValue(1) == 1', ['cel-wrong-domain warning: "GPU.example.com"'], 'Write "gpu.example.com"'],
  ['device.attributes["gpu.exmaple.com"].?y.orValue(1) == 1', ['cel-wrong-domain warning: "gpu.exmaple.com"'], 'Did you mean "gpu.example.com"?', { driverName: GPU }],
  ['device.attributes["example.com"].?y.orValue(1) == 1', ['cel-wrong-domain warning: "example.com"'], 'vendor', { driverName: GPU }],
  ['device.attributes["big-gpus"].?y.orValue(1) == 1', ['cel-wrong-domain warning: "big-gpus"'], 'DeviceClass', { driverName: GPU }],
  ['device.attributes.gpu.?y.orValue(1) == 1', ['cel-wrong-domain warning: gpu'], 'device.attributes["gpu.example.com"]', { driverName: GPU }],
  ['"gpus" in device.capacity', ['cel-wrong-domain warning: "gpus"'], 'DeviceClass', { driverName: GPU }],
  ['device.attributes["model"] == "A100"', ['cel-missing-domain error: device.attributes["model"]'], '["gpu.example.com"].model', { driverName: GPU }],
  ['device.driver == "nic.example.com"', ['cel-wrong-driver error: "nic.example.com"'], 'remove the comparison', { driverName: GPU }],
  ['"gpu.exampel.com" == device.driver', ['cel-wrong-driver error: "gpu.exampel.com"'], 'Did you mean', { driverName: GPU }],
  ['!(device.driver == "nic.example.com")', ['cel-wrong-driver warning: "nic.example.com"'], '', { driverName: GPU }],
  ['device.capacity["d"].?memory > 10', ['cel-capacity-comparison error: device.capacity["d"].?memory > 10'], 'device.capacity["d"].memory.compareTo(quantity("10")) > 0'],
  ['"10Gi" <= device.capacity["d"].?memory', ['cel-capacity-comparison error: "10Gi" <= device.capacity["d"].?memory'], 'compareTo(quantity("10Gi")) >= 0'],
  ['device.capacity["d"].?memory >= quantity("1Gi")', ['cel-capacity-comparison error: device.capacity["d"].?memory >='], 'compareTo(quantity("10Gi")) >= 0'],
  ['device.capacity["d"].?memory == -1', ['cel-capacity-comparison error: device.capacity["d"].?memory == -1'], 'quantity("-1")'],
  ['device.attributes["d"].?model == "A100"', ['cel-optional-comparison error: device.attributes["d"].?model == "A100"'], '.?model.orValue("") == "A100"'],
  ['-1 < device.attributes["d"][?"i"]', ['cel-optional-comparison error: -1 < device.attributes["d"][?"i"]'], '[?"i"].orValue(0) > -1.'],
  ['has(device.attributes["d"].v) && device.attributes["d"].v >= "550.54"', ['cel-version-comparison warning: device.attributes["d"].v >= "550.54"'], 'compareTo(semver("550.54.0")) >= 0'],
  ['has(device.attributes["d"].v) && "v1.2.3" == device.attributes["d"].v', ['cel-version-comparison warning: "v1.2.3" == device.attributes["d"].v'], 'semver("1.2.3")'],
  ['device.capacity["d"].?m.orValue(40Gi) == 1', ['cel-unit error: 40Gi'], 'quantity("40Gi")'],
  ['device.driver == 12abc', ['cel-unit error: 12abc'], 'quotes'],
  ['device.capacity["d"].?m.orValue(quantity("1GB")) == quantity("40 Gi")', ['cel-quantity error: "1GB"', 'cel-quantity error: "40 Gi"'], ''],
  ['device.attributes["d"].?v.orValue(semver("v1.2")) == semver("1.2.3")', ['cel-semver error: "v1.2"'], ''],
  ['device.attributes["d"].model == "A100"', ['cel-missing-attribute warning: device.attributes["d"].model'], 'has(device.attributes["d"].model) &&'],
  ['device.attributes["d"].a == 1 || device.attributes["d"].a == 2', ['cel-missing-attribute warning: device.attributes["d"].a'], '.?a.orValue(0)'],
  ['cel.bind(a, device.attributes["d"], a.rdma)', ['cel-missing-attribute warning: a.rdma'], 'device.attributes["d"].?rdma.orValue(false)'],
  ['device.capacity["d"].memory.isLessThan(quantity("1"))', ['cel-missing-attribute warning: device.capacity["d"].memory'], 'orValue(quantity("0"))'],
  ['device.attributes["d"].v.compareTo(semver("1.0.0")) > 0', ['cel-missing-attribute warning: device.attributes["d"].v'], 'semver("0.0.0")'],
])('%s is found out', (expression, expected, help, options = {}) => {
  const findings = checkSelector(expression, options);
  expect(findings.map(({ id, severity, start, end }) => `${id} ${severity}: ${expression.slice(start, end)}`)).toEqual(expected);
  expect(findings[0].help).toContain(help);
});

const KNOWN: SelectorOptions = {
  driverName: GPU,
  knownAttributes: {
    domains: ['shared.example.com'],
    attributes: [
      { id: 'model', type: 'string' },
      { id: 'driverVersion', type: 'version' },
      { id: 'numa', domain: 'node.example.com', type: 'int' },
    ],
    capacity: [{ id: 'memory' }],
    always: { attributes: [{ id: 'model' }, { id: 'lanes', devices: ['link'] }], capacity: [] },
  },
};

test.each([
  ['device.attributes["gpu.example.com"].model == "550.1"', []],
  ['device.attributes["shared.example.com"].?x.orValue(1) == device.attributes["node.example.com"].?numa.orValue(1)', []],
  ['device.attributes["gpu.example.com"].?modle.orValue("") == ""', ['cel-unknown-attribute Did you mean model?']],
  ['device.attributes["gpu.example.com"].?memory.orValue("") == ""', ['cel-wrong-map Write device.capacity["gpu.example.com"].memory.']],
  ['device.attributes["gpu.example.com"].?numa.orValue(1) == 1', [
    'cel-unknown-attribute Compare with a ResourceSlice of the driver; its version may differ from the known ones.',
  ]],
])('%s is judged by what the driver publishes', (expression, expected) => {
  expect(checkSelector(expression, KNOWN).map(({ id, help }) => `${id} ${help}`)).toEqual(expected);
});

test('a name that devices of one type always have needs no guard for that type', () => {
  const expression = 'device.attributes["gpu.example.com"].lanes == 4';
  const knownAttributes = { always: KNOWN.knownAttributes?.always };
  const idsFor = (deviceType?: string) => checkSelector(expression, { driverName: GPU, deviceType, knownAttributes }).map(({ id }) => id);

  expect(idsFor('link')).toEqual([]);
  expect(idsFor('card')).toEqual(['cel-missing-attribute']);
  expect(idsFor()).toEqual(['cel-missing-attribute']);
});

test('a version attribute compared with a string is an error when its type is known', () => {
  const [finding] = checkSelector('device.attributes["gpu.example.com"].driverVersion == "550.54.15"', KNOWN)
    .filter(({ id }) => id !== 'cel-missing-attribute');
  expect(finding).toMatchObject({ id: 'cel-version-comparison', severity: 'error' });
});

test('the limit counts bytes of UTF-8', () => {
  const filled = (bytes: number, char: string, width: number) => `device.driver != "${char.repeat((bytes - 19) / width)}"`;
  expect(checkSelector(filled(MAX_SELECTOR_BYTES, 'x', 1))).toEqual([]);
  expect(checkSelector(filled(MAX_SELECTOR_BYTES, 'é', 1))).toMatchObject([{ id: 'cel-too-long' }]);
  expect(checkSelector(`${filled(MAX_SELECTOR_BYTES, 'x', 1)} `)).toMatchObject([{ id: 'cel-too-long', severity: 'error' }]);
  expect(checkSelector('"'.repeat(10_000_000))).toMatchObject([{ id: 'cel-too-long' }]);
});

const PIECES = [
  'device', '.', '.?', 'attributes', 'capacity', 'driver', '["d"]', '[?"x"]', '["', '"', '[', ']', '(', ')', ',', 'has(', 'cel.bind(a, ', 'a', 'x', '-', ' ',
  '==', '>', '=', 'in', '"x"', '1', '10Gi', 'quantity("', 'semver("1")', '&&', 'AND', '{', '}', '?', ':', '\ud800', '\n',
];

test('any text gives findings inside of it, sorted, each with a rule and a way out', () => {
  const expressions = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join('')));
  fc.assert(fc.property(expressions, (expression) => {
    let last = 0;
    for (const { start, end, rule, help } of checkSelector(expression, KNOWN)) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(expression.length);
      expect(rule).toMatch(/^[a-z]/);
      expect(help).toMatch(/\S[.?]$/);
      last = start;
    }
  }), { numRuns: 2000 });
});
