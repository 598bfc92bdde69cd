import { nodeCountProblem } from './node-count';
import { migrationDefaults } from './optimize-for';
import { PHASES, type Phase } from './phase';
import type { DeviceMigrationSpec } from '../api';
import type { Ability, DriverProfileFacts, LegacySwitch, MomentOfMove } from '../drivers/profile';
import { inRange } from '../drivers/version-range';
import type { Target } from '../target';

/** What really happens at one moment of a move, in sentences for a person. */
export interface Reality {
  readonly moment: MomentOfMove;
  readonly sentences: readonly string[];
}

/** Names of the drivers that this project ships, which obey the labels and annotations of a node. */
const OWN_DRIVER = /\.cdk8s-dra\.dev$/;

/**
 * What each phase, a hold, a freeze and a rollback really do with this driver on this cluster.
 *
 * Without a profile what the driver can do is not known and taken as nothing. A version that is not given is any version: all quirks are named.
 */
export function phaseReality(
  profile: DriverProfileFacts | undefined,
  driverVersion: string | undefined,
  target: Target,
  spec: DeviceMigrationSpec,
): readonly Reality[] {
  const given = { profile, target, spec, isOwn: OWN_DRIVER.test(spec.driver), resources: spec.legacy?.resources.map(({ name }) => name) ?? [] };
  const moments: ReadonlyArray<readonly [MomentOfMove, readonly string[]]> = [
    ...PHASES.map(phase => [phase, phaseSentences(phase, given)] as const),
    ['Hold', holdSentences(given)],
    ['Freeze', freezeSentences(given)],
    ['Rollback', rollbackSentences(given)],
  ];
  return moments.map(([moment, sentences]) => ({ moment, sentences: [...sentences, ...quirkSentences(moment, profile, driverVersion)] }));
}

interface Given {
  readonly profile: DriverProfileFacts | undefined;
  readonly target: Target;
  readonly spec: DeviceMigrationSpec;
  readonly isOwn: boolean;
  readonly resources: readonly string[];
}

function phaseSentences(phase: Phase, given: Given): readonly string[] {
  const { spec, resources } = given;
  const old = resources.length === 0 ? 'no extended resource' : resources.join(', ');
  switch (phase) {
    case 'Legacy':
      return [`The device plugin serves ${old} as before; classes ${spec.deviceClassNames.join(', ')} take nobody.`, absentDriver(given)];
    case 'Observe':
      return [observed(given), 'Nobody may use the classes yet.'];
    case 'Canary':
      return [canaryNodes(given), ...(resources.length === 0 ? [] : [`Pods that ask for ${old} stay on nodes of the device plugin.`]), pluginLeaves(given), ...installedBridge(given)];
    case 'Expand':
      return [`Up to ${migrationDefaults(spec).steps.join(', ')} of the nodes, step by step${floor(given)}; all tenants may use the classes, except for work labelled forbidden.`, bridge(given)];
    case 'AllWorkloads':
      return ['All nodes may become DRA\'s and everybody may use the classes.', oldPath(given)];
    case 'PluginRemoved':
      return ['No node of the pool may have the device plugin; its DaemonSet stays, with none of these nodes.', ...removed(given)];
  }
}

function absentDriver({ isOwn, profile, spec }: Given): string {
  if (isOwn) return `Driver ${spec.driver} is silent: its agent offers devices only where the node's owner is dra.`;
  const why = profile === undefined ? `Whether ${spec.driver} can be kept silent where it runs is not known.` : sentence(profile.abilities.observe);
  return `Driver ${spec.driver} must run on no node of the pool, which the owner label sees to: ${lowerFirst(why)}`;
}

function observed(given: Given): string {
  const { isOwn, profile, spec } = given;
  if (isOwn) return `The agent of ${spec.driver} runs on the whole pool, discovers devices, and reports them and what the device plugin holds; it offers nothing.`;
  const witness = 'The agent as a witness, where it is installed, reports what the device plugin holds.';
  if (profile === undefined) return `Driver ${spec.driver} has no profile, so it is not run to observe. ${witness}`;
  switch (profile.abilities.observe.scope) {
    case 'node': return `Driver ${spec.driver} can run without offering devices, node by node: ${lowerFirst(sentence(profile.abilities.observe))} ${witness}`;
    case 'all': return `Driver ${spec.driver} can run without offering devices, but on all nodes of an install at once: ${lowerFirst(sentence(profile.abilities.observe))} Use an install of its own for this pool, or do not run it yet. ${witness}`;
    case 'no': return `Driver ${spec.driver} cannot observe: ${lowerFirst(sentence(profile.abilities.observe))} It runs nowhere yet. ${witness}`;
  }
}

