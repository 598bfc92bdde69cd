import { Place } from './place';
import { containersOf, podPlace } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import type { PodSite } from '../manifests/manifest-set';
import { show } from '../problem';

/** DaemonSets that serve the kubelet: paths on the node and updates without a gap. */
export const DRIVER_DEPLOYMENT_RULE: Rule = {
  codes: ['DRA163', 'DRA164', 'DRA165'],
  run(context) {
    for (const site of context.manifests.podSites()) {
      if (site.object.kind !== 'DaemonSet') continue;
      const volumes = hostPathsOf(site);
      const registry = volumes.find(({ path }) => path.endsWith('/plugins_registry'));
      if (registry === undefined) continue;
      checkPaths(context, site, registry, volumes);
      for (const volume of volumes) checkCdi(context, volume);
      checkUpdate(context, site);
    }
  },
};

interface HostPath {
  readonly name: string;
  readonly place: Place;
  /** Without a slash at the end. */
  readonly path: string;
}

function hostPathsOf(site: PodSite): HostPath[] {
  return podPlace(site).at('volumes').items().flatMap((volume) => {
    const place = volume.at('hostPath', 'path');
    return place.text === undefined ? [] : [{ name: volume.at('name').text ?? '', place, path: place.text.replace(/\/+$/, '') }];
  });
}

/** C-091: the kubelet looks for sockets below its own root, under the same path that the driver sees. */
function checkPaths(context: RuleContext, site: PodSite, registry: HostPath, volumes: readonly HostPath[]): void {
  const root = registry.path.slice(0, -'/plugins_registry'.length);
  const plugins = volumes.filter(({ path }) => /\/plugins(\/|$)/.test(path) && !path.startsWith('/etc/'));
  for (const { place, path } of plugins) {
    if (path === `${root}/plugins` || path.startsWith(`${root}/plugins/`)) continue;
    report(context, 'DRA163', place, {
      message: `'${path}' is not below '${root}', the kubelet's root that '${registry.path}' tells: the two sockets of a driver belong to one kubelet.`,
      help: `Use ${root}/plugins, or correct both to the root of the kubelet.`,
    });
  }
  for (const { place: container } of containersOf(site)) {
    for (const mount of container.at('volumeMounts').items()) {
      const volume = [registry, ...plugins].find(({ name }) => name !== '' && name === mount.at('name').text);
      const mountPath = mount.at('mountPath').text?.replace(/\/+$/, '');
      if (volume === undefined || mountPath === undefined || mountPath === volume.path) continue;
      report(context, 'DRA163', mount.at('mountPath'), {
        severity: volume === registry ? 'info' : 'warning',
        message: `'${volume.path}' is mounted at '${mountPath}': a socket path that the driver reports must be the same for the kubelet.`,
        help: `Mount it at ${volume.path}.`,
      });
    }
  }
}

/** Folders that container runtimes read without being told to. */
const CDI_FOLDERS = ['/etc/cdi', '/var/run/cdi', '/run/cdi'];

/** C-092: a runtime does not find CDI files in a folder that it does not know. */
function checkCdi(context: RuleContext, { place, path }: HostPath): void {
  if (!/\/cdi$/.test(path) || CDI_FOLDERS.includes(path)) return;
  report(context, 'DRA164', place, {
    message: `'${path}' is not one of the CDI folders that container runtimes read by themselves: ${CDI_FOLDERS.join(', ')}.`,
    help: 'Use one of them, or add the folder to the cdi_spec_dirs of the runtime on every node.',
  });
}

/** C-095: two driver pods on a node need sockets of their own, and a new pod before the old one is gone. */
function checkUpdate(context: RuleContext, site: PodSite): void {
  const strategy = Place.root(site.object).at('spec', 'updateStrategy');
  const [surge, unavailable] = [strategy.at('rollingUpdate', 'maxSurge'), strategy.at('rollingUpdate', 'maxUnavailable')];
  if (strategy.at('type').text === 'OnDelete') return;
  const surges = isPositive(surge.value);
  if (!surges && unavailable.isSet && !isPositive(unavailable.value)) {
    report(context, 'DRA165', unavailable, {
      message: `A DaemonSet cannot have maxUnavailable ${show(unavailable.value)} without maxSurge: the API server refuses it.`, help: 'Write maxSurge: 1.',
    });
  }
  // The API server fills maxUnavailable with 1 (SetDefaults_DaemonSet), which excludes a surge.
  if (surges && (!unavailable.isSet || isPositive(unavailable.value))) {
    report(context, 'DRA165', surge, {
      message: `A DaemonSet cannot have maxSurge ${show(surge.value)} and maxUnavailable ${unavailable.isSet ? show(unavailable.value) : '1, its default'}: the API server refuses it.`,
      help: 'Write maxUnavailable: 0.',
    });
  }
  const hasUid = containersOf(site).some(({ place }) => place.at('env').items().some((env) => env.at('valueFrom', 'fieldRef', 'fieldPath').text === 'metadata.uid'));
  if (surges && !hasUid) {
    report(context, 'DRA165', surge, {
      severity: 'warning',
      message: 'Two pods of this driver run on a node during an update, but none knows its uid: both use the same sockets.',
      help: 'Pass metadata.uid as POD_UID and let the driver put it into its socket names, or set maxSurge: 0.',
    });
  }
  if (!surges && hasUid) {
    report(context, 'DRA165', strategy.isSet ? strategy : Place.root(site.object).at('spec'), {
      severity: 'info',
      message: 'The driver knows its pod uid, so two of its pods may run on a node, but the DaemonSet ends the old one first: pods cannot start meanwhile.',
      help: 'Set rollingUpdate to maxSurge: 1 and maxUnavailable: 0 if the driver uses the uid in its socket names.',
    });
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' ? value > 0 : typeof value === 'string' && /[1-9]/.test(value);
}
