import { daemonsOf } from './migration-daemons';
import { OWN_OBJECTS_RULE } from './own-objects-rule';
import { Place } from './place';
import { specBehind, containersOf, podClaimsOf, podPlace } from './pod-claims';
import { API_GROUP, INTERRUPTION_LABEL, INTERRUPTIONS } from '../api';
import type { DeviceMigrationSpec, DeviceTenantSpec, Interruption } from '../api';
import { profileForDriver } from '../drivers';
import type { ManifestObject, ManifestSet, PodSite } from '../manifests/manifest-set';
import { withoutNulls } from '../manifests/without-nulls';
import type { PlannedMigration } from '../migration/plan';
import { IMPLICIT_PREFIX } from '../ownership';
import type { OwnershipPlan, PlannedClass, PlannedTenant, QuotaLimit, Wish, Workload } from '../ownership';
import { Quantity } from '../quantity';
import { hasScopes } from '../quota-scopes';
import { podReach } from './pod-reach';
import { RESOURCE_GROUP, type Target } from '../target';

/** The migrations of some manifests with what else the proofs look at; objects that their CRD refuses are left out. */
export function ownershipPlan(manifests: ManifestSet, target: Target): OwnershipPlan {
  const quota = quotaPlan(manifests, target);
  const { migrations } = quota;
  return {
    ...quota,
    daemons: daemonsOf(manifests, migrations),
    classes: classesIn(manifests, migrations),
    workloads: workloadsIn(manifests, migrations),
  };
}

/** What the proof of quota looks at. */
export function quotaPlan(manifests: ManifestSet, target: Target): Pick<OwnershipPlan, 'target' | 'migrations' | 'quotas' | 'tenants'> {
  return {
    target,
    migrations: migrationsIn(manifests, target).map(({ migration }) => migration),
    quotas: quotasIn(manifests),
    tenants: soundObjects(manifests, target, 'DeviceTenant')
      .map((object): PlannedTenant => ({ name: object.name, spec: withoutNulls(object.value.spec) as unknown as DeviceTenantSpec, object })),
  };
}

/** A migration with its manifest. */
export interface MigrationInManifests {
  readonly object: ManifestObject;
  readonly migration: PlannedMigration;
}

/** The migrations that their CRD takes, the first of each name. */
export function migrationsIn(manifests: ManifestSet, target: Target): readonly MigrationInManifests[] {
  return soundObjects(manifests, target, 'DeviceMigration').map(object => ({ object, migration: { name: object.name, spec: withoutNulls(object.value.spec) as unknown as DeviceMigrationSpec } }));
}

function soundObjects(manifests: ManifestSet, target: Target, kind: string): readonly ManifestObject[] {
  const isFirst = (object: ManifestObject) => object.name !== '' && manifests.find(API_GROUP, kind, object.namespace, object.name) === object;
  return manifests.ofKind(API_GROUP, kind).filter(object => isFirst(object) && isSound(manifests, object, target));
}

/** By object and target: a field that one version has another has not. */
const sound = new WeakMap<ManifestObject, WeakMap<Target, boolean>>();

/** What the CRD refuses is told by another rule, and nothing can be proved about it. */
function isSound(manifests: ManifestSet, object: ManifestObject, target: Target): boolean {
  const verdicts = sound.get(object) ?? new WeakMap<Target, boolean>();
  sound.set(object, verdicts);
  let isGood = verdicts.get(target);
  if (isGood === undefined) {
    isGood = true;
    OWN_OBJECTS_RULE.run({ manifests: manifests.only([object]), target, report: ({ severity }) => {if (severity === 'error') isGood = false;} });
    verdicts.set(target, isGood);
  }
  return isGood;
}

