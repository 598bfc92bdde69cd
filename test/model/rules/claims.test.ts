import { check, claim, documents, found, request, textOf } from './check';

const many = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([
  ['a count below 1', { requests: [request('a', { count: -1 })] }, 'DRA122 error spec.devices.requests[0].exactly.count', /greater than zero/],
  ['a count above 32', { requests: [request('a', { count: 33 })] }, 'DRA122 error spec.devices.requests[0].exactly.count', /at most 32/],
  ['a count with All', { requests: [request('a', { count: 1, allocationMode: 'All' })] }, 'DRA122 error spec.devices.requests[0].exactly.count', /must not be set/],
  ['33 requests', { requests: many(33).map((i) => request(`r${i}`, { allocationMode: 'All' })) }, 'DRA120 error spec.devices.requests', /at most 32 requests in a claim, but has 33/],
  ['33 selectors', { requests: [request('a', { selectors: many(33).map(() => ({ cel: { expression: 'device.driver == "gpu.nvidia.com"' } })) })] },
    'DRA120 error spec.devices.requests[0].exactly.selectors', /at most 32 selectors/],
  ['33 constraints', { requests: [request('a')], constraints: many(33).map(() => ({ matchAttribute: 'a.b/c' })) }, 'DRA120 error spec.devices.constraints', /at most 32/],
  ['33 configs', { requests: [request('a')], config: many(33).map(() => ({ opaque: { driver: 'a.b', parameters: {} } })) }, 'DRA120 error spec.devices.config', /at most 32/],
  ['a request name in upper case', { requests: [request('GPU')] }, 'DRA121 error spec.devices.requests[0].name', /DNS label/],
  ['an empty class name', { requests: [{ name: 'a', exactly: { deviceClassName: '' } }] }, 'DRA114 error spec.devices.requests[0].exactly.deviceClassName', /must not be empty/],
  ['neither exactly nor firstAvailable', { requests: [{ name: 'a' }] }, 'DRA124 error spec.devices.requests[0]', /got none/],
  ['an empty firstAvailable alone', { requests: [{ name: 'a', firstAvailable: [] }] }, 'DRA124 error spec.devices.requests[0]', /got none/],
  ['exactly and firstAvailable', { requests: [{ ...request('a'), firstAvailable: [{ name: 'b', deviceClassName: 'gpu.nvidia.com' }] }] },
    'DRA124 error spec.devices.requests[0]', /got exactly and firstAvailable/],
  ['adminAccess in an alternative', { requests: [{ name: 'a', firstAvailable: [{ name: 'b', deviceClassName: 'gpu.nvidia.com', adminAccess: true }] }] },
    'DRA112 error spec.devices.requests[0].firstAvailable[0].adminAccess', /no field 'adminAccess'/],
  ['two requests of one name', { requests: [request('a'), request('a')] }, 'DRA109 error spec.devices.requests[1]', /Two requests are "a"/],
  ['two alternatives of one name', { requests: [{ name: 'a', firstAvailable: [{ name: 'b', deviceClassName: 'gpu.nvidia.com' }, { name: 'b', deviceClassName: 'gpu.nvidia.com' }] }] },
    'DRA109 error spec.devices.requests[0].firstAvailable[1]', /Two alternatives/],
  ['a constraint without attribute', { requests: [request('a')], constraints: [{}] }, 'DRA124 error spec.devices.constraints[0]', /got none/],
  ['a constraint on a bare name', { requests: [request('a')], constraints: [{ matchAttribute: 'numaNode' }] }, 'DRA121 error spec.devices.constraints[0].matchAttribute', /domain and a name/],
  ['a constraint with a hyphen', { requests: [request('a')], constraints: [{ matchAttribute: 'a.b/numa-node' }] }, 'DRA121 error spec.devices.constraints[0].matchAttribute', /C identifier/], // C-062
  ['a constraint on a missing request', { requests: [request('gpus')], constraints: [{ requests: ['gpu'], matchAttribute: 'a.b/c' }] },
    'DRA134 error spec.devices.constraints[0].requests[0]', /Did you mean 'gpus'\?/],
  ['config for a missing request', { requests: [request('a')], config: [{ requests: ['a/b'], opaque: { driver: 'a.b', parameters: {} } }] },
    'DRA134 error spec.devices.config[0].requests[0]', /no request 'a\/b'/],
  ['a request named twice by a constraint', { requests: [request('a')], constraints: [{ requests: ['a', 'a'], matchAttribute: 'a.b/c' }] },
    'DRA109 error spec.devices.constraints[0].requests[1]', /Two entries/],
  ['config without opaque', { requests: [request('a')], config: [{}] }, 'DRA124 error spec.devices.config[0]', /must have opaque/],
  ['config as a text', { requests: [request('a')], config: [{ opaque: { driver: 'a.b', parameters: 'x: 1' } }] }, 'DRA126 error spec.devices.config[0].opaque.parameters', /JSON object/],
  ['config above 10 KiB', { requests: [request('a')], config: [{ opaque: { driver: 'a.b', parameters: { a: 'x'.repeat(10240) } } }] },
    'DRA126 error spec.devices.config[0].opaque.parameters', /10240 bytes/], // C-077
  ['a driver name with an underscore', { requests: [request('a')], config: [{ opaque: { driver: 'a_b', parameters: {} } }] }, 'DRA121 error spec.devices.config[0].opaque.driver', /driver name/],
])('%s is refused, in a claim and in a template', (_, devices, expected, text) => { // C-073
  const [code] = expected.split(' ');
  expect(found(claim(devices))).toEqual([expected]);
  expect(textOf(claim(devices), code)).toMatch(text);
  const template = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 't' }, spec: { spec: { devices } } };
  expect(found(JSON.stringify(template))).toEqual([expected.replace('spec.devices', 'spec.spec.devices')]);
});

