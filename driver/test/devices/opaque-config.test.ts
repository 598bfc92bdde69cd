import { AGENT_GPU } from 'cdk8s-dra/model';

import { claimFor } from './claim-for.js';
import type { InventoryDevice } from '../../src/devices/inventory.js';
import type { JsonObject } from '../../src/devices/json.js';
import { NodeFailure } from '../../src/devices/node-failure.js';
import { claimConfig } from '../../src/devices/opaque-config.js';

const DEVICE: InventoryDevice = { name: 'gpu-0', identity: 'x', parts: [], attributes: {}, capacity: {}, deviceNodes: [] };
const CONFIG = { apiVersion: 'gpu.cdk8s-dra.dev/v1alpha1', kind: 'GpuConfig' };

function failureOf(...config: JsonObject[]): unknown {
  try {
    return claimConfig(AGENT_GPU, claimFor(DEVICE, { config }));
  } catch (error) {
    expect(error).toBeInstanceOf(NodeFailure);
    const { code, failureClass, message } = error as NodeFailure;
    return { code, failureClass, message };
  }
}

test('no configuration is an empty one', () => {
  expect(failureOf()).toEqual({});
});

// C-079: the class's comes first.
test('of several the later one wins, field by field', () => {
  expect(failureOf({ ...CONFIG, includeCardNode: true }, CONFIG)).toEqual({ includeCardNode: true });
  expect(failureOf({ ...CONFIG, includeCardNode: true }, { ...CONFIG, includeCardNode: false })).toEqual({ includeCardNode: false });
});

// C-077: check and constructs refuse the same before.
test.each<[string, JsonObject, string]>([
  ['an unknown field', { ...CONFIG, includeCardnode: true }, '\'includeCardnode\' must be a field that gpu.cdk8s-dra.dev knows; it refuses the claim on the node. Did you mean \'includeCardNode\'?'],
  ['a wrong type', { ...CONFIG, includeCardNode: 'yes' }, '\'includeCardNode\' must be true or false, got "yes". Correct the type; mind quotes in YAML.'],
  ['configuration of another driver', { apiVersion: 'resource.nvidia.com/v1beta1', kind: 'GpuConfig' }, '\'apiVersion\' must be "gpu.cdk8s-dra.dev/v1alpha1", got "resource.nvidia.com/v1beta1". Write it exactly so; upper and lower case count.'],
  ['more than 10 KiB', { ...CONFIG, filler: 'x'.repeat(10 * 1024) }, expect.stringContaining('the configuration must be at most 10240 bytes as JSON') as unknown as string],
])('%s is refused for good, and the field is named', (_, config, said) => {
  expect(failureOf(CONFIG, config)).toEqual({ code: 'DRA341', failureClass: 'terminal', message: typeof said === 'string' ? `The configuration for gpu-0 is refused: ${said}` : said });
});

test('of many mistakes an event has room for the first three', () => {
  const { message } = failureOf({ ...CONFIG, a: 1, b: 2, c: 3, d: 4 }) as { readonly message: string };

  expect(message.match(/must be a field/g)).toHaveLength(3);
});
