import { claimSpecsOf } from './claim-spec';
import type { ClaimSpec, DeviceNeed } from './claim-spec';
import { deviceClass, driverOf } from './device-classes';
import { checkEviction } from './eviction';
import { classOwner } from './known-drivers';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { searchSteps } from './search-estimate';
import { featuresOf, implementationFor } from '../allocator/features';
import { variantOf } from '../allocator/variant';
import type { ManifestSet } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';
import type { Minor } from '../target';

/** Claims that the API server takes and the scheduler has trouble with. */
export const ALLOCATION_RULE: Rule = {
  codes: ['DRA181', 'DRA182', 'DRA183'],
  run(context) {
    const features = featuresOf(context.target);
    const { combinations } = variantOf(context.target.minor, implementationFor(context.target.minor, features));
    const panics = features.partitionableDevices ? PANICS[context.target.minor] : undefined;
    const usesCounters = panics === undefined ? new Map<string, boolean>() : countersOf(context.manifests);
    for (const spec of claimSpecsOf(context.manifests)) {
      checkSearch(context, spec, combinations);
      checkEviction(context, spec);
      if (panics === undefined) continue;
      for (const need of spec.requests.flatMap(({ needs }) => needs)) checkAllMode(context, need, panics, usesCounters);
    }
  },
};

interface Panic {
  readonly releases: string;
  readonly mended: string;
}

/** Releases whose kube-scheduler panics, and the first one that does not: kubernetes/kubernetes#138885, read in the published modules. */
const PANICS: { readonly [minor in Minor]?: Panic } = {
  1.35: { releases: '1.35.0 to 1.35.5', mended: '1.35.6' },
  1.36: { releases: '1.36.0 and 1.36.1', mended: '1.36.2' },
};

/** C-082: the pool of a device is missing where mode All looks its counters up. */
function checkAllMode(context: RuleContext, { place }: DeviceNeed, { releases, mended }: Panic, usesCounters: ReadonlyMap<string, boolean>): void {
  if (place.at('allocationMode').text !== 'All') return;
  const className = place.at('deviceClassName').text ?? '';
  const object = deviceClass(context.manifests, className);
  const profile = object === undefined ? classOwner(className) : undefined;
  const driver = object === undefined ? profile?.driverName : driverOf(object);
  if (driver === undefined) return;
  const help = `Run ${mended} or later, or ask for a count of devices.`;
  const isUsing = usesCounters.get(driver);
  if (isUsing === true) {
    report(context, 'DRA181', place.at('allocationMode'), {
      message: `Devices of ${driver} consume counters: kube-scheduler ${releases} crashes on a request for all of them, again and again, and schedules no pod.`, help,
    });
  } else if (isUsing === undefined && profile?.publishes.partitionable.state === 'switch') {
    report(context, 'DRA181', place.at('allocationMode'), {
      severity: 'info',
      message: `With ${profile.publishes.partitionable.by} on, devices of ${driver} consume counters: kube-scheduler ${releases} crashes on a request for all of them.`,
      help,
    });
  }
}

/** By driver, whether its devices consume counters; absent for one of which the input holds no device. */
function countersOf(manifests: ManifestSet): ReadonlyMap<string, boolean> {
  const uses = new Map<string, boolean>();
  for (const object of manifests.ofKind(RESOURCE_GROUP, 'ResourceSlice')) {
    const spec = Place.root(object).at('spec');
    const driver = spec.at('driver').text;
    const devices = spec.at('devices').items().map((device) => (object.version === 'v1beta1' ? device.at('basic') : device));
    if (driver === undefined || devices.length === 0) continue;
    uses.set(driver, uses.get(driver) === true || devices.some((device) => device.at('consumesCounters').items().length > 0));
  }
  return uses;
}

/** Picks for which upstream's own tests reckon with seconds (`testFilterTimeout` in test/integration/dra). */
const MOST_STEPS = 1_000_000;

/** C-124: the search tries one choice after the other; the scheduler stops it after ten seconds on a node. */
function checkSearch(context: RuleContext, spec: ClaimSpec, combinations: boolean): void {
  const steps = searchSteps(spec, combinations);
  if (steps <= MOST_STEPS) return;
  report(context, 'DRA182', spec.place.at('devices', 'requests'), {
    message: `Where the last device is missing, the scheduler of ${context.target.minor} picks devices about ${rounded(steps)} times before it gives a node up. After ten seconds it stops, and other pods wait.`,
    help: helpFor(spec, combinations),
  });
}

function helpFor(spec: ClaimSpec, combinations: boolean): string {
  const names = spec.requests.flatMap(({ prioritized, needs }) => (prioritized || needs.length === 0 ? [] : [needs[0].place.at('deviceClassName').text ?? '']));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (combinations && repeated !== undefined) return `Ask for the devices of class '${repeated}' in one request with a count: their order is then not tried.`;
  const newer = combinations ? '' : ' Kubernetes 1.36 and later try the devices of one request in one order only.';
  return `Ask for fewer devices in one claim, or for all devices of a node with allocationMode: All.${newer}`;
}

/** Two figures: it is an estimate. */
function rounded(steps: number): string {
  if (steps >= 1e15) return 'countless';
  const [word, unit] = steps >= 1e12 ? ['million million', 1e12] as const : steps >= 1e9 ? ['thousand million', 1e9] as const : ['million', 1e6] as const;
  return `${Number((steps / unit).toPrecision(2))} ${word}`;
}
