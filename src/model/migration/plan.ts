import type { DeviceMigrationSpec } from '../api';

/** A DeviceMigration as a manifest has it. */
export interface PlannedMigration {
  readonly name: string;
  readonly spec: DeviceMigrationSpec;
}
