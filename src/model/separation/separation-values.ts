import { type DaemonSide, ownerRequirement } from './daemon-side';
import { withHandover } from './separated-pod';
import type { DriverProfileFacts, InstallFacts, InstallNodeLabel, LegacyPluginFacts, PluginInstallFacts } from '../drivers/profile';

/** Values for a chart, or the operator's object in it, that keep a daemon on the nodes that are its own. */
export interface SeparationValues {
  /** Which install, e.g. `chart` or `gpu-operator`. */
  readonly install: string;
  readonly chart: string;
  readonly values: Values;
  /** What the values alone do not do, a sentence each. */
  readonly notes: readonly string[];
}

/** Helm values. */
export interface Values {
  readonly [path: string]: unknown;
}

/** The values for each way to install these device plugins. */
export function pluginSeparation(plugins: readonly LegacyPluginFacts[], family: string): readonly SeparationValues[] {
  return plugins.flatMap(({ installs = [] }) => installs).map(install => pluginValues(install, family));
}

/** The values for each way to install a driver that its profile knows; none where it knows no chart. */
export function driverSeparation(profile: DriverProfileFacts): readonly SeparationValues[] {
  return profile.installs.flatMap(install => driverValues(install, profile));
}

function pluginValues(install: PluginInstallFacts, family: string): SeparationValues {
  const { affinity, nodeSwitch } = install;
  return {
    install: install.id,
    chart: install.chart,
    values: nested([
      ...(affinity === undefined ? [] : [[affinity, affinityOf('plugin', family, install.nodes)] as const]),
      [install.tolerations, withHandover(install.defaultTolerations, family)],
    ]),
    notes: nodeSwitch === undefined ? [] : [
      `The operator has no affinity for its DaemonSets and undoes a patch of them, so the node label ${nodeSwitch.key} decides: ${nodeSwitch.off} while the owner `
      + `is handover or dra, ${nodeSwitch.on} afterwards. A value that begins with paused- is the operator's own, for the time of a driver upgrade or MIG change: `
      + 'it is waited for, never overwritten.',
    ],
  };
}

function driverValues(install: InstallFacts, { family }: DriverProfileFacts): readonly SeparationValues[] {
  const affinity = install.settings.find(({ purpose, path }) => purpose === 'node-selection' && path.split('.').at(-1) === 'affinity')?.path;
  const tolerations = install.settings.find(({ purpose }) => purpose === 'tolerations')?.path;
  // An install without an affinity is one for a whole cluster; it cannot be kept to a pool.
  if (affinity === undefined || affinity === '') return [];
  const confirmation = install.settings.find(({ path }) => path === 'gpuResourcesEnabledOverride');
  return [{
    install: install.id,
    chart: install.chart,
    values: nested([
      [affinity, affinityOf('driver', family, [])],
      ...(tolerations === undefined ? [] : [[tolerations, withHandover(install.tolerations, family)] as const]),
      ...(confirmation === undefined ? [] : [[confirmation.path, true] as const]),
    ]),
    notes: [
      ...(confirmation === undefined ? [] : [`${confirmation.path} tells the chart that no device plugin runs on the same nodes, which the affinity sees to.`]),
    ],
  }];
}

function affinityOf(side: DaemonSide, family: string, nodes: readonly InstallNodeLabel[]): unknown {
  const required = ownerRequirement(side, family);
  const terms = nodes.length === 0 ? [{ matchExpressions: [required] }] : nodes.map(({ key, values }) => ({
    matchExpressions: [{ key, operator: 'In', values: [...values] }, required],
  }));
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
}

/** `a.b` and `a.c` as one object. */
function nested(entries: ReadonlyArray<readonly [path: string, value: unknown]>): Values {
  const values: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    const steps = path.split('.');
    let parent = values;
    for (const step of steps.slice(0, -1)) parent = (parent[step] ??= {}) as Record<string, unknown>;
    parent[steps[steps.length - 1]] = value;
  }
  return values;
}
