import { check, claim, documents, found, request, textOf } from './check';
import { DriverProfile } from '../../../src';
import { Target } from '../../../src/model/target';

const classWith = (...expressions: string[]) => JSON.stringify({
  apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'c' }, spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) },
});
const acme = 'device.driver == "gpu.acme.example"';
const path = 'spec.selectors[0].cel.expression';

test('the place of a mistake inside the expression is reported', () => {
  const expression = `${acme} and true`;
  const [finding] = check(classWith(expression));
  expect(finding.code).toBe('DRA140');
  expect(expression.slice(finding.span?.start, finding.span?.end)).toBe('and');
});

test.each([
  ['', 'DRA140 error'],
  ['device.driver == "a', 'DRA140 error'],
  ['(device.driver == "a.b"', 'DRA140 error'],
  [`${acme} && ${'x'.repeat(10240)}`, 'DRA140 error'],
  [`${acme} && device.capacity["gpu.acme.example"].memory > 10`, 'DRA141 error'],
  [`${acme} && device.attributes["gpu.acme.example"].model == "x"`, 'DRA142 warning'], // C-058
  ['1 == 1', 'DRA146 warning'],
])('%s is a finding', (expression, expected) => {
  expect(found(classWith(expression))).toContain(`${expected} ${path}`);
});

test.each([
  acme,
  `${acme} && has(device.attributes["gpu.acme.example"].model) && device.attributes["gpu.acme.example"].model == "x"`,
  `${acme} && device.capacity["gpu.acme.example"].?memory.orValue(quantity("0")).compareTo(quantity("10Gi")) >= 0`,
  `(device.attributes["gpu.acme.example"].?a.orValue(1) == 1 || device.attributes["gpu.acme.example"].?b.orValue(2) == 2) && ${acme}`,
])('%s is none', (expression) => {
  expect(found(classWith(expression))).toEqual([]);
});

test('an open string is told in a sentence', () => {
  expect(textOf(classWith('device.driver == "gpu.acme.example'), 'DRA140')).toMatch(/^The selector must compile: token recognition error at: .*Close the string with the same quote/);
});

test('an entry without cel is told', () => {
  const yaml = '{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, spec: {selectors: [{expression: device.driver == "a.b"}]}}';
  expect(found(yaml)).toEqual(['DRA147 warning spec.selectors', 'DRA140 error spec.selectors[0]', 'DRA112 error spec.selectors[0].expression']);
});

test.each([[[]], [['device.attributes["a.b"].?x.orValue(1) == 1']], [['true']]])('a class with the selectors %j is for any driver', (expressions) => {
  expect(found(classWith(...expressions))).toContain('DRA147 warning spec.selectors');
});

test('the driver may be named in another selector, or as one of several', () => {
  expect(found(classWith('device.attributes["a.b"].?x.orValue(1) == 1', 'device.driver == "a.b"'))).toEqual([]);
  expect(found(classWith('device.driver == "a.b" || device.driver == "c.d"'))).toEqual([]);
});

test('a driver nearly known is named, and another kind of device of the same vendor is not', () => {
  expect(textOf(classWith('device.driver == "gpu.nvdia.com"'), 'DRA148')).toMatch(/^No driver 'gpu\.nvdia\.com' is known here, .* Did you mean 'gpu\.nvidia\.com'\?$/);
  expect(found(classWith('device.driver == "npu.intel.com"'))).toEqual([]);
  expect(found(classWith('device.driver == "gpu.acme.example"'))).toEqual([]);
});

test('a misspelt attribute of a known driver is told in classes and in requests of its class', () => {
  const wrong = 'device.attributes["gpu.nvidia.com"].?productNmae.orValue("") == "A100"';
  expect(textOf(classWith('device.driver == "gpu.nvidia.com"', wrong), 'DRA143')).toMatch(/Did you mean productName\?/);
  expect(textOf(claim({ requests: [request('a', { selectors: [{ cel: { expression: wrong } }] })] }), 'DRA143')).toMatch(/Did you mean productName\?/);
});

