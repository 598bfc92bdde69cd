// The values by which a chart keeps its daemons to nodes of the device plugin, as users get them.
import { createRequire } from 'node:module';

const { DaemonSeparation, DriverProfile } = createRequire(import.meta.url)('../../lib/src/index.js');

/** How the profile names the ways to install NVIDIA's device plugin. */
const INSTALLS = { 'nvidia-device-plugin': 'chart', 'gpu-operator': 'gpu-operator' };

export function separationValues(chart) {
  return DaemonSeparation.plugin(DriverProfile.nvidiaGpu()).helmValues(INSTALLS[chart]);
}
