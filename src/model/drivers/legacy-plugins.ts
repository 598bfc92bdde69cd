import type { DriverProfileFacts, LegacyPluginFacts } from './profile';
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
  const others = DRIVER_PROFILES.flatMap(profile => profile.legacy)
    .filter(plugin => !own.includes(plugin) && resources.some(resource => advertises(plugin, resource)));
  return [...new Set([...own, ...others])];
}

/** The first driver whose project has a device plugin that advertises an extended resource. */
export function profileForResource(resource: string): DriverProfileFacts | undefined {
  return DRIVER_PROFILES.find(({ legacy }) => legacy.some(plugin => advertises(plugin, resource)));
}

function advertises({ resources }: LegacyPluginFacts, resource: string): boolean {
  return resources.some(({ name }) => isNamedBy(name, resource));
}

/** Whether a name of a profile, which has `<…>` where it varies, is that of a resource; one that varies before the `/` tells none. */
export function isNamedBy(pattern: string, resource: string): boolean {
  const [first, ...rest] = pattern.split(VARIABLE);
  if (rest.length === 0) return pattern === resource;
  if (!first.includes('/') || !resource.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    // What varies has a character at least.
    const found = index === rest.length - 1 ? resource.length - part.length : resource.indexOf(part, at + 1);
    if (found <= at || !resource.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}

const VARIABLE = /<[^>]*>/;
