import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVER_PROFILES } from '../../../src/model/drivers';

const [PAGE, OWN_PAGE] = ['profiles', 'devices'].map(name => readFileSync(join(__dirname, `../../../docs/${name}.md`), 'utf8'));

test.each(DRIVER_PROFILES.map(profile => [profile.id, profile] as const))('the page names driver, family and commits of %s', (id, profile) => {
  expect(PAGE).toMatch(new RegExp(`\\| \`${id}\` \\| \`${profile.driverName}\` \\| \`${profile.family}\` \\|`));
  for (const { project, commit } of profile.read) expect(PAGE).toMatch(new RegExp(`${project}.*${commit.slice(0, 7)}`));
});

test('the page, or that of the node agent, names every attribute and capacity of the profiles with full depth', () => {
  for (const profile of DRIVER_PROFILES.filter(candidate => candidate.depth === 'full')) {
    const missing = [...profile.attributes, ...profile.capacities].map(fact => fact.id).filter(id => !(profile.read.length === 0 ? OWN_PAGE : PAGE).includes(`\`${id}\``));
    expect([profile.id, missing]).toEqual([profile.id, []]);
  }
});
