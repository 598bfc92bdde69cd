import { run } from './recorded-io.js';

const CLUSTER = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n0}, status: {allocatable: {cpu: '8', pods: '10'}}}
- {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml}, spec: {containers: [{name: m}], resourceClaims: [{name: g, resourceClaimName: c}]}, status: {phase: Pending}}
- {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: ml}, spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu, count: 2}}]}}}
- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: {expression: device.driver == "d"}}]}}
- {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n0, pool: {name: n0, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}}
`;
/** Numbers that look random and are the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % (2 ** 31 - 1);
    return state % below;
  };
}

test('bytes put in, taken out or changed anywhere end in an answer or a refusal, never in a stack', async () => {
  const below = random(7);
  const splinters = ['\u0000', '{', '}', '[', ']', ': ', '- ', '&a ', '*a ', '\n', '\t', '"', "'", '<<: ', '!!binary ', '---\n', '9'.repeat(400), '\ud800', '-', '0x', 'null'];
  for (let round = 0; round < 150; round++) {
    let text = CLUSTER;
    for (let changes = 1 + below(4); changes > 0; changes--) {
      const at = below(text.length);
      text = text.slice(0, at) + (below(3) === 0 ? '' : splinters[below(splinters.length)] ?? '') + text.slice(at + below(3));
    }
    const { code, out, err } = await run(['explain', 'p', '-n', 'ml', '--from', '-', '--kubernetes', '1.36', ...(below(2) === 0 ? ['--node', 'n0'] : [])], { stdin: text });

    expect([0, 2]).toContain(code);
    expect(out + err).not.toMatch(/^\s+at .*\(/m);
    expect(out === '').toBe(code === 2);
  }
});

test.each<[string, string, string]>([
  ['an alias within itself', CLUSTER.replace('items:\n', 'loop: &a [*a]\nitems:\n'), 'The anchor &a contains itself'],
  ['an alias that grows without end', `a: &a [x, x, x, x, x, x, x, x]\n${'bcdefghij'.split('').map((name, i) => `${name}: &${name} [${Array(8).fill(`*${'abcdefghij'[i]}`).join(', ')}]\n`).join('')}kind: Pod\n`, 'Aliases expand to more than'],
  ['nesting without end', `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'nested more than'],
  ['bytes that are no text', 'apiVersion: v1\nkind: Pod\nmetadata: {name: "\uFFFF\u0000"}\n', 'it holds a zero byte'],
])('%s is refused with what is wrong', async (_, stdin, message) => {
  const { code, err } = await run(['explain', 'p', '--from', '-'], { stdin });

  expect(code).toBe(2);
  expect(err).toContain(message);
});
