import type { AgentMode } from 'cdk8s-dra/model';

import type { Inventory } from '../devices/inventory.js';

export type { AgentMode };

/** A value that others follow. */
export interface Followed<T> {
  readonly current: T;
  /** Called after each change, never at once; returns how to stop. */
  follow(listener: (value: T) => void): () => void;
}

/** Why a device gets no new work, whatever the API says. */
export interface Isolation {
  readonly device: string;
  /** Code of the catalogue, DRA3xx. */
  readonly code: string;
  readonly message: string;
  /** RFC 3339; stays the same while the reason does, since it is a taint's `timeAdded`. */
  readonly since: string;
}

/** Who holds what, as the claim records say. */
export interface HeldDevice {
  readonly device: string;
  readonly claimUid: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: 'preparing' | 'prepared' | 'releasing' | 'quarantined';
  readonly shareId?: string;
  readonly consumedCapacity?: { readonly [capacity: string]: string };
  readonly adminAccess?: boolean;
}

/** State that the parts of one agent share; each field has one writer. */
export interface DeviceState {
  /** Written by discovery. */
  readonly inventory: Followed<Inventory>;
  /** Written by health and by failed clean-ups. */
  readonly isolations: Followed<readonly Isolation[]>;
  /** Written by the claims. */
  readonly held: Followed<readonly HeldDevice[]>;
  /** Written by the watch of the own Node. */
  readonly mode: Followed<AgentMode>;
}
