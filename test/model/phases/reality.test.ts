import type { DeviceMigrationSpec } from '../../../src/model/api';
import { DRIVER_PROFILES, profileById, type MomentOfMove } from '../../../src/model/drivers';
import { PHASES, phaseReality } from '../../../src/model/phases';
import { MINORS, Target } from '../../../src/model/target';

const SPEC: DeviceMigrationSpec = {
  family: 'gpu',
  driver: 'gpu.nvidia.com',
  nodes: { matchLabels: { type: 'a100' } },
  deviceClassNames: ['gpu-large'],
  legacy: { resources: [{ name: 'nvidia.com/gpu' }], plugin: 'NVIDIA/k8s-device-plugin' },
  phase: 'Canary',
  canary: { nodes: 2, namespaces: ['sandbox'] },
  expand: { legacyFloor: '10%' },
};
const NVIDIA = profileById('nvidia-gpu');

function said(moment: MomentOfMove, minor: string, spec: DeviceMigrationSpec = SPEC, profile = NVIDIA, version?: string): string {
  const reality = phaseReality(profile, version, Target.of(minor), spec).find(one => one.moment === moment);
  return (reality?.sentences ?? []).join(' ');
}

test('every phase and stop has something to say, for every driver and version, in whole sentences', () => {
  for (const profile of [undefined, ...DRIVER_PROFILES]) {
    for (const minor of MINORS) {
      const spec = { ...SPEC, driver: profile?.driverName ?? 'x.example.com', family: profile?.family ?? 'x' };
      const realities = phaseReality(profile, undefined, Target.of(minor), spec);
      expect(realities.map(({ moment }) => moment)).toEqual([...PHASES, 'Hold', 'Freeze', 'Rollback']);
      for (const { moment, sentences } of realities) {
        expect([profile?.id, minor, moment, sentences.length > 0]).toEqual([profile?.id, minor, moment, true]);
        for (const text of sentences) expect(text).toMatch(/^\S.*[^.]\.$/);
      }
    }
  }
});

test('a driver that cannot observe runs nowhere yet', () => {
  expect(said('Observe', '1.36')).toContain('Driver gpu.nvidia.com cannot observe: publishes all devices as soon as it has started');
  expect(said('Observe', '1.36')).toContain('It runs nowhere yet.');
});

test('a driver that observes on all nodes at once needs an install of its own', () => {
  expect(said('Observe', '1.36', { ...SPEC, driver: 'dra.net' }, profileById('dranet'))).toContain('on all nodes of an install at once');
});

test('our own driver discovers on the whole pool and offers nothing', () => {
  expect(said('Observe', '1.34', { ...SPEC, driver: 'fpga.cdk8s-dra.dev' }, undefined)).toContain('runs on the whole pool, discovers devices');
});

test('a driver without a profile is taken to be able to do nothing', () => {
  const unknown = { ...SPEC, driver: 'x.example.com' };
  const reality = phaseReality(undefined, undefined, Target.of('1.36'), unknown);
  expect(reality.find(({ moment }) => moment === 'Observe')?.sentences.join(' ')).toContain('has no profile, so it is not run to observe');
  expect(reality.find(({ moment }) => moment === 'Freeze')?.sentences.join(' ')).toContain('is not known');
});

test('the bridge opens from 1.36 on, for whole devices, and else says why not', () => {
  expect(said('Expand', '1.36')).toContain('class gpu-large carries the name');
  expect(said('Expand', '1.35')).toContain('Kubernetes 1.35 does not serve an old resource from a class');
  expect(said('Expand', '1.36', { ...SPEC, legacy: { resources: [{ name: 'nvidia.com/gpu', unitsPerDevice: 4 }] } })).toContain('is a part of a device');
  expect(phaseReality(NVIDIA, undefined, Target.of('1.36', { featureGates: { DRAExtendedResource: false } }), SPEC).find(({ moment }) => moment === 'Expand')?.sentences.join(' '))
    .toContain('The bridge stays closed');
});

test('a floor is part of what Expand does', () => {
  expect(said('Expand', '1.36')).toContain('and 10% of them stay with the device plugin');
});

test('a chart that opens the bridge on its own is told where the cluster would act on it, and only for versions that do it', () => {
  expect(said('Canary', '1.36')).toContain('Take the name off that class.');
  expect(said('Canary', '1.34')).not.toContain('Take the name off that class.');
  expect(said('Canary', '1.36', SPEC, NVIDIA, '0.4.1')).toContain('carries extendedResourceName nvidia.com/gpu');
  expect(said('Canary', '1.36', SPEC, NVIDIA, '0.2.0')).not.toContain('carries extendedResourceName nvidia.com/gpu');
});

test('the plugin leaves a node by the switch of its own stack', () => {
  expect(said('Canary', '1.36')).toContain('nvidia.com/gpu.deploy.device-plugin=false');
  expect(said('Canary', '1.36', { ...SPEC, legacy: { resources: [{ name: 'x.example.com/x' }], plugin: 'x/y' } })).toContain('How x/y is switched off on one node is not known');
});

test('a freeze needs device taints, else a foreign driver offers its devices as long as it runs', () => {
  expect(said('Freeze', '1.37')).toContain('A DeviceTaintRule on driver and pool');
  expect(said('Freeze', '1.34')).toContain('Kubernetes 1.34 has no DeviceTaintRule');
  expect(said('Freeze', '1.34', { ...SPEC, driver: 'gpu.cdk8s-dra.dev' }, undefined)).toContain('an empty pool of a higher generation');
  expect(said('Freeze', '1.36', { ...SPEC, driver: 'gpu.cdk8s-dra.dev' }, undefined)).toContain('taints its devices');
});

// C-031: a default that flips back must move both sides; claims cannot be served by a plugin.
test('a rollback says what moves by itself and what must be submitted again', () => {
  expect(said('Rollback', '1.36')).toContain('Work that asks for nvidia.com/gpu runs on nodes of the device plugin at once');
  expect(said('Rollback', '1.36')).toContain('Work that asks for a claim waits');
  expect(said('Rollback', '1.35')).toContain('must be changed back to ask for nvidia.com/gpu and submitted again');
});