/** Classes of the manifests, and those that the charts of the migrations' drivers install. */
function classesIn(manifests: ManifestSet, migrations: readonly PlannedMigration[]): readonly PlannedClass[] {
  const written = manifests.ofKind(RESOURCE_GROUP, 'DeviceClass').map((object): PlannedClass => {
    return { name: object.name, extendedResourceName: Place.root(object).at('spec', 'extendedResourceName').text, object };
  });
  const names = new Set(written.map(({ name }) => name));
  const drivers = new Set(migrations.map(({ spec }) => spec.driver));
  const installed = [...drivers].sort().flatMap(driver => profileForDriver(driver)?.installedClasses ?? []);
  const fromCharts = installed.filter(({ name }) => !names.has(name));
  return [...written, ...fromCharts.map(({ name, extendedResourceName }): PlannedClass => ({ name, extendedResourceName }))];
}

function workloadsIn(manifests: ManifestSet, migrations: readonly PlannedMigration[]): readonly Workload[] {
  if (migrations.length === 0) return [];
  const resources = new Set(migrations.flatMap(({ spec }) => spec.legacy?.resources.map(({ name }) => name) ?? []));
  const classes = new Set(migrations.flatMap(({ spec }) => spec.deviceClassNames));
  return manifests.podSites().flatMap(site => {
    const asked = askedResources(site);
    const workload: Workload = {
      site: { object: site.object, path: site.path },
      namespace: site.object.namespace,
      interruption: interruptionOf(site),
      classes: [...askedClasses(manifests, site), ...asked.flatMap(impliedClass)].filter(({ name }) => classes.has(name)),
      resources: asked.filter(({ name }) => resources.has(name)),
      reach: podReach(podPlace(site)),
    };
    return workload.classes.length + workload.resources.length === 0 ? [] : [workload];
  });
}

function impliedClass({ name, path }: Wish): readonly Wish[] {
  return name.startsWith(IMPLICIT_PREFIX) ? [{ name: name.slice(IMPLICIT_PREFIX.length), path }] : [];
}

function interruptionOf(site: PodSite): Interruption {
  const metadata = [['metadata'], [...site.path.slice(0, -1), 'metadata']].map(path => Place.root(site.object).at(...path, 'labels', INTERRUPTION_LABEL));
  const text = metadata.find(label => label.text !== undefined)?.text;
  return INTERRUPTIONS.find(one => one === text) ?? 'costly';
}

/** Each once: the same class in ten containers is one story. */
function askedClasses(manifests: ManifestSet, site: PodSite): readonly Wish[] {
  const wishes = new Map<string, Wish>();
  for (const claim of podClaimsOf(site)) {
    for (const request of specBehind(manifests, claim)?.requests ?? []) {
      for (const { place } of request.needs) {
        const name = place.at('deviceClassName').text;
        if (name === undefined || wishes.get(name)?.isAlternative === false) continue;
        const isAlternative = request.needs.length > 1;
        if (!isAlternative || !wishes.has(name)) wishes.set(name, { name, path: claim.place.path, isAlternative });
      }
    }
  }
  return [...wishes.values()];
}

function askedResources(site: PodSite): readonly Wish[] {
  const wishes = new Map<string, Wish>();
  for (const { place } of containersOf(site)) {
    for (const list of ['limits', 'requests']) {
      for (const [name, amount] of place.at('resources', list).entries()) {
        const quantity = Quantity.fromJson(amount.value);
        const isNone = quantity instanceof Quantity && quantity.isZero();
        if (name.includes('/') && !isNone && !wishes.has(name)) wishes.set(name, { name, path: amount.path });
      }
    }
  }
  return [...wishes.values()];
}

function quotasIn(manifests: ManifestSet): readonly QuotaLimit[] {
  // One with scopes limits some pods alone.
  const quotas = manifests.ofKind('', 'ResourceQuota').filter(({ value }) => !hasScopes(value.spec));
  return quotas.flatMap(object => Place.root(object).at('spec', 'hard').entries().flatMap(([key, place]) => {
    const quantity = Quantity.fromJson(place.value);
    if (!(quantity instanceof Quantity)) return [];
    return [{ namespace: object.namespace, key, amount: quantity.asApproximateNumber(), site: { object, path: place.path } }];
  }));
}
