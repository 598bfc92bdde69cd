import type { LegacyPluginFacts } from './profile';
import { DRIVER_PROFILES, profileForDriver } from './profiles';

/** What of an old path tells its device plugin. */
export interface ServedPath {
  readonly driver: string;
  readonly legacy?: { readonly plugin?: string; readonly resources: ReadonlyArray<{ readonly name: string }> };
}

/**
 * The device plugins that may serve the old path of a pool: those of the driver's own project, and those that advertise its resources.
 *
 * A driver may take over from the plugin of another project, as the node agent does.
 */
export function pluginsOfPath({ driver, legacy }: ServedPath): readonly LegacyPluginFacts[] {
  const own = profileForDriver(driver)?.legacy ?? [];
  const resources = legacy?.resources.map(({ name }) => name) ?? [];
  const others = DRIVER_PROFILES.flatMap(profile => profile.legacy).filter(plugin => !own.includes(plugin)
    && plugin.resources.some(({ name }) => resources.some(resource => isNamedBy(name, resource))));
  return [...new Set([...own, ...others])];
}

/** Whether a name of a profile, which has `<…>` where it varies, is that of a resource. */
export function isNamedBy(pattern: string, resource: string): boolean {
  const [head = '', tail = ''] = pattern.split(/<[^>]*>/);
  return pattern === resource || (pattern.includes('<') && resource.startsWith(head) && resource.endsWith(tail));
}
