import { column, count, crd, dnsLabel, keyedList, map, object, set, text, word } from './crd-schema';
import { type TemplateTexts, templateTextsSchema } from './template-text';
import type { CustomResourceDefinition } from '../../../imports/types';

/** The only name that the policies look for. */
export const ROUTING_NAME = 'default';

/** Whom a door lets in. */
export const DOORS = ['Closed', 'Canary', 'Tenants', 'Open'] as const;
export type Door = typeof DOORS[number];

/** What may happen to a workload; the value of its label `cdk8s-dra.dev/interruption`. */
export const INTERRUPTIONS = ['safe', 'costly', 'forbidden'] as const;
export type Interruption = typeof INTERRUPTIONS[number];

/** Label of a workload that says what an interruption means to it; without it `costly`. */
export const INTERRUPTION_LABEL = 'cdk8s-dra.dev/interruption';

/** Who may start work on which way, computed from all migrations; written by the controller, or by `kubectl-dra route --write`. */
export interface DeviceRoutingSpec {
  /** By class; a class that is not here is no matter of a migration, and open. */
  readonly classes?: { readonly [deviceClass: string]: DoorState };
  /** By extended resource; one that is not here is open. */
  readonly resources?: { readonly [resource: string]: DoorState };
  /** The claim templates that ask for a class of `classes` whose door is not open. */
  readonly templates?: TemplateTexts;
  /** Pools of nodes that change owner. */
  readonly fencedPools?: readonly FencedPools[];
}

/** The state of a door. */
export interface DoorState {
  readonly door: Door;
  /** With `Canary`: whom. */
  readonly namespaces?: readonly string[];
  /** Which workloads; absent means any. */
  readonly interruptions?: readonly Interruption[];
  /** Why, and what to do; told to who is refused. */
  readonly message: string;
}

/** Pools of a driver in which nothing new is allocated. */
export interface FencedPools {
  readonly driver: string;
  readonly pools: readonly string[];
}

export const ROUTING_LIMITS = {
  classes: 512, resources: 256, drivers: 32, pools: 4096, namespaces: 256,
} as const;

const DOOR_STATE = object({
  door: word(...DOORS),
  namespaces: set(dnsLabel(), ROUTING_LIMITS.namespaces),
  interruptions: set(word(...INTERRUPTIONS), INTERRUPTIONS.length),
  message: text(1024),
}, ['door', 'message']);

/** CRD of DeviceRouting, a singleton. */
export const DEVICE_ROUTING_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceRouting',
  plural: 'deviceroutings',
  shortName: 'drt',
  scope: 'Cluster',
  columns: [column('Fenced', '.spec.fencedPools[*].driver'), column('Age', '.metadata.creationTimestamp', 'date')],
  schema: object({
    spec: object({
      // Server-side apply of a map that loses its last key writes null; only where there is a default the API server takes that.
      classes: { ...map(DOOR_STATE, ROUTING_LIMITS.classes), default: {} },
      resources: map(DOOR_STATE, ROUTING_LIMITS.resources),
      templates: templateTextsSchema(),
      fencedPools: keyedList('driver', object({ driver: text(63), pools: set(text(253), ROUTING_LIMITS.pools) }, ['driver', 'pools']), ROUTING_LIMITS.drivers),
    }),
    status: object({ observedGeneration: count() }),
  }, ['spec'], [{ rule: `self.metadata.name == '${ROUTING_NAME}'`, message: `must be named ${ROUTING_NAME}: the policies read no other` }]),
});
