import type { PlannedMigration, StandingHold } from './plan';
import { shapeMistakes } from './shape-mistakes';
import { HOLD_LEVELS } from '../api';
import type { DeviceHoldSpec, DeviceMigrationSpec } from '../api';
import type { JsonObject } from '../manifests/manifest-set';
import { withoutNulls } from '../manifests/without-nulls';
import { nearest } from '../near-miss';
import { nodeCountProblem } from '../phases/node-count';
import { PHASES } from '../phases/phase';
import { describeProblem } from '../problem';
import type { ClusterView } from '../view';
import { field, objectAt, objectsAt, textAt, textsAt } from '../view/json-field';

/** The migrations and holds of some objects, and what could not be read: of files nobody has checked the schema. */
export interface ReadPlan {
  /** Sorted by name. */
  readonly migrations: readonly PlannedMigration[];
  /** Sorted by name. */
  readonly holds: readonly StandingHold[];
  /** What is wrong with an object that was left out, a sentence each. */
  readonly mistakes: readonly string[];
}

export function readPlan(view: ClusterView): ReadPlan {
  const mistakes: string[] = [];
  const migrations = view.all('DeviceMigration').flatMap(({ name, value: given }): PlannedMigration[] => {
    const value = withoutNulls(given);
    const found = mistakesOf(value, migrationMistakes);
    mistakes.push(...found.map(mistake => `DeviceMigration ${name}: ${mistake}`));
    return found.length > 0 ? [] : [{ name, spec: value.spec as unknown as DeviceMigrationSpec }];
  });
  const holds = view.all('DeviceHold').flatMap(({ name, uid, value }): StandingHold[] => {
    const found = mistakesOf(value, holdMistakes);
    mistakes.push(...found.map(mistake => `DeviceHold ${name}: ${mistake}`));
    return found.length > 0 ? [] : [{ name, uid, since: textAt(value, 'metadata', 'creationTimestamp'), spec: value.spec as unknown as DeviceHoldSpec }];
  });
  return { migrations, holds, mistakes };
}

/** The words that help most, and where they find nothing those of the CRD. */
function mistakesOf(value: JsonObject, words: (value: JsonObject) => readonly string[]): readonly string[] {
  const found = words(value);
  return found.length > 0 ? found : shapeMistakes(value);
}

/** Only what everything else relies on; the rest is for the CRD and the rules. */
function migrationMistakes(value: JsonObject): readonly string[] {
  const spec = objectAt(value, 'spec');
  const phase = textAt(spec, 'phase');
  const meant = nearest(phase, PHASES);
  const { canary, expand, legacy } = spec;
  return [
    ...(textAt(spec, 'family') === '' ? ['spec.family is missing: name the kind of device, e.g. gpu.'] : []),
    ...(textAt(spec, 'driver') === '' ? ['spec.driver is missing: name the DRA driver, e.g. gpu.nvidia.com.'] : []),
    ...(textsAt(spec, 'deviceClassNames').length === 0 ? ['spec.deviceClassNames is missing: name the classes that offer devices of the pool.'] : []),
    ...(selects(spec) ? [] : ['spec.nodes selects by no label: write matchLabels or matchExpressions.']),
    ...(PHASES.some(one => one === phase) ? [] : [
      `spec.phase must be one of ${PHASES.join(', ')}, got '${phase}'.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    ]),
    ...(canary !== undefined && textsAt(canary, 'namespaces').length === 0 ? ['spec.canary.namespaces is missing: name who may use the canary nodes.'] : []),
    ...(canary === undefined ? [] : countMistakes('canary.nodes', field(canary, 'nodes'))),
    ...(field(expand, 'legacyFloor') === undefined ? [] : countMistakes('expand.legacyFloor', field(expand, 'legacyFloor'))),
    ...listOf(field(expand, 'steps')).flatMap((step, i) => countMistakes(`expand.steps[${i}]`, step)),
    ...(expand !== undefined && field(expand, 'steps') !== undefined && !Array.isArray(field(expand, 'steps')) ? ['spec.expand.steps must be a list.'] : []),
    ...(legacy !== undefined && objectsAt(legacy, 'resources').some(one => textAt(one, 'name') === '') ? ['spec.legacy.resources has an entry without a name.'] : []),
    ...(legacy !== undefined && objectsAt(legacy, 'resources').length === 0 ? ['spec.legacy.resources is missing: name the extended resources of the device plugin.'] : []),
  ];
}

function countMistakes(name: string, count: unknown): readonly string[] {
  const problem = nodeCountProblem(count);
  return problem === undefined ? [] : [describeProblem(`spec.${name}`, count, problem)];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function selects(spec: JsonObject): boolean {
  return Object.keys(objectAt(spec, 'nodes', 'matchLabels')).length > 0 || objectsAt(spec, 'nodes', 'matchExpressions').length > 0;
}

function holdMistakes(value: JsonObject): readonly string[] {
  const level = textAt(value, 'spec', 'level');
  return [
    ...(textAt(value, 'spec', 'migration') === '' ? ['spec.migration is missing: name the DeviceMigration that it holds.'] : []),
    ...(HOLD_LEVELS.some(one => one === level) ? [] : [`spec.level must be one of ${HOLD_LEVELS.join(', ')}, got '${level}'.`]),
  ];
}