function canaryNodes({ spec }: Given): string {
  const { canary } = spec;
  if (canary === undefined) return 'The canary is not set: neither which nodes, nor whose namespaces.';
  const nodes = nodeCountProblem(canary.nodes) === undefined ? String(canary.nodes) : 'an unreadable number of';
  return `${nodes} ${nodes === '1' ? 'node' : nodes.endsWith('%') ? 'of the nodes' : 'nodes'} may become DRA's and stay chosen; namespaces ${canary.namespaces.join(', ')} may use the classes, by claims, for work labelled safe.`;
}

function pluginLeaves({ profile, spec }: Given): string {
  const plugins = profile?.legacy.filter(({ project }) => spec.legacy?.plugin === undefined || project === spec.legacy.plugin) ?? [];
  if (plugins.length === 0) {
    return spec.legacy === undefined
      ? 'No device plugin is named, so none has to leave a node.'
      : `How ${spec.legacy.plugin ?? 'the device plugin'} is switched off on one node is not known: give its DaemonSet the node affinity that the plan prints.`;
  }
  const node = plugins.flatMap(({ switches }) => switches).find(({ scope, what }) => scope === 'node' && what.includes('device plugin'));
  return `The device plugin leaves a node by the affinity on its owner label${node === undefined ? '' : `, or where its operator undoes that by ${describeSwitch(node)}`}.`;
}

function describeSwitch({ kind, key, off }: LegacySwitch): string {
  return `${kind === 'node-label' ? 'the node label' : 'the setting'} ${key}=${off}`;
}

/** A chart that puts the name of the old resource on its class opens the bridge before anybody decided so. */
function installedBridge({ profile, target, resources }: Given): readonly string[] {
  if (!target.enabled('DRAExtendedResource')) return [];
  return (profile?.installedClasses ?? [])
    .filter(({ extendedResourceName }) => extendedResourceName !== undefined && resources.includes(extendedResourceName))
    .map(({ name, extendedResourceName, extendedResourceWhen }) => `Class ${name}, as the driver's chart installs it, carries ${extendedResourceName}`
      + `${extendedResourceWhen === undefined ? '' : ` (${extendedResourceWhen})`}: on ${target} pods that ask for it would land on canary nodes. Take the name off that class.`);
}

function floor({ spec }: Given): string {
  const least = spec.expand?.legacyFloor;
  return least === undefined || least === 0 || least === '0%' ? '' : `, and ${least} of them stay with the device plugin`;
}

/** Whether this cluster can serve the old resource from a class, apart from what other pools do. */
function canBridge({ target, spec }: Given): { readonly can: boolean; readonly why: string } {
  const resources = spec.legacy?.resources ?? [];
  if (resources.length === 0) return { can: false, why: 'no old resource is named' };
  if (!target.atLeast('1.36') || !target.enabled('DRAExtendedResource')) return { can: false, why: `${target} does not serve an old resource from a class` };
  const parts = resources.filter(({ unitsPerDevice = 1, partition }) => unitsPerDevice > 1 || partition !== undefined);
  return parts.length === 0
    ? { can: true, why: '' }
    : { can: false, why: `a unit of ${parts.map(({ name }) => name).join(', ')} is a part of a device, and the scheduler counts whole ones` };
}

function bridge(given: Given): string {
  const { can, why } = canBridge(given);
  return can
    ? `Once every pool of ${given.resources.join(', ')} is in Expand, class ${given.spec.deviceClassNames[0]} carries the name and pods that ask for it run on both sorts of nodes, unchanged.`
    : `The bridge stays closed, since ${why}: work moves only by asking for a claim.`;
}