describe('memory of a known driver that is compared with a few bytes', () => {
  const nvidia = 'device.capacity["gpu.nvidia.com"].memory';
  const ofNvidia = (condition: string) => classWith(`device.driver == "gpu.nvidia.com" && has(${nvidia}) && ${condition}`);

  test.each(['compareTo(quantity("40")) >= 0', 'compareTo(quantity("40")) < 0', 'isGreaterThan(quantity("40"))', 'isLessThan(quantity("40"))'])('is told in a class: %s', (call) => {
    const [finding, ...more] = check(ofNvidia(`${nvidia}.${call}`));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      code: 'DRA125', severity: 'warning', message: 'The selector should compare memory with 1Mi or more, since it counts bytes: `"40"`.', help: 'Write 40Gi, or 40Mi if that is meant.',
    });
  });

  const optional = 'device.capacity["gpu.nvidia.com"].?memory';

  test.each([
    `${optional}.orValue(quantity("0")).compareTo(quantity("40")) >= 0`,
    `(${optional}.orValue(quantity("0"))).isGreaterThan(quantity("40"))`,
    'device.capacity[?"gpu.nvidia.com"].?memory.or(optional.of(quantity("0"))).value().compareTo(quantity("40")) >= 0',
    `${optional}.optMap(m, m.compareTo(quantity("40")) >= 0).orValue(false)`,
    `${optional}.optMap(m, m.isLessThan(quantity("80Gi")) && (m).compareTo(quantity("40")) >= 0).orValue(false)`,
    `cel.bind(m, ${optional}.orValue(quantity("0")), m.compareTo(quantity("40")) >= 0)`,
    'cel.bind(c, device.capacity["gpu.nvidia.com"], c.?memory.orValue(quantity("0")).compareTo(quantity("40")) >= 0)',
    `quantity("40").compareTo(${optional}.orValue(quantity("0"))) <= 0`,
    `quantity("40").isLessThan(${nvidia})`,
    `${nvidia} == quantity("40")`,
    `!(quantity("40") == ${nvidia})`,
  ])('is told however it is written: %s', (condition) => {
    const yaml = ofNvidia(condition);
    expect(found(yaml)).toEqual(['DRA125 warning spec.selectors[0].cel.expression']);
    expect(textOf(yaml, 'DRA125')).toMatch(/compare memory with 1Mi or more.*`"40"`.*Write 40Gi/);
  });

  test.each([
    ['the value that stands for none', `${optional}.orValue(quantity("10")).compareTo(quantity("40Gi")) >= 0`],
    ['a variable of the same name elsewhere', `${optional}.optMap(m, m.compareTo(quantity("40Gi")) >= 0).orValue(false) && [quantity("3")].all(m, m.compareTo(quantity("2")) > 0)`],
    ['another value in the same call', `quantity("40").compareTo(quantity("40")) == 0 && ${nvidia}.compareTo(quantity("40Gi")) >= 0`],
    ['a capacity that is asked for', `${optional}.hasValue() == (quantity("40").compareTo(quantity("1")) > 0)`],
  ])('is no finding for %s', (_, condition) => {
    expect(found(ofNvidia(condition)).filter((one) => one.startsWith('DRA125'))).toEqual([]);
  });

  test('is told in a request of its class, and of what the constructs write', () => {
    const { expression } = DriverProfile.nvidiaGpu().memory.atLeast('40960');
    expect(textOf(claim({ requests: [request('a', { selectors: [{ cel: { expression } }] })] }), 'DRA125')).toMatch(/Write 40960Mi\.$/);
  });

  test.each([
    ['gigabytes', ofNvidia(`${nvidia}.compareTo(quantity("40Gi")) >= 0`)],
    ['whether there is any', ofNvidia(`${nvidia}.compareTo(quantity("0")) > 0 && ${nvidia}.compareTo(quantity("1")) >= 0`)],
    ['another capacity', classWith('device.driver == "gpu.amd.com" && device.capacity["gpu.amd.com"].computeUnits.compareTo(quantity("100")) >= 0')],
    ['a driver that nobody knows', classWith(`${acme} && has(device.capacity["gpu.acme.example"].memory) && device.capacity["gpu.acme.example"].memory.compareTo(quantity("40")) >= 0`)],
  ])('is no finding for %s', (_, yaml) => {
    expect(found(yaml).filter((one) => one.startsWith('DRA125'))).toEqual([]);
  });
});