test.each([
  ['the largest counts', { requests: [request('a', { count: 31 }), request('b')] }],
  ['32 requests for one device each', { requests: many(32).map((i) => request(`r${i}`)) }],
  ['All beside the largest count', { requests: [request('a', { allocationMode: 'All' }), request('b', { count: 32 })] }],
  ['alternatives that together are more', {
    requests: [{
      name: 'a',
      firstAvailable: [
        { name: 'b', deviceClassName: 'gpu.nvidia.com', count: 32 }, { name: 'c', deviceClassName: 'gpu.nvidia.com', count: 20 },
      ],
    }],
  }],
  ['references to requests and alternatives', {
    requests: [{ name: 'a', firstAvailable: [{ name: 'b', deviceClassName: 'gpu.nvidia.com' }] }, request('c')],
    constraints: [{ requests: ['a', 'c'], matchAttribute: 'resource.kubernetes.io/pcieRoot' }, { requests: ['a/b'], matchAttribute: 'a.b/c' }],
    config: [{ requests: ['a/b'], opaque: { driver: 'a.b', parameters: { x: null } } }],
  }],
])('%s are taken', (_, devices) => {
  // How long the search takes is another matter.
  expect(found(claim(devices)).filter((finding) => !finding.startsWith('DRA182'))).toEqual([]);
});

test('33 devices over all requests are too many, the largest alternative counting', () => {
  const devices = {
    requests: [request('a', { count: 2 }), {
      name: 'b',
      firstAvailable: [
        { name: 'x', deviceClassName: 'gpu.nvidia.com', count: 8 }, { name: 'y', deviceClassName: 'gpu.nvidia.com', count: 31 },
      ],
    }],
  };
  expect(found(claim(devices))).toEqual(['DRA123 error spec.devices.requests']);
  expect(textOf(claim(devices), 'DRA123')).toMatch(/add up to 33 devices/);
});

test('a count of 0 is taken for 1', () => {
  expect(found(claim({ requests: [request('a', { count: 0 })] }))).toEqual(['DRA122 warning spec.devices.requests[0].exactly.count']);
});

