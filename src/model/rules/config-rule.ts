import { checkDriverName } from './checks';
import { claimSpecsOf } from './claim-spec';
import { Place } from './place';
import { report, reportProblem } from './report';
import type { Rule, RuleContext } from './rule';
import { configProblems, DRIVER_PROFILES, profileForDriver } from '../drivers';
import { opaqueProblem } from '../json-object';
import type { FieldPath } from '../manifests/manifest';
import { driverNameProblem } from '../names';
import { nearest } from '../near-miss';
import { RESOURCE_GROUP } from '../target';

/** Opaque config of claims and classes: form, size, and what the driver makes of it. */
export const CONFIG_RULE: Rule = {
  codes: ['DRA121', 'DRA124', 'DRA126', 'DRA148', 'DRA159'],
  run(context) {
    for (const { place } of claimSpecsOf(context.manifests)) checkConfigs(context, place.at('devices', 'config'));
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceClass')) checkConfigs(context, Place.root(object).at('spec', 'config'));
  },
};

function checkConfigs(context: RuleContext, list: Place): void {
  for (const config of list.items()) {
    const opaque = config.at('opaque');
    if (config.fields !== undefined && !opaque.isSet) {
      report(context, 'DRA124', config, { message: 'A config entry must have opaque, got none.', help: 'Write opaque: {driver: …, parameters: {…}}.' });
    }
    if (opaque.fields === undefined) continue;
    checkDriverName(context, opaque.at('driver'), driverNameProblem);
    checkParameters(context, opaque);
  }
}

function checkParameters(context: RuleContext, opaque: Place): void {
  const parameters = opaque.at('parameters');
  // A missing one is the matter of the schema.
  if (!parameters.isSet) return;
  const problem = opaqueProblem(parameters.value);
  if (problem !== undefined) return reportProblem(context, 'DRA126', parameters, problem);
  const driverName = opaque.at('driver').text;
  if (!driverName) return;
  const profile = profileForDriver(driverName);
  if (profile === undefined) {
    const meant = nearest(driverName, DRIVER_PROFILES.map((known) => known.driverName));
    if (meant !== undefined) {
      report(context, 'DRA148', opaque.at('driver'), {
        message: `No driver '${driverName}' is known here, but one with nearly that name: config for a driver that allocates nothing is ignored.`, help: `Did you mean '${meant}'?`,
      });
    }
    return;
  }
  for (const { path, rule, help } of configProblems(profile, parameters.value)) {
    const place = parameters.at(...steps(path));
    report(context, 'DRA159', place, {
      severity: profile.depth === 'full' ? undefined : 'warning', message: `'${place.field}' ${rule}.`, help,
    });
  }
}

/** `a.b[0]` as a path. */
function steps(path: string): FieldPath {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, field, index]) => (index === undefined ? field : Number(index)));
}
