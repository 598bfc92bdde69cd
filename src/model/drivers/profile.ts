import type { ConfigKind } from './config-kind';
import type { VersionRange } from './version-range';
import type { Phase } from '../phases/phase';

/**
 * What is known about one DRA driver and the device plugin it replaces, learnt from the source of both projects.
 *
 * Facts only: nothing here decides anything. A fact that the source did not show is left out, never guessed.
 */
export interface DriverProfileFacts {
  /** Name of the profile inside this project, e.g. `nvidia-gpu`. */
  readonly id: string;
  /** The driver's name as devices, claims and classes carry it, e.g. `gpu.nvidia.com`. */
  readonly driverName: string;
  /** What kind of hardware it is: a DNS label up to 40 characters. Two drivers of one family may not own devices on one node. */
  readonly family: string;
  /** `full`: every attribute, config and label of the versions read. `table`: names and the quirks that matter for a move. */
  readonly depth: 'full' | 'table';
  /** Repositories read, the driver's own first; none for a driver of this repository. */
  readonly read: readonly RepositoryRead[];
  /** Where each group of facts was read; a path inside the first repository (or this one), or `owner/name:path` for another one. */
  readonly sources: Sources;

  /** Release names that stand for another version number, keyed `v<major>.<minor>`, e.g. `v25.12` for `0.3`. */
  readonly versionAliases?: Readonly<Record<string, string>>;
  readonly featureGates: readonly DriverFeatureGate[];
  readonly deviceTypes: readonly DeviceType[];
  readonly attributes: readonly AttributeFact[];
  /** Who else can add attributes to this driver's devices. Unknown names are then no mistake. */
  readonly moreAttributes?: string;
  readonly capacities: readonly CapacityFact[];
  /** Who else can add capacities to this driver's devices. Unknown names are then no mistake. */
  readonly moreCapacities?: string;
  /** What the driver does with opaque config: its kinds are known, it takes none, or it was not read. */
  readonly config: 'known' | 'ignored' | 'refused' | 'not-read';
  readonly configKinds: readonly ConfigKind[];
  readonly installedClasses: readonly InstalledClass[];
  readonly quirks: readonly Quirk[];
  readonly publishes: PublishingFacts;
  readonly installs: readonly InstallFacts[];
  readonly legacy: readonly LegacyPluginFacts[];
  readonly abilities: AbilityFacts;
}

/** One repository at one commit. */
export interface RepositoryRead {
  /** `owner/name` on GitHub. */
  readonly project: string;
  readonly commit: string;
  /** Date of that commit, `YYYY-MM-DD`. */
  readonly date: string;
  /** The release or development version that this commit calls itself. */
  readonly release: string;
}

/** Groups of facts that a profile may hold, each with the paths they were read from. */
export interface Sources {
  readonly featureGates?: readonly string[];
  readonly deviceTypes?: readonly string[];
  readonly attributes?: readonly string[];
  readonly capacities?: readonly string[];
  readonly configKinds?: readonly string[];
  readonly installedClasses?: readonly string[];
  readonly publishes: readonly string[];
  readonly installs?: readonly string[];
  readonly legacy?: readonly string[];
  readonly abilities: readonly string[];
}

/** A switch of the driver itself (not of Kubernetes). */
export interface DriverFeatureGate {
  readonly name: string;
  readonly default: boolean;
  readonly stage: 'alpha' | 'beta';
  readonly versions?: VersionRange;
  /** Gates that must be on as well, else the driver refuses to start. */
  readonly requires?: readonly string[];
  /** Gates that must be off, else the driver refuses to start. */
  readonly excludes?: readonly string[];
  readonly description: string;
}

/** One sort of device that the driver publishes. */
export interface DeviceType {
  readonly id: string;
  /** How its devices are named in the slice, with `<…>` for the varying parts. */
  readonly deviceName: string;
  readonly description: string;
  readonly gate?: string;
}

/** One attribute that devices of this driver carry. */
export interface AttributeFact {
  /** C identifier up to 32 characters. */
  readonly id: string;
  /** Defaults to the driver's name. */
  readonly domain?: string;
  readonly type: 'string' | 'int' | 'bool' | 'version';
  /** `always`: published as a list. `gate`: published as a list while the driver's and the cluster's DRAListTypeAttributes are on. */
  readonly list?: 'always' | 'gate';
  readonly description: string;
  readonly example: string | number | boolean;
  /** Every value it can have, where the source closes the set. */
  readonly values?: readonly string[];
  /** Device types that carry it; absent means all. */
  readonly devices?: readonly string[];
  /** Not on every such device, and when it is missing. */
  readonly sometimes?: string;
  readonly versions?: VersionRange;
  readonly gate?: string;
}

/** One capacity that devices of this driver carry. */
export interface CapacityFact {
  readonly id: string;
  readonly domain?: string;
  readonly description: string;
  /** A quantity, e.g. `80Gi`. */
  readonly example: string;
  /** Memory, of which no device has less than 1Mi. */
  readonly unit?: 'bytes';
  readonly devices?: readonly string[];
  /** Not on every such device, and when it is missing. */
  readonly sometimes?: string;
  /** A claim may ask for part of it. */
  readonly shared?: boolean;
  readonly versions?: VersionRange;
  readonly gate?: string;
}

/** A DeviceClass that the driver's chart or operator creates. */
export interface InstalledClass {
  readonly name: string;
  readonly selectors: readonly string[];
  /** The extended resource name that the class is installed with. */
  readonly extendedResourceName?: string;
  /** When `extendedResourceName` is set, and what switches it. */
  readonly extendedResourceWhen?: string;
  /** The chart value that decides whether the class exists. */
  readonly option?: string;
  /** Name of the install in `installs` that creates it; absent means each. */
  readonly install?: string;
  readonly versions?: VersionRange;
}

