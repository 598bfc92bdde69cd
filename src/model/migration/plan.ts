import type { DeviceHoldSpec, DeviceMigrationSpec, HoldLevel } from '../api';

/** A DeviceMigration as a manifest has it. */
export interface PlannedMigration {
  readonly name: string;
  readonly spec: DeviceMigrationSpec;
}

/** A DeviceHold as a cluster has it. */
export interface StandingHold {
  readonly name: string;
  readonly spec: DeviceHoldSpec;
  /** '' when unknown. */
  readonly uid: string;
  /** RFC 3339; '' when unknown. */
  readonly since: string;
}

/** What of a hold bears upon doors and bridges. */
export interface HeldPool {
  readonly name: string;
  readonly spec: { readonly migration: string; readonly level: HoldLevel };
}
