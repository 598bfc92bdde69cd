import { NODE } from './device-inventory';
import type { Json } from './selector-device';

const GPU = 'gpu.example.com';
const NIC = 'nic.example.com';
const node = { metadata: { name: NODE } };
const CLASSES = [GPU, NIC].map((driver) => ({ metadata: { name: driver }, spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] } }));

/** Seven documents whose times are measured too; `test/bench` uses the same. */
export const BENCHMARKS: Readonly<Record<string, () => Json>> = {
  'one-of-eight': () => ({ node, classes: CLASSES, slices: [slice(GPU, devices(8))], claims: [claim('c', [request('gpu', GPU)])] }),
  'gpu-and-nic': () => ({
    node,
    classes: CLASSES,
    slices: [slice(GPU, devices(8, root)), slice(NIC, devices(8, root))],
    claims: range(4).map((index) => claim(`c${index}`, [request('gpu', GPU), request('nic', NIC)], [{ matchAttribute: 'resource.kubernetes.io/pcieRoot' }])),
  }),
  'consumable': () => ({
    node,
    classes: CLASSES,
    slices: [slice(GPU, devices(8, () => ({ allowMultipleAllocations: true, capacity: { memory: { value: '80Gi', requestPolicy: { default: '10Gi', validRange: { min: '1Gi', step: '1Gi' } } } } })))],
    claims: [claim('c', [request('gpu', GPU, { capacity: { requests: { memory: '30Gi' } } })])],
    allocated: range(32).map((index) => ({
      driver: GPU, pool: NODE, device: `dev-${Math.floor(index / 4)}`, shareID: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`, consumedCapacity: { memory: index < 28 ? '20Gi' : '10Gi' },
    })),
  }),
  'partitions': () => ({
    node,
    classes: CLASSES,
    slices: [
      { ...slice(GPU, [], 2, 'counters'), spec: { ...slice(GPU, [], 2).spec, devices: undefined, sharedCounters: range(1).map((index) => ({ name: `gpu-${index}`, counters: { memory: { value: '80Gi' }, engines: { value: '7' } } })) } },
      slice(GPU, partitions(), 2),
    ],
    claims: [claim('c0', [request('half', GPU, { selectors: profile('3g') })]), claim('c1', [request('sevenths', GPU, { count: 3, selectors: profile('1g') })])],
  }),
  'four-of-2048': () => ({ node, classes: CLASSES, slices: many(), claims: [claim('c', [request('gpu', GPU, { count: 4 })])] }),
  'last-of-2048': () => ({ node, classes: CLASSES, slices: many(), claims: [claim('c', [request('gpu', GPU, { selectors: [{ cel: { expression: `device.attributes["${GPU}"].index == 2047` } }] })])] }),
  'infeasible': () => ({ node, classes: CLASSES, slices: [slice(GPU, devices(5))], claims: range(6).map((index) => claim(`c${index}`, [request('gpu', GPU)])) }),
};

/** More of the same, for `test/bench` only. */
export const LARGER_BENCHMARKS: Readonly<Record<string, () => Json>> = {
  'gpu-and-nic, 64 devices, 16 claims': () => ({
    node,
    classes: CLASSES,
    slices: [slice(GPU, devices(32, root)), slice(NIC, devices(32, root))],
    claims: range(16).map((index) => claim(`c${index}`, [request('gpu', GPU), request('nic', NIC)], [{ matchAttribute: 'resource.kubernetes.io/pcieRoot' }])),
  }),
  'consumable, 128 devices, 512 shares': () => ({
    node,
    classes: CLASSES,
    slices: [slice(GPU, devices(128, () => ({ allowMultipleAllocations: true, capacity: { memory: { value: '80Gi', requestPolicy: { default: '10Gi', validRange: { min: '1Gi', step: '1Gi' } } } } })))],
    claims: [claim('c', [request('gpu', GPU, { capacity: { requests: { memory: '30Gi' } } })])],
    allocated: range(512).map((index) => ({
      driver: GPU, pool: NODE, device: `dev-${Math.floor(index / 4)}`, shareID: `00000000-0000-4000-8000-000000000${String(index).padStart(3, '0')}`, consumedCapacity: { memory: index < 508 ? '20Gi' : '10Gi' },
    })),
  }),
  'partitions of 8 GPUs, 8 claims': () => ({
    node,
    classes: CLASSES,
    slices: range(8).flatMap((gpu) => [
      withPool(`gpu-${gpu}`, { ...slice(GPU, [], 2, `counters-${gpu}`), spec: { ...slice(GPU, [], 2).spec, devices: undefined, sharedCounters: [{ name: 'gpu-0', counters: { memory: { value: '80Gi' }, engines: { value: '7' } } }] } }),
      withPool(`gpu-${gpu}`, slice(GPU, partitions(), 2, `devices-${gpu}`)),
    ]),
    claims: range(8).map((index) => claim(`c${index}`, [request('half', GPU, { selectors: profile('3g') }), request('sevenths', GPU, { count: 3, selectors: profile('1g') })])),
  }),
  'all of 32': () => ({ node, classes: CLASSES, slices: [slice(GPU, devices(32))], claims: [claim('c', [request('gpus', GPU, { allocationMode: 'All', count: undefined })])] }),
  '32-of-16384': () => ({ node, classes: CLASSES, slices: many(128), claims: [claim('c', [request('gpu', GPU, { count: 32 })])] }),
  'last-of-16384': () => ({ node, classes: CLASSES, slices: many(128), claims: [claim('c', [request('gpu', GPU, { selectors: [{ cel: { expression: `device.attributes["${GPU}"].index == 16383` } }] })])] }),
  'one-in-64-of-16384': () => ({ node, classes: CLASSES, slices: many(128), claims: [claim('c', [request('gpu', GPU, { count: 32, selectors: [{ cel: { expression: `device.attributes["${GPU}"].index % 64 == 63` } }] })])] }),
  'infeasible, 7 claims, 6 devices': () => ({ node, classes: CLASSES, slices: [slice(GPU, devices(6))], claims: range(7).map((index) => claim(`c${index}`, [request('gpu', GPU)])) }),
  'one of 8, 1,000 nodes of 8': () => ({
    node,
    classes: CLASSES,
    slices: range(1000).map((index) => onNode(index === 999 ? NODE : `other-${index}`, slice(GPU, devices(8)))),
    claims: [claim('c', [request('gpu', GPU)])],
  }),
};

function withPool(name: string, { metadata, spec }: { metadata: Json; spec: Json }): { metadata: Json; spec: Json } {
  return { metadata, spec: { ...spec, pool: { ...spec.pool as Json, name } } };
}

function onNode(nodeName: string, { spec }: { spec: Json }): { metadata: Json; spec: Json } {
  return withPool(nodeName, { metadata: { name: `${nodeName}-devices` }, spec: { ...spec, nodeName } });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function devices(count: number, extra: (index: number) => Json = () => ({}), from = 0): Json[] {
  return range(count).map((index) => ({ name: `dev-${from + index}`, attributes: { index: { int: from + index }, ...extra(index).attributes as Json | undefined }, ...without(extra(index), 'attributes') }));
}

function without(json: Json, name: string): Json {
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== name));
}

function root(index: number): Json {
  return { attributes: { 'resource.kubernetes.io/pcieRoot': { string: `pci${Math.floor(index / 2)}` } } };
}

function slice(driver: string, list: readonly Json[], resourceSliceCount = 1, suffix = 'devices'): { metadata: Json; spec: Json } {
  return { metadata: { name: `${driver}-${suffix}` }, spec: { driver, nodeName: NODE, pool: { name: NODE, generation: 1, resourceSliceCount }, devices: list } };
}

/** Slices of 128 devices. */
function many(count = 16): Json[] {
  return range(count).map((index) => slice(GPU, devices(128, undefined, index * 128), count, String(index).padStart(count > 99 ? 3 : 2, '0')));
}

function partitions(): Json[] {
  const shapes: readonly (readonly [string, number, number, number])[] = [['7g', 1, 80, 7], ['4g', 4, 40, 4], ['3g', 8, 40, 3], ['2g', 12, 20, 2], ['1g', 18, 10, 1]];
  return shapes.flatMap(([name, count, memory, engines]) => range(count).map((index) => ({
    name: `mig-${name}-${index}`, attributes: { profile: { string: name } }, consumesCounters: [{ counterSet: 'gpu-0', counters: { memory: { value: `${memory}Gi` }, engines: { value: String(engines) } } }],
  })));
}

function profile(name: string): Json[] {
  return [{ cel: { expression: `device.attributes["${GPU}"].profile == "${name}"` } }];
}

function request(name: string, deviceClassName: string, more: Json = {}): Json {
  return { name, exactly: { deviceClassName, allocationMode: 'ExactCount', count: 1, ...more } };
}

function claim(name: string, requests: readonly Json[], constraints?: readonly Json[]): Json {
  return { metadata: { name, namespace: 'team', uid: name }, spec: { devices: { requests, ...(constraints === undefined ? {} : { constraints }) } } };
}
