import { migrationsIn } from './ownership-plan';
import { Place } from './place';
import { report } from './report';
import type { Rule } from './rule';
import { API_GROUP } from '../api';
import { moveProblems } from '../phases';

/** What changes between two commits; silent without the manifests of the commit before. */
export const MOVES_RULE: Rule = {
  codes: ['DRA401', 'DRA402', 'DRA403', 'DRA404', 'DRA405', 'DRA406'],
  run(context) {
    const { manifests, previous, target } = context;
    if (previous === undefined) return;
    const before = new Map(migrationsIn(previous, target).map(one => [one.migration.name, one]));
    const after = new Map(migrationsIn(manifests, target).map(one => [one.migration.name, one]));
    for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const [old, now] = [before.get(name), after.get(name)];
      // There, but refused by its CRD: another rule says so.
      if (now === undefined && manifests.find(API_GROUP, 'DeviceMigration', '', name) !== undefined) continue;
      if (old === undefined && previous.find(API_GROUP, 'DeviceMigration', '', name) !== undefined) continue;
      const object = now?.object ?? old?.object;
      if (object === undefined) continue;
      for (const { code, severity, path, message, help } of moveProblems(old?.migration, now?.migration)) {
        report(context, code, Place.root(object).at(...path), { severity, message, help });
      }
    }
  },
};
