/** How far a pool may move from a device plugin to DRA; each allows what the one before allows, and more. */
export enum MigrationPhase {
  /** Everything is as before: the device plugin owns every node. */
  LEGACY = 'Legacy',
  /** The plugin owns every node; our agents and witnesses look and report. */
  OBSERVE = 'Observe',
  /** A few nodes are owned by DRA, for workloads of the canary namespaces that are labelled as safe to interrupt. */
  CANARY = 'Canary',
  /** More nodes step by step, for all tenants whose work may be interrupted. */
  EXPAND = 'Expand',
  /** All nodes are owned by DRA, and new work no longer gets the plugin's resource from a plugin. */
  ALL_WORKLOADS = 'AllWorkloads',
  /** As before, and the plugin runs nowhere in the pool. */
  PLUGIN_REMOVED = 'PluginRemoved',
}