/** Behaviour of some versions that surprises. */
export interface Quirk {
  readonly id: string;
  readonly versions?: VersionRange;
  readonly what: string;
  readonly consequence: string;
  /** When a move from a device plugin meets it; absent where it does not matter to a move. */
  readonly during?: readonly MomentOfMove[];
  readonly source: string;
}

/** A phase, or what can happen in any of them. */
export type MomentOfMove = Phase | 'Hold' | 'Freeze' | 'Rollback';

/** Whether something is there, and what turns it on. */
export interface Support {
  readonly state: 'yes' | 'no' | 'switch';
  /** The gate, flag or chart value; only with `switch`. */
  readonly by?: string;
  readonly note?: string;
}

/** The form of what the driver writes into its ResourceSlices. */
export interface PublishingFacts {
  /** Whether attribute names are written with their domain. Both forms mean the same to CEL and to constraints. */
  readonly attributeNames: 'qualified' | 'unqualified' | 'both';
  readonly capacityNames: 'qualified' | 'unqualified' | 'none';
  /** How pools are named. */
  readonly pool: string;
  readonly partitionable: Support;
  readonly consumableCapacity: Support;
  readonly taints: Support;
  readonly healthStream: Support;
  readonly deviceMetadata: Support;
}

/** One way to install the driver. */
export interface InstallFacts {
  readonly id: string;
  /** Chart name, or the operator and its object. */
  readonly chart: string;
  /** Namespace that the chart or its documentation uses; absent means the release namespace with no usual name. */
  readonly namespace?: string;
  readonly daemonSet: string;
  /** Labels that select the driver's pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  /** Service accounts of the pods on the nodes; `<…>` for the varying part. */
  readonly serviceAccounts: readonly string[];
  readonly tolerations: readonly TolerationFact[];
  readonly settings: readonly InstallSetting[];
}

/** A toleration as the chart sets it. */
export interface TolerationFact {
  readonly key?: string;
  readonly operator: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'NoExecute' | 'PreferNoSchedule';
}

/** One value of a chart or field of an operator's object. */
export interface InstallSetting {
  readonly purpose:
  | 'kubelet-root' | 'cdi-root' | 'driver-root' | 'tolerations' | 'node-selection' | 'update-strategy'
  | 'enable' | 'feature-gates' | 'sharing' | 'classes' | 'observe' | 'namespace';
  /** Exact Helm value path or object field. */
  readonly path: string;
  readonly default?: string;
  readonly note?: string;
}

/** The device plugin that advertises the same hardware. */
export interface LegacyPluginFacts {
  readonly project: string;
  readonly resources: readonly LegacyResource[];
  readonly daemonSets: readonly LegacyDaemonSet[];
  /** Absent where no chart or operator was read. */
  readonly installs?: readonly PluginInstallFacts[];
  readonly switches: readonly LegacySwitch[];
  /** Node labels written by the operator or the feature discovery, for choosing nodes. */
  readonly nodeLabels: readonly NodeLabelFact[];
  /** Tolerations that plugin and driver need on nodes with the vendor's taint. */
  readonly tolerations: readonly TolerationFact[];
}

/** One way to install the plugin, and how it is kept off the nodes of another owner. */
export interface PluginInstallFacts {
  readonly id: string;
  /** Chart name, or the operator and its object. */
  readonly chart: string;
  /** Helm value, or field of the operator's object, for the affinity; absent where there is none and an operator undoes changes of the DaemonSet. */
  readonly affinity?: string;
  /** What stands there by default: one of these must hold for a node. A list in Helm values replaces the chart's. */
  readonly nodes: readonly InstallNodeLabel[];
  readonly tolerations: string;
  readonly defaultTolerations: readonly TolerationFact[];
  /** The node label that switches it node by node, with the value that keeps it off; absent where affinity does it. */
  readonly nodeSwitch?: { readonly key: string; readonly on: string; readonly off: string };
}

/** A node label by which a chart finds its nodes. */
export interface InstallNodeLabel {
  readonly key: string;
  readonly values: readonly string[];
}

/** An extended resource that the plugin advertises. */
export interface LegacyResource {
  /** Full name, with `<…>` for the varying part. */
  readonly name: string;
  /** Units for one whole device; absent means it depends on the plugin's config. */
  readonly unitsPerDevice?: number;
  readonly note?: string;
}

/** How the plugin's DaemonSet is found. */
export interface LegacyDaemonSet {
  readonly name: string;
  readonly podLabels: Readonly<Record<string, string>>;
  /** The node selector that decides where it runs, where it has one. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly installedBy: string;
}

/** A way to turn the plugin, or another part of the old stack, off and on. */
export interface LegacySwitch {
  readonly scope: 'node' | 'cluster';
  readonly kind: 'node-label' | 'helm-value' | 'object-field';
  /** Label key, value path or `Kind spec.path`. */
  readonly key: string;
  readonly on?: string;
  readonly off?: string;
  /** What it switches. */
  readonly what: string;
  readonly note?: string;
}

/** A node label and who writes it. */
export interface NodeLabelFact {
  readonly key: string;
  readonly example: string;
  readonly writer: string;
}

/** What the driver can do for a phase-wise move. */
export interface AbilityFacts {
  /** Whether it can run on a node without offering devices. */
  readonly observe: Ability;
  /** Whether it can stop offering devices while it still serves the claims it has. */
  readonly freeze: Ability;
}

/** An ability, how it is used and why. */
export interface Ability {
  /** `node`: node by node. `all`: for all nodes of the install at once. `no`: not by the driver itself. */
  readonly scope: 'node' | 'all' | 'no';
  readonly how: string;
}
