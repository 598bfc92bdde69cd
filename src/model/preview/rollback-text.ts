import type { PreviewFile } from './preview-file';
import { type PreviewInput, relatedTo } from './preview-input';
import { pluginsOfPath, profileForDriver } from '../drivers';
import { bridges } from '../migration/bridge';
import type { PlannedMigration } from '../migration/plan';
import { handoverTaint, ownerLabel, poolLabel } from '../node-contract';
import { phaseReality } from '../phases/reality';
import { pluginSwitches } from '../separation';

/** The way back by hand, without the controller and without our command line, as Markdown. */
export function rollbackText(pool: PlannedMigration, { migrations, target, driverVersions }: PreviewInput): PreviewFile {
  const { name, spec } = pool;
  const profile = profileForDriver(spec.driver);
  const [poolKey, ownerKey, taint] = [poolLabel(spec.family), ownerLabel(spec.family), handoverTaint(spec.family)];
  const served = bridges(relatedTo(pool, migrations), target).open.filter(({ deviceClassName }) => spec.deviceClassNames.includes(deviceClassName));
  const switches = pluginSwitches(pluginsOfPath(spec));
  const resources = spec.legacy?.resources.map(each => each.name) ?? [];
  const after = phaseReality(profile, driverVersions[name], target, spec).find(({ moment }) => moment === 'Rollback')?.sentences ?? [];
  const ofNode = 'spec.nodeName=$NODE';
  return {
    path: `${name}/rollback.md`,
    text: [
      `# Roll pool ${name} back by hand`,
      '',
      `\`kubectl-dra rollback ${name}\` does these steps as far as it can and says what it did not. Nothing here deletes work. The order matters.`,
      '',
      '1. **Keep the evidence.** Events are gone after an hour.',
      ...sh([
        `mkdir -p rollback-${name}`,
        `kubectl get resourceclaims -A -o yaml > rollback-${name}/claims.yaml`,
        `kubectl get resourceslices -o yaml > rollback-${name}/slices.yaml`,
        `kubectl get nodes -l '${poolKey}=${name}' -o yaml > rollback-${name}/nodes.yaml`,
        `kubectl get devicenodereports,devicemigrations,devicerouting -o yaml > rollback-${name}/migration.yaml`,
        `kubectl get events -A -o yaml > rollback-${name}/events.yaml`,
        `kubectl get pods -A -o yaml > rollback-${name}/pods.yaml`,
      ]),
      '2. **Take the bridge name off**, else the scheduler goes on choosing these nodes and is refused.',
      ...served.length === 0 ? ['', `   In ${spec.phase} no class carries a name for this pool; look all the same:`] : [],
      ...sh([
        'kubectl get deviceclasses -o custom-columns=CLASS:.metadata.name,RESOURCE:.spec.extendedResourceName',
        ...served.map(({ deviceClassName, resource }) => `kubectl patch deviceclass ${deviceClassName} --type=json -p '[{"op":"remove","path":"/spec/extendedResourceName"}]' # ${resource}`),
      ]),
      '3. **Stop new allocations and new work.** What runs goes on; waiting pods stay Pending with the reason.',
      ...sh([`kubectl create -f ${name}/hold-allocation.yaml`]),
      '4. **Set the phase back in Git**, to Observe or Legacy, or revert the promotion. Until that is merged the engine changes nothing that this page does.',
      '5. **Give back each node as it empties.** The nodes that are DRA\'s:',
      ...sh([`kubectl get nodes -l '${poolKey}=${name},${ownerKey} in (dra, handover)'`]),
      '   For each of them, and not more at once than the plugin can do without:',
      '',
      '   a. Taint it, so that nothing new comes.',
      ...sh([`NODE=…; kubectl taint node $NODE ${taint}=:NoSchedule`]),
      `   b. Wait until nothing on it holds a device of ${spec.driver}. A claim holds its device while it has an allocation, also with admin access; if you cannot read it, it is held.`,
      ...sh([
        `kubectl get pods -A --field-selector ${ofNode} -o custom-columns=NS:.metadata.namespace,POD:.metadata.name,CLAIMS:.status.resourceClaimStatuses[*].resourceClaimName,BRIDGE:.status.extendedResourceClaimStatus.resourceClaimName`,
        `kubectl get resourceclaims -A -o json | jq -r --arg driver ${spec.driver} --arg node $NODE '.items[] | select(.status.allocation.devices.results[]? | .driver == $driver and .pool == $node) | "\\(.metadata.namespace)/\\(.metadata.name)"' | sort -u`,
      ]),
      `      The second line takes the device pool to be named as the node${poolNote(profile?.publishes.pool)}.`,
      '   c. Nobody\'s node for a moment: the driver leaves, its slices go.',
      ...sh([
        `kubectl label node $NODE ${ownerKey}=handover --overwrite`,
        `kubectl get resourceslices --field-selector spec.nodeName=$NODE,spec.driver=${spec.driver} # until there are none`,
      ]),
      '   d. Look at b again: a pod that was bound in between may have slipped in. If so, set the owner to dra again and start over.',
      '   e. The plugin\'s node again.',
      ...sh([
        `kubectl label node $NODE ${ownerKey}=device-plugin --overwrite`,
        ...switches.map(({ key, on }) => `kubectl label node $NODE ${key}=${on} --overwrite # only where the GPU operator installs the plugin, and not over a value that begins with paused-`),
        ...resources.map(resource => `kubectl get node $NODE -o jsonpath='{.status.allocatable.${resource.replace(/\./g, '\\.')}}' # until it is the number of devices`),
        `kubectl taint node $NODE ${taint}-`,
      ]),
      '6. **Let go**, when no node is left and the phase in Git is merged.',
      ...sh([`kubectl get deviceholds | grep ${name}`, 'kubectl delete devicehold NAME']),
      '   What was refused is tried again after the pause of the scheduler, 10 s at most; a pod without its claim after that of the claim controller, which can be minutes. '
        + 'A touched class or pod is tried at once; the scheduler looks at classes, the claim controller at pods:',
      ...sh([
        ...spec.deviceClassNames.map(each => `kubectl annotate deviceclass ${each} cdk8s-dra.dev/released-at="$(date -u +%FT%TZ)" --overwrite`),
        'kubectl annotate pod -n NAMESPACE POD cdk8s-dra.dev/released-at="$(date -u +%FT%TZ)" --overwrite',
      ]),
      '## What this does not do',
      '',
      ...after.map(sentence => `- ${sentence}`),
      '- DeviceRouting stays as it is until `kubectl-dra route --write` or the controller writes it: with the phase back in Git the doors close then.',
      '',
    ].join('\n'),
  };
}

function sh(lines: readonly string[]): readonly string[] {
  return ['', '   ```sh', ...lines.map(line => `   ${line}`), '   ```', ''];
}

function poolNote(pool: string | undefined): string {
  return pool === undefined ? '; look at the driver\'s slices for how it names pools' : `; this driver's pools: ${pool}`;
}