test('a request that asks for another driver than its class is an error only if the class is in the input', () => {
  const other = (deviceClassName: string) => claim({ requests: [{ name: 'a', exactly: { deviceClassName, selectors: [{ cel: { expression: 'device.driver == "x.y"' } }] } }] });
  const at = 'spec.devices.requests[0].exactly.selectors[0].cel.expression';
  expect(found(documents(classWith(acme), other('c')))).toEqual([`DRA144 error ${at}`]);
  expect(found(other('gpu.nvidia.com'))).toEqual([`DRA144 warning ${at}`]);
  expect(found(other('unknown'))).toEqual([]);
});

// C-058 and its kin: the compiler of Kubernetes has the last word, with the place of the mistake.
test.each([
  ['model == "x"', 'model', /must compile: undeclared reference to 'model'/],
  ['device.memory == 1', '.memory', /undefined field 'memory'|must compile/],
  ['device.driver + 1 == "a"', '+', /found no matching overload for '_\+_'/],
  ['device.driver', 'device.driver', /must evaluate to bool/],
  ['device.driver.matches("(")', '(', /must compile|regex/],
])('%s does not compile', (expression, marked, text) => {
  const finding = check(classWith(expression)).find(({ code }) => code === 'DRA140');
  expect(finding?.message).toMatch(text);
  expect(expression.slice(finding?.span?.start, finding?.span?.end)).toContain(marked.slice(0, 1));
});

test('a function that the target does not have yet is an error, and none on a target that has it', () => {
  const yaml = classWith(`${acme} && has(device.attributes["gpu.acme.example"].models) && device.attributes["gpu.acme.example"].models.includes("a")`);
  expect(found(yaml, '1.35')).toContain(`DRA145 error ${path}`);
  const withLists = Target.of('1.37', { featureGates: { DRAListTypeAttributes: true } });
  expect(found(yaml, withLists).filter((finding) => finding.startsWith('DRA140') || finding.startsWith('DRA145'))).toEqual([]);
});

test.each([
  ['includes() on 1.37', '1.37', 'has(device.attributes["gpu.acme.example"].models) && device.attributes["gpu.acme.example"].models.includes("a")', 'DRAListTypeAttributes'],
  ['includes() on 1.36', '1.36', 'has(device.attributes["gpu.acme.example"].models) && device.attributes["gpu.acme.example"].models.includes("a")', 'DRAListTypeAttributes'],
  ['allowMultipleAllocations on 1.35', '1.35', 'device.allowMultipleAllocations', 'DRAConsumableCapacity'],
])('%s is told with the gate that is off', (_, minor, expression, gate) => {
  const yaml = classWith(`${acme} && ${expression}`);
  expect(found(yaml, minor)).toEqual([`DRA145 error ${path}`]);
  expect(textOf(yaml, 'DRA145', minor)).toMatch(new RegExp(`must only use what the target has.*Needs feature gate ${gate}, off by default in ${minor}.*--feature-gates=${gate}=true`));
  expect(found(yaml, Target.of(minor, { featureGates: { [gate]: true } }))).toEqual([]);
});

test('what no gate would mend is told as it is', () => {
  expect(found(classWith(`${acme} && device.attributes["gpu.acme.example"].?models.orValue("").holds("a")`), '1.37')).toEqual([`DRA140 error ${path}`]);
});

test('a cost above the limit is refused', () => {
  const loop = (body: string, variable: string) => `device.attributes.all(${variable}, ${body})`;
  const expression = `${acme} && ${['a', 'b', 'c', 'd'].reduce(loop, 'a == b')}`;
  expect(check(classWith(expression)).map(({ message }) => message).join(' ')).toMatch(/estimated cost of at most 1000000/);
});

test('1.34 has selectors and classes in taint rules, which are checked as there', () => {
  const rule = (selector: string) => `{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {name: r}, spec: {deviceSelector: ${selector}, taint: {key: k, effect: NoSchedule}}}`;
  const target = Target.of('1.34', { featureGates: { DRADeviceTaints: true } });
  expect(found(rule('{driver: a.b, selectors: [{cel: {expression: nothing}}]}'), target)).toContain('DRA140 error spec.deviceSelector.selectors[0].cel.expression');
  expect(found(rule('{driver: a.b, deviceClassName: GPU}'), target)).toEqual(['DRA121 error spec.deviceSelector.deviceClassName']);
  expect(textOf(rule('null'), 'DRA149', target)).toMatch(/every device of every driver in the cluster in Kubernetes 1\.34/);
});
