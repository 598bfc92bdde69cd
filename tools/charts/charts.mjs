// The charts of vendors that profiles and commands are proved with, each from the Go module that its project publishes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, Lacking } from '../cluster/failure.mjs';
import { GO_ENVIRONMENT } from '../cluster/go.mjs';

/**
 * What is rendered: `sum` is Go's checksum of the module, `folder` the chart in it, `objects` files that its operator makes objects from,
 * `statements` what its sources must say for the profile to be true.
 * The device plugin's chart refuses the namespace default.
 */
export const CHARTS = [
  {
    name: 'nvidia-device-plugin',
    module: 'github.com/NVIDIA/k8s-device-plugin',
    version: 'v0.17.4',
    sum: 'h1:5yFNndt80sH91ZuWPVWuO4uXF2W4oLolqwkQnK6ZVUs=',
    folder: 'deployments/helm/nvidia-device-plugin',
    release: 'nvdp',
    namespace: 'nvidia',
    objects: [],
    statements: [],
  },
  {
    name: 'gpu-operator',
    module: 'github.com/NVIDIA/gpu-operator',
    version: 'v0.0.0-20250917190837-d73a0086a6ba',
    sum: 'h1:LoeqwWjR0h2WRyHXmyYCPVwM/dAdKKxjE8LzyyeuqHI=',
    folder: 'deployments/gpu-operator',
    release: 'gpu-operator',
    namespace: 'gpu-operator',
    objects: ['assets/state-device-plugin/0500_daemonset.yaml', 'assets/state-mps-control-daemon/0400_daemonset.yaml'],
    // What the ClusterPolicy names replaces the tolerations of every DaemonSet that the operator makes.
    statements: [{ file: 'controllers/object_controls.go', says: 'obj.Spec.Template.Spec.Tolerations = config.Daemonsets.Tolerations' }],
  },
];

/** The folder of a chart's module, fetched when it is not there yet. */
export function moduleFolder({ module, version, sum }) {
  const { Dir, Sum } = JSON.parse(download(`${module}@${version}`));
  if (Sum !== sum) throw new Failure(`${module} ${version} must have the checksum ${sum}, got ${Sum}. Somebody changed what was published; do not use it.`);
  return Dir;
}

function download(module) {
  try {
    const options = { cwd: tmpdir(), encoding: 'utf8', env: { ...process.env, ...GO_ENVIRONMENT }, stdio: ['ignore', 'pipe', 'pipe'] };
    return execFileSync('go', ['mod', 'download', '-json', module], options);
  } catch (error) {
    const { Error: words = error.message } = error.stdout ? JSON.parse(error.stdout) : {};
    throw new Lacking(`${module} could not be fetched: ${words}. Check the network and "go env GOPROXY".`);
  }
}

/** Throws where the sources of a module no longer say what the profile takes from them. */
export function requireStatements(chart) {
  for (const { file, says } of chart.statements) {
    if (readFileSync(join(moduleFolder(chart), file), 'utf8').includes(says)) continue;
    throw new Failure(`${file} of ${chart.module} ${chart.version} must say "${says}", and does not. Read what it does now, and mend the profile.`);
  }
}

/** What helm makes of a chart. */
export function rendered(helm, chart, { values = [], options = [] } = {}) {
  const { release, namespace, folder } = chart;
  return execFileSync(helm, [
    'template', release, join(moduleFolder(chart), folder), '--namespace', namespace, '--kube-version', 'v1.36.0', '--include-crds',
    ...values.flatMap(file => ['--values', file]), ...options,
  ], { encoding: 'utf8', maxBuffer: 1 << 28 });
}
