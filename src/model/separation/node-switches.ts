import type { DeviceOwner } from '../api';
import type { LegacyPluginFacts } from '../drivers/profile';

/** A node label by which an operator runs or ends a daemon on one node. */
export interface NodeSwitch {
  readonly key: string;
  /** Value while the device plugin owns the node. */
  readonly on: string;
  /** Value in hand-over and while DRA owns it. */
  readonly off: string;
}

/** The labels that must change with the owner, since an operator places the plugin by them and not by affinity. */
export function pluginSwitches(plugins: readonly LegacyPluginFacts[]): readonly NodeSwitch[] {
  return plugins.flatMap(({ installs = [] }) => installs).flatMap(({ nodeSwitch }) => nodeSwitch ?? []);
}

/** Whether a node's switch may be set now, and to what. */
export type SwitchMove =
  | { readonly kind: 'none' }
  /** Written with a precondition on the node's version. */
  | { readonly kind: 'set'; readonly key: string; readonly value: string }
  /** The operator has paused the daemon and will set the label back; overwriting it would end its upgrade half way. */
  | { readonly kind: 'wait'; readonly key: string; readonly value: string };

/**
 * What to do with a switch of a node so that it fits an owner.
 *
 * A node without the label is one that the operator does not place daemons on, e.g. where another chart is used: nothing to do.
 */
export function switchMove({ key, on, off }: NodeSwitch, owner: DeviceOwner, labels: { readonly [label: string]: string }): SwitchMove {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const wanted = owner === 'device-plugin' ? on : off;
  if (value === undefined || value === wanted) return { kind: 'none' };
  return /(^|_)paused-/.test(value) ? { kind: 'wait', key, value } : { kind: 'set', key, value: wanted };
}
