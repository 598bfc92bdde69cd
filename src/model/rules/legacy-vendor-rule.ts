import { Place } from './place';
import { report } from './report';
import type { Rule } from './rule';
import { API_GROUP } from '../api';
import { profileForDriver, profileForResource, vendorOf } from '../drivers';

/** The old path of a pool and its driver stand for hardware of one vendor; names of nobody's vendor are anybody's. */
export const LEGACY_VENDOR_RULE: Rule = {
  codes: ['DRA424'],
  run(context) {
    for (const object of context.manifests.ofKind(API_GROUP, 'DeviceMigration')) {
      const spec = Place.root(object).at('spec');
      const driver = spec.at('driver').text ?? '';
      const vendor = vendorOf(driver);
      if (vendor === undefined) continue;
      for (const resource of spec.at('legacy', 'resources').items()) {
        const name = resource.at('name').text ?? '';
        const other = vendorOf(name);
        if (other === undefined || other === vendor) continue;
        report(context, 'DRA424', resource.at('name'), {
          message: `Migration ${object.name} leaves ${name} for the driver ${driver}: the resource stands for devices of ${other}, the driver serves those of ${vendor}.`,
          help: wayOut(driver, name),
        });
      }
    }
  },
};

function wayOut(driver: string, resource: string): string {
  const [own] = profileForDriver(driver)?.legacy[0]?.resources ?? [];
  const right = profileForResource(resource);
  return `Name what the device plugin of these nodes advertises${own === undefined ? '' : `, such as ${own.name}`}`
    + `${right === undefined ? '' : `; for ${resource} the driver is ${right.driverName}`}.`;
}
