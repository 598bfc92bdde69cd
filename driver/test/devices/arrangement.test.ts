import { arrange } from '../../src/devices/arrangement.js';
import type { Arrangement } from '../../src/devices/arrangement.js';
import type { InventoryDevice, InventoryProblem } from '../../src/devices/inventory.js';
import { fits } from '../../src/devices/name-pattern.js';

const DEVICES = ['gpu-0', 'gpu-1', 'gpu-2', 'mig-0', 'mig-1'].map((name): InventoryDevice => ({
  name, identity: `GPU-${name}`, parts: [], attributes: {}, capacity: {}, deviceNodes: [],
}));

function arranged(settings: Arrangement): { readonly names: string[]; readonly problems: InventoryProblem[] } {
  const problems: InventoryProblem[] = [];
  const names = arrange(DEVICES, settings, (problem) => problems.push(problem)).map(({ name }) => name);
  return { names, problems };
}

// C-083: the scheduler takes the first that fits.
test.each<[Arrangement, string[]]>([
  [{}, ['gpu-0', 'gpu-1', 'gpu-2', 'mig-0', 'mig-1']],
  [{ order: ['mig-*'] }, ['mig-0', 'mig-1', 'gpu-0', 'gpu-1', 'gpu-2']],
  [{ order: ['gpu-2', 'mig-1'] }, ['gpu-2', 'mig-1', 'gpu-0', 'gpu-1', 'mig-0']],
  [{ order: ['GPU-gpu-1'] }, ['gpu-1', 'gpu-0', 'gpu-2', 'mig-0', 'mig-1']],
  [{ order: ['nothing'] }, ['gpu-0', 'gpu-1', 'gpu-2', 'mig-0', 'mig-1']],
])('%j orders %j', (settings, names) => {
  expect(arranged(settings)).toEqual({ names, problems: [] });
});

// C-106
test('a reserve holds back the last devices of the order, and says so', () => {
  expect(arranged({ order: ['mig-*'], reserve: 2 })).toEqual({
    names: ['mig-0', 'mig-1', 'gpu-0'],
    problems: ['gpu-1', 'gpu-2'].map((name) => ({ code: 'DRA347', subject: name, message: `${name} is kept back: the last 2 devices are the node's reserve.` })),
  });
  expect(arranged({ reserve: 9 }).names).toEqual([]);
});

test('what exclude names is held back, by name or identity', () => {
  expect(arranged({ exclude: ['gpu-0', 'GPU-mig-*'] })).toEqual({
    names: ['gpu-1', 'gpu-2'],
    problems: ['gpu-0', 'mig-0', 'mig-1'].map((name) => ({ code: 'DRA347', subject: name, message: `${name} is kept back: exclude names it.` })),
  });
});

test.each([
  ['gpu-0', 'gpu-0', true], ['gpu-0', 'gpu-*', true], ['gpu-0', '*', true], ['gpu-0', '*-0', true], ['gpu-0', 'g*u*0', true], ['gpu-0', 'gpu-0*0', false],
  ['gpu-0', 'gpu-1', false], ['gpu-0', 'gpu', false], ['gpu-0', '', false], ['gpu-0', '**', true], ['a', 'a*a', false], ['aba', 'a*ba', true],
])('%s fits %j: %j', (name, pattern, does) => {
  expect(fits(name, pattern)).toBe(does);
});
