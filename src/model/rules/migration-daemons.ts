import { Place } from './place';
import { containersOf, podPlace } from './pod-claims';
import { podReach } from './pod-reach';
import { DRIVER_PROFILES, pluginsOfPath, profileForDriver } from '../drivers';
import type { LabelCondition } from '../label-selector';
import type { ManifestSet, PodSite } from '../manifests/manifest-set';
import type { PlannedMigration } from '../migration/plan';
import { isPartOf, socketFolder } from '../migration/platform-daemons';
import { handoverTaint, ownerLabel } from '../node-contract';
import type { Daemon } from '../ownership';
import { ownerRequirement, pluginSwitches } from '../separation';

/**
 * The device plugins and DRA drivers of the families that move: DaemonSets that have the kubelet's socket folders and can be told by profile,
 * by name or by what they mention.
 *
 * Where the manifests hold none of a family, one is assumed that keeps to the contract, since the plan says which affinity it needs.
 */
export function daemonsOf(manifests: ManifestSet, migrations: readonly PlannedMigration[]): readonly Daemon[] {
  if (migrations.length === 0) return [];
  const found = manifests.podSites().filter(({ object }) => object.kind === 'DaemonSet').flatMap(site => daemonOf(site, migrations));
  return [...found, ...assumedDaemons(migrations, found)];
}

/** What is installed elsewhere, one a family, plugin and driver. */
export function assumedDaemons(migrations: readonly PlannedMigration[], found: readonly Daemon[]): readonly Daemon[] {
  const assumed = new Map<string, Daemon>();
  for (const { spec } of [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { family, driver, legacy } = spec;
    const key = ownerLabel(family);
    const hasPlugin = found.some(daemon => daemon.family === family && daemon.kind === 'plugin');
    if (legacy !== undefined && !hasPlugin) {
      const reach = [[{ key, operator: 'NotIn' as const, values: ['handover', 'dra'] }]];
      assumed.set(`plugin ${family}`, { name: `the device plugin of family ${family}, which is installed elsewhere,`, kind: 'plugin', family, reach });
    }
    if (!found.some(daemon => daemon.driver === driver)) {
      assumed.set(`driver ${driver}`, { name: `driver ${driver}, which is installed elsewhere,`, kind: 'driver', family, driver, reach: [[inDra(key)]] });
    }
  }
  return [...assumed.values()];
}

function inDra(key: string): LabelCondition {
  return { key, operator: 'In', values: ['dra'] };
}

function daemonOf(site: PodSite, migrations: readonly PlannedMigration[]): readonly Daemon[] {
  const folders = podPlace(site).at('volumes').items().map(volume => volume.at('hostPath', 'path').text?.replace(/\/+$/, '') ?? '');
  const facts: PodFacts = { site, labels: templateLabels(site), text: mentions(site, folders) };
  const folder = socketFolder(site.spec);
  if (folder === undefined) return [];
  return folder === 'plugins_registry' ? driverOf(facts, migrations) : pluginOf(facts, migrations);
}

interface PodFacts {
  readonly site: PodSite;
  readonly labels: ReadonlyMap<string, string>;
  /** Everything in the pod that can name a driver or resource. */
  readonly text: string;
}

function driverOf(facts: PodFacts, migrations: readonly PlannedMigration[]): readonly Daemon[] {
  const drivers = new Map(migrations.map(({ spec }) => [spec.driver, spec.family]));
  const moving = [...drivers];
  const families = new Set(drivers.values());
  for (const { driverName, family } of DRIVER_PROFILES) {
    if (families.has(family) && !drivers.has(driverName)) drivers.set(driverName, family);
  }
  const tolerated = podPlace(facts.site).at('tolerations').items().map(toleration => toleration.at('key').text);
  const template = Place.root(facts.site.object).at(...facts.site.path.slice(0, -1));
  const isAgent = template.at('metadata', 'annotations', 'cdk8s-dra.dev/configuration').isSet;
  const reach = podReach(podPlace(facts.site));
  return [...drivers].flatMap(([driver, family]): readonly Daemon[] => {
    const profile = profileForDriver(driver);
    const isOnlyOne = moving.some(([one]) => one === driver) && moving.filter(([, one]) => one === family).length === 1;
    const isOf = names(facts, driver) || profile?.installs.some(install => isPartOf(install.podLabels, facts.labels)) === true
      || (isOnlyOne && tolerated.includes(handoverTaint(family)));
    if (!isOf) return [];
    // Our own agent is silent unless the label says dra, wherever it runs.
    return [{ ...base(facts), kind: 'driver', family, driver, reach: isAgent ? reach.map(term => [...term, inDra(ownerLabel(family))]) : reach }];
  });
}

function pluginOf(facts: PodFacts, migrations: readonly PlannedMigration[]): readonly Daemon[] {
  const families = new Map<string, PlannedMigration[]>();
  for (const migration of migrations) families.set(migration.spec.family, [...families.get(migration.spec.family) ?? [], migration]);
  return [...families].flatMap(([family, of]): readonly Daemon[] => {
    const isOf = of.some(({ spec }) => isNamed(facts, spec.legacy?.plugin)
      || pluginsOfPath(spec).some(({ daemonSets }) => daemonSets.some(({ podLabels }) => isPartOf(podLabels, facts.labels)))
      || spec.legacy?.resources.some(({ name }) => names(facts, name)) === true);
    return isOf ? [{ ...base(facts), kind: 'plugin', family, reach: reachOfPlugin(facts, of) }] : [];
  });
}

function base({ site: { object, path } }: PodFacts): Pick<Daemon, 'name' | 'site'> {
  return { name: `DaemonSet ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`, site: { object, path } };
}

/** An operator that undoes affinities places its plugin by a node label, and that label follows the owner (`switchMove`, and the steps by hand). */
function reachOfPlugin({ site }: PodFacts, migrations: readonly PlannedMigration[]): Daemon['reach'] {
  const reach = podReach(podPlace(site));
  const switches = migrations.flatMap(({ spec }) => pluginSwitches(pluginsOfPath(spec)));
  return reach.map(term => {
    const isSwitched = switches.some(({ key, on }) => term.some(condition => condition.key === key && condition.operator === 'In' && String(condition.values) === on));
    return isSwitched ? [...term, ...migrations.slice(0, 1).map(({ spec }) => ownerRequirement('plugin', spec.family) as LabelCondition)] : term;
  });
}

function isNamed({ site: { object } }: PodFacts, plugin: string | undefined): boolean {
  return plugin !== undefined && (plugin === object.name || plugin === `${object.namespace}/${object.name}`);
}

/** As a word of its own: gpu.example.com is not in nogpu.example.com. */
function names({ text }: PodFacts, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w.-]/.test(text.charAt(at - 1)) && !/^(?:[\w-]|\.\w)/.test(text.slice(at + name.length, at + name.length + 2))) return true;
  }
  return false;
}

function templateLabels(site: PodSite): ReadonlyMap<string, string> {
  const labels = Place.root(site.object).at(...site.path.slice(0, -1), 'metadata', 'labels');
  return new Map(labels.entries().flatMap(([key, { text }]) => (text === undefined ? [] : [[key, text] as const])));
}

function mentions(site: PodSite, folders: readonly string[]): string {
  const texts = containersOf(site).flatMap(({ place }) => [
    ...['command', 'args'].flatMap(list => place.at(list).items().map(({ text }) => text ?? '')),
    ...place.at('env').items().map(env => env.at('value').text ?? ''),
  ]);
  return ['', ...texts, ...folders, ''].join('\n');
}
