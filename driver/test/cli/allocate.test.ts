import { run } from './recorded-io.js';

const QUESTION = {
  id: '1',
  node: { metadata: { name: 'n1' } },
  classes: [{ metadata: { name: 'gpu' }, spec: {} }],
  slices: [{
    metadata: { name: 's' },
    spec: { driver: 'gpu.example.com', nodeName: 'n1', pool: { name: 'n1', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }] },
  }],
  claims: [{ metadata: { name: 'c', namespace: 'team' }, spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } } }],
};

const IN_USE = ['gpu-0', 'gpu-1'].map((device) => ({ driver: 'gpu.example.com', pool: 'n1', device }));

async function allocate(stdin: string) {
  const { code, out, err } = await run(['allocate'], { stdin });
  return { code, err, answers: out.split('\n').slice(0, -1).map((text): unknown => JSON.parse(text)) };
}

function chosen(device: string): object {
  return { devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'n1', device }] } };
}

test.each([
  ['the first device is taken', {}, { id: '1', allocated: true, results: [chosen('gpu-0')] }],
  ['a device in use is passed over', { allocated: IN_USE.slice(0, 1) }, { id: '1', allocated: true, results: [chosen('gpu-1')] }],
  ['what does not fit is no error', { allocated: IN_USE }, { id: '1', allocated: false }],
  ['no claims are allocated at once', { claims: [] }, { id: '1', allocated: true, results: [] }],
  ['a missing class fails the whole attempt', { classes: [] }, {
    id: '1',
    allocated: false,
    nodeError: false,
    error: 'claim team/c, request gpu: could not retrieve device class gpu: deviceclass.resource.k8s.io "gpu" not found',
  }],
])('%s', async (_, change, answer) => {
  const { code, err, answers } = await allocate(`${JSON.stringify({ ...QUESTION, ...change })}\n`);

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(answers).toMatchObject([answer]);
});

test.each(['[]', '"x"', '{}', '{"id":"7","node":{"metadata":{"name":"n"}},"claims":{}}', '{"node":{"metadata":{"name":"n"}},"features":{"DRADeviceTaints":"yes"}}'])(
  '%s is no input: said so, and exit code 1', async (text) => {
    const { code, answers } = await allocate(`${text}\n`);

    expect(code).toBe(1);
    expect(answers).toEqual([expect.objectContaining({ inputError: expect.any(String) })]);
  },
);

test('the help shows a line that works', async () => {
  const { code, out } = await run(['allocate', '--help']);

  const example = /echo '(.*)' \| npx kubectl-dra allocate/.exec(out);
  expect(code).toBe(0);
  expect(await allocate(`${example?.[1] ?? ''}\n`)).toMatchObject({ code: 0, answers: [{ id: '1', allocated: true }] });
});
