import type { DeviceMigrationProps, ExpandOptions, HandoverOptions } from './device-migration-props';
import { durationText } from './duration-text';
import type { DeviceMigrationSpec, ExpandSpec, HandoverSpec } from '../model/api';
import { DEFAULT_OPTIMIZE_FOR, migrationDefaults } from '../model/phases';

/**
 * The spec of a migration with everything that decides about the move written out.
 *
 * A default that stood in the controller alone would change with its version, in the middle of a move.
 */
export function migrationSpec(props: DeviceMigrationProps): DeviceMigrationSpec {
  const given = givenSpec(props);
  const { steps, handover, onGateFailure } = migrationDefaults(given);
  return {
    ...given,
    expand: { ...given.expand, steps, legacyFloor: given.expand?.legacyFloor ?? 0 },
    handover,
    onGateFailure,
    optimizeFor: given.optimizeFor ?? DEFAULT_OPTIMIZE_FOR,
  };
}

function givenSpec(props: DeviceMigrationProps): DeviceMigrationSpec {
  return {
    family: props.driver.family,
    driver: props.driver.driverName,
    nodes: props.nodes._toJson(),
    deviceClassNames: props.deviceClasses.map(({ deviceClassName }) => deviceClassName),
    phase: props.phase,
    ...defined({
      assumesDisjoint: props.assumesDisjoint && props.assumesDisjoint.length > 0 ? [...props.assumesDisjoint].sort() : undefined,
      legacy: props.legacy?._toJson(props.driver.driverName),
      canary: props.canary && {
        nodes: props.canary.nodes._toJson(),
        namespaces: [...props.canary.namespaces].sort(),
        ...defined({ selector: props.canary.selector?._toJson() }),
      },
      expand: props.expand && expandSpec(props.expand),
      gates: props.gates && props.gates.length > 0 ? props.gates.map(gate => gate._toJson()).sort((a, b) => (a.name < b.name ? -1 : 1)) : undefined,
      handover: props.handover && handoverSpec(props.handover),
      group: props.group,
      onGateFailure: props.onGateFailure,
      optimizeFor: props.optimizeFor,
      windows: props.windows && props.windows.length > 0 ? props.windows.map(({ start, duration, timeZone }) => ({
        start: start.expressionString, duration: durationText(duration), timeZone: timeZone ?? 'UTC',
      })) : undefined,
      change: props.change && defined({ ticket: props.change.ticket, approvedBy: props.change.approvedBy }),
    }),
  };
}

function expandSpec({ steps, topologyKey, legacyFloor }: ExpandOptions): ExpandSpec {
  return defined({
    steps: steps?.map(step => step._toJson()), unit: topologyKey === undefined ? undefined : { topologyKey }, legacyFloor: legacyFloor?._toJson(),
  });
}

function handoverSpec(options: HandoverOptions): HandoverSpec {
  return defined({
    strategy: options.strategy,
    deadline: options.deadline && durationText(options.deadline),
    onDeadline: options.onDeadline,
    parallelism: options.parallelism?._toJson(),
    maxNodesWaiting: options.maxNodesWaiting?._toJson(),
    maxIdleDeviceHours: options.maxIdleDeviceHours,
  });
}

/** An object without the fields that are undefined. */
function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
