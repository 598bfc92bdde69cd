import type { DeviceInventory } from './device-inventory';
import type { Help } from './explanation';
import { selectorText } from './selector-rewrite';
import { counted, listed } from './wording';

/** Why a class has no devices in the whole cluster, as a clause with a way out; undefined when it has some. */
export function classAbsence(className: string, inventory: DeviceInventory): { readonly text: string; readonly help?: Help } | undefined {
  if (inventory.ofClass(className).length > 0) return undefined;
  const selectors = inventory.selectorsOf(className);
  // A class that names no driver says nothing about where its devices should come from.
  const drivers = [...new Set(selectors.flatMap(expression => [...expression.matchAll(DRIVER)].map(([, name]) => name)))].sort();
  const pools = [...inventory.pools.values()].filter(({ driver }) => drivers.includes(driver));
  const devices = pools.flatMap(pool => pool.devices);
  if (drivers.length === 0) return { text: '' };
  if (pools.length === 0) {
    return {
      text: `driver ${listed(drivers)} has published nothing in this cluster`,
      help: { text: `install driver ${listed(drivers)} on nodes that have such devices, or see why it publishes nothing`, kind: 'repair-driver' },
    };
  }
  if (devices.length === 0) {
    const [first] = pools;
    const incomplete = pools.find(pool => pool.present < pool.announced);
    if (incomplete !== undefined) {
      const { driver, name, generation, announced, present } = incomplete;
      return {
        text: `pool ${name} of driver ${driver} is incomplete: generation ${generation} announces ${counted(announced, 'slice')}, and the ${counted(present, 'slice')} that `
          + `${present === 1 ? 'exists has' : 'exist have'} no device`,
        help: { text: `let driver ${driver} publish the missing ${announced - present === 1 ? 'slice' : `${announced - present} slices`} of pool ${name}: restart it`, kind: 'repair-driver' },
      };
    }
    return {
      text: `driver ${first.driver} publishes ${counted(pools.length, 'pool')} without a device (${first.name} in generation ${first.generation})`,
      help: { text: `see why driver ${first.driver} has withdrawn its devices`, kind: 'repair-driver' },
    };
  }
  const failing = selectors.filter(expression => devices.some(device => !inventory.selects(expression, device)));
  return {
    text: `${counted(devices.length, 'device')} of driver ${listed(drivers)} ${devices.length === 1 ? 'is' : 'are'} there, but the selectors of the class choose none of them `
      + `(${failing.map(expression => selectorText(expression, devices)).join('; ')})`,
    help: { text: `change the selectors of class ${className}, or use another class`, kind: 'change-claim' },
  };
}

const DRIVER = /device\.driver\s*==\s*["']([^"']+)["']/g;
