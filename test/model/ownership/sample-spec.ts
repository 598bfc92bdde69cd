import type { DeviceMigrationSpec } from '../../../src/model/api';

/** A pool in Canary. */
export const SPEC: DeviceMigrationSpec = {
  family: 'gpu',
  driver: 'gpu.nvidia.com',
  nodes: { matchLabels: { type: 'a100' } },
  deviceClassNames: ['gpu-large'],
  legacy: { resources: [{ name: 'nvidia.com/gpu' }] },
  phase: 'Canary',
  canary: { nodes: 2, namespaces: ['sandbox'] },
};
