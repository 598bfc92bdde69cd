import { gangsOf } from './gangs';
import type { Gang } from './gangs';
import type { PlannedMigration } from './plan';
import type { NodeUse } from './pool-use';
import { pluginsOfPath } from '../drivers';
import { handoverTaint, ownerLabel } from '../node-contract';
import { pluginSwitches, type SwitchMove, switchMove } from '../separation';
import type { ClusterView } from '../view';
import { field, textMapAt } from '../view/json-field';

/** What a person does with one node so that the device plugin gets it back. */
export interface HandBack {
  readonly node: string;
  /** Empty: nobody holds a device of the driver there, as far as is known. */
  readonly holders: readonly string[];
  /** Why that is not known; then the node counts as held. */
  readonly unknown?: string;
  /** In order; each must have come true before the next. */
  readonly steps: readonly string[];
}

/**
 * How the nodes of a pool go back by hand: those that nobody holds first.
 *
 * The same steps as the controller's: nobody new, nobody left, owner `handover`, the driver gone, nobody left after all, then the new owner.
 */
export function handBack({ spec }: PlannedMigration, nodes: readonly NodeUse[], view: ClusterView): readonly HandBack[] {
  const { family, driver } = spec;
  const [label, taint] = [ownerLabel(family), handoverTaint(family)];
  const resources = spec.legacy?.resources.map(({ name }) => name) ?? [];
  const switches = pluginSwitches(pluginsOfPath(spec));
  const rank = ({ holders, unknown }: HandBack) => (holders.length === 0 ? 0 : 1) + (unknown === undefined ? 0 : 2);
  return nodes.filter(({ owner }) => owner !== 'device-plugin').map(({ name, dra, unknown }): HandBack => ({
    node: name,
    holders: dra.pods,
    ...(unknown === undefined ? {} : { unknown }),
    steps: [
      `kubectl taint node ${name} ${taint}=:NoSchedule --overwrite`,
      `wait until no claim holds a device there: kubectl get resourceclaims -A -o json | grep '"pool": "${name}"'`,
      `kubectl label node ${name} ${label}=handover --overwrite`,
      `wait until the driver is gone: kubectl get resourceslices --field-selector spec.driver=${driver},spec.nodeName=${name} shows none`,
      'look once more for claims, as above: a pod may have slipped in; if there is one, set the label to dra again and wait for its end',
      `kubectl label node ${name} ${label}=device-plugin --overwrite`,
      ...switches.flatMap(one => switchStep(name, switchMove(one, 'device-plugin', textMapAt(view.find('Node', '', name)?.value, 'metadata', 'labels')))),
      ...resources.map(resource => `wait until kubectl get node ${name} -o jsonpath='{.status.allocatable.${resource.replace(/\./g, '\\.')}}' shows its devices`),
      `kubectl taint node ${name} ${taint}-`,
    ],
  })).sort((a, b) => rank(a) - rank(b) || (a.node < b.node ? -1 : 1));
}

/** An operator starts the plugin by a label of the node, and pauses it by the same label for its own work. */
function switchStep(node: string, move: SwitchMove): readonly string[] {
  if (move.kind === 'none') return [];
  return move.kind === 'set' ? [`kubectl label node ${node} ${move.key}=${move.value} --overwrite`]
    : [`wait until the operator has ended its work: the node label ${move.key}, now ${move.value}, no longer begins with paused-`];
}

/** Work that holds devices by claims, by what becomes of it when it starts again on the device plugin. */
export interface ComingBack {
  /** Asks by the name of the device plugin, and is served by it again as it is. */
  readonly asItIs: readonly Gang[];
  /** Asks by claims, and waits until it is submitted with the old name. */
  readonly needsChange: readonly Gang[];
}

export function comingBack(view: ClusterView, nodes: readonly NodeUse[]): ComingBack {
  const amounts = new Map<string, number>();
  for (const { dra } of nodes) for (const [pod, amount] of Object.entries(dra.amounts)) amounts.set(pod, (amounts.get(pod) ?? 0) + amount);
  const isBridged = (reference: string) => {
    const [namespace = '', name = ''] = reference.split('/');
    const pod = view.find('Pod', namespace, name);
    return pod !== undefined && field(pod.value, 'status', 'extendedResourceClaimStatus') !== undefined && !Array.isArray(field(pod.value, 'spec', 'resourceClaims'));
  };
  const [bridged, claimed] = [true, false].map(way => new Map([...amounts].filter(([pod]) => isBridged(pod) === way)));
  return { asItIs: gangsOf(view, bridged), needsChange: gangsOf(view, claimed) };
}