test.each([
  [{ key: 'a', operator: 'Exists', value: 'x' }, 'error', /no value beside the operator Exists/],
  [{ key: 'a b', operator: 'Exists' }, 'error', /label key/],
  [{ key: 'a', value: 'x y' }, 'error', /label value/],
  [{ effect: 'NoSchedule' }, 'warning', /without key and with the operator Equal/],
  [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }, 'warning', /NoExecute/],
])('the toleration %j is a finding', (toleration, severity, text) => {
  const yaml = claim({ requests: [request('a', { tolerations: [toleration] })] });
  expect(found(yaml, '1.36')).toEqual([`DRA127 ${severity} spec.devices.requests[0].exactly.tolerations[0]`]);
  expect(textOf(yaml, 'DRA127', '1.36')).toMatch(text);
});

test.each([{ operator: 'Exists' }, { key: 'a' }, { key: 'a', operator: 'Equal', value: '', effect: 'NoExecute', tolerationSeconds: 5 }])('the toleration %j is taken', (toleration) => {
  expect(found(claim({ requests: [request('a', { tolerations: [toleration] })] }), '1.36')).toEqual([]);
});

test('17 tolerations are more than documented, which no server counts', () => {
  const tolerations = many(17).map((i) => ({ key: `a${i}`, operator: 'Exists' }));
  expect(found(claim({ requests: [request('a', { tolerations })] }), '1.36')).toEqual(['DRA120 warning spec.devices.requests[0].exactly.tolerations']);
});

test('defaults that the server writes are named once, unless the object came from a server', () => {
  const info = (yaml: string) => check(yaml).filter(({ code }) => code === 'DRA170').map(({ message, help }) => `${message} ${help}`);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => claim({ requests: [request('x'), request('y', { count: 2 })] }, 'v1', name));
  expect(info(a)).toEqual([expect.stringMatching(/adds defaults here; .*Write allocationMode: ExactCount and count: 1, if such an engine applies them\.$/)]);
  expect(info(documents(a, b))).toEqual([expect.stringMatching(/here, and to 1 more claim or template of this input;/)]);
  expect(info(documents(a, b, c))).toEqual([expect.stringMatching(/here, and to 2 more claims and templates of this input;/)]);
  expect(info(claim({ requests: [request('a', { allocationMode: 'All' })] }))).toEqual([]);
  expect(info(claim({ requests: [request('a')] }).replace('"name":"gpu"', '"name":"gpu","uid":"1"'))).toEqual([]);
});

test('admin access needs a labelled namespace', () => {
  const access = claim({ requests: [request('a', { adminAccess: true })] }).replace('"name":"gpu"', '"name":"gpu","namespace":"ops"');
  const namespace = (labels: string) => `{apiVersion: v1, kind: Namespace, metadata: {name: ops, labels: ${labels}}}`;
  const path = 'spec.devices.requests[0].exactly.adminAccess';
  expect(found(access)).toEqual([`DRA156 warning ${path}`]);
  expect(found(documents(namespace('{}'), access))).toEqual([`DRA156 error ${path}`]);
  expect(found(documents(namespace('{resource.kubernetes.io/admin-access: "yes"}'), access))).toEqual([`DRA156 error ${path}`]);
  expect(found(documents(namespace('{resource.kubernetes.io/admin-access: "true"}'), access))).toEqual([]);
  expect(found(claim({ requests: [request('a', { adminAccess: false })] }))).toEqual([]);
});

test('config is checked with the profile of its driver, and a driver nearly known is named', () => { // C-143
  const config = (driver: string, parameters: object) => claim({ requests: [request('a')], config: [{ opaque: { driver, parameters } }] });
  const kind = { apiVersion: 'resource.nvidia.com/v1beta1', kind: 'GpuConfig' };
  expect(found(config('gpu.nvidia.com', kind))).toEqual([]);
  expect(found(config('gpu.nvidia.com', { ...kind, sharing: { strategy: 'MPS', timeSlicingConfig: { interval: 'Long' } } }))[0])
    .toMatch(/^DRA159 error spec\.devices\.config\[0\]\.opaque\.parameters\.sharing/);
  const image = { apiVersion: 'fpga.cdk8s-dra.dev/v1alpha1', kind: 'FpgaConfig', image: 'crypto-v2' };
  expect(found(config('fpga.cdk8s-dra.dev', image))).toEqual([]);
  expect(found(config('fpga.cdk8s-dra.dev', { ...image, image: 'crypto-v2.gbs' }))).toEqual(['DRA159 error spec.devices.config[0].opaque.parameters.image']);
  expect(found(config('fpga.cdk8s-dra.dev', { ...image, imag: null }))).toEqual(['DRA159 error spec.devices.config[0].opaque.parameters.imag']);
  expect(found(config('gpu.nvidia.con', kind))).toEqual(['DRA148 warning spec.devices.config[0].opaque.driver']);
  expect(found(config('gpu.acme.example', kind))).toEqual([]);
});

