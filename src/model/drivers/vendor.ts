import { DRIVER_PROFILES } from './profiles';

/**
 * The domain of the vendor whose devices a driver or an extended resource stands for, e.g. `nvidia.com` for `gpu.nvidia.com` and
 * `nvidia.com/mig-1g.5gb`; undefined for a name that says of no known vendor, such as those of drivers for anybody's hardware.
 */
export function vendorOf(name: string): string | undefined {
  const domain = domainOf(name);
  return VENDORS.find(vendor => domain === vendor || domain.endsWith(`.${vendor}`));
}

function domainOf(name: string): string {
  return name.split('/', 1)[0];
}

/** Those of device plugins with names of their own; a plugin whose users choose the prefix (`<prefix>/<pool>`) has none. */
const VENDORS: readonly string[] = [...new Set(DRIVER_PROFILES
  .flatMap(({ legacy }) => legacy.flatMap(({ resources }) => resources.map(({ name }) => domainOf(name))))
  .filter(domain => !domain.includes('<'))
  .map(domain => domain.split('.').slice(-2).join('.')))].sort();