function oldPath(given: Given): string {
  if (given.resources.length === 0) return 'No old resource is named, so nothing closes.';
  const { can, why } = canBridge(given);
  const names = given.resources.join(', ');
  return can
    ? `${names} stays open as long as a class serves it, once every pool of it is this far; replacements of running work always pass.`
    : `${names} takes no new work once every pool of it is this far, since ${why}; replacements of running work pass but find no node.`;
}

function removed({ target, resources }: Given): readonly string[] {
  if (resources.length === 0) return [];
  return [`Nodes may go on listing ${resources.join(', ')} with 0 in their status, until the kubelet has forgotten the plugin; `
    + (target.enabled('DRAExtendedResource') ? 'DRA serves the name on such a node.' : 'pods that ask for it find nothing there.')];
}

function holdSentences({ spec, target }: Given): readonly string[] {
  return [
    'Door: the API server refuses new work on the classes in the moment the DeviceHold is made; running work, replacements and waiting pods go on. Needs no driver and no controller.',
    `Allocation: the API server also refuses new allocations from pools of ${spec.driver}, so that waiting pods stay Pending with the reason; works with any driver.`,
    target.kindSupport('DeviceTaintRule').supported
      ? 'Until the scheduler is told otherwise it tries again and again; a DeviceTaintRule with NoSchedule makes it look elsewhere.'
      : `${target} has no DeviceTaintRule, so the scheduler tries the same nodes again and again until the hold ends.`,
  ];
}

function freezeSentences({ isOwn, profile, target, spec }: Given): readonly string[] {
  if (isOwn) {
    return [target.enabled('DRADeviceTaints')
      ? 'The agent taints its devices: they stay in the slice, and nothing new is allocated from them.'
      : 'The agent publishes an empty pool of a higher generation, since device taints are off: what is allocated stays, alarms about missing devices must know.'];
  }
  if (profile === undefined) return [`Whether ${spec.driver} can stop offering devices and still serve what is allocated is not known. The fence of a hold stops allocation without it.`];
  const { freeze } = profile.abilities;
  const how = sentence(freeze);
  switch (freeze.scope) {
    case 'node': return [`Driver ${spec.driver} can be frozen node by node: ${lowerFirst(how)}`];
    case 'all': return [`Driver ${spec.driver} can only be frozen on all nodes of an install at once: ${lowerFirst(how)} The fence of a hold stops allocation for one pool.`];
    case 'no': {
      const rule = target.kindSupport('DeviceTaintRule').supported ? how : `${target} has no DeviceTaintRule, and the driver offers its devices as long as it runs.`;
      return [`Driver ${spec.driver} cannot be frozen by itself: ${lowerFirst(rule)} The fence of a hold stops allocation without it.`];
    }
  }
}

function rollbackSentences(given: Given): readonly string[] {
  const { spec, resources } = given;
  const { can } = canBridge(given);
  return [
    'Evidence is saved, the doors close, and each node goes back to the device plugin when nothing on it holds a claim; nothing is deleted and nobody is evicted unless hand-over says so.',
    ...(resources.length === 0 ? ['No old resource is named: work that needs these devices waits until the pool goes forward again.'] : []),
    can
      ? `Work that asks for ${resources.join(', ')} runs on nodes of the device plugin at once, unchanged.`
      : `Work that asks for a claim must be changed back${resources.length === 0 ? '' : ` to ask for ${resources.join(', ')}`} and submitted again: claims cannot be served by a device plugin.`,
    ...(can ? ['Work that asks for a claim waits, or is submitted again with the old resource.'] : []),
    ...(spec.group === undefined ? [] : [`All migrations of group ${spec.group} go back together.`]),
  ];
}

function quirkSentences(moment: MomentOfMove, profile: DriverProfileFacts | undefined, version: string | undefined): readonly string[] {
  return (profile?.quirks ?? [])
    .filter(({ during, versions }) => during?.includes(moment) === true && inRange(versions, version, profile?.versionAliases))
    .map(({ what, consequence }) => `${what} ${consequence}`);
}

function sentence({ how }: Ability): string {
  return how.endsWith('.') ? how : `${how}.`;
}

/** For the middle of a sentence; names in capitals stay. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]*\s/.test(text) && !text.startsWith('Kubernetes ') ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
