import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beside, runProgram } from '../../child.mjs';
import { Figure } from '../../figure.mjs';

const CLI = beside(import.meta.url, '../../../../driver/bin/kubectl-dra.js');
const POOLS = 200;
const NODES_PER_POOL = 10;
const PHASES = ['Observe', 'Canary', 'Expand', 'AllWorkloads', 'PluginRemoved'];

/** `diff` as a pull request runs it: half of the pools are promoted in one commit. */
export async function differences(runs, progress) {
  const folder = mkdtempSync(join(tmpdir(), 'cdk8s-dra-bench-'));
  try {
    writePools(join(folder, 'base'), 0);
    writePools(join(folder, 'head'), 1);
    writeFileSync(join(folder, 'cluster.json'), cluster());
    const plain = new Figure(`diff of ${POOLS} pools, ${POOLS / 2} promoted`, '2,000 ms');
    const counted = new Figure(`the same with a cluster of ${POOLS * NODES_PER_POOL} nodes and as many pods`, '2,000 ms');
    const args = ['diff', '--base', join(folder, 'base'), '--head', join(folder, 'head'), '--kubernetes', '1.36'];
    for (let run = 1; run <= runs; run++) {
      progress(`diff, run ${run} of ${runs}`);
      plain.add(await runProgram(CLI, args));
      counted.add(await runProgram(CLI, [...args, '--from', join(folder, 'cluster.json')]));
    }
    return { figures: [plain, counted] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file a pool, as a synth writes them. */
function writePools(folder, step) {
  mkdirSync(folder);
  for (let index = 0; index < POOLS; index++) {
    const name = `pool-${index}`;
    const phase = PHASES[index % 4 + (index % 2 === 0 ? 0 : step)];
    writeFileSync(join(folder, `${name}.yaml`), `apiVersion: cdk8s-dra.dev/v1alpha1
kind: DeviceMigration
metadata:
  name: ${name}
spec:
  family: gpu
  driver: gpu.example.com
  nodes:
    matchLabels:
      pool: ${name}
  deviceClassNames:
    - class-${index}
  legacy:
    resources:
      - name: example.com/gpu-${index}
  phase: ${phase}
  canary:
    nodes: 1
    namespaces:
      - sandbox
  expand:
    legacyFloor: 1
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: class-${index}
spec:
  selectors:
    - cel:
        expression: device.driver == "gpu.example.com"
---
apiVersion: v1
kind: ResourceQuota
metadata:
  namespace: team-${index}
  name: devices
spec:
  hard:
    requests.example.com/gpu-${index}: "${80 - step * 8}"
    class-${index}.deviceclass.resource.k8s.io/devices: "${step * 8}"
`);
  }
}

function cluster() {
  const items = [];
  for (let index = 0; index < POOLS * NODES_PER_POOL; index++) {
    const pool = Math.floor(index / NODES_PER_POOL);
    const [name, isDra] = [`node-${index}`, index % NODES_PER_POOL === 0];
    const labels = { pool: `pool-${pool}`, ...isDra ? { 'cdk8s-dra.dev/gpu-owner': 'dra' } : {} };
    items.push({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { allocatable: isDra ? {} : { [`example.com/gpu-${pool}`]: '8' } } });
    items.push({
      apiVersion: 'v1', kind: 'Pod', metadata: { namespace: `team-${pool}`, name: `pod-${index}` }, status: { phase: 'Running' },
      spec: { nodeName: name, containers: [{ name: 'main', resources: isDra ? {} : { requests: { [`example.com/gpu-${pool}`]: '4' } } }] },
    });
    if (!isDra) continue;
    items.push({
      apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: `${name}-slice` },
      spec: {
        driver: 'gpu.example.com', nodeName: name, pool: { name, generation: 1, resourceSliceCount: 1 },
        devices: Array.from({ length: 8 }, (_, device) => ({ name: `gpu-${device}` })),
      },
    });
  }
  const annotations = { 'cdk8s-dra.dev/collected-kinds': 'Node,Pod,ResourceClaim,ResourceSlice', 'cdk8s-dra.dev/server-version': 'v1.36.3' };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata: { annotations }, items });
}
