import { handoverToleration, ownerRequirement } from './daemon-side';
import { pluginSwitches } from './node-switches';
import { selectorText } from './selector-text';
import { pluginsOfPath } from '../drivers';
import type { LegacyPluginFacts } from '../drivers/profile';
import type { PlannedMigration } from '../migration/plan';
import { ownerLabel, poolLabel } from '../node-contract';

/**
 * How a pool that a device plugin serves today is taken in, as Markdown: labels first, then a look, then the plugin one node at a time.
 *
 * Nothing of it changes who owns a device. Pods of the plugin restart, which the text says.
 */
export function adoptionText({ name, spec }: PlannedMigration): string {
  const selector = selectorText(spec.nodes);
  const { family } = spec;
  const plugins = pluginsOfPath(spec).filter(({ project }) => spec.legacy?.plugin === undefined || project === spec.legacy.plugin);
  return [
    '1. Label the nodes. Without an owner a node is the plugin\'s, so the label only says what is so.',
    '',
    '   ```sh',
    `   kubectl label nodes -l '${selector}' ${poolLabel(family)}=${name} ${ownerLabel(family)}=device-plugin`,
    '   ```',
    '',
    '2. Look before going on: the same nodes on both lists, no node of another pool, and none with another owner.',
    '',
    '   ```sh',
    `   kubectl get nodes -l '${selector}' -L ${poolLabel(family)},${ownerLabel(family)}`,
    `   kubectl get nodes -l '${poolLabel(family)}=${name}'`,
    '   ```',
    '',
    ...spec.legacy === undefined ? ['3. There is no device plugin to keep off these nodes.'] : pluginSteps(family, plugins),
    '',
  ].join('\n');
}

function pluginSteps(family: string, plugins: readonly LegacyPluginFacts[]): readonly string[] {
  const { key, operator, values = [] } = ownerRequirement('plugin', family);
  return [
    '3. Keep the plugin off nodes of other owners. Its pods restart: for some seconds the node has 0 of its resource, running containers keep their devices, and a pod '
    + 'that is bound in that moment fails with UnexpectedAdmissionError. So one node at a time:',
    '',
    '   - Set `updateStrategy: {type: OnDelete}` on its DaemonSet.',
    `   - Give its pods the required node affinity \`${key} ${operator} (${values.join(', ')})\` and the toleration \`${JSON.stringify(handoverToleration(family))}\`: `
    + '`DaemonSeparation.plugin(driver)`, or the values in `separation/`.',
    '   - On each node delete the pod of the plugin, and wait until the node has its resource again before the next.',
    ...plugins.flatMap(({ daemonSets }) => daemonSets).map(({ name, podLabels, installedBy }) => `     - \`${name}\` (${installedBy}): `
      + `\`kubectl delete pods -A -l '${selectorText({ matchLabels: podLabels })}' --field-selector spec.nodeName=NODE\``),
    '   - Set the update strategy back.',
    ...pluginSwitches(plugins).flatMap(({ key: label, on, off }) => [
      '',
      `   Where an operator installs the plugin, its DaemonSet is not patched and nothing restarts: the node label \`${label}\` is \`${on}\` while the plugin owns the `
      + `node and \`${off}\` otherwise, and changes with the owner. A value that begins with \`paused-\` is the operator's own and is waited for.`,
    ]),
  ];
}