describe('a claim that asks for nothing', () => {
  test.each<[string, object, string]>([
    ['an empty list', { devices: { requests: [] } }, 'spec.devices.requests'],
    ['no list', { devices: {} }, 'spec.devices.requests'],
    ['null', { devices: { requests: null } }, 'spec.devices.requests'],
    ['no devices', {}, 'spec.devices.requests'],
    ['constraints alone', { devices: { constraints: [{ matchAttribute: 'a.b/c' }] } }, 'spec.devices.requests'],
  ])('%s is worth a warning, in a claim and in a template', (_, spec, path) => {
    const object = (kind: string, content: object) => JSON.stringify({ apiVersion: 'resource.k8s.io/v1', kind, metadata: { name: 'x', namespace: 'vision' }, spec: content });
    expect(found(object('ResourceClaim', spec))).toEqual([`DRA184 warning ${path}`]);
    expect(found(object('ResourceClaimTemplate', { spec }))).toEqual([`DRA184 warning ${path.replace('spec.', 'spec.spec.')}`]);
  });

  test.each<[string, object]>([
    ['requests that stand one level too high', { requests: [request('a')] }],
    ['requests under a misspelt name', { devices: { request: [request('a')] } }],
    ['requests that are no list', { devices: { requests: request('a') } }],
    ['devices that are a list', { devices: [request('a')] }],
  ])('%s are another mistake, told once', (_, spec) => {
    const told = found(JSON.stringify({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'x', namespace: 'vision' }, spec }));
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain('DRA184');
  });
});

describe('a capacity request for a few bytes of memory', () => {
  const asking = (requests: object, deviceClassName = 'gpu.nvidia.com') => claim({ requests: [{ name: 'a', exactly: { deviceClassName, allocationMode: 'ExactCount', count: 1, capacity: { requests } } }] });
  const at = (name: string) => `DRA125 warning spec.devices.requests[0].exactly.capacity.requests${name}`;

  test.each<[object, string]>([
    [{ memory: '40' }, at('.memory')], [{ memory: 40 }, at('.memory')], [{ 'gpu.nvidia.com/memory': '40960' }, at('["gpu.nvidia.com/memory"]')],
  ])('%j is told', (requests, expected) => {
    expect(found(asking(requests), '1.36')).toEqual([expected]);
    expect(textOf(asking(requests), 'DRA125', '1.36')).toMatch(/should be 1Mi or more, since it counts bytes of memory, got "?40(960)?"?\. Write 40/);
  });

  test.each<[object, string]>([
    [{ memory: '40Gi' }, 'gpu.nvidia.com'], [{ memory: '1' }, 'gpu.nvidia.com'], [{ shares: '10' }, 'gpu.nvidia.com'], [{ 'gpu.acme.example/memory': '40' }, 'gpu.nvidia.com'],
    [{ memory: '40' }, 'unknown'],
  ])('%j of %s is none', (requests, className) => {
    expect(found(asking(requests, className), '1.36').filter((finding) => !finding.startsWith('DRA130'))).toEqual([]);
  });
});

test('a request that is null is an empty name, which no request has', () => {
  const yaml = claim({ requests: [request('gpu')], constraints: [{ requests: [null], matchAttribute: 'a.b/c' }], config: [{ requests: [null], opaque: { driver: 'a.b', parameters: {} } }] });
  expect(found(yaml).filter((finding) => finding.startsWith('DRA134'))).toEqual([
    'DRA134 error spec.devices.config[0].requests[0]', 'DRA134 error spec.devices.constraints[0].requests[0]',
  ]);
});
